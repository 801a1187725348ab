import { dateLevels } from '../calendar.ts';
import { aggregationLabel } from '../catalogue/labels/aggregation-labels.ts';
import { columnLabel, sentenceCase } from '../catalogue/labels/shown-names.ts';
import { type Metric, takesAggregation, valueColumnsOf } from '../catalogue/metric.ts';
import { metrics } from '../catalogue/metrics/all-metrics.ts';
import type { Aggregation } from '../expression/expression.ts';
import type { AskedMetric } from './value-text.ts';

/** Columns of comparisons and benchmarks, which no table has. */
const comparisonHeads: Readonly<Record<string, string>> = {
  metric_name: 'Metric',
  value: 'Value',
  previous_value: 'Before',
  change_percentage: 'Change',
  verdict: 'Verdict',
  n: 'n',
  benchmark_p25: 'Lower quartile of others',
  benchmark_p50: 'Median of others',
  benchmark_p75: 'Upper quartile of others',
  benchmark_value: 'Compared with',
};

/** The name of a metric for people; what is no metric keeps its name. */
export const metricHead = (name: string): string => metrics.get(name)?.label ?? name;

/** The heads of the columns with values, by the name of the column. Each depends on how its metric was asked. */
export function valueHeads(asked: readonly AskedMetric[]): ReadonlyMap<string, string> {
  const heads = asked.flatMap(({ name, aggregation }) => {
    const metric = metrics.get(name);
    if (!metric) return [];
    const chosen = takesAggregation(metric) ? (aggregation?.toLowerCase() as Aggregation | undefined) : undefined;
    const counted = [`n_${name.replaceAll('-', '_')}`, `${metric.label}, n`] as const;
    return [
      counted,
      ...valueColumnsOf(metric, chosen).map(({ column, part }) => [column, headOf(metric, part, chosen)] as const),
    ];
  });
  return new Map(heads);
}

function headOf({ label, unit }: Metric, part: string | undefined, aggregation: Aggregation | undefined): string {
  const what = part === undefined ? label : columnLabel(part);
  return aggregation === undefined ? what : `${what}, ${aggregationLabel(aggregation, unit === 'seconds')}`;
}

/** The head of any column of an answer. */
export function columnHead(column: string, heads: ReadonlyMap<string, string> | undefined): string {
  const known = heads?.get(column) ?? comparisonHeads[column];
  if (known !== undefined) return known;
  const level = dateLevels.find((one) => column === `${one}_date`);
  return level === undefined ? columnLabel(column) : sentenceCase(level);
}
