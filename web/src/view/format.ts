import { TimeZone } from '../../../src/calendar.ts';
import { duration, grouped, noValue, percentDigits, shown } from '../../../src/charts/shown-value.ts';
import { shownDay } from '../../../src/charts/time-buckets.ts';
import type { Measure } from '../ask/metric-facts.ts';
import type { DayWindow } from '../ask/windows.ts';

export { duration, exact, grouped, shown } from '../../../src/charts/shown-value.ts';

/** How far a number is from the one before, with its sign alone: `+14%`, `−3h 10m`, `+2.4 pts`. */
export function signedDifference(now: number, before: number, measure: Measure): string {
  const difference = now - before;
  const sign = difference > 0 ? '+' : '−';
  if (measure === 'duration') return `${sign}${duration(Math.abs(difference))}`;
  if (measure === 'percent') {
    const points = percentDigits(Math.abs(difference) * 100);
    return `${sign}${points} ${points === '1' ? 'pt' : 'pts'}`;
  }
  if (before === 0) return `${sign}${shown(Math.abs(difference), measure)} from none`;
  const percent = percentDigits(Math.abs(difference / before) * 100);
  return `${sign}${percent}%`;
}

/** The same with words: `+14% more`, `−3h 10m shorter`, `+2.4 pts`. */
export function differenceText(now: number, before: number, measure: Measure): string {
  const difference = signedDifference(now, before, measure);
  if (measure === 'percent' || (before === 0 && measure !== 'duration')) return difference;
  const [more, less] =
    measure === 'duration' ? ['longer', 'shorter'] : measure === 'count' ? ['more', 'fewer'] : ['higher', 'lower'];
  return `${difference} ${now > before ? more : less}`;
}

export { bucketCategory, bucketInWords, shownDay } from '../../../src/charts/time-buckets.ts';

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

/** A count with its noun: `1 run`, `12 runs`. */
export const counted = (n: number, one: string, many: string): string => `${grouped(n)} ${n === 1 ? one : many}`;

export const capitalised = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
