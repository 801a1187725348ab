import { didYouMean } from '../../nearest.ts';
import { Refusal } from '../../refusal.ts';

export type Body = Readonly<Record<string, unknown>>;

export const refuse = (message: string): Refusal => new Refusal('bad-input', message);

/** The body of a request: an object with none but known fields. */
export function readBody(value: unknown, known: readonly string[]): Body {
  if (!isObject(value))
    throw refuse(`The body must be a JSON object such as {"filters": {"start_date": "2024-01-01"}}.`);
  for (const field of Object.keys(value)) {
    if (!known.includes(field)) {
      const hint = didYouMean(field, known);
      throw refuse(`Unknown field '${shown(field)}' in the body.${hint} Known fields: ${known.join(', ')}.`);
    }
  }
  return value;
}

export const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Undefined for a field that is left out or null. */
export function optional<T>(body: Body, field: string, read: (value: unknown, field: string) => T): T | undefined {
  const value = body[field];
  return value === undefined || value === null ? undefined : read(value, field);
}

export function readText(value: unknown, field: string): string {
  if (typeof value !== 'string') throw refuse(`${field} must be a text, not ${kindOf(value)}.`);
  if (isUnwritable(value)) throw refuse(`${field} has half a character or a NUL in it, which no text can have.`);
  return value;
}

/** No engine takes such a text, and no record can hold one. */
const isUnwritable = (text: string): boolean => /\p{Surrogate}|\0/u.test(text);

export function readTruth(value: unknown, field: string): boolean {
  if (typeof value !== 'boolean') throw refuse(`${field} must be true or false, not ${kindOf(value)}.`);
  return value;
}

export function readNumber(value: unknown, field: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw refuse(`${field} must be a number, not ${kindOf(value)}.`);
  return value;
}

export function readTexts(value: unknown, field: string): string[] {
  if (!Array.isArray(value)) throw refuse(`${field} must be a list of texts, not ${kindOf(value)}.`);
  return value.map((item) => readText(item, `Each item of ${field}`));
}

/** One of some words, without regard to case. */
export function readWord<W extends string>(value: unknown, field: string, words: readonly W[]): W {
  const text = readText(value, field);
  const found = words.find((word) => word === text.trim().toLowerCase());
  if (!found) {
    throw refuse(`${field} must be one of ${words.join(', ')}, not '${shown(text)}'.${didYouMean(text, words)}`);
  }
  return found;
}

/** What somebody sent, short enough for a sentence. */
export const shown = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  switch (typeof value) {
    case 'string':
      return `'${shown(value)}'`;
    case 'object':
      return 'an object';
    default:
      return shown(String(value));
  }
}
