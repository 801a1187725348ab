import { type AggregateNode, isPercentile, percentiles, type RankAmong } from '../expression/expression.ts';
import type { Measure, Query } from './plan.ts';
import type { AnswerColumn, RequestedMetric } from './request.ts';
/** Between which numbers chance alone moves a value. An end that does not exist is null. */
export type LikelyRange = readonly [low: number | null, high: number | null];

/** How often a range holds the number that it is about. */
export const coverages = [0.84, 0.95] as const;
export type Coverage = (typeof coverages)[number];

/** Standard deviations to either side of a normal distribution that hold that much of it. */
const deviations: Readonly<Record<Coverage, number>> = { 0.84: 1.4050715603096329, 0.95: 1.959963984540054 };

/** With more times the values in one of two windows, two 84 % ranges would too often lie apart by chance. */
const maxTimesTheValues = 4;

/**
 * Two 84 % ranges that do not overlap are a test at about 5 %, where both windows have about as many values. Where one has
 * many more, its range is a point beside that of the other, and 95 % are needed.
 */
export const coverageFor = (n: number, previousN: number): Coverage =>
  Math.max(n, previousN) > maxTimesTheValues * Math.min(n, previousN) ? 0.95 : 0.84;

/** Wilson's score range of a share of n. */
export function rateRange(rate: number, n: number, coverage: Coverage): LikelyRange {
  if (!(n > 0 && rate >= 0 && rate <= 1)) return [null, null];
  const z = deviations[coverage];
  const divisor = 1 + z ** 2 / n;
  const middle = (rate + z ** 2 / (2 * n)) / divisor;
  const half = (z / divisor) * Math.sqrt((rate * (1 - rate)) / n + z ** 2 / (4 * n ** 2));
  return [rate === 0 ? 0 : middle - half, rate === 1 ? 1 : middle + half];
}

/** The score range of the mean of a Poisson distribution of which one count is known. */
export function countRange(count: number, coverage: Coverage): LikelyRange {
  const z = deviations[coverage];
  const middle = count + z ** 2 / 2;
  const half = z * Math.sqrt(count + z ** 2 / 4);
  return [count === 0 ? 0 : middle - half, middle + half];
}

/** Places among n sorted values, the smallest at 1. Null where the range ends nowhere among so few. */
type Ranks = readonly [low: number | null, high: number | null];

/**
 * Between which of n sorted values a percentile lies, whatever the values are distributed like. How many of them are
 * smaller than the percentile is binomial, and each end leaves out at most its half of what may be missed.
 */
export function percentileRanks(at: number, n: number, coverage: Coverage): Ranks {
  if (n < 1) return [null, null];
  const tail = (1 - coverage) / 2;
  const { first, shares } = binomial(n, at);
  let low: number | null = null;
  let below = 0;
  for (const [i, share] of shares.entries()) {
    below += share;
    if (below > tail) break;
    low = first + i + 1;
  }
  let high: number | null = null;
  let above = 0;
  for (let i = shares.length - 1; i >= 0; i -= 1) {
    above += shares[i] ?? 0;
    if (above > tail) break;
    high = first + i;
  }
  return [low, high];
}

/** Smaller shares beside the largest one change no sum. */
const negligible = 1e-18;

/** How likely each number of n is, from the first that is not negligible on: added up from the largest, nothing overflows. */
function binomial(n: number, at: number): { readonly first: number; readonly shares: readonly number[] } {
  const middle = Math.min(n, Math.floor((n + 1) * at));
  const odds = at / (1 - at);
  const down: number[] = [];
  for (let k = middle, weight = 1; k > 0; k -= 1) {
    weight *= k / (n - k + 1) / odds;
    if (weight < negligible) break;
    down.push(weight);
  }
  const up: number[] = [];
  for (let k = middle, weight = 1; k < n; k += 1) {
    weight *= ((n - k) / (k + 1)) * odds;
    if (weight < negligible) break;
    up.push(weight);
  }
  const weights = [...down.reverse(), 1, ...up];
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return { first: middle - down.length, shares: weights.map((weight) => weight / sum) };
}

/** One end of the range of a percentile, among the sorted values of a group. */
interface RangeEnd {
  readonly coverage: Coverage;
  readonly end: 'low' | 'high';
}

/** In the order in which the values of a row have them. */
const rangeEnds: readonly RangeEnd[] = coverages.flatMap((coverage) => [
  { coverage, end: 'low' },
  { coverage, end: 'high' },
]);

const nameOf = (value: string, { coverage, end }: RangeEnd): string => `${end} of ${value} at ${coverage}`;

/** Where the ends of a range stand in a row that begins with the ends of some values. */
export const placeOfEnds = (value: number, coverage: Coverage): [low: number, high: number] => {
  const low = value * rangeEnds.length + rangeEnds.findIndex((one) => one.coverage === coverage);
  return [low, low + 1];
};

/**
 * The same question about the ends of the ranges of its percentiles: values of rows, at ranks that follow from how many
 * values there are. How many there are in each group has to be known. Undefined where no percentile is asked about.
 */
export function questionOfEnds(query: Query, counts: readonly number[]): Query | undefined {
  const plans = query.plans.flatMap((plan) => {
    const measures = plan.measures.flatMap((measure) => endsOf(measure, counts));
    // Groups that are too small in the answer are left out of it already.
    return measures.length === 0 ? [] : [{ ...plan, measures, minimumValues: [] }];
  });
  const measured = new Set(plans.flatMap(({ measures }) => measures.map(({ as }) => as)));
  const values = query.values.flatMap((value) => rangeEnds.map((end) => nameOf(value, end)));
  return plans.length === 0
    ? undefined
    : { ...query, plans, values: values.filter((value) => measured.has(value)), order: [], limit: undefined };
}

function endsOf(measure: Measure, counts: readonly number[]): Measure[] {
  const at = 'value' in measure ? shareOf(measure.value) : undefined;
  if (at === undefined || !('value' in measure) || measure.value.op !== 'aggregate') return [];
  const { value } = measure.value;
  return rangeEnds.map(({ coverage, end }) => {
    const ranks = counts.flatMap((values): RankAmong[] => {
      const [low, high] = percentileRanks(at, values, coverage);
      const rank = end === 'low' ? low : high;
      return rank === null ? [] : [{ values, rank }];
    });
    return { as: nameOf(measure.as, { coverage, end }), type: 'number', value: { op: 'atRank', value, ranks } };
  });
}

function shareOf(node: AggregateNode): number | undefined {
  return node.op === 'aggregate' && isPercentile(node.aggregation) ? percentiles[node.aggregation] : undefined;
}

/** The columns of an answer about the ends of ranges, of metrics whose percentiles are asked about. */
export const columnsOfEnds = (metrics: readonly RequestedMetric[]): AnswerColumn[] =>
  metrics.flatMap(({ metric, values }) =>
    values.flatMap(({ column }) =>
      rangeEnds.map((end) => ({ role: 'rank', name: nameOf(column, end), type: 'number', metric }) as const),
    ),
  );
