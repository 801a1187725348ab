import { TimeZone } from '../../../src/calendar.ts';
import type { Row } from './send.ts';

/** Names in `where` of a panel that are no columns: they say which rows are meant in ways that no filter can. */
export interface RowPicks {
  /** The date that decides which rows are in the window; that of the metric otherwise. */
  readonly date_field?: string | null | undefined;
  /** `0` is Monday, in the organisation's time zone. */
  readonly weekday?: string | null | undefined;
  /** The value of the row is at least this, and below `value_until`: a bar of a histogram. */
  readonly value_from?: string | null | undefined;
  readonly value_until?: string | null | undefined;
}

export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** 0 is Monday. */
export const weekdayOf = (day: string): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;

export const hasRowPicks = ({ weekday, value_from, value_until }: RowPicks): boolean =>
  [weekday, value_from, value_until].some((one) => typeof one === 'string');

/** Whether a row is one of those meant. `value` and `date` are the columns that hold its value and its date. */
export function isPicked(
  row: Row,
  { weekday, value_from, value_until }: RowPicks,
  { value, date, zone }: { readonly value: string | undefined; readonly date: string | null; readonly zone: string },
): boolean {
  if (typeof weekday === 'string' && date !== null) {
    const time = Date.parse(String(row[date]));
    if (Number.isNaN(time) || String(weekdayOf(TimeZone.named(zone).dayAt(time / 1_000))) !== weekday) return false;
  }
  const number = value === undefined ? undefined : row[value];
  const isInside = (low: number, high: number): boolean => typeof number === 'number' && number >= low && number < high;
  if (typeof value_from !== 'string' && typeof value_until !== 'string') return true;
  return isInside(Number(value_from ?? 0), value_until == null ? Number.POSITIVE_INFINITY : Number(value_until));
}
