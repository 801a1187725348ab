import { TimeZone } from '../../calendar.ts';
import { isBenchmarked, type Metric, takesAggregation, valueColumnsOf } from '../../catalogue/metric.ts';
import { dateDetails } from '../../catalogue/metrics/all-metrics.ts';
import { benchmarkFields, maxRows } from '../../catalogue/request-fields.ts';
import type { Aggregation } from '../../expression/expression.ts';
import type { MetricRequest, RequestedMetric } from '../request.ts';
import { type Body, fieldsOf, isObject, kindOf, readBody, refuse } from './body.ts';
import { findMetric, type QuestionContext, readDateField, readWindow } from './metric-request.ts';
import { readFilters } from './read-filters.ts';

/** These three belong together. */
const related = ['cycle-time', 'pickup-time', 'review-time'];

export interface BenchmarkRequest {
  /** All metrics that are answered together, each for a single value. */
  readonly request: MetricRequest;
  readonly filters: Body;
  /** By what durations and sizes are compared. Undefined where nothing that is asked for takes one. */
  readonly aggregation: Aggregation | undefined;
  /** Whether the caller's own values are to come with how many rows have them. */
  readonly showsN: boolean;
}

export function readBenchmark(value: unknown, context: QuestionContext): BenchmarkRequest {
  const named = isObject(value) ? value : readBody(value, benchmarkFields);
  const name = fieldsOf(benchmarkFields, named)('benchmark_metric');
  if (name === undefined) throw refuse('benchmark_metric is missing: the name of a metric such as cycle-time.');
  if (name === dateDetails) throw notCompared(name);
  const metric = findMetric(name, context);
  const body = readBody(value, benchmarkFields);
  if (!isBenchmarked(metric)) throw notCompared(name);
  const dateField = body.date_field;
  if (dateField === undefined || dateField === null) {
    throw refuse(`date_field is missing: one of ${Object.keys(metric.dateNames).join(', ')}.`);
  }
  const { filters } = body;
  if (!isObject(filters))
    throw refuse(`filters must be an object such as {"start_date": "2024-01-01"}, not ${kindOf(filters ?? null)}.`);
  const zone = TimeZone.named(context.principal.timeZone);
  const names = related.includes(name) ? [name, ...related.filter((other) => other !== name)] : [name];
  const found = names.map((one) => (one === name ? metric : findMetric(one, context)));
  // Rates and counts ignore it, as everywhere.
  const aggregation = found.some(takesAggregation) ? readAggregation(body) : undefined;
  const asked = found.map((one) => askOne(one, aggregation, dateField));
  const all = asked.map((each) => each.metric);
  const request: MetricRequest = {
    metrics: asked,
    isMultiple: true,
    filters: readFilters(filters, all),
    zone,
    window: readWindow(filters, all, zone, context.now),
    level: undefined,
    groupBy: [],
    form: 'results',
    durations: 'iso',
    showsN: false,
    showsVerdict: false,
    order: undefined,
    limit: maxRows,
  };
  return { request, filters, aggregation, showsN: (context.showsN ?? false) !== false };
}

const notCompared = (name: string) => refuse(`${name} cannot be benchmarked.`);

const readAggregation = (body: Body): Aggregation => fieldsOf(benchmarkFields, body)('aggregation') ?? 'avg';

/** A size is compared by all of its changes. */
function askOne(metric: Metric, chosen: Aggregation | undefined, dateField: unknown): RequestedMetric {
  const aggregation = takesAggregation(metric) ? chosen : undefined;
  return {
    metric,
    aggregation,
    dateColumn: readDateField(metric, dateField, 'date_field'),
    minimumValue: Number.NEGATIVE_INFINITY,
    values: valueColumnsOf(metric, aggregation),
  };
}
