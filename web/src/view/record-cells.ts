import { columnLabel, valueLabel } from '../../../src/catalogue/labels/shown-names.ts';
import type { Json } from '../ask/send.ts';
import { shownDay, shownTime } from './format.ts';

/** A value of a record as text: times in the organisation's zone, stored words by their names. */
export function cellText(cell: Json | undefined, column: string, zone: string): string {
  if (cell === null || cell === undefined) return '–';
  if (typeof cell === 'string' && cell.length === 10 && (column === 'date' || column.endsWith('_date')))
    return shownDay(cell, '');
  if (typeof cell === 'string')
    return /_(at|ts)$|_date$/.test(column) && cell.includes('T') ? shownTime(cell, zone) : valueLabel(column, cell);
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  if (Array.isArray(cell)) return cell.map((one) => cellText(one, column, zone)).join(', ');
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
}

/** What such a value is sorted by: times as they are stored, not as they are written. */
export const cellOrder = (cell: Json | undefined): string | number | null =>
  typeof cell === 'number' ? cell : cell === null || cell === undefined ? null : String(cell);

/** The name of a column inside a sentence: `first review wait`. */
export const words = (column: string): string => uncapitalised(columnLabel(column));

/** `PR` and `AI` keep their letters. */
export const uncapitalised = (text: string): string =>
  /^[A-Z][a-z]/.test(text) ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text;
