import type { FigureSpec } from '../../ask/figure.ts';
import {
  aboutMetric,
  addsUp,
  type Better,
  defaultAggregation,
  isMetric,
  type MetricName,
  wordFor,
} from '../../ask/metric-facts.ts';
import type { Question } from '../../ask/question.ts';
import type { View } from '../../ask/view.ts';

/** The compared metrics and their dates. One request answers cycle time, pickup and review together. */
export const benchmarks: readonly { readonly metric: MetricName; readonly dateField: string }[] = [
  { metric: 'cycle-time', dateField: 'merged_at' },
  { metric: 'lead-time-for-changes-p50', dateField: 'merged_at' },
  { metric: 'deployment-frequency', dateField: 'deployed_at' },
  { metric: 'change-failure-rate', dateField: 'deployed_at' },
  { metric: 'time-to-restore-p50', dateField: 'deployed_at' },
  { metric: 'pull-requests-size', dateField: 'merged_at' },
  { metric: 'review-rate', dateField: 'created_at' },
  { metric: 'workflow-run-success-rate', dateField: 'created_at' },
  { metric: 'adoption-rate', dateField: 'date' },
];

export const benchmarkQuestion = (view: View, metric: MetricName, dateField: string): Question => ({
  path: '/metrics/benchmark',
  body: {
    filters: view.filtersFor(metric),
    benchmark_metric: metric,
    date_field: dateField,
    ...aggregated(metric),
  },
});

/** Durations and sizes are compared by their medians, which the other pages show. */
function aggregated(metric: MetricName): Pick<FigureSpec, 'aggregation'> {
  const aggregation = defaultAggregation(metric);
  return aggregation ? { aggregation } : {};
}

/** `Cycle time, median`: the compared metric and its statistic. */
export function benchmarkName(metric: MetricName): string {
  const { aggregation } = aggregated(metric);
  return `${aboutMetric(metric).label}${aggregation ? `, ${wordFor(aggregation)}` : ''}`;
}

/** As the API answers. */
export interface BenchmarkAnswer {
  readonly results: readonly BenchmarkResult[];
  readonly meta: { readonly organisations: number; readonly organisations_needed?: number };
}
interface BenchmarkResult {
  readonly metric_name: string;
  readonly value: number | null;
  readonly n?: number | null;
  readonly benchmark_p25: number | null;
  readonly benchmark_p50: number | null;
  readonly benchmark_p75: number | null;
  readonly percentile: number | null;
}

/** The quartiles of the others. */
export interface Quartiles {
  readonly low: number;
  readonly middle: number;
  readonly high: number;
}

export interface Benchmark {
  readonly metric: MetricName;
  readonly dateField: string;
  readonly value: number | null;
  readonly n: number | null;
  readonly percentile: number | null;
  /** Undefined where too few organisations share it. */
  readonly quartiles: Quartiles | undefined;
  readonly organisations: number;
  readonly question: Question;
}

export const minOrganisations = 5;
export const minRecords = 30;

export function benchmarksOf(answer: BenchmarkAnswer, dateField: string, question: Question): Benchmark[] {
  return answer.results.flatMap((result) => {
    const { metric_name, benchmark_p25: low, benchmark_p50: middle, benchmark_p75: high } = result;
    const metric = metric_name.split('.')[0] ?? '';
    if (!isMetric(metric)) return [];
    return {
      metric,
      dateField,
      value: result.value,
      n: result.n ?? null,
      percentile: result.percentile,
      quartiles: low === null || middle === null || high === null ? undefined : { low, middle, high },
      organisations: answer.meta.organisations,
      question,
    };
  });
}

export const isFew = (n: number | null): boolean => n !== null && n < minRecords;

/** The part of the others’ values that yours lies in: a quarter, the middle half, a quarter. */
export type Standing = 'lower' | 'middle' | 'upper';

/** A value of few records has no rank: the API gives it none. */
export function standingOf({
  value,
  n,
  quartiles,
}: Pick<Benchmark, 'value' | 'n' | 'quartiles'>): Standing | undefined {
  if (value === null || !quartiles || isFew(n)) return undefined;
  if (value < quartiles.low) return 'lower';
  return value > quartiles.high ? 'upper' : 'middle';
}

/** Whether the rank is good; undefined in the middle and where there is no rank. */
export function isGoodStanding(standing: Standing | undefined, better: Better): boolean | undefined {
  if (!standing || standing === 'middle' || better === null) return undefined;
  return (standing === 'upper') === (better === 'higher');
}

/**
 * The organisation's own course against the band, both by the same statistic. A count over the window has no weekly
 * course.
 */
export function trendSpec({ metric, dateField }: Pick<Benchmark, 'metric' | 'dateField'>): FigureSpec | undefined {
  const spec = { metric, dateField, ...aggregated(metric) };
  return addsUp(metric, spec.aggregation) ? undefined : spec;
}

/** Places between 0 and 1 of the marks of a row, on a scale from 0 to a little past the largest. */
export function scaleOf(value: number | null, { low, middle, high }: Quartiles) {
  const end = Math.max(high, value ?? 0) * 1.12 || 1;
  const at = (one: number): number => Math.min(1, Math.max(0, one / end));
  return { low: at(low), middle: at(middle), high: at(high), value: value === null ? undefined : at(value) };
}
