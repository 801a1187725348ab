import { TimeZone } from '../../../src/calendar.ts';
import { noValue } from '../../../src/charts/shown-value.ts';
import { shownDay } from '../../../src/charts/time-buckets.ts';
import type { DayWindow } from '../ask/windows.ts';

export { duration, exact, grouped, shown } from '../../../src/charts/shown-value.ts';
export { bucketCategory, bucketInWords, shownDay } from '../../../src/charts/time-buckets.ts';
export { capitalised, counted, differenceText, signedDifference } from '../../../src/conclusions/number-words.ts';

/** `3 Nov – 9 Nov 2026`. */
export function shownWindow({ start, end }: DayWindow): string {
  const year = Number(end.slice(0, 4));
  if (start === end) return `${shownDay(start)} ${year}`;
  const first = start.startsWith(String(year)) ? shownDay(start) : `${shownDay(start)} ${start.slice(0, 4)}`;
  return `${first} – ${shownDay(end)} ${year}`;
}

/** An instant in the organisation's time zone, with the year where it is not this one. */
export function shownTime(instant: string | null | undefined, zone: string, now = new Date()): string {
  if (!instant) return noValue;
  const time = new Date(instant);
  if (Number.isNaN(time.getTime())) return instant;
  const yearOf = (date: Date): string =>
    TimeZone.named(zone)
      .dayAt(date.getTime() / 1_000)
      .slice(0, 4);
  return timeFormat(zone, yearOf(time) !== yearOf(now)).format(time);
}

/** Making a formatter takes as long as formatting hundreds of times, which tables do. */
const timeFormats = new Map<string, Intl.DateTimeFormat>();

function timeFormat(zone: string, hasYear: boolean): Intl.DateTimeFormat {
  const key = `${zone} ${hasYear}`;
  const format =
    timeFormats.get(key) ??
    new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      day: 'numeric',
      month: 'short',
      ...(hasYear ? { year: 'numeric' } : {}),
      hour: '2-digit',
      minute: '2-digit',
    });
  timeFormats.set(key, format);
  return format;
}
