import { didYouMean } from '../nearest.ts';

/** What a field of an incoming record may hold. Dates and texts stay text: the store and the warehouse type them. */
export type FieldType = 'text' | 'integer' | 'number' | 'boolean' | 'date' | 'text[]' | 'json';

export interface Field<T extends FieldType = FieldType> {
  readonly type: T;
  readonly meaning: string;
  /** A closed list of values. Spelled as here in the store, matched without regard to case. */
  readonly oneOf?: readonly string[];
}

type Fields = Readonly<Record<string, Field>>;

/** The shape of one kind of record, declared once: validation, documentation and types derive from it. */
export interface RecordShape<F extends Fields = Fields> {
  readonly name: string;
  /** One record in words, for messages: "a person". */
  readonly one: string;
  readonly fields: F;
}

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

interface ValueOf {
  readonly text: string;
  readonly integer: number;
  readonly number: number;
  readonly boolean: boolean;
  readonly date: string;
  readonly 'text[]': readonly string[];
  readonly json: Json;
}

/** A record after reading: a field left out is absent and keeps its old value, an explicit null clears it. */
export type RecordOf<S extends RecordShape> = {
  readonly [N in keyof S['fields']]?: ValueOf[S['fields'][N]['type']] | null;
} & { readonly _deleted?: true };

export const text = (meaning: string, oneOf?: readonly string[]): Field<'text'> =>
  oneOf ? { type: 'text', meaning, oneOf } : { type: 'text', meaning };
export const integer = (meaning: string): Field<'integer'> => ({ type: 'integer', meaning });
export const number = (meaning: string): Field<'number'> => ({ type: 'number', meaning });
export const boolean = (meaning: string): Field<'boolean'> => ({ type: 'boolean', meaning });
export const date = (meaning: string): Field<'date'> => ({ type: 'date', meaning });
export const textList = (meaning: string, oneOf?: readonly string[]): Field<'text[]'> =>
  oneOf ? { type: 'text[]', meaning, oneOf } : { type: 'text[]', meaning };
export const json = (meaning: string): Field<'json'> => ({ type: 'json', meaning });

export const recordShape = <const F extends Fields>(shape: RecordShape<F>): RecordShape<F> => shape;

/** JSON values arrive typed; a CSV cell is always text, and an empty one means the field was left out. */
export type Form = 'json' | 'text';
export type Reading<S extends RecordShape> = { readonly record: RecordOf<S> } | { readonly problem: string };

const article: Record<FieldType, string> = {
  text: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  date: 'a date such as 2024-01-31',
  'text[]': 'a list of texts',
  json: 'JSON',
};

class Unfit extends Error {}

/** What every engine keeps as a whole number. */
const integerMost = 2 ** 31 - 1;
/** No name, title or address is longer; a million characters in one of them are a mistake. */
const textMost = 10_000;

/** No store and no warehouse keeps a zero byte or half a surrogate pair in a text. */
const unstorable = /[\0\p{Surrogate}]/u;

function holdsUnstorable(value: unknown): boolean {
  if (typeof value === 'string') return unstorable.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, item]) => unstorable.test(name) || holdsUnstorable(item));
}

function show(value: unknown): string {
  const shown = typeof value === 'string' ? `'${value}'` : (JSON.stringify(value) ?? String(value));
  return shown.length > 60 ? `${shown.slice(0, 57)}...` : shown;
}

function calendarDate(value: string): string | undefined {
  const day = /^(\d{4})-(\d{2})-(\d{2})(?:$|[T ]\d{2}:\d{2})/.exec(value);
  if (!day) return undefined;
  const [, year, month, dayOfMonth] = day;
  const at = new Date(Date.UTC(Number(year), Number(month) - 1, Number(dayOfMonth)));
  const iso = `${year}-${month}-${dayOfMonth}`;
  return at.toISOString().startsWith(iso) ? iso : undefined;
}

/** A JSON document inside a CSV cell. A text that is none is the caller's mistake, so it is reported, not thrown on. */
function parsedCell(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

function typed(field: Field, raw: unknown, form: Form): ValueOf[FieldType] {
  const value = form === 'text' && typeof raw === 'string' ? fromCell(field.type, raw) : raw;
  if (holdsUnstorable(value)) throw new Unfit('must not contain the NUL character or half a surrogate pair');
  switch (field.type) {
    case 'text':
      if (typeof value === 'string') return oneOf(field, bounded(value));
      break;
    case 'integer':
      if (Number.isSafeInteger(value) && Math.abs(value as number) <= integerMost) return value as number;
      break;
    case 'number':
      if (typeof value === 'number' && Number.isFinite(value)) return value;
      break;
    case 'boolean':
      if (typeof value === 'boolean') return value;
      break;
    case 'date': {
      const day = typeof value === 'string' ? calendarDate(value.trim()) : undefined;
      if (day !== undefined) return day;
      break;
    }
    case 'text[]':
      if (Array.isArray(value) && value.every((item) => typeof item === 'string')) {
        return value.map((item) => oneOf(field, bounded(item)));
      }
      break;
    case 'json':
      if (value !== undefined) return value as Json;
      break;
  }
  throw new Unfit(`must be ${article[field.type]}, not ${show(raw)}`);
}

function fromCell(type: FieldType, cell: string): unknown {
  switch (type) {
    case 'integer':
    case 'number':
      return cell.trim() === '' ? undefined : Number(cell);
    case 'boolean': {
      const word = cell.trim().toLowerCase();
      return word === 'true' || word === '1' ? true : word === 'false' || word === '0' ? false : undefined;
    }
    case 'text[]':
    case 'json':
      return parsedCell(cell);
    default:
      return cell;
  }
}

function bounded(value: string): string {
  if (value.length > textMost) throw new Unfit(`must have at most ${textMost} characters, not ${value.length}`);
  return value;
}

function oneOf(field: Field, value: string): string {
  if (!field.oneOf) return value;
  const wanted = value.trim().toLowerCase();
  const match = field.oneOf.find((option) => option.toLowerCase() === wanted);
  if (match === undefined) throw new Unfit(`must be one of ${field.oneOf.join(', ')}, not ${show(value)}`);
  return match;
}

/** Reads one incoming record against its shape, or says in one sentence what is wrong with it. */
export function readRecord<S extends RecordShape>(shape: S, value: unknown, form: Form = 'json'): Reading<S> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problem: `${shape.one} must be a JSON object, not ${show(value)}` };
  }
  const record: Record<string, unknown> = {};
  for (const [name, raw] of Object.entries(value)) {
    if (form === 'text' && raw === '') continue;
    if (name === '_deleted') {
      const flag = typeof raw === 'string' ? fromCell('boolean', raw) : raw;
      if (typeof flag !== 'boolean') return { problem: `_deleted must be true or false, not ${show(raw)}` };
      if (flag) record._deleted = true;
      continue;
    }
    const field = Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined;
    if (!field) {
      const known = Object.keys(shape.fields);
      return {
        problem: `'${name}' is not a field of ${shape.name}.${didYouMean(name, known)} Fields: ${known.join(', ')}`,
      };
    }
    if (raw === null) {
      record[name] = null;
      continue;
    }
    try {
      record[name] = typed(field, raw, form);
    } catch (error) {
      if (error instanceof Unfit) return { problem: `${name} ${error.message}` };
      throw error;
    }
  }
  return { record: record as RecordOf<S> };
}
