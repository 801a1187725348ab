import { type JsonLimits, problemOf } from '../bounded-json.ts';
import { didYouMean } from '../nearest.ts';
import { isUnstorable } from '../text-limits.ts';
import type { Field, FieldType, Json, ReadValues, RecordOf, RecordShape } from './record.ts';
import type { FirstNameOf } from './record-ids.ts';

/** JSON values arrive typed; a CSV cell is always text, and an empty one means the field was left out. */
export type RecordForm = 'json' | 'text';
export type RecordReading<S extends RecordShape> = { readonly record: RecordOf<S> } | { readonly problem: string };

const article: Record<FieldType, string> = {
  text: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  timestamp: 'a time such as 2024-01-31T14:05:00Z',
  date: 'a date such as 2024-01-31',
  duration: 'a number of seconds',
  'text[]': 'a list of texts',
  json: 'JSON',
};

class Unfit extends Error {}

/** The largest whole number that every engine keeps. */
const maxInteger = 2 ** 31 - 1;
/** Characters. No name, title or address is longer; a million of them in one are a mistake. */
const maxTextLength = 10_000;
/** Bytes in UTF-8. Descriptions, comments and messages: more than any source lets people write. Lists and JSON too. */
const maxValueBytes = 1_048_576;
const oneMebibyte = '1 MiB (1,048,576 bytes in UTF-8)';

/** Looks through a value for what cannot be kept, and adds up how long its texts are on the way. */
class Contents {
  characters = 0;
  isUnstorable = false;

  look(value: unknown, depth = 0): void {
    if (typeof value === 'string') this.#text(value);
    else if (typeof value === 'object' && value !== null) this.#inside(value, depth);
    else this.characters += 8;
  }

  /** Not by entries: a pair for each field of a large value takes fifty times as long. */
  #inside(value: object, depth: number): void {
    if (depth === maxDepth) throw new Unfit(`must not be nested more than ${maxDepth} deep`);
    if (Array.isArray(value)) {
      for (const item of value) this.look(item, depth + 1);
      return;
    }
    for (const name in value) {
      this.#text(name);
      this.look(value[name as keyof typeof value], depth + 1);
    }
  }

  #text(text: string): void {
    this.characters += text.length + 3;
    this.isUnstorable ||= isUnstorable(text);
  }
}

/** Nothing that a source says of something is deeper; going down further would end in an overflow. */
const maxDepth = 64;

const unkeepable = 'must not contain the NUL character or half a surrogate pair';

/** Refuses what no store keeps, and what is longer than any field may be. */
function storable(value: unknown): void {
  if (typeof value === 'string') {
    if (isUnstorable(value)) throw new Unfit(unkeepable);
    // No character has more than three bytes, or four for two: what is far too short is not measured.
    if (value.length * 3 > maxValueBytes) measured(value, oneMebibyte);
    return;
  }
  const contents = new Contents();
  contents.look(value);
  if (contents.isUnstorable) throw new Unfit(unkeepable);
  // The limit for JSON, where a character may be an escape of six.
  if (contents.characters * 6 > maxValueBytes) measured(JSON.stringify(value), `${oneMebibyte} as JSON`);
}

function measured(text: string, max: string): void {
  const bytes = Buffer.byteLength(text);
  if (bytes > maxValueBytes) throw new Unfit(`must have at most ${max}, not ${bytes.toLocaleString('en')} bytes`);
}

function show(value: unknown): string {
  const shown = typeof value === 'string' ? `'${value.slice(0, 60)}'` : (JSON.stringify(value) ?? String(value));
  return shown.length > 60 ? `${shown.slice(0, 57)}...` : shown;
}

function calendarDate(value: string): string | undefined {
  const [, year, month, day] =
    /^(\d{4})-(\d{2})-(\d{2})(?:$|[T ](?:[01]\d|2[0-3]):[0-5]\d(?:$|[:Z+-]))/.exec(value) ?? [];
  return isCalendarDay(Number(year), Number(month), Number(day)) ? value.slice(0, 10) : undefined;
}

