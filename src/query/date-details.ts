import { type DateLevel, daysBetween, type TimeZone } from '../calendar.ts';
import type { RowsAnswer } from './answer.ts';
import type { AnswerRow, OrderBy } from './plan.ts';
import { alignedBuckets } from './previous-period.ts';
import { compareCells } from './shape/order.ts';
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

/** A request for the periods of a window. */
export interface PeriodsRequest {
  readonly window: Window;
  readonly level: DateLevel;
  readonly zone: TimeZone;
  readonly order: OrderBy | undefined;
  readonly limit: number;
}

interface DatesRequest {
  readonly window: Window;
  readonly level: DateLevel;
  readonly zone: TimeZone;
  /** The day it is for the organisation. */
  readonly today: string;
}

/**
 * The buckets of a window, earliest first, cut to the window. The current bucket is the one that has today in it. Each
 * bucket has the bucket at the same position of the previous window, which metrics of timestamps are compared with: as
 * many months before whole months, as many days before other whole days, else as many seconds. Null where the previous
 * window has fewer buckets.
 */
export function dateDetailRows({ window, level, zone, today }: DatesRequest): AnswerRow[] {
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

/** The answer to `date-details`, which needs no table. */
export function dateDetailsAnswer({ window, level, zone, order, limit }: PeriodsRequest, now: Date): RowsAnswer {
  const rows = dateDetailRows({ window, level, zone, today: zone.dayAt(now.getTime() / 1_000) });
  const columns = dateDetailColumns(level);
  if (order) {
    const place = columns.findIndex(({ name }) => name === order.column);
    rows.sort((a, b) => compareCells(a[place] ?? null, b[place] ?? null, order.direction));
  }
  return { form: 'rows', columns, rows: rows.slice(0, limit), total: rows.length > limit ? rows.length : undefined };
}
