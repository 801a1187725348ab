import type { FieldType } from '../../src/catalogue/record.ts';
import type { Value } from '../../src/catalogue/table.ts';
import { addDays, bucketOf, bucketsOf, dayAt, daysFrom, instantShown } from './calendar.ts';

/** First and last day, both of it. Where the caller gave instants, the first second and the last one, too. */
export interface Window {
  readonly zone: string;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly fromSecond?: number;
  readonly toSecond?: number;
}

export function windowOf(zone: string, start: string, end: string | undefined, now: Date): Window {
  const first = read(zone, start);
  const last = end === undefined ? { day: dayAt(zone, Math.floor(now.getTime() / 1_000)) } : read(zone, end);
  return {
    zone,
    firstDay: first.day,
    lastDay: last.day,
    ...(first.second === undefined || first.second === instantShown(zone, `${first.day}T00:00:00`)
      ? {}
      : { fromSecond: first.second }),
    ...(last.second === undefined || isLastOfDay(zone, last.second) ? {} : { toSecond: last.second }),
  };
}

const isLastOfDay = (zone: string, second: number): boolean => dayAt(zone, second) !== dayAt(zone, second + 1);

/** A day, or an instant: in the organisation's zone unless it names one. Fractions of a second are cut off. */
function read(zone: string, written: string): { readonly day: string; readonly second?: number } {
  const text = written.trim().toUpperCase().replace(' ', 'T');
  if (text.length === 10) return { day: text };
  const [, day = '', clock = '', offset] =
    /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d(?::\d\d)?)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?$/.exec(text) ?? [];
  const shown = `${day}T${clock.length === 5 ? `${clock}:00` : clock}`;
  const zoned = offset?.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2');
  const second = zoned === undefined ? instantShown(zone, shown) : Date.parse(`${shown}${zoned}`) / 1_000;
  return { day: dayAt(zone, second), second };
}

/** All of the days that a window has some of, which is all that rows without a time of day can be asked by. */
export const daysOf = ({ zone, firstDay, lastDay }: Window): Window => ({ zone, firstDay, lastDay });

export const hasWholeDays = ({ fromSecond, toSecond }: Window): boolean =>
  fromSecond === undefined && toSecond === undefined;

/**
 * As many months, where the window has the first day of its first month and the last day of its last; else as many days.
 * Both end the day before. As many seconds, ending the second before, where the window has instants.
 */
export function windowBefore(window: Window): Window {
  const { zone, firstDay, lastDay, fromSecond, toSecond } = window;
  if (hasWholeDays(window)) {
    const isOfMonths = bucketOf('month', firstDay) === firstDay && addDays(lastDay, 1).slice(8) === '01';
    if (isOfMonths) {
      let first = firstDay;
      for (const _ of bucketsOf('month', firstDay, lastDay)) first = bucketOf('month', addDays(first, -1));
      return { zone, firstDay: first, lastDay: addDays(firstDay, -1) };
    }
    const days = daysFrom(firstDay, lastDay);
    return { zone, firstDay: addDays(firstDay, -days), lastDay: addDays(firstDay, -1) };
  }
  const from = fromSecond ?? instantShown(zone, `${firstDay}T00:00:00`);
  const to = toSecond ?? instantShown(zone, `${addDays(lastDay, 1)}T00:00:00`) - 1;
  const previousFrom = from - (to - from + 1);
  return {
    zone,
    firstDay: dayAt(zone, previousFrom),
    lastDay: dayAt(zone, from - 1),
    fromSecond: previousFrom,
    toSecond: from - 1,
  };
}

/** The local day of a value, if the window has it. */
export function dayWithin(window: Window, value: Value | undefined, type: FieldType): string | undefined {
  if (value === null || value === undefined) return undefined;
  const { zone, firstDay, lastDay, fromSecond, toSecond } = window;
  const day = type === 'date' ? String(value) : dayAt(zone, Number(value));
  if (day < firstDay || day > lastDay) return undefined;
  if (type !== 'date') {
    if (fromSecond !== undefined && Number(value) < fromSecond) return undefined;
    if (toSecond !== undefined && Number(value) > toSecond) return undefined;
  }
  return day;
}

/** As an answer names a window: its days, or its first and last second. */
export function dateRangeOf(window: Window): { readonly start_date: string; readonly end_date: string } {
  const { zone, firstDay, lastDay, fromSecond, toSecond } = window;
  if (hasWholeDays(window)) return { start_date: firstDay, end_date: lastDay };
  const iso = (second: number) => `${new Date(second * 1_000).toISOString().slice(0, 19)}Z`;
  return {
    start_date: iso(fromSecond ?? instantShown(zone, `${firstDay}T00:00:00`)),
    end_date: iso(toSecond ?? instantShown(zone, `${addDays(lastDay, 1)}T00:00:00`) - 1),
  };
}
