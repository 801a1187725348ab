import { mustBeOneOf } from '../../nearest.ts';
import { Refusal } from '../../refusal.ts';

interface NumberLimits {
  readonly usual: number;
  readonly least?: number;
  readonly most: number;
}

/** A whole number of the query, which is text. */
export function numberIn(name: string, text: string | undefined, { usual, least = 0, most }: NumberLimits): number {
  if (text === undefined) return usual;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new Refusal(
    'bad-input',
    `${name} must be a whole number from ${least} to ${most}, not '${text.slice(0, 50)}'.`,
  );
}

/** One word out of a few of the query. */
export function wordIn<T extends string>(name: string, text: string | undefined, words: readonly T[]): T | undefined {
  if (text === undefined || text === '') return undefined;
  const word = words.find((one) => one === text);
  if (word) return word;
  throw new Refusal('bad-input', `${name} ${mustBeOneOf(words, text)}`);
}
