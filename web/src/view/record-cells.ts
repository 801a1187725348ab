import type { Json } from '../ask/send.ts';
import { shownTime } from './format.ts';

/** A value of a record as text: times in the organisation's zone. */
export function cellText(cell: Json | undefined, column: string, zone: string): string {
  if (cell === null || cell === undefined) return '–';
  if (typeof cell === 'string' && /_(at|ts)$|_date$/.test(column) && cell.includes('T')) return shownTime(cell, zone);
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  return Array.isArray(cell) ? cell.join(', ') : typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
}

/** `pr_merged_at` → `merged at`. */
export const words = (column: string): string => {
  const text = column
    .replace(/^pr_/, '')
    .replaceAll('_', ' ')
    .replace(/ name$/, '');
  return text === '' ? column : text;
};

/** The same text as the title of a column. */
export const headingOf = (column: string): string => capitalised(words(column));
export const capitalised = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
