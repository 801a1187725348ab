import { type AggregateNode, type Aggregation, percentiles, type RowNode } from '../expression/expression.ts';
import type { Metric } from './metric.ts';

/** The form of a number decides how its change is judged: for each form, chance explains another range. */
export type JudgedForm =
  | { readonly kind: 'count' }
  | { readonly kind: 'rate' }
  /** The percentile, 0.5 for the median. */
  | { readonly kind: 'percentile'; readonly at: number };

/**
 * How a change of a metric is judged, as its declaration says. Undefined for averages, sums and extremes, for texts, and for
 * ratios whose denominator is an amount: lines, tokens and money come in lumps, so their number says nothing of chance.
 */
export function judgedFormOf(
  metric: Metric,
  aggregation: Aggregation | undefined,
  value: number,
): JudgedForm | undefined {
  switch (metric.kind) {
    case 'count':
      return { kind: 'count' };
    case 'share':
      return { kind: 'rate' };
    case 'fixed':
      if (metric.denominator !== undefined) return metric.denominator === 'things' ? { kind: 'rate' } : undefined;
      return formOfAggregate(metric.value);
    case 'aggregated': {
      const of = metric.values[value]?.value;
      return of && aggregation && formOfAggregation(aggregation, of);
    }
    case 'text':
      return undefined;
  }
}

function formOfAggregate(node: AggregateNode): JudgedForm | undefined {
  return node.op === 'aggregate' ? formOfAggregation(node.aggregation, node.value) : undefined;
}

function formOfAggregation(aggregation: Aggregation, value: RowNode): JudgedForm | undefined {
  switch (aggregation) {
    case 'avg':
      return isZeroOrOne(value) ? { kind: 'rate' } : undefined;
    case 'sum':
    case 'min':
    case 'max':
      return undefined;
    default:
      return { kind: 'percentile', at: percentiles[aggregation] };
  }
}

/** The average of zeros and ones is the share of the ones. */
function isZeroOrOne(node: RowNode): boolean {
  if (node.op === 'when') return isZeroOrOne(node.value);
  return node.op === 'oneOrZero' || (node.op === 'literal' && (node.value === 0 || node.value === 1));
}
