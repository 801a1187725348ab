import { isDay } from '../calendar.ts';
import { didYouMean } from '../nearest.ts';
import { Refusal } from '../refusal.ts';
import { tooLong } from '../text-limits.ts';

export type WrittenFields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is WrittenFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields of a part of a document, with none but known ones. `part` begins its refusal: `Panel 2`. */
export function fieldsIn(value: unknown, known: readonly string[], part: string): WrittenFields {
  if (!isFields(value)) throw new Refusal('bad-input', `${part} must have the fields ${known.join(', ')}.`);
  for (const name of Object.keys(value)) {
    if (known.includes(name)) continue;
    const hint = didYouMean(name, known);
    throw new Refusal(
      'bad-input',
      `${part} has the unknown field '${shortened(name)}'.${hint} It has ${known.join(', ')}.`,
    );
  }
  return value;
}

/** A text such as a title, in one line. Undefined where it is left out. */
export function titleIn(fields: WrittenFields, name: string, maxLength = 200): string | undefined {
  const { [name]: value } = fields;
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || value.trim() === '' || /[\p{Cc}\u2028\u2029]/u.test(value)) {
    throw new Refusal('bad-input', `${name} must be a text in one line.`);
  }
  if (tooLong(value, maxLength) !== undefined) {
    throw new Refusal('bad-input', `${name} takes ${maxLength} characters at most.`);
  }
  return value;
}

export function requiredTitle(fields: WrittenFields, name = 'title'): string {
  const title = titleIn(fields, name);
  if (title === undefined) throw new Refusal('bad-input', `${name} is missing.`);
  return title;
}

export function booleanIn(fields: WrittenFields, name: string): boolean | undefined {
  const { [name]: value } = fields;
  if (value === undefined || typeof value === 'boolean') return value;
  throw new Refusal('bad-input', `${name} must be true or false.`);
}

/** One of some words. Undefined where it is left out. */
export function wordIn<W extends string>(fields: WrittenFields, name: string, words: readonly W[]): W | undefined {
  const { [name]: value } = fields;
  if (value === undefined) return undefined;
  const word = words.find((one) => one === value);
  if (word !== undefined) return word;
  const hint = typeof value === 'string' ? didYouMean(value, words) : '';
  throw new Refusal('bad-input', `${name} must be one of ${words.join(', ')}.${hint}`);
}

/** Does a part of the reading, and says in front of what is wrong which part it is. */
export function naming<T>(part: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal('bad-input', `${part}: ${error.message}`);
  }
}

export const shortened = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** Leaves out the fields that have no value, so that a document says what was written and no more. */
export const given = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;

/** A day from 1970 on. Undefined where it is left out or null. */
export function dayIn(fields: WrittenFields, name: string): string | undefined {
  const { [name]: value } = fields;
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' && isDay(value) && value >= '1970-01-01') return value;
  const sent = typeof value === 'string' ? `'${shortened(value)}'` : JSON.stringify(value).slice(0, 60);
  throw new Refusal('bad-input', `${name} must be a day such as 2026-03-02, not ${sent}.`);
}

/** The filters of a document; none where they are left out. */
export function filtersIn({ filters }: WrittenFields): WrittenFields {
  if (filters === undefined || filters === null) return {};
  if (isFields(filters)) return filters;
  throw new Refusal('bad-input', 'filters must be an object such as {"team": ["Checkout"]}.');
}

/** The value of a field that may not be left out. `such` says what it may be. */
export function needed<V>(value: V | undefined, name: string, such: string): V {
  if (value === undefined) throw new Refusal('bad-input', `${name} is missing: ${such}.`);
  return value;
}
