import { filters } from '../../catalogue/filters.ts';
import { type RequestField, type RequestFields, windowFilters } from '../../catalogue/request-fields.ts';
import { questionWords } from '../../catalogue/synonyms.ts';
import { didYouMean } from '../../nearest.ts';
import { Refusal } from '../../refusal.ts';
import { isUnstorable, maxNameLength, tooLong } from '../../text-limits.ts';

export type Body = Readonly<Record<string, unknown>>;

export const refuse = (message: string): Refusal => new Refusal('bad-input', message);

/** The body of a request: an object with none but known fields. */
export function readBody(value: unknown, fields: RequestFields): Body {
  const known = Object.keys(fields);
  if (!isObject(value))
    throw refuse(`The body must be a JSON object such as {"filters": {"start_date": "2024-01-01"}}.`);
  for (const field of Object.keys(value)) {
    if (!known.includes(field)) {
      const hint = placeOf(field, value[field], known) ?? didYouMean(field, known, questionWords);
      throw refuse(`Unknown field '${shown(field)}' in the body.${hint} Known fields: ${known.join(', ')}.`);
    }
  }
  return value;
}

/** Names of filters, also their other ones. */
const filterNames = new Set([
  ...windowFilters,
  ...Object.entries(filters).flatMap(([name, { aliases = [] }]) => [name, ...aliases]),
]);
/** How other services page through rows. */
const pagingFields = new Set(['offset', 'page', 'skip', 'page_size', 'per_page', 'cursor']);

/** The right place for a field that is in the wrong one. */
function placeOf(field: string, value: unknown, known: readonly string[]): string | undefined {
  if (filterNames.has(field) && known.includes('filters')) {
    const written = JSON.stringify({ filters: { [field]: value } });
    const example = written.length > 100 ? `{"filters":{"${field}":…}}` : written;
    return ` It goes into filters: ${example}.`;
  }
  if (field === 'metrics' && known.includes('date_level')) {
    return ' The address names the one metric: leave metrics out, or send several to /metrics/get-multiple-metrics.';
  }
  if (!pagingFields.has(field)) return undefined;
  return ' There are no pages: a shorter window or more filters give fewer rows, and over HTTP /metrics/get-multiple-metrics gives all of them.';
}

export const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value of a field of each kind. */
type FieldValue<F extends RequestField> = F extends { kind: 'word'; words: readonly (infer W extends string)[] }
  ? W
  : {
      text: string;
      texts: string[];
      boolean: boolean;
      number: number;
      integer: number;
      word: string;
      filters: Body;
      'per-metric': Body;
    }[F['kind']];

/** The value of a field, by its declaration. Undefined where the field is left out or null. */
export function readField<F extends RequestField>(field: F, value: unknown, name: string): FieldValue<F> | undefined {
  if (value === undefined || value === null) return undefined;
  return readValue(field, value, name) as FieldValue<F>;
}

/** Reads fields of a body by name. */
export const fieldsOf =
  <T extends RequestFields>(fields: T, body: Body) =>
  <N extends keyof T & string>(name: N): FieldValue<T[N]> | undefined =>
    readField(fields[name] as T[N], body[name], name);

function readValue(field: RequestField, value: unknown, name: string): unknown {
  switch (field.kind) {
    case 'text':
      return readText(value, name);
    case 'texts':
      return readTexts(value, name);
    case 'boolean':
      return readTruth(value, name);
    case 'number':
      return readNumber(value, name);
    case 'integer':
      return readInteger(value, name, field);
    case 'word':
      return readWord(value, name, field);
    case 'filters':
      return readObject(value, name);
    case 'per-metric':
      if (isObject(value)) return value;
      throw refuse(`${name} must be an object with a metric’s name before each value, not ${kindOf(value)}.`);
  }
}

function readObject(value: unknown, name: string): Body {
  if (!isObject(value)) throw refuse(`${name} must be an object, not ${kindOf(value)}.`);
  return value;
}

export function readText(value: unknown, field: string, maxLength = maxNameLength): string {
  if (typeof value !== 'string') throw refuse(`${field} must be a text, not ${kindOf(value)}.`);
  const length = tooLong(value, maxLength);
  if (length !== undefined) throw refuse(`${field} takes ${maxLength} characters at most, not ${length}.`);
  if (isUnstorable(value)) throw refuse(`${field} has half a character or a NUL in it, which no text can have.`);
  return value;
}

function readTruth(value: unknown, field: string): boolean {
  if (typeof value !== 'boolean')
    throw refuse(`${field} must be true or false, not ${kindOf(value)}.${unquoted(value, /^(?:true|false)$/i)}`);
  return value;
}

function readNumber(value: unknown, field: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw refuse(`${field} must be a number, not ${kindOf(value)}.${unquoted(value, digits)}`);
  return value;
}

const digits = /^-?\d+(?:\.\d+)?$/;

/** A value of JSON that stands in quotes as if it were a text. */
const unquoted = (value: unknown, form: RegExp): string =>
  typeof value === 'string' && form.test(value) ? ' Write it without quotes.' : '';

function readInteger(
  value: unknown,
  field: string,
  { minimum = 0, maximum = Number.MAX_SAFE_INTEGER, beyond }: RequestField,
): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < minimum || value > maximum) {
    const advice = beyond && typeof value === 'number' && value > maximum ? ` ${beyond}` : unquoted(value, digits);
    throw refuse(`${field} must be a whole number from ${minimum} to ${maximum}, not ${kindOf(value)}.${advice}`);
  }
  return value;
}

function readTexts(value: unknown, field: string): string[] {
  if (!Array.isArray(value)) {
    const hint = typeof value === 'string' ? ` Write ${JSON.stringify([shown(value)])}.` : '';
    throw refuse(`${field} must be a list of texts, not ${kindOf(value)}.${hint}`);
  }
  return value.map((item) => readText(item, `Each item of ${field}`));
}

/** One of some words, without regard to case. */
function readWord(value: unknown, field: string, { words = [], synonyms }: RequestField): string {
  const text = readText(value, field);
  const found = words.find((word) => word === text.trim().toLowerCase());
  if (!found) {
    const hint = didYouMean(text, words, synonyms);
    throw refuse(`${field} must be one of ${words.join(', ')}, not '${shown(text)}'.${hint}`);
  }
  return found;
}

/** The sent value, short enough for a sentence. */
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
