import { type JsonLimits, problemOf } from '../bounded-json.ts';
import { didYouMean } from '../nearest.ts';
import { isUnstorable } from '../text-limits.ts';
import type { Field, FieldType, Json, ReadValues } from './record.ts';

/** JSON values arrive typed; a CSV cell is always text, and an empty one means the field was left out. */
export type RecordForm = 'json' | 'text';

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

/** A value that its field does not take. */
export class UnfitValue extends Error {}

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
    if (depth === maxDepth) throw new UnfitValue(`must not be nested more than ${maxDepth} deep`);
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

/** No real value is deeper, and following it further would overflow the stack. */
const maxDepth = 64;

const unkeepable = 'must not contain the NUL character or half a surrogate pair';

/** Refuses what no store keeps, and what is longer than any field may be. */
function storable(value: unknown): void {
  if (typeof value === 'string') {
    if (isUnstorable(value)) throw new UnfitValue(unkeepable);
    // No character has more than three bytes, or four for two: what is far too short is not measured.
    if (value.length * 3 > maxValueBytes) measured(value, oneMebibyte);
    return;
  }
  const contents = new Contents();
  contents.look(value);
  if (contents.isUnstorable) throw new UnfitValue(unkeepable);
  // The limit for JSON, where a character may be an escape of six.
  if (contents.characters * 6 > maxValueBytes) measured(JSON.stringify(value), `${oneMebibyte} as JSON`);
}

function measured(text: string, max: string): void {
  const bytes = Buffer.byteLength(text);
  if (bytes > maxValueBytes) throw new UnfitValue(`must have at most ${max}, not ${bytes.toLocaleString('en')} bytes`);
}

export function show(value: unknown): string {
  const shown = typeof value === 'string' ? `'${value.slice(0, 60)}'` : (JSON.stringify(value) ?? String(value));
  return shown.length > 60 ? `${shown.slice(0, 57)}...` : shown;
}

/** The day of a date or a time, as it is stored. Undefined where there is no such day. */
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

/** The usual form, on a day that every month has: nearly all times come so, and their numbers stand where they always do. */
const commonTime =
  /^[1-9]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{3})?Z$/;

const digitAt = (text: string, at: number): number => text.charCodeAt(at) - 48;
const twoDigitsAt = (text: string, at: number): number => digitAt(text, at) * 10 + digitAt(text, at + 1);

/** Seconds since 1970 of a time in the usual form. Parsing the text as a date takes several times as long. */
function secondsOfCommonTime(text: string): number {
  const year = twoDigitsAt(text, 0) * 100 + twoDigitsAt(text, 2);
  const [month, day] = [twoDigitsAt(text, 5), twoDigitsAt(text, 8)];
  const [hours, minutes, seconds] = [twoDigitsAt(text, 11), twoDigitsAt(text, 14), twoDigitsAt(text, 17)];
  return Date.UTC(year, month - 1, day, hours, minutes, seconds) / 1_000;
}

/** ISO 8601, in UTC where no zone is given. Cut to whole seconds, as every clock is; years that no system means are refused. */
function wholeSeconds(value: string): number | undefined {
  const usual = commonTime.test(value) ? secondsOfCommonTime(value) : Number.NaN;
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
  if (problem !== undefined) throw new UnfitValue(problem);
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

/** Returns the value of a record's field as it is stored. Throws where the field does not take it. */
export function readValue(field: Field, raw: unknown, form: RecordForm): ReadValues[FieldType] {
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
      if (field.form && !hasForm(value, field.form))
        throw new UnfitValue(`must be a JSON ${field.form}, not ${show(raw)}`);
      return value as Json;
  }
  throw new UnfitValue(`must be ${article[field.type]}, not ${show(raw)}`);
}

const hasForm = (value: unknown, form: 'list' | 'object'): boolean =>
  form === 'list' ? Array.isArray(value) : typeof value === 'object' && value !== null && !Array.isArray(value);

export function fromCell(type: FieldType, cell: string): unknown {
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
    throw new UnfitValue(`must have at most ${maxTextLength} characters, not ${value.length}`);
  }
  return value;
}

function within({ between }: Field, value: number): number {
  if (!between || (value >= between[0] && value <= between[1])) return value;
  throw new UnfitValue(`must be a number from ${between[0]} to ${between[1]}, not ${value}`);
}

function oneOf(field: Field, value: string): string {
  if (!field.oneOf) return value;
  const wanted = value.trim().toLowerCase();
  const match = field.oneOf.find((option) => option.toLowerCase() === wanted);
  if (match === undefined) {
    const hint = didYouMean(String(value), field.oneOf);
    throw new UnfitValue(`must be one of ${field.oneOf.join(', ')}, not ${show(value)}${hint && `.${hint}`}`);
  }
  return match;
}
