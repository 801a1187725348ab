import { createCipheriv, createDecipheriv, createHmac, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';

const algorithm = 'aes-256-gcm';
const format = 'v2';
/** The form of earlier versions. Tokens in it do not belong to an address. */
const earlierFormat = 'v1';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
/** The secret may be a word that somebody chose: guessing it has to be dear. The salt only keeps other uses apart. */
const salt = 'plumb: secrets of sources';

/** The key that encrypts secrets. Its id says which key a text needs, and nothing about the key. */
export interface EncryptionKey {
  readonly id: string;
  readonly bytes: Buffer;
}

export async function encryptionKeyOf(secret: string): Promise<EncryptionKey> {
  const derive = promisify<string, string, number, Buffer>(scrypt);
  const bytes = await derive(secret, salt, keyBytes);
  return { id: createHmac('sha256', bytes).update('id').digest('hex').slice(0, 16), bytes };
}

/** `v2.KEY_ID.BYTES`. It can be decrypted in the same context only: a text copied to another row is worth nothing. */
export function encrypt({ id, bytes }: EncryptionKey, text: string, context: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, bytes, nonce).setAAD(Buffer.from(context));
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return [format, id, Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url')].join('.');
}

/** Undefined where the text is damaged, or belongs to another context. */
export function decrypt({ id, bytes }: EncryptionKey, encrypted: string, context: string): string | undefined {
  const [version, keyId, packed = ''] = encrypted.split('.');
  if ((version !== format && version !== earlierFormat) || keyId !== id) return undefined;
  const parts = Buffer.from(packed, 'base64url');
  if (parts.length < nonceBytes + tagBytes) return undefined;
  try {
    const decipher = createDecipheriv(algorithm, bytes, parts.subarray(0, nonceBytes), { authTagLength: tagBytes })
      .setAAD(Buffer.from(context))
      .setAuthTag(parts.subarray(nonceBytes, nonceBytes + tagBytes));
    return Buffer.concat([decipher.update(parts.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

/** Whether an earlier version encrypted it. */
export const isEarlierFormat = (encrypted: string): boolean => encrypted.startsWith(`${earlierFormat}.`);

/** The id of the key with which a text was encrypted. */
export const keyIdOf = (encrypted: string): string => encrypted.split('.')[1] ?? '';
