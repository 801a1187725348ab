import { mustBeOneOf } from '../../nearest.ts';
import { Refusal } from '../../refusal.ts';

interface NumberLimits {
  readonly default: number;
  readonly min?: number;
  readonly max: number;
}

/** A whole number of the query, which is text. */
export function numberIn(
  name: string,
  text: string | undefined,
  { default: unset, min = 0, max }: NumberLimits,
): number {
  if (text === undefined) return unset;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new Refusal('bad-input', `${name} must be a whole number from ${min} to ${max}, not '${text.slice(0, 50)}'.`);
}

/** Reads a parameter that takes one of a few words. */
export function wordIn<T extends string>(name: string, text: string | undefined, words: readonly T[]): T | undefined {
  if (text === undefined || text === '') return undefined;
  const word = words.find((one) => one === text);
  if (word) return word;
  throw new Refusal('bad-input', `${name} ${mustBeOneOf(words, text)}`);
}
