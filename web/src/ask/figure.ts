import type { DateLevel } from '../../../src/calendar.ts';
import { type Aggregation, aboutMetric, type Better, type Measure, type MetricName, measureOf } from './metric.ts';
import { ask, type Question, type RequestFilters } from './question.ts';
import type { AskError, Row } from './send.ts';
import { askTogether, type MetricPart } from './together.ts';
import { useAnswers } from './use-answer.ts';
import type { View } from './use-view.ts';
import { type DayWindow, type TimeBucket, timeBuckets } from './windows.ts';

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
  readonly buckets: readonly TimeBucket[];
  readonly series: readonly Point[];
  readonly seriesBefore: readonly Point[] | undefined;
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
export function figureQuestion(view: View, spec: FigureSpec, window: DayWindow, level?: DateLevel): Question {
  const { metric, aggregation, dateField, filters } = spec;
  return ask(metric, {
    filters: { ...view.filtersFor(metric, window), ...filters },
    ...(aggregation ? { aggregation } : {}),
    ...(dateField ? { date_field: dateField } : {}),
    ...(level ? { date_level: level } : {}),
  });
}

/** In this order: the window, its buckets, and both of the window to compare with. */
const partsOfFigure = 4;

/** Asks several figures at once, in as few requests as they fit in. */
export function useFigures(view: View, specs: readonly FigureSpec[]): readonly Figure[] {
  const { window, before } = view;
  const wanted = specs.flatMap((spec) => {
    const level = spec.level ?? view.level;
    // Field by field: pages put more into their specs than is asked.
    const { metric, aggregation, dateField, filters } = spec;
    const part = (over: DayWindow | undefined, by?: DateLevel): MetricPart | undefined =>
      over && {
        metric,
        aggregation,
        dateField,
        filters: { ...view.filtersFor(metric, over), ...filters },
        level: by,
      };
    return [part(window), part(window, level), part(before), part(before, level)];
  });
  const { questions, places } = askTogether(wanted.flatMap((part) => part ?? []));
  const answers = useAnswers(questions);
  let at = 0;
  const placed = wanted.map((part) => (part ? places[at++] : undefined));
  return specs.map((spec, index) => {
    const own = placed.slice(index * partsOfFigure, (index + 1) * partsOfFigure);
    const parts = [...new Set(own.flatMap((place) => (place ? place.question : [])))].flatMap(
      (question) => answers[question] ?? [],
    );
    const level = spec.level ?? view.level;
    const about = aboutMetric(spec.metric);
    const buckets = timeBuckets(window, level, view.today);
    const rowsOf = (part: number): readonly Row[] | undefined => answers[own[part]?.question ?? -1]?.data?.rows;
    const total = (part: number): Point => pointOf(rowsOf(part)?.[0], own[part]?.value ?? '', own[part]?.n);
    const series = (part: number, over: readonly TimeBucket[]): Point[] =>
      pointsOf(rowsOf(part), over, level, own[part]?.value ?? '', own[part]?.n);
    return {
      spec,
      label: spec.label ?? about.title,
      meaning: about.meaning,
      measure: measureOf(spec.metric, spec.aggregation),
      better: about.better,
      now: total(0),
      before: before && total(2),
      buckets,
      series: series(1, buckets),
      seriesBefore: before && aligned(series(3, timeBuckets(before, level, view.today)), buckets.length),
      level,
      isFirst: answers[own[0]?.question ?? -1]?.isFirst ?? true,
      isOld: parts.some(({ isOld }) => isOld),
      error: parts.find(({ error }) => error)?.error,
      retry: () => {
        for (const { error, retry } of parts) if (error) retry();
      },
      question: figureQuestion(view, spec, window),
    };
  });
}

export const useFigure = (view: View, spec: FigureSpec): Figure => useFigures(view, [spec])[0] as Figure;

/** Buckets are compared by their position, the first with the first, as the API does. */
const aligned = (points: readonly Point[], length: number): Point[] =>
  Array.from({ length }, (_, at) => points[at] ?? noPoint);
