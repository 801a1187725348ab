import type { DateLevel } from '../../../src/calendar.ts';
import type { MeasuredValue as Point } from '../../../src/conclusions/compared.ts';
import { noPoint, pointOf } from '../../../src/conclusions/compared.ts';
import type { Verdict } from '../../../src/query/verdict.ts';
import { type Aggregation, aboutMetric, type Better, type Measure, type MetricName } from './metric-facts.ts';
import { ask, type Question, type RequestFilters } from './question.ts';
import type { AskError, Row } from './send.ts';
import type { View } from './view.ts';
import type { DayWindow, TimeBucket } from './windows.ts';

export { type MeasuredValue as Point, noPoint, numberIn, pointOf } from '../../../src/conclusions/compared.ts';

/** One metric as a page asks for it. */
export interface FigureSpec<M extends MetricName = MetricName> {
  readonly metric: M;
  readonly aggregation?: Aggregation;
  /** The title above the number; by default the metric's title. */
  readonly label?: string;
  readonly dateField?: string;
  readonly level?: DateLevel;
  /** Filters besides those that the reader chose. */
  readonly filters?: RequestFilters;
}

/** One metric over the window, in total and by bucket, with the same of the window to compare with. */
export interface Figure {
  readonly spec: FigureSpec;
  readonly label: string;
  readonly meaning: string;
  readonly measure: Measure;
  readonly better: Better;
  readonly now: Point;
  readonly before: Point | undefined;
  /** The verdict on the change; null where there is none, and without a window to compare with. */
  readonly verdict: Verdict | null;
  readonly isBetter: boolean | null;
  /** Whether both windows are known in full. */
  readonly isComparable: boolean;
  readonly buckets: readonly TimeBucket[];
  readonly series: readonly Point[];
  readonly seriesBefore: readonly Point[] | undefined;
  /** How many buckets come before the first incomplete one at the end. A course is judged by these alone. */
  readonly wholeBuckets: number;
  /** The last day of this metric's data, where it is earlier than that of the page. */
  readonly endsEarly: string | undefined;
  /** The last day that has data, where the window begins after it: then an empty answer means nothing. */
  readonly noDataAfter: string | undefined;
  readonly level: DateLevel;
  readonly isFirst: boolean;
  readonly isOld: boolean;
  readonly error: AskError | undefined;
  readonly retry: () => void;
  /** The request for this number alone. */
  readonly question: Question;
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
