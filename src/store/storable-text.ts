import { Refusal } from '../refusal.ts';
import { isUnstorable } from '../unstorable-text.ts';
import type { StoreValue } from './store.ts';

/**
 * Refuses a value that only one of the engines could keep, or that would come back as something else: PostgreSQL has no
 * text with a zero byte, and half a surrogate pair has no UTF-8.
 */
export function refuseUnstorable(value: StoreValue): void {
  if (Array.isArray(value) ? value.some(isUnstorableText) : isUnstorableText(value)) {
    throw new Refusal('bad-input', 'A text must not contain the NUL character or half a surrogate pair.');
  }
}

const isUnstorableText = (value: unknown): boolean => typeof value === 'string' && isUnstorable(value);
