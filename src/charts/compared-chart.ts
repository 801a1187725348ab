import { valueColumnsOf } from '../catalogue/metric.ts';
import type { CategoryChart, ChartPoint } from './chart-description.ts';
import { addsUp } from './measure.ts';
import { type ChartAnswer, type ChartQuestion, daysOf, metricChart } from './metric-chart.ts';
import { timeBuckets } from './time-buckets.ts';

/** The answer to a question about one metric by bucket, with the period before beside every value. */
export interface ComparedAnswer {
  readonly results: readonly {
    readonly metric_name: string;
    readonly value: number | null;
    readonly n?: number | null;
    readonly previous_value: number | null;
    readonly group_by: Readonly<Record<string, unknown>>;
  }[];
  readonly meta: ChartAnswer['meta'];
}

/**
 * The chart that pages would show of the answer: the course of the metric, and that of the period before as a dashed
 * line.
 */
export function comparedChart({ results, meta }: ComparedAnswer, question: ChartQuestion): CategoryChart {
  const { metric, aggregation, level, reach } = question;
  const window = daysOf(meta, question);
  const canAdd = addsUp(metric, aggregation?.toUpperCase());
  // Of a metric with several values, the last one leads.
  const part = valueColumnsOf(metric, aggregation).at(-1)?.part;
  const leading = results.filter(({ metric_name }) => part === undefined || metric_name.endsWith(`.${part}`));
  const byBucket = new Map(leading.map((result) => [result.group_by[`${level}_date`], result]));
  const found = timeBuckets(window, level, reach).map(({ name }) => byBucket.get(name));
  // A bucket without rows is absent: a count of nothing is 0, anything else is unknown.
  const none = canAdd ? 0 : null;
  const chart = metricChart(
    {
      series: [
        {
          name: metric.title,
          data: found.map((result) => (result ? result.value : none)),
          n: found.map((result) => result?.n ?? null),
        },
      ],
      meta,
    },
    { ...question, isLeading: true },
  );
  const points: readonly ChartPoint[] = found.map((result) => ({ value: result ? result.previous_value : none }));
  return { ...chart, series: [...chart.series, { name: 'before', role: 'before', points }] };
}
