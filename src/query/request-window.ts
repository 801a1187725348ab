import {
  addDays,
  addMonths,
  type DateLevel,
  daysBetween,
  isDay,
  isFirstOfMonth,
  isoText,
  monthNumber,
  nextBucket,
  nextDay,
  secondsOfDay,
  startOfBucket,
  type TimeZone,
} from '../calendar.ts';
import { Refusal } from '../refusal.ts';

/** A span of whole days of the organisation, or between two instants. */
export interface Window {
  /** First and last day, both of it. */
  readonly firstDay: string;
  readonly lastDay: string;
  /** The first second that belongs to it, and the first that no longer does. */
  readonly from: number;
  readonly until: number;
}

/** One bucket of a window, named by its first day even when the window starts later. */
export interface Bucket {
  readonly name: string;
  readonly firstDay: string;
  readonly lastDay: string;
}

const maxYears = 10;

/** The forms of a date in a request: a day, or an instant. */
interface RequestedDate {
  readonly day: string;
  /** Absent for a whole day. */
  readonly instant?: number;
}

/** The names of the fields of a window, for errors. */
interface WindowFields {
  readonly start: string;
  readonly end: string;
}
const windowFields: WindowFields = { start: 'start_date', end: 'end_date' };

export function windowBetween(
  { start, end }: { readonly start: string; readonly end: string | undefined },
  zone: TimeZone,
  now: Date,
  names: WindowFields = windowFields,
): Window {
  const first = readMoment(names.start, start, zone);
  const last = end === undefined ? { day: zone.dayAt(now.getTime() / 1_000) } : readMoment(names.end, end, zone);
  const from = first.instant ?? zone.startOf(first.day);
  // An instant belongs to its window: a caller that writes 23:59:59 means that second, too.
  const until = last.instant === undefined ? zone.startOf(nextDay(last.day)) : last.instant + 1;
  if (until <= from) {
    const today = end === undefined ? `, which is today (${last.day}) when it is left out` : '';
    throw new Refusal('bad-input', `${names.end} must not be before ${names.start} (${start})${today}.`);
  }
  if (last.day > yearsLater(first.day, maxYears)) {
    throw new Refusal(
      'bad-input',
      `A window may span 10 years at most. Move ${names.start} and ${names.end} closer together.`,
    );
  }
  return { firstDay: first.day, lastDay: last.day, from, until };
}

/**
 * The window to compare with, ending where the window begins. It has as many calendar months where the window is made of
 * whole ones: March is compared with February, not with 31 days of which three are in January. Any other window of whole
 * days has as many days before it, and a window between instants as many seconds.
 */
export function windowBefore(window: Window, zone: TimeZone): Window {
  if (!isWholeDays(window, zone)) {
    const from = window.from - (window.until - window.from);
    return { firstDay: zone.dayAt(from), lastDay: zone.dayAt(window.from - 1), from, until: window.from };
  }
  const months = wholeMonths(window);
  const days = daysBetween(window.firstDay, window.lastDay) + 1;
  const firstDay = months === undefined ? addDays(window.firstDay, -days) : addMonths(window.firstDay, -months);
  return { firstDay, lastDay: addDays(window.firstDay, -1), from: zone.startOf(firstDay), until: window.from };
}

/** How many calendar months a window of whole days has. Undefined where it has only part of one. */
function wholeMonths({ firstDay, lastDay }: Window): number | undefined {
  const after = nextDay(lastDay);
  const isOfMonths = isFirstOfMonth(firstDay) && isFirstOfMonth(after);
  return isOfMonths ? monthNumber(after) - monthNumber(firstDay) : undefined;
}

/** The whole of every day that the window touches. */
export const wholeDays = ({ firstDay, lastDay }: Window, zone: TimeZone): Window => ({
  firstDay,
  lastDay,
  from: zone.startOf(firstDay),
  until: zone.startOf(nextDay(lastDay)),
});

export const isWholeDays = ({ firstDay, lastDay, from, until }: Window, zone: TimeZone): boolean =>
  from === zone.startOf(firstDay) && until === zone.startOf(nextDay(lastDay));

/** A window as answers name it. A caller who asks for it again gets the same rows. */
export interface DateRange {
  /** A day, or a timestamp where the window is not made of whole days. */
  readonly start_date: string;
  readonly end_date: string;
}

export function dateRangeOf(window: Window, zone: TimeZone): DateRange {
  const { firstDay, lastDay, from, until } = window;
  if (isWholeDays(window, zone)) return { start_date: firstDay, end_date: lastDay };
  // The instant at the end belongs to the window.
  return { start_date: isoText(from), end_date: isoText(until - 1) };
}

/** Every bucket that a window touches, earliest first. */
export function bucketsOf({ firstDay, lastDay }: Window, level: DateLevel): Bucket[] {
  const buckets: Bucket[] = [];
  for (let name = startOfBucket(level, firstDay); name <= lastDay; ) {
    const next = nextBucket(level, name);
    const end = addDays(next, -1);
    buckets.push({ name, firstDay: name < firstDay ? firstDay : name, lastDay: end > lastDay ? lastDay : end });
    name = next;
  }
  return buckets;
}

/** The same day of a later year. The 29th of February is not always there, but what comes after it is. */
const yearsLater = (day: string, years: number): string =>
  `${String(Number(day.slice(0, 4)) + years).padStart(4, '0')}${day.slice(4)}`;

const written =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(Z|[+-](?:0\d|1[0-4]):?[0-5]\d)?)?$/i;

function readMoment(field: string, text: string, zone: TimeZone): RequestedDate {
  const [, day, hour, minute, second = '00', offset] = written.exec(text.trim()) ?? [];
  // Years have four digits: the previous window and ten more years must fit as well.
  if (day === undefined || day < '1000' || day >= '9900' || !isDay(day)) throw notADate(field, text);
  if (hour === undefined) return { day };
  const time = [hour, minute, second].map(Number);
  const [hours = 0, minutes = 0, seconds = 0] = time;
  if (hours > 23 || minutes > 59 || seconds > 59) throw notADate(field, text);
  const shown = secondsOfDay(day) + hours * 3_600 + minutes * 60 + seconds;
  const instant = offset === undefined ? zone.instantOf(shown) : shown - offsetSeconds(offset);
  return { day: zone.dayAt(instant), instant };
}

function offsetSeconds(offset: string): number {
  if (/^z$/i.test(offset)) return 0;
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(offset) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3_600 + Number(minutes) * 60);
}

const notADate = (field: string, text: string): Refusal =>
  new Refusal('bad-input', `${field} must be a date such as 2024-01-31, or a timestamp, not '${text.slice(0, 60)}'.`);
