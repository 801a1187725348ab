import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { Payload, UnknownShape } from './payload.ts';
import type { ChangedObject, WebhookKind } from './source.ts';

/** A call of a provider, as far as it proves whose it is. */
interface WebhookProof {
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  /** Of the address, `?token=…`. */
  readonly token?: string | undefined;
}

/** While a secret is replaced, a provider signs with the old one and the new one. */
const maxSignatures = 10;

/** Whether a call knows the secret. Everything is compared in constant time. */
export function isProven({ signature, token }: WebhookKind, call: WebhookProof, secret: string): boolean {
  if (secret === '') return false;
  const isSigned = signature !== undefined && hasSignature(call, signature, secret);
  const given = token === undefined ? undefined : token === 'in the address' ? call.token : call.headers[token.header];
  // The code computes both signatures, also where the first would do.
  return [isSigned, given !== undefined && isSameSecret(given, secret)].includes(true);
}

function hasSignature(
  { headers, body }: WebhookProof,
  { header, prefix }: Required<WebhookKind>['signature'],
  secret: string,
): boolean {
  const wanted = createHmac('sha256', secret).update(body).digest();
  return (headers[header] ?? '')
    .split(',', maxSignatures)
    .map((each) => each.trim())
    .filter((each) => each.startsWith(prefix) && isDigest(each.slice(prefix.length)))
    .map((each) => timingSafeEqual(Buffer.from(each.slice(prefix.length), 'hex'), wanted))
    .includes(true);
}

const isDigest = (text: string): boolean => /^[\da-f]{64}$/i.test(text);

/** By their digests, which are of one length. */
const isSameSecret = (given: string, secret: string): boolean => timingSafeEqual(digestOf(given), digestOf(secret));
const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The address that a provider calls. Where the secret is part of it, it is whole only while the secret is shown. */
export function webhookAddress(
  { token }: WebhookKind,
  { url, secret }: { readonly url: string; readonly secret?: string | undefined },
): string {
  return token === 'in the address' && secret !== undefined ? `${url}?token=${encodeURIComponent(secret)}` : url;
}

/**
 * Deliveries come late, twice and in any order: they only say what to read again. One that is proven, but not as it is
 * published, is about nothing: the next sync reads what it may have been about.
 */
export const objectsIn =
  (read: (event: string, payload: Payload) => ChangedObject | undefined): WebhookKind['objectsOf'] =>
  (event, payload) => {
    try {
      const object = read(event, Payload.of(payload, 'webhook'));
      return object ? [object] : [];
    } catch (error) {
      if (error instanceof UnknownShape) return [];
      throw error;
    }
  };

/** The object that a delivery of one event is about; undefined where it changes nothing that is kept. */
export type DeliveryReader = (payload: Payload) => ChangedObject | undefined;

export const objectsByEvent = (readers: Readonly<Record<string, DeliveryReader>>): WebhookKind['objectsOf'] =>
  objectsIn((event, payload) => (Object.hasOwn(readers, event) ? readers[event]?.(payload) : undefined));

/** Names become part of an address that is asked: one that leads elsewhere is none. */
export const isPathName = (name: string): boolean => /^[\w.-]+$/.test(name) && !/^\.{1,2}$/.test(name);
