import { createHmac } from 'node:crypto';

/**
 * The identifier under which an answer to a survey is shown. What its source calls it often begins with the recipient,
 * and nearly always counts on: this shows neither, and nobody without the key can compute it from the source's own.
 */
export function answerId(key: string, id: string): string {
  const hex = keyed(key, id);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}

/**
 * The digest of an answer, by which a changed answer is distinguished from the same one that came again. Nobody without
 * the key can guess it.
 */
export const answerDigest = (key: string, content: readonly (string | null)[]): string =>
  keyed(key, JSON.stringify(content));

const keyed = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('hex');
