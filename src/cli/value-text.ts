import { type Metric, takesAggregation, valueColumnsOf } from '../catalogue/metric.ts';
import { metrics } from '../catalogue/metrics/all-metrics.ts';
import { durationText } from '../duration-text.ts';
import type { Aggregation } from '../expression/expression.ts';

/** How a number is written for people. */
export type ShownMeasure = 'duration' | 'percent' | 'usd' | 'bytes' | 'number';

/** The catalogue has no unit for shares from 0 to 1: the names of their metrics end in one of these. */
const isShare = (name: string): boolean => /-(rate|ratio)$|-percent-/.test(name);

/** A share that is summed up is a count of the rows of which it holds. */
function shownMeasureOf({ name, unit }: Metric, aggregation: Aggregation | undefined): ShownMeasure {
  if (unit === 'seconds') return 'duration';
  if (unit === 'usd' || unit === 'bytes') return unit;
  return isShare(name) && aggregation !== 'sum' ? 'percent' : 'number';
}

/** A metric as it is asked. */
export interface AskedMetric {
  readonly name: string;
  readonly aggregation: string | undefined;
}

/**
 * How the values of an answer are written, by their column in rows and by their name in results. The last column of each
 * metric is the one that leads.
 */
export function shownMeasures(asked: readonly AskedMetric[]): ReadonlyMap<string, ShownMeasure> {
  const known = asked.flatMap(({ name, aggregation }) => {
    const metric = metrics.get(name);
    if (!metric || metric.kind === 'text') return [];
    const chosen = takesAggregation(metric) ? (aggregation?.toLowerCase() as Aggregation) : undefined;
    const measure = shownMeasureOf(metric, chosen);
    return [
      [name, measure] as const,
      ...valueColumnsOf(metric, chosen).flatMap(({ column, metricName }) => [
        [column, measure] as const,
        [metricName, measure] as const,
      ]),
    ];
  });
  return new Map(known);
}

/** A number as people read it: `4d 2h`, `91.2%`, `$12.50`, `1.2 MB`. */
export function valueText(value: number, measure: ShownMeasure): string {
  switch (measure) {
    case 'duration':
      return durationText(value);
    case 'percent':
      return `${trimmed((value * 100).toFixed(1))}%`;
    case 'usd':
      return `${value < 0 ? '-' : ''}$${Math.abs(value).toFixed(2)}`;
    case 'bytes':
      return bytesText(value);
    case 'number':
      return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));
  }
}

const byteNames = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];

function bytesText(value: number): string {
  const size = Math.abs(value);
  const at = size < 1 ? 0 : Math.min(byteNames.length - 1, Math.floor(Math.log10(size) / 3));
  return `${trimmed((value / 1_000 ** at).toFixed(1))} ${byteNames[at]}`;
}

const trimmed = (text: string): string => text.replace(/\.0+$/, '');
