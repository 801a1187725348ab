import { type DateLevel, daysBetween, type TimeZone } from '../calendar.ts';
import type { AnswerRow } from './plan.ts';
import { alignedBuckets } from './previous-period.ts';
import type { FlatColumn } from './shape/rows.ts';
import { type Window, windowBefore } from './window.ts';

/** The columns of `date-details`, which is asked of no table and so has none in the catalogue. */
export function dateDetailColumns(level: DateLevel): FlatColumn[] {
  const types = {
    [`${level}_date`]: 'date',
    start_date: 'date',
    end_date: 'date',
    days: 'integer',
    is_current: 'boolean',
    previous_start_date: 'date',
    previous_end_date: 'date',
  } as const;
  return Object.entries(types).map(([name, type], at) => ({ name, type, at, ofNothing: null }));
}

export interface AskedDates {
  readonly window: Window;
  readonly level: DateLevel;
  readonly zone: TimeZone;
  /** The day it is for the organisation. */
  readonly today: string;
}

/**
 * The buckets of a window, earliest first. A bucket that sticks out of the window is told as far as it is inside, and it
 * is the current one when today is in that part of it. Beside it stands the bucket at the same position of the window
 * before, as metrics of timestamps are compared: as many months of whole months, as many days of other whole days, else as
 * many seconds. Nothing stands there where that window has fewer buckets.
 */
export function dateDetailRows({ window, level, zone, today }: AskedDates): AnswerRow[] {
  return alignedBuckets(window, windowBefore(window, zone), level).map(({ bucket, previous }) => [
    bucket.name,
    bucket.firstDay,
    bucket.lastDay,
    daysBetween(bucket.firstDay, bucket.lastDay) + 1,
    bucket.firstDay <= today && today <= bucket.lastDay,
    previous?.firstDay ?? null,
    previous?.lastDay ?? null,
  ]);
}
