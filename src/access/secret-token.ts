import { hash, randomBytes } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 192 bits take 33 digits of this alphabet, 32 bits of checksum take 6. */
const randomBytesLength = 24;
const bodyLength = 33;
const checksumLength = 6;

/**
 * A secret that is shown once: a recognisable prefix, 192 random bits, and a checksum, so that a mistyped or cut one
 * is known to be wrong before anything is looked up, and scanners can find leaked ones. Only letters and digits, so
 * that a double click selects it whole.
 */
export interface SecretKind {
  readonly prefix: string;
}

export const apiKeyKind: SecretKind = { prefix: 'plumb_' };
export const signInKind: SecretKind = { prefix: 'plumbsignin_' };
export const sessionKind: SecretKind = { prefix: 'plumbsession_' };
export const stopKind: SecretKind = { prefix: 'plumbstop_' };

export function makeSecret(kind: SecretKind): string {
  const body = digits(BigInt(`0x${randomBytes(randomBytesLength).toString('hex')}`), bodyLength);
  return `${kind.prefix}${body}${checksum(kind, body)}`;
}

/** Whether this can be such a secret at all. Says nothing about whether it is known. */
export function isWellFormed(kind: SecretKind, secret: string): boolean {
  if (secret.length !== kind.prefix.length + bodyLength + checksumLength || !secret.startsWith(kind.prefix))
    return false;
  const body = secret.slice(kind.prefix.length, -checksumLength);
  return secret.endsWith(checksum(kind, body));
}

/**
 * The hash that is stored in place of the secret. Nobody can guess 192 random bits, so the hash needs neither salt nor
 * key.
 */
export const hashOf = (secret: string): string => hash('sha256', secret);

export const hintOf = (secret: string): string => secret.slice(-4);

function checksum(kind: SecretKind, body: string): string {
  const sum = hash('sha256', `${kind.prefix}${body}`, 'buffer').readUInt32BE(0);
  return digits(BigInt(sum), checksumLength);
}

function digits(value: bigint, length: number): string {
  const base = BigInt(alphabet.length);
  let rest = value;
  let written = '';
  for (let i = 0; i < length; i += 1) {
    written = `${alphabet[Number(rest % base)]}${written}`;
    rest /= base;
  }
  return written;
}
