import type { Verdict } from '../../../src/query/verdict.ts';
import { noPoint, type Point, pointOf } from './figure-question.ts';
import type { MetricName } from './metric-facts.ts';
import type { Json, Row } from './send.ts';

/**
 * A value beside that of another window, with the server's verdict on the change. Pages give no verdicts themselves.
 */
export interface Compared {
  readonly now: Point;
  readonly before: Point;
  /** Null where the change has no verdict. */
  readonly verdict: Verdict | null;
  readonly isBetter: boolean | null;
}

const unknown: Compared = { now: noPoint, before: noPoint, verdict: null, isBetter: null };

/** The change of a metric as a whole, from the results of a compared question. */
export const comparedOf = (results: readonly Row[] | undefined, metric: MetricName): Compared => {
  const result = results?.findLast((one) => isOf(one, metric));
  return result ? comparedRow(result) : unknown;
};

/** The change of each group, with the group's name in that column; null where it has none. */
export function comparedBy(
  results: readonly Row[] | undefined,
  metric: MetricName,
  column: string,
): readonly (Compared & { readonly name: string | null })[] {
  return (results ?? []).flatMap((result) => {
    const group = result.group_by;
    if (!isOf(result, metric) || !isObject(group)) return [];
    const name = group[column];
    return [{ ...comparedRow(result), name: typeof name === 'string' ? name : null }];
  });
}

/** A size has three results. It is filtered and sorted by the last of them. */
function isOf({ metric_name }: Row, metric: MetricName): boolean {
  return metric_name === metric || metric_name === `${metric}.total_changes`;
}

const isObject = (value: Json | undefined): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A count of 0 that is compared is a true 0: the history covers all of its window. */
function pointBefore(result: Row): Point {
  const { previous_n, previous_value, verdict } = result;
  const isKnown = previous_value === 0 && previous_n === 0 && verdict !== null && verdict !== 'no_comparison';
  return isKnown ? { value: 0, n: 0 } : pointOf(result, 'previous_value', 'previous_n');
}

/** One result of a compared question. */
export function comparedRow(result: Row): Compared {
  const { verdict, is_better } = result;
  return {
    now: pointOf(result, 'value'),
    before: pointBefore(result),
    verdict: typeof verdict === 'string' ? (verdict as Verdict) : null,
    isBetter: typeof is_better === 'boolean' ? is_better : null,
  };
}
