import type { DateLevel } from '../../../src/calendar.ts';
import {
  type Aggregation,
  aboutMetric,
  type Better,
  type Measure,
  type MetricName,
  measureOf,
  valueColumn,
} from './metric.ts';
import { ask, type Question, type RequestFilters } from './question.ts';
import type { AskError, Row } from './send.ts';
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
  /** The request whose answer the number is. */
  readonly question: Question;
}

export const noPoint: Point = { value: null, n: null };

export const pointOf = (row: Row | undefined, column: string): Point =>
  row === undefined ? noPoint : { value: numberIn(row, column), n: numberIn(row, 'n') };

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

/** Asks several figures at once. */
export function useFigures(view: View, specs: readonly FigureSpec[]): readonly Figure[] {
  const asked = specs.map((spec) => {
    const level = spec.level ?? view.level;
    const { window, before } = view;
    return {
      spec,
      level,
      questions: [
        figureQuestion(view, spec, window),
        figureQuestion(view, spec, window, level),
        before && figureQuestion(view, spec, before),
        before && figureQuestion(view, spec, before, level),
      ],
    };
  });
  const answers = useAnswers(asked.flatMap(({ questions }) => questions));
  return asked.map(({ spec, level, questions }, at) => {
    const parts = answers.slice(at * 4, at * 4 + 4);
    const column = valueColumn(spec.metric, spec.aggregation);
    const about = aboutMetric(spec.metric);
    const buckets = timeBuckets(view.window, level, view.today);
    const rowsOf = (part: number): readonly Row[] | undefined => parts[part]?.data?.rows;
    const rowsBefore = view.before && rowsOf(2);
    const series = (rows: readonly Row[] | undefined, over: readonly TimeBucket[]): Point[] =>
      over.map(({ name }) =>
        pointOf(
          rows?.find((row) => row[`${level}_date`] === name),
          column,
        ),
      );
    const bucketsBefore = view.before && timeBuckets(view.before, level, view.today);
    return {
      spec,
      label: spec.label ?? about.title,
      meaning: about.meaning,
      measure: measureOf(spec.metric, spec.aggregation),
      better: about.better,
      now: pointOf(rowsOf(0)?.[0], column),
      before: view.before && (rowsBefore ? pointOf(rowsBefore[0], column) : noPoint),
      buckets,
      series: series(rowsOf(1), buckets),
      seriesBefore: bucketsBefore && aligned(series(rowsOf(3), bucketsBefore), buckets.length),
      level,
      isFirst: parts[0]?.isFirst ?? true,
      isOld: parts.some(({ isOld }) => isOld),
      error: parts.find(({ error }) => error)?.error,
      retry: () => {
        for (const { error, retry } of parts) if (error) retry();
      },
      question: questions[0] as Question,
    };
  });
}

export const useFigure = (view: View, spec: FigureSpec): Figure => useFigures(view, [spec])[0] as Figure;

/** Buckets are compared by their position, the first with the first, as the API does. */
const aligned = (points: readonly Point[], length: number): Point[] =>
  Array.from({ length }, (_, at) => points[at] ?? noPoint);
