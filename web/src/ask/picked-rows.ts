import { csvAnswerText, csvCell, csvLine } from '../../../src/formats/csv-cell.ts';
import type { Json, Row } from './send.ts';
import { weekdays } from './weekday-words.ts';
import { hourAt, weekdayAt } from './weekdays.ts';

/** One condition on a column of an answer. */
export type PickedBy =
  | { readonly column: string; readonly is: 'present' | 'empty' }
  | { readonly column: string; readonly is: 'equal'; readonly to: string }
  /** At least `from`, and below `until` where there is one. */
  | { readonly column: string; readonly is: 'within'; readonly from: number; readonly until: number | null }
  /** 0 is Monday. */
  | { readonly column: string; readonly is: 'weekday'; readonly day: number; readonly zone: string }
  | { readonly column: string; readonly is: 'hour'; readonly hour: number; readonly zone: string };

/** Whether a row of an answer meets the condition. Values are compared as text, so that true equals `true`. */
export function isPicked(row: Row, by: PickedBy): boolean {
  const cell = row[by.column] ?? null;
  if (by.is === 'equal') return cell !== null && String(cell) === by.to;
  if (by.is === 'weekday') return cell !== null && weekdayAt(String(cell), by.zone) === by.day;
  if (by.is === 'hour') return cell !== null && hourAt(String(cell), by.zone) === by.hour;
  if (by.is === 'within')
    return typeof cell === 'number' && cell >= by.from && cell < (by.until ?? Number.POSITIVE_INFINITY);
  return (cell !== null) === (by.is === 'present');
}

/** The same as a condition of jq. */
export function inJq(by: PickedBy): string {
  const cell = `.${by.column}`;
  if (by.is === 'equal') return `(${cell} | tostring) == ${JSON.stringify(by.to)}`;
  if (by.is === 'within') return `${cell} >= ${by.from}${by.until === null ? '' : ` and ${cell} < ${by.until}`}`;
  const localTime = `${cell}[:19] + "Z" | fromdate | localtime`;
  // Days of jq begin with Sunday.
  if (by.is === 'weekday') return `${cell} != null and (${localTime} | .[6]) == ${(by.day + 1) % 7}`;
  if (by.is === 'hour') return `${cell} != null and (${localTime} | .[3]) == ${by.hour}`;
  return `${cell} ${by.is === 'present' ? '!=' : '=='} null`;
}

/** The time zone that jq has to use, where a condition needs one. */
export const zoneOf = (picked: readonly PickedBy[]): string | undefined =>
  picked.flatMap((by) => (by.is === 'weekday' || by.is === 'hour' ? by.zone : []))[0];

/** The same as a condition of TypeScript on `row`. */
export function inTypeScript(by: PickedBy): string {
  const cell = `row.${by.column}`;
  if (by.is === 'equal') return `String(${cell}) === ${JSON.stringify(by.to)}`;
  const isThere = `${cell} !== null`;
  if (by.is === 'within')
    return `${isThere} && ${cell} >= ${by.from}${by.until === null ? '' : ` && ${cell} < ${by.until}`}`;
  if (by.is === 'weekday') {
    const options = `{ weekday: 'long', timeZone: ${JSON.stringify(by.zone)} }`;
    return `${isThere} && new Date(${cell}).toLocaleDateString('en-GB', ${options}) === '${weekdays[by.day] ?? ''}'`;
  }
  if (by.is === 'hour') {
    const options = `{ hour: '2-digit', timeZone: ${JSON.stringify(by.zone)} }`;
    return `${isThere} && Number(new Date(${cell}).toLocaleTimeString('en-GB', ${options})) === ${by.hour}`;
  }
  return `${cell} ${by.is === 'present' ? '!==' : '==='} null`;
}

/** Rows of an answer as lines of a CSV file: the same bytes that the server writes. */
export function inCsv(rows: readonly Row[]): string {
  const names = Object.keys(rows[0] ?? {});
  const lines = rows.map((row) => csvLine(names.map((name) => cellOf(row[name] ?? null))));
  return [csvLine(names.map(csvCell)), ...lines].join('');
}

function cellOf(value: Json): string {
  if (value === null) return '';
  if (typeof value === 'string') return csvAnswerText(value);
  return typeof value === 'object' ? csvCell(JSON.stringify(value)) : String(value);
}
