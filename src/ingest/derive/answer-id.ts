import { createHmac } from 'node:crypto';

/**
 * The identifier under which an answer to a survey is shown. What its source calls it often begins with the recipient,
 * and nearly always counts on: this shows neither, and nobody without the key can compute it from the source's own.
 */
export function answerId(key: string, id: string): string {
  const hex = createHmac('sha256', key).update(id).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}
