import { addDays, type DateLevel, daysBetween, nextBucket, startOfBucket, TimeZone } from '../../../src/calendar.ts';
import { type TimeBucket, timeBuckets } from '../../../src/charts/time-buckets.ts';
import { wholeDays, windowBefore } from '../../../src/query/window.ts';

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
export type Range = Preset | DayWindow;

export const comparisons = ['none', 'previous', 'year', 'weekday'] as const;
export type Compare = (typeof comparisons)[number];

export const isPreset = (range: Range): range is Preset => typeof range === 'string';
export const dayCount = ({ start, end }: DayWindow): number => daysBetween(start, end) + 1;

/** The day it is for the organisation. */
export const todayIn = (zone: string, now = Date.now()): string => TimeZone.named(zone).dayAt(now / 1_000);

export function windowOf(range: Range, today: string): DayWindow {
  if (!isPreset(range)) return range;
  const days = /^(\d+)d$/.exec(range)?.[1];
  if (days) return { start: addDays(today, 1 - Number(days)), end: today };
  const level = range.replace('last-', '') as DateLevel;
  const start = startOfBucket(level, today);
  if (!range.startsWith('last-')) return { start, end: today };
  const end = addDays(start, -1);
  return { start: startOfBucket(level, end), end };
}

/** The window to compare with; the previous one is what the API itself compares with. */
export function windowToCompare(window: DayWindow, compare: Compare, zone: string): DayWindow | undefined {
  switch (compare) {
    case 'none':
      return undefined;
    case 'previous': {
      const clocks = TimeZone.named(zone);
      const days = { firstDay: window.start, lastDay: window.end, from: 0, until: 0 };
      const { firstDay, lastDay } = windowBefore(wholeDays(days, clocks), clocks);
      return { start: firstDay, end: lastDay };
    }
    case 'year':
      return { start: yearBefore(window.start), end: yearBefore(window.end) };
    case 'weekday': {
      // The shortest whole number of weeks back that does not overlap: Mondays stand beside Mondays.
      const days = Math.ceil(dayCount(window) / 7) * 7;
      return { start: addDays(window.start, -days), end: addDays(window.end, -days) };
    }
  }
}

/** The 29th of February has no counterpart: the 28th is the last day of that month a year before. */
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

export { type TimeBucket, timeBuckets };

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

/** The window of the same length before or after, not past today. */
export function shifted(window: DayWindow, direction: -1 | 1, today: string): DayWindow {
  const days = dayCount(window) * direction;
  const moved = { start: addDays(window.start, days), end: addDays(window.end, days) };
  return moved.end <= today ? moved : { start: addDays(today, 1 - dayCount(window)), end: today };
}
