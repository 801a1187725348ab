import { valueColumnsOf } from '../catalogue/metric.ts';
import type { SaidVerdict } from '../query/verdict.ts';
import type { CategoryChart, ChartPoint } from './chart-description.ts';
import { addsUp } from './measure.ts';
import { type ChartAnswer, type ChartQuestion, daysOf, metricChart } from './metric-chart.ts';
import { timeBuckets } from './time-buckets.ts';

interface ComparedResult extends SaidVerdict {
  readonly metric_name: string;
  readonly value: number | null;
  readonly previous_value: number | null;
  readonly group_by: Readonly<Record<string, unknown>>;
}

/** The answer to a question about one metric by bucket, with the period before beside every value. */
export interface ComparedAnswer {
  readonly results: readonly ComparedResult[];
  readonly meta: ChartAnswer['meta'] & { readonly previous_date_range?: ChartAnswer['meta']['date_range'] };
}

/** The chart that pages would show of the answer: the course of the metric, and that of the period before, dotted. */
export function comparedChart({ results, meta }: ComparedAnswer, question: ChartQuestion): CategoryChart {
  const { metric, aggregation, level, reach } = question;
  const window = daysOf(meta, question);
  const canAdd = addsUp(metric, aggregation?.toUpperCase());
  const byBucket = new Map(
    leadingResults(results, question).map((result) => [result.group_by[`${level}_date`], result]),
  );
  const found = timeBuckets(window, level, reach).map(({ name }) => byBucket.get(name));
  // A bucket without rows is absent: a count of nothing is 0, anything else is unknown.
  const none = canAdd ? 0 : null;
  const chart = metricChart(
    {
      series: [
        {
          name: metric.label,
          data: found.map((result) => (result ? result.value : none)),
          n: found.map((result) => result?.n ?? null),
        },
      ],
      meta,
    },
    { ...question, isLeading: true },
  );
  const before = meta.previous_date_range;
  const bucketsBefore = before ? timeBuckets(daysOf({ date_range: before }, question), level, reach) : [];
  const points: readonly ChartPoint[] = found.map((result, at) => ({
    // A period that the earlier window cuts would look like a fall.
    value: bucketsBefore[at]?.isPartial ? null : result ? result.previous_value : none,
  }));
  return { ...chart, series: [...chart.series, { name: 'before', role: 'before', points }] };
}

/** Of a metric with several values, the last one leads. */
function leadingResults(results: ComparedAnswer['results'], { metric, aggregation }: DrawnMetric) {
  const part = valueColumnsOf(metric, aggregation).at(-1)?.part;
  return results.filter(({ metric_name }) => part === undefined || metric_name.endsWith(`.${part}`));
}

type DrawnMetric = Pick<ChartQuestion, 'metric' | 'aggregation'>;

/** Of an answer about a whole window, the result whose course is drawn. */
export const leadingResult = ({ results }: ComparedAnswer, question: DrawnMetric): ComparedResult | undefined =>
  leadingResults(results, question)[0];
