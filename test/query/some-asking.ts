import { type DateLevel, TimeZone } from '../../src/calendar.ts';
import { valueColumnsOf } from '../../src/catalogue/metric.ts';
import { metrics } from '../../src/catalogue/metrics/all-metrics.ts';
import type { Aggregation } from '../../src/expression/expression.ts';
import { answerColumns } from '../../src/query/answer-columns.ts';
import type { AnswerRow } from '../../src/query/plan.ts';
import { periodsBefore, type RowsBefore } from '../../src/query/previous-period.ts';
import type { AnswerColumn, MetricRequest, RequestedMetric } from '../../src/query/request.ts';
import { windowBetween } from '../../src/query/request-window.ts';

export const utc = TimeZone.named('UTC');

export interface SomeAsking {
  /** Names of metrics, each perhaps with its aggregation: `cycle-time avg`. */
  readonly of: string | readonly string[];
  readonly by?: readonly string[];
  readonly level?: DateLevel;
  readonly window?: readonly [start: string, end: string];
  readonly order?: MetricRequest['order'];
  readonly limit?: number;
  readonly least?: number;
  readonly filters?: Readonly<Record<string, unknown>>;
}

/** A question as it is after reading, and the columns of its answer. */
export function asking(some: SomeAsking): MetricRequest & { readonly columns: readonly AnswerColumn[] } {
  const isMultiple = typeof some.of !== 'string';
  const [start, end] = some.window ?? ['2024-01-01', '2024-01-31'];
  const request: MetricRequest = {
    metrics: [some.of].flat().map((one) => askedMetric(one, some.least ?? 0)),
    isMultiple,
    filters: { rows: new Map(), people: {}, written: some.filters ?? { start_date: start, end_date: end }, sent: [] },
    zone: utc,
    window: windowBetween({ start, end }, utc, new Date('2024-06-01T00:00:00Z')),
    level: some.level,
    groupBy: some.by ?? [],
    form: 'rows',
    durations: 'iso',
    showsN: false,
    showsVerdict: false,
    order: some.order,
    limit: some.limit ?? 200,
  };
  return { ...request, columns: answerColumns(request) };
}

/** Rows of the period before, where it is one and the same for all metrics. */
export function before(asked: MetricRequest, rows: readonly AnswerRow[]): RowsBefore[] {
  const [period, ...others] = periodsBefore(asked);
  if (!period || others.length > 0) throw new Error('The metrics do not share the period before.');
  return [{ period, rows }];
}

function askedMetric(one: string, least: number): RequestedMetric {
  const [name = '', aggregation] = one.split(' ') as [string, Aggregation | undefined];
  const metric = metrics.get(name);
  if (!metric) throw new Error(`There is no metric ${name}.`);
  return {
    metric,
    aggregation,
    dateColumn: metric.dates[0],
    minimumValue: least,
    values: valueColumnsOf(metric, aggregation),
  };
}
