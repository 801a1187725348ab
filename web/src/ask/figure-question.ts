import type { DateLevel } from '../../../src/calendar.ts';
import type { Verdict } from '../../../src/query/verdict.ts';
import { type Aggregation, aboutMetric, type Better, type Measure, type MetricName } from './metric-facts.ts';
import { ask, type Question, type RequestFilters } from './question.ts';
import type { AskError, Row } from './send.ts';
import type { View } from './view.ts';
import type { DayWindow, TimeBucket } from './windows.ts';

/** A value, and how many rows have it. Both null where there is nothing: never a bare zero. */
export interface Point {
  readonly value: number | null;
  readonly n: number | null;
}

/** What a page wants to know of one metric. */
export interface FigureSpec<M extends MetricName = MetricName> {
  readonly metric: M;
  readonly aggregation?: Aggregation;
  /** As it stands above the number; the metric's title otherwise. */
  readonly label?: string;
  readonly dateField?: string;
  readonly level?: DateLevel;
  /** Filters besides those of the reader. */
  readonly filters?: RequestFilters;
}

/** One metric over the window: in all and by bucket, and the same of the window to compare with. */
export interface Figure {
  readonly spec: FigureSpec;
  readonly label: string;
  readonly meaning: string;
  readonly measure: Measure;
  readonly better: Better;
  readonly now: Point;
  readonly before: Point | undefined;
  /** What may be said of the change; null where nothing may be, and without a window to compare with. */
  readonly verdict: Verdict | null;
  readonly isBetter: boolean | null;
  /** Whether both windows are known in full. */
  readonly isComparable: boolean;
  readonly buckets: readonly TimeBucket[];
  readonly series: readonly Point[];
  readonly seriesBefore: readonly Point[] | undefined;
  /** How many of the buckets come before the first at the end that is not whole: what a course may be judged by. */
  readonly wholeBuckets: number;
  /** The last day, where the data of the metric end earlier than those of the page. */
  readonly endsEarly: string | undefined;
  /** The last day that has data, where the window begins after it: that there is nothing says nothing. */
  readonly noDataAfter: string | undefined;
  readonly level: DateLevel;
  readonly isFirst: boolean;
  readonly isOld: boolean;
  readonly error: AskError | undefined;
  readonly retry: () => void;
  /** The request for this number alone. */
  readonly question: Question;
}

export const noPoint: Point = { value: null, n: null };

/** Where no row has the value there is none: never a bare zero, whatever other metrics of the same row have. */
export function pointOf(row: Row | undefined, column: string, nColumn = 'n'): Point {
  const n = row === undefined ? null : numberIn(row, nColumn);
  return row === undefined || n === 0 ? noPoint : { value: numberIn(row, column), n };
}

/**
 * A share of people is of all of them, also where nothing was recorded in the whole window: then the answer is 0, but
 * it is not known. Buckets have a value only where something was recorded, so they tell one 0 % from the other.
 */
export function recorded(metric: MetricName, total: Point, buckets: readonly Point[]): Point {
  const isKnown = aboutMetric(metric).kind !== 'share' || total.value !== 0;
  return isKnown || buckets.some(({ value }) => value !== null) ? total : noPoint;
}

/** A point for every bucket. */
export function pointsOf(
  rows: readonly Row[] | undefined,
  buckets: readonly TimeBucket[],
  level: DateLevel,
  column: string,
  nColumn = 'n',
): Point[] {
  const byBucket = new Map((rows ?? []).map((row) => [row[`${level}_date`], row]));
  return buckets.map(({ name }) => pointOf(byBucket.get(name), column, nColumn));
}

export function numberIn(row: Row, column: string): number | null {
  const value = row[column];
  return typeof value === 'number' ? value : null;
}

/** The request for a metric over a window: one row, or one for each bucket. */
export function figureQuestion(
  view: View,
  spec: FigureSpec,
  window: DayWindow = view.windowFor(spec.metric),
  level?: DateLevel,
): Question {
  const { metric, aggregation, dateField, filters } = spec;
  return ask(metric, {
    filters: { ...view.filtersFor(metric, window), ...filters },
    ...(aggregation ? { aggregation } : {}),
    ...(dateField ? { date_field: dateField } : {}),
    ...(level ? { date_level: level } : {}),
  });
}