function isCalendarDay(year: number, month: number, day: number): boolean {
  if (!(year >= 1 && month >= 1 && month <= 12 && day >= 1)) return false;
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return day <= (month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31);
}

/** The usual form, on a day that every month has: nearly all times come so, and it need not be taken apart. */
const commonTime = /^\d{4}-\d\d-(?:[01]\d|2[0-8])T\d\d:\d\d:\d\d(?:\.\d{3})?Z$/;

/** ISO 8601, in UTC where no zone is given. Cut to whole seconds, as every clock is; years that no system means are refused. */
function wholeSeconds(value: string): number | undefined {
  const usual = commonTime.test(value) ? Math.floor(Date.parse(value) / 1_000) : Number.NaN;
  if (usual >= 0) return usual;
  const [, day, time = '00:00', seconds = ':00', zone = 'Z'] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?:(:\d{2})(?:[.,]\d+)?)?)?\s*(Z|z|UTC|[+-]\d{2}(?::?\d{2})?)?$/.exec(
      value,
    ) ?? [];
  if (day === undefined || calendarDate(day) === undefined) return undefined;
  const at = Date.parse(`${day}T${time}${seconds}${offsetOf(zone)}`) / 1_000;
  return at >= 0 && at < maxEpochSeconds ? at : undefined;
}

/** The first second of the year 10000. */
const maxEpochSeconds = 253_402_300_800;

function offsetOf(zone: string): string {
  if (/^(?:z|utc)$/i.test(zone)) return 'Z';
  return `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`;
}

/** A JSON document inside a CSV cell. A text that is none is the caller's mistake, so it is reported, not thrown on. */
function parsedCell(value: string): unknown {
  const problem = problemOf(value, cellLimits);
  if (problem !== undefined) throw new Unfit(problem);
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/** The limits are those of a record that comes as JSON. */
const cellLimits: JsonLimits = { depth: maxDepth, values: 50_000 };

/** A mere number, time or boolean cannot hold characters that cannot be kept. */
const mayHoldAnything: ReadonlySet<FieldType> = new Set(['text', 'text[]', 'json']);

function typed(field: Field, raw: unknown, form: RecordForm): ReadValues[FieldType] {
  const value = form === 'text' && typeof raw === 'string' ? fromCell(field.type, raw) : raw;
  if (mayHoldAnything.has(field.type)) storable(value);
  switch (field.type) {
    case 'text':
      if (typeof value === 'string') return oneOf(field, bounded(field, value));
      break;
    case 'integer':
      if (Number.isSafeInteger(value) && Math.abs(value as number) <= (field.max ?? maxInteger)) return value as number;
      break;
    case 'number':
    case 'duration':
      if (typeof value === 'number' && Number.isFinite(value)) return within(field, value);
      break;
    case 'timestamp': {
      const at = typeof value === 'string' ? wholeSeconds(value.trim()) : undefined;
      if (at !== undefined) return at;
      break;
    }
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
        return value.map((item) => oneOf(field, bounded(field, item)));
      }
      break;
    case 'json':
      if (value === undefined) break;
      if (field.form && !hasForm(value, field.form)) throw new Unfit(`must be a JSON ${field.form}, not ${show(raw)}`);
      return value as Json;
  }
  throw new Unfit(`must be ${article[field.type]}, not ${show(raw)}`);
}

const hasForm = (value: unknown, form: 'list' | 'object'): boolean =>
  form === 'list' ? Array.isArray(value) : typeof value === 'object' && value !== null && !Array.isArray(value);

