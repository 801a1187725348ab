import { type AggregateNode, isPercentile, percentiles, type RankAmong } from '../expression/expression.ts';
import { type Coverage, coverages, percentileRanks } from './likely-range.ts';
import type { Measure, Query } from './plan.ts';
import type { AnswerColumn, RequestedMetric } from './request.ts';

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
