import { useEffect, useRef } from 'react';
import type { DateLevel } from '../../../src/calendar.ts';
import { comparedOf } from '../../../src/conclusions/compared.ts';
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
import { aboutMetric, measureOf } from './metric-facts.ts';
import type { Row, Rows } from './send.ts';
import { askTogether, type MetricPart, type PartPlace } from './together.ts';
import { type Answer, useAnswers } from './use-answer.ts';
import { isAhead, type View } from './view.ts';
import { type DayReach, type DayWindow, type TimeBucket, timeBuckets, wholeBuckets } from './windows.ts';

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

/** In this order: the window beside the one to compare with, the buckets of the first, and those of the second. */
const partsOfFigure = 3;

/** A figure, the question that it answers, and the answers that it was made from. */
interface MadeFigure {
  readonly figure: Figure;
  readonly spec: string;
  readonly from: readonly unknown[];
}

/**
 * Asks several figures at once, in as few requests as they fit in. A figure is of one window: until all its answers are
 * there the one before stays. It is the same object as long as it says the same, so that its chart is drawn once.
 */
export function useFigures(view: View, specs: readonly FigureSpec[]): readonly Figure[] {
  const wanted = specs.flatMap((spec) => partsOf(view, spec));
  const { questions, places } = askTogether(wanted.flatMap((part) => part ?? []));
  const answers = useAnswers(questions);
  const made = useRef<readonly MadeFigure[]>([]);
  let at = 0;
  const placed = wanted.map((part) => (part ? places[at++] : undefined));
  const bucketsOf = bucketsOnce();
  const now = specs.map((spec, index): MadeFigure => {
    const own = placed.slice(index * partsOfFigure, (index + 1) * partsOfFigure);
    const parts = [...new Set(own.flatMap((place) => (place ? place.question : [])))].flatMap(
      (question) => answers[question] ?? [],
    );
    const [last, specText] = [made.current[index], JSON.stringify(spec)];
    const isFirst = parts.some((part) => part.isFirst);
    const error = parts.find((part) => part.error)?.error;
    const isWaiting = isFirst || parts.some(({ isOld }) => isOld);
    if (isWaiting && !error && last?.spec === specText && isAnswered(last.figure)) {
      return { ...last, figure: last.figure.isOld ? last.figure : { ...last.figure, isOld: true } };
    }
    const question = figureQuestion(view, spec, view.windowFor(spec.metric));
    const asked = JSON.stringify([question, view.beforeFor(spec.metric), view.level, view.reachFor(spec.metric)]);
    const from = [asked, error, isFirst, ...parts.map(({ data }) => data)];
    if (last?.spec === specText && !last.figure.isOld && isSame(last.from, from)) return last;
    const figure = {
      ...valuesOf(view, spec, own, answers, bucketsOf),
      isFirst,
      isOld: false,
      error,
      retry: () => {
        for (const part of parts) if (part.error) part.retry();
      },
      question,
    };
    return { figure, spec: specText, from };
  });
  useEffect(() => {
    made.current = now;
  });
  return now.map(({ figure }) => figure);
}

function partsOf(view: View, spec: FigureSpec): readonly (MetricPart | undefined)[] {
  // Compares field by field: pages put more into their specs than a request has.
  const { metric, aggregation, dateField, filters } = spec;
  const [window, before] = [view.windowFor(metric), view.beforeFor(metric)];
  const level = spec.level ?? view.level;
  const part = (over: DayWindow): MetricPart => ({
    metric,
    aggregation,
    dateField,
    filters: { ...view.filtersFor(metric, over), ...filters },
  });
  return [{ ...part(window), before }, { ...part(window), level }, before && { ...part(before), level }];
}

/** Makes a figure from its answers. */
function valuesOf(
  view: View,
  spec: FigureSpec,
  own: readonly (PartPlace | undefined)[],
  answers: readonly Answer<Rows>[],
  bucketsOf: BucketsOf,
): Omit<Figure, 'isFirst' | 'isOld' | 'error' | 'retry' | 'question'> {
  const [window, before] = [view.windowFor(spec.metric), view.beforeFor(spec.metric)];
  const level = spec.level ?? view.level;
  const about = aboutMetric(spec.metric);
  const reach = view.reachFor(spec.metric);
  const buckets = bucketsOf(window, level, reach);
  const rowsOf = (part: number): readonly Row[] | undefined => answers[own[part]?.question ?? -1]?.data?.rows;
  const series = (part: number, over: readonly TimeBucket[]): Point[] =>
    pointsOf(rowsOf(part), over, level, own[part]?.value ?? '', own[part]?.n);
  const points = series(1, buckets);
  const bucketsBefore = before ? bucketsOf(before, level, reach) : [];
  const pointsBefore = series(2, bucketsBefore);
  const compared = comparedOf(rowsOf(0), spec.metric);
  const now = before ? compared.now : pointOf(rowsOf(0)?.[0], own[0]?.value ?? '', own[0]?.n);
  return {
    spec,
    label: spec.label ?? about.label,
    meaning: about.meaning,
    measure: measureOf(spec.metric, spec.aggregation),
    better: about.better,
    now: recorded(spec.metric, now, points),
    before: before && recorded(spec.metric, compared.before, pointsBefore),
    verdict: before ? compared.verdict : null,
    isBetter: before ? compared.isBetter : null,
    isComparable: view.isComparable(spec.metric),
    buckets,
    wholeBuckets: wholeBuckets(buckets, level, view.zone, view.wholeUntilFor(spec.metric)),
    endsEarly: window.end < view.window.end ? window.end : undefined,
    noDataAfter: isAhead(window, reach) ? reach.lastBegun : undefined,
    series: points,
    seriesBefore: before && aligned(withoutCut(pointsBefore, bucketsBefore), buckets.length),
    level,
  };
}

type BucketsOf = (over: DayWindow, level: DateLevel, reach: DayReach) => readonly TimeBucket[];

/** All figures of a page have the same buckets. */
function bucketsOnce(): BucketsOf {
  const known = new Map<string, readonly TimeBucket[]>();
  return (over, level, reach) => {
    const key = `${over.start} ${over.end} ${level} ${reach.lastWhole} ${reach.lastBegun}`;
    const buckets = known.get(key) ?? timeBuckets(over, level, reach);
    known.set(key, buckets);
    return buckets;
  };
}

const isAnswered = ({ isFirst, error }: Figure): boolean => !isFirst && !error;

const isSame = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((value, at) => value === other[at]);

export const useFigure = (view: View, spec: FigureSpec): Figure => useFigures(view, [spec])[0] as Figure;

/** A bucket that the earlier window cuts would look like a fall. */
const withoutCut = (points: readonly Point[], buckets: readonly TimeBucket[]): Point[] =>
  points.map((point, at) => (buckets[at]?.isPartial ? noPoint : point));

/** Buckets are compared by their position, the first with the first, as the API does. */
const aligned = (points: readonly Point[], length: number): Point[] =>
  Array.from({ length }, (_, at) => points[at] ?? noPoint);
