import { Refusal } from '../refusal.ts';
import type { StoreValue } from './store.ts';

/** PostgreSQL has no text with a zero byte, and half a surrogate pair has no UTF-8: both engines refuse both alike. */
const unstorable = /[\0\p{Surrogate}]/u;

/** Refuses a value that only one of the engines could keep, or that would come back as something else. */
export function refuseUnstorable(value: StoreValue): void {
  if (typeof value === 'string' ? unstorable.test(value) : Array.isArray(value) && value.some(isUnstorable)) {
    throw new Refusal('bad-input', 'A text must not contain the NUL character or half a surrogate pair.');
  }
}

const isUnstorable = (value: unknown): boolean => typeof value === 'string' && unstorable.test(value);
