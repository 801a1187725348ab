import type { DateLevel } from '../../../src/calendar.ts';
import {
  type Figure,
  type FigureSpec,
  figureQuestion,
  noPoint,
  type Point,
  pointOf,
  pointsOf,
  recorded,
} from './figure-question.ts';
import { aboutMetric, measureOf } from './metric.ts';
import type { Row } from './send.ts';
import { askTogether, type MetricPart } from './together.ts';
import { useAnswers } from './use-answer.ts';
import type { View } from './view.ts';
import { type DayWindow, type TimeBucket, timeBuckets } from './windows.ts';

export {
  type Figure,
  type FigureSpec,
  figureQuestion,
  noPoint,
  numberIn,
  type Point,
  pointOf,
  pointsOf,
} from './figure-question.ts';

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
  // Figures of a page have the same buckets.
  const known = new Map<string, readonly TimeBucket[]>();
  const bucketsIn = (over: DayWindow, level: DateLevel): readonly TimeBucket[] => {
    const key = `${over.start} ${over.end} ${level}`;
    const buckets = known.get(key) ?? timeBuckets(over, level, view.today);
    known.set(key, buckets);
    return buckets;
  };
  return specs.map((spec, index) => {
    const own = placed.slice(index * partsOfFigure, (index + 1) * partsOfFigure);
    const parts = [...new Set(own.flatMap((place) => (place ? place.question : [])))].flatMap(
      (question) => answers[question] ?? [],
    );
    const level = spec.level ?? view.level;
    const about = aboutMetric(spec.metric);
    const buckets = bucketsIn(window, level);
    const rowsOf = (part: number): readonly Row[] | undefined => answers[own[part]?.question ?? -1]?.data?.rows;
    const total = (part: number): Point => pointOf(rowsOf(part)?.[0], own[part]?.value ?? '', own[part]?.n);
    const series = (part: number, over: readonly TimeBucket[]): Point[] =>
      pointsOf(rowsOf(part), over, level, own[part]?.value ?? '', own[part]?.n);
    const points = series(1, buckets);
    const pointsBefore = before ? series(3, bucketsIn(before, level)) : [];
    return {
      spec,
      label: spec.label ?? about.title,
      meaning: about.meaning,
      measure: measureOf(spec.metric, spec.aggregation),
      better: about.better,
      now: recorded(spec.metric, total(0), points),
      before: before && recorded(spec.metric, total(2), pointsBefore),
      buckets,
      series: points,
      seriesBefore: before && aligned(pointsBefore, buckets.length),
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