function fromCell(type: FieldType, cell: string): unknown {
  switch (type) {
    case 'integer':
    case 'number':
    case 'duration':
      return cell.trim() === '' ? undefined : Number(cell);
    case 'boolean': {
      const word = cell.trim().toLowerCase();
      return word === 'true' || word === '1' ? true : word === 'false' || word === '0' ? false : undefined;
    }
    case 'text[]':
      // JSON, or as spreadsheets have it: a;b
      return /^\s*[[{"]/.test(cell) ? parsedCell(cell) : listedTexts(cell);
    case 'json':
      return parsedCell(cell);
    default:
      return cell;
  }
}

const listedTexts = (cell: string): string[] =>
  cell
    .split(';')
    .map((item) => item.trim())
    .filter((item) => item !== '');

function bounded({ isLong }: Field, value: string): string {
  if (!isLong && value.length > maxTextLength) {
    throw new Unfit(`must have at most ${maxTextLength} characters, not ${value.length}`);
  }
  return value;
}

function within({ between }: Field, value: number): number {
  if (!between || (value >= between[0] && value <= between[1])) return value;
  throw new Unfit(`must be a number from ${between[0]} to ${between[1]}, not ${value}`);
}

function oneOf(field: Field, value: string): string {
  if (!field.oneOf) return value;
  const wanted = value.trim().toLowerCase();
  const match = field.oneOf.find((option) => option.toLowerCase() === wanted);
  if (match === undefined) {
    const hint = didYouMean(String(value), field.oneOf);
    throw new Unfit(`must be one of ${field.oneOf.join(', ')}, not ${show(value)}${hint && `.${hint}`}`);
  }
  return match;
}

/** Whether two names of a field say the same. One that is null says nothing beside the other. */
function isSameTwice(one: unknown, other: unknown): boolean {
  if (one === null || other === null || one === other) return true;
  const [a, b] = [one, other].map((value) => (typeof value === 'string' ? value.trim().toLowerCase() : undefined));
  return a !== undefined && a === b;
}

/** The field that a record means by a name, which may be another name of it. */
const fieldNamed = ({ aliases }: RecordShape, given: string): string =>
  (aliases && Object.hasOwn(aliases, given) && aliases[given]) || given;

/** Reads one incoming record against its shape, or says in one sentence what is wrong with it. */
export function readRecord<S extends RecordShape>(
  shape: S,
  value: unknown,
  form: RecordForm = 'json',
  firstNameOf?: FirstNameOf,
): RecordReading<S> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problem: `${shape.one} must be a JSON object, not ${show(value)}` };
  }
  const record: Record<string, unknown> = {};
  const values = value as Readonly<Record<string, unknown>>;
  for (const given of Object.keys(values)) {
    const raw = values[given];
    const name = fieldNamed(shape, given);
    if (form === 'text' && raw === '') continue;
    if (name === '_deleted') {
      const flag = typeof raw === 'string' ? fromCell('boolean', raw) : raw;
      if (typeof flag !== 'boolean') return { problem: `_deleted must be true or false, not ${show(raw)}` };
      if (flag) record._deleted = true;
      continue;
    }
    const { ignoredFields } = shape;
    const ignored = ignoredFields && Object.hasOwn(ignoredFields, name) ? ignoredFields[name] : undefined;
    const field = ignored ?? (Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined);
    if (!field) {
      const known = Object.keys(shape.fields);
      const shown = name.length > 100 ? `${name.slice(0, 100)}…` : name;
      return {
        problem: `'${shown}' is not a field of ${shape.name}.${didYouMean(shown, known)} Fields: ${known.join(', ')}`,
      };
    }
    try {
      const read = raw === null ? null : typed(field, raw, form);
      const isAgain = Object.hasOwn(record, name);
      if (isAgain && !isSameTwice(record[name], read)) {
        const other = Object.keys(values).find((one) => one !== name && fieldNamed(shape, one) === name);
        return { problem: `${name} is given twice with two values, also as ${other}: give one, or the same in both` };
      }
      if (!ignored && (!isAgain || read !== null)) record[name] = read;
    } catch (error) {
      if (error instanceof Unfit) return { problem: `${given} ${error.message}` };
      throw error;
    }
  }
  const { composedKey } = shape;
  if (composedKey) record[composedKey.field] ??= composedKey.make(record, firstNameOf);
  const needed = record._deleted ? shape.key : shape.required;
  const missing = needed?.find((name) => record[name] === undefined || record[name] === null);
  if (missing !== undefined) {
    const instead = missing === composedKey?.field ? `, unless ${composedKey.from} are given` : '';
    return { problem: `${missing} is missing: ${shape.one} cannot do without it${instead}` };
  }
  return { record: record as RecordOf<S> };
}
