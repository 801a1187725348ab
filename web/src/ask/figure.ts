import { type Figure, type FigureSpec, figureQuestion, noPoint, type Point, pointOf } from './figure-question.ts';
import { aboutMetric, measureOf, valueColumn } from './metric.ts';
import type { Question } from './question.ts';
import type { Row } from './send.ts';
import { useAnswers } from './use-answer.ts';
import type { View } from './view.ts';
import { type TimeBucket, timeBuckets } from './windows.ts';

export {
  type Figure,
  type FigureSpec,
  figureQuestion,
  noPoint,
  numberIn,
  type Point,
  pointOf,
} from './figure-question.ts';

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
