import { type DateLevel, dateLevels, daysBetween, type TimeZone } from '../calendar.ts';
import { type Calendar, type CatalogueDocument, catalogueDocument } from '../catalogue/catalogue-document.ts';
import type { Metric } from '../catalogue/metric.ts';
import { windowFilters } from '../catalogue/request-fields.ts';
import type { FlatColumn } from './answer-columns.ts';
import type { RowsAnswer } from './collect-answer.ts';
import { isCompleteAt, within } from './judged-changes.ts';
import type { AnswerRow, OrderBy } from './plan.ts';
import { alignedBuckets } from './previous-period.ts';
import { comparedWith } from './request.ts';
import type { Window } from './request-window.ts';
import { compareCells } from './shape/cell.ts';

/** The columns of `date-details`, which is asked of no table and so has none in the catalogue. */
export function dateDetailColumns(level: DateLevel): FlatColumn[] {
  const types = {
    [`${level}_date`]: 'date',
    start_date: 'date',
    end_date: 'date',
    days: 'integer',
    is_current: 'boolean',
    is_complete: 'boolean',
    previous_start_date: 'date',
    previous_end_date: 'date',
  } as const;
  return Object.entries(types).map(([name, type], at) => ({ name, type, at, ofNothing: null }));
}

/** A request for the periods of a window. */
export interface PeriodsRequest {
  /** The metric whose data the periods are of. */
  readonly metric: Metric;
  readonly window: Window;
  /** The window to compare with, where the caller chose one. */
  readonly chosenBefore: Window | undefined;
  readonly level: DateLevel;
  readonly zone: TimeZone;
  readonly order: OrderBy | undefined;
  readonly limit: number;
}

interface DatesRequest extends Pick<PeriodsRequest, 'window' | 'chosenBefore' | 'level' | 'zone'> {
  readonly now: Date;
  /** The moment up to which the data are complete. */
  readonly through: number | undefined;
}

/**
 * The buckets of a window, earliest first, cut to the window. The current bucket is the one that has today in it. Each
 * bucket has the bucket at the same position of the previous window, which metrics of timestamps are compared with: as
 * many months before whole months, as many days before other whole days, else as many seconds, unless the caller chose a
 * window. Null where the previous window has fewer buckets.
 */
export function dateDetailRows(asked: DatesRequest): AnswerRow[] {
  const { window, level, zone, now, through } = asked;
  const today = zone.dayAt(now.getTime() / 1_000);
  return alignedBuckets(window, comparedWith(window, asked), level).map(({ bucket, previous }) => [
    bucket.name,
    bucket.firstDay,
    bucket.lastDay,
    daysBetween(bucket.firstDay, bucket.lastDay) + 1,
    bucket.firstDay <= today && today <= bucket.lastDay,
    isCompleteAt(within(window, bucket, zone), through, now),
    previous?.firstDay ?? null,
    previous?.lastDay ?? null,
  ]);
}

/** The answer to `date-details`: of a table it needs to know no more than how far it is complete. */
export function dateDetailsAnswer(asked: PeriodsRequest, now: Date, through: number | undefined): RowsAnswer {
  const { level, order, limit } = asked;
  const rows = dateDetailRows({ ...asked, now, through });
  const columns = dateDetailColumns(level);
  if (order) {
    const place = columns.findIndex(({ name }) => name === order.column);
    rows.sort((a, b) => compareCells(a[place] ?? null, b[place] ?? null, order.direction));
  }
  return { form: 'rows', columns, rows: rows.slice(0, limit), total: rows.length > limit ? rows.length : undefined };
}

/** The entry of periods in the catalogue, which are asked of no table. */
export const calendar: Calendar = {
  levels: dateLevels,
  columns: (level) => dateDetailColumns(level as DateLevel),
  filters: windowFilters,
};

let made: CatalogueDocument | undefined;

/** Everything that can be asked. Made when it is first asked for, and then kept: it is the same for everyone. */
export function catalogue(): CatalogueDocument {
  made ??= catalogueDocument(calendar);
  return made;
}
