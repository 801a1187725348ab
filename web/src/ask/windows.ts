import { boardDays, unitsIn } from '../../../src/boards/board-questions.ts';
import { addDays, type DateLevel, daysBetween, nextBucket, startOfBucket, TimeZone } from '../../../src/calendar.ts';
import {
  type DayReach,
  dayReach,
  earlierReach,
  type TimeBucket,
  timeBuckets,
} from '../../../src/charts/time-buckets.ts';
import { wholeDays, windowBefore } from '../../../src/query/request-window.ts';

/** Whole days of the organisation, first and last included. */
export interface DayWindow {
  readonly start: string;
  readonly end: string;
}

export const presets = [
  '7d',
  '30d',
  '90d',
  'month',
  'last-month',
  'quarter',
  'last-quarter',
  'year',
  'last-year',
] as const;
export type Preset = (typeof presets)[number];
/** So many whole days, weeks or months that end where the data end: boards have any number of them. */
export type UnitRange = `${number}${'d' | 'w' | 'm'}`;
export type Range = Preset | UnitRange | DayWindow;

export const comparisons = ['none', 'previous', 'year', 'weekday'] as const;
export type Compare = (typeof comparisons)[number];

export const isPreset = (range: Range): range is Preset => presets.some((one) => one === range);
export const isUnitRange = (text: unknown): text is UnitRange =>
  typeof text === 'string' && unitsIn(text) !== undefined;
export const dayCount = ({ start, end }: DayWindow): number => daysBetween(start, end) + 1;

/** Today in the organisation's time zone. */
export const todayIn = (zone: string, now = Date.now()): string => TimeZone.named(zone).dayAt(now / 1_000);

/**
 * The days of a range that have whole data: a number of days ends with the last of them, everything else is cut there.
 * A range that begins later ends with the last day that has any data; after that it stays what it is, without data.
 */
export function windowOf(range: Range, today: string, { lastWhole, lastBegun }: DayReach): DayWindow {
  const days = daysOf(range);
  if (days !== undefined) return { start: addDays(lastWhole, 1 - days), end: lastWhole };
  if (isUnitRange(range)) {
    const { start_date, end_date } = boardDays(range, lastWhole);
    return { start: start_date, end: end_date };
  }
  const { start, end } = isPreset(range) ? bucketOf(range, today) : range;
  const last = start <= lastWhole ? lastWhole : start <= lastBegun ? lastBegun : end;
  return { start, end: last < end ? last : end };
}

/** How many days a range has; undefined where it is not a number of days. */
function daysOf(range: Range): number | undefined {
  const units = typeof range === 'string' ? unitsIn(range) : undefined;
  return units?.unit === 'd' ? units.count : undefined;
}

/** This month, quarter or year up to today, or all of the last one. */
function bucketOf(preset: Preset, today: string): DayWindow {
  const level = levelOfPreset(preset);
  const start = startOfBucket(level, today);
  if (!preset.startsWith('last-')) return { start, end: today };
  const end = addDays(start, -1);
  return { start: startOfBucket(level, end), end };
}

const levelOfPreset = (preset: Preset): 'month' | 'quarter' | 'year' =>
  preset.replace('last-', '') as 'month' | 'quarter' | 'year';

/**
 * The window to compare with. The one before has as many days as a number of days has, the same days of the month, quarter
 * or year before, and for days of the reader's own it is what the API itself compares with.
 */
export function windowToCompare(
  window: DayWindow,
  compare: Compare,
  zone: string,
  range: Range = window,
): DayWindow | undefined {
  switch (compare) {
    case 'none':
      return undefined;
    case 'previous':
      return windowBeforeRange(window, zone, range);
    case 'year':
      return { start: yearBefore(window.start), end: yearBefore(window.end) };
    case 'weekday': {
      // The shortest whole number of weeks back that does not overlap: Mondays stand beside Mondays.
      const days = Math.ceil(dayCount(window) / 7) * 7;
      return { start: addDays(window.start, -days), end: addDays(window.end, -days) };
    }
  }
}

function windowBeforeRange(window: DayWindow, zone: string, range: Range): DayWindow {
  const days = daysOf(range);
  if (days !== undefined) return { start: addDays(window.start, -days), end: addDays(window.end, -days) };
  if (isPreset(range)) return sameDaysBefore(window, levelOfPreset(range));
  const clocks = TimeZone.named(zone);
  const own = { firstDay: window.start, lastDay: window.end, from: 0, until: 0 };
  const { firstDay, lastDay } = windowBefore(wholeDays(own, clocks), clocks);
  return { start: firstDay, end: lastDay };
}

const monthsOf = { month: 1, quarter: 3, year: 12 } as const;

/** All of the bucket before where the window has all of its own, else up to the same day, or to the end of a shorter month. */
function sameDaysBefore({ start, end }: DayWindow, level: 'month' | 'quarter' | 'year'): DayWindow {
  const isWhole = addDays(end, 1) === nextBucket(level, start);
  const before = startOfBucket(level, addDays(start, -1));
  return { start: before, end: isWhole ? addDays(start, -1) : monthsBefore(end, monthsOf[level]) };
}

function monthsBefore(day: string, months: number): string {
  const date = new Date(`${day.slice(0, 7)}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() - months);
  const month = date.toISOString().slice(0, 7);
  const last = addDays(nextBucket('month', `${month}-01`), -1);
  const same = `${month}${day.slice(7)}`;
  return same < last ? same : last;
}

/** The 29th of February has no counterpart: a year before, the 28th is the last day of that month. */
function yearBefore(day: string): string {
  const before = `${String(Number(day.slice(0, 4)) - 1).padStart(4, '0')}${day.slice(4)}`;
  return before.endsWith('02-29') ? `${before.slice(0, 8)}28` : before;
}

/** The level at which a window has some ten to thirty buckets. */
export function levelOf(window: DayWindow): DateLevel {
  const days = dayCount(window);
  if (days <= 31) return 'day';
  if (days <= 200) return 'week';
  return days <= 1_100 ? 'month' : 'quarter';
}

export { type DayReach, dayReach, earlierReach, type TimeBucket, timeBuckets };

/**
 * How many buckets there are up to the last whole one: one that the window does not cut at its end, and that was over when
 * the data were last whole. The bucket under way would make every course end with a fall.
 */
export function wholeBuckets(
  buckets: readonly TimeBucket[],
  level: DateLevel,
  zone: string,
  wholeUntil: number,
): number {
  const clocks = TimeZone.named(zone);
  return (
    buckets.findLastIndex(({ name, end }) => {
      const dayAfter = addDays(end, 1);
      return dayAfter === nextBucket(level, name) && clocks.startOf(dayAfter) <= wholeUntil;
    }) + 1
  );
}

/** The place of the first bucket that the window does not cut at its start. */
export const firstWhole = (buckets: readonly TimeBucket[]): number =>
  Math.max(
    0,
    buckets.findIndex(({ name, start }) => start === name),
  );

/** The window of the same length before or after, not past the last day. */
export function shifted(window: DayWindow, direction: -1 | 1, lastDay: string): DayWindow {
  const days = dayCount(window) * direction;
  const moved = { start: addDays(window.start, days), end: addDays(window.end, days) };
  return moved.end <= lastDay ? moved : { start: addDays(lastDay, 1 - dayCount(window)), end: lastDay };
}
