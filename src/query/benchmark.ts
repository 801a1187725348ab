import type { Principal } from '../access/principal.ts';
import { scopeTo, scopeToCohort } from '../access/scope.ts';
import { type Metric, takesAggregation, type Unit, valueColumnsOf } from '../catalogue/metric.ts';
import { dateDetails } from '../catalogue/metrics/metrics.ts';
import type { AggregateNode } from '../expression/expression.ts';
import type { Asking, Query } from './plan.ts';
import { questionOf } from './planner.ts';
import { questionKey } from './question-key.ts';
import { type Body, isObject, kindOf, optional, readBody, readText, refuse } from './reading/body.ts';
import { readFilters } from './reading/filters.ts';
import { type Asker, findMetric, readDateField, readWindow } from './reading/metric-request.ts';
import { type AskedMetric, type MetricRequest, rowsMost } from './request.ts';
import type { Tables } from './tables.ts';
import { TimeZone } from './time-zone.ts';

interface Ports {
  readonly tables: Tables;
  /** Brings an organisation's tables up to its directory. */
  readonly prepare: (organisationId: string) => Promise<void>;
  /** Those who take part, the caller's own left out. */
  readonly others: readonly string[];
  readonly signal: AbortSignal | undefined;
}

export interface BenchmarkResult {
  readonly metric_name: string;
  readonly value: number | null;
  readonly benchmark_p25: number | null;
  readonly benchmark_p50: number | null;
  readonly benchmark_p75: number | null;
  readonly percentile: number | null;
  readonly benchmark_value: number | null;
  readonly unit?: Unit;
}

export interface BenchmarkAnswer {
  readonly results: readonly BenchmarkResult[];
  readonly meta: {
    readonly filters: Body;
    readonly date_range: { readonly start_date: string; readonly end_date: string };
    /** Said where there were fewer. */
    readonly organisations_needed?: number;
  };
}

/** An average of less says more about chance than about an organisation. */
const recordsLeast = 30;
/** With fewer others, somebody could be told apart. */
const othersLeast = 5;
const askedAtOnce = 4;

/** These three belong together. */
const related = ['cycle-time', 'pickup-time', 'review-time'];

const fields = ['filters', 'benchmark_metric', 'date_field'];

export interface AskedBenchmark {
  /** All metrics that are answered together, each for a single value. */
  readonly request: MetricRequest;
  readonly filters: Body;
}

export function readBenchmark(value: unknown, asker: Asker): AskedBenchmark {
  const name = isObject(value) ? optional(value, 'benchmark_metric', readText) : readBody(value, fields) && undefined;
  if (name === undefined) throw refuse('benchmark_metric is missing: the name of a metric such as cycle-time.');
  if (name === dateDetails) throw notCompared(name);
  const metric = findMetric(name, asker);
  const body = readBody(value, fields);
  if (metric.gate || metric.dates.length === 0 || metric.kind === 'text') throw notCompared(name);
  const dateField = body.date_field;
  if (dateField === undefined || dateField === null) {
    throw refuse(`date_field is missing: one of ${Object.keys(metric.dateNames).join(', ')}.`);
  }
  const { filters } = body;
  if (!isObject(filters))
    throw refuse(`filters must be an object such as {"start_date": "2024-01-01"}, not ${kindOf(filters ?? null)}.`);
  const zone = TimeZone.named(asker.principal.timeZone);
  const names = related.includes(name) ? [name, ...related.filter((other) => other !== name)] : [name];
  const asked = names.map((one) => askOne(one === name ? metric : findMetric(one, asker), dateField));
  const all = asked.map((each) => each.metric);
  const request: MetricRequest = {
    metrics: asked,
    isMultiple: true,
    filters: readFilters(filters, all),
    zone,
    window: readWindow(filters, all, zone, asker.now),
    level: undefined,
    groupBy: [],
    form: 'results',
    order: undefined,
    limit: rowsMost,
  };
  return { request, filters };
}

const notCompared = (name: string) => refuse(`${name} cannot be benchmarked.`);

/** Durations and sizes are compared by their averages, and a size by all of its changes. */
function askOne(metric: Metric, dateField: unknown): AskedMetric {
  const fold = takesAggregation(metric) ? 'avg' : undefined;
  return {
    metric,
    fold,
    dateColumn: readDateField(metric, dateField, 'date_field'),
    least: Number.NEGATIVE_INFINITY,
    values: valueColumnsOf(metric, fold),
  };
}

const ownQuestion = (request: MetricRequest, principal: Principal): Query =>
  questionOf(request, ({ table }) => scopeTo(principal, table));

/** What a comparison depends on but the data: who asks what, and whom they are compared with. */
export function benchmarkKey(
  { request, filters }: AskedBenchmark,
  principal: Principal,
  organisations: readonly string[],
): string {
  return questionKey(ownQuestion(request, principal), ['benchmark', organisations, filters]);
}

export async function benchmarkOf(
  { request, filters }: AskedBenchmark,
  principal: Principal,
  ports: Ports,
): Promise<BenchmarkAnswer> {
  const own = ownQuestion(request, principal);
  const values = await ports.tables.ask(principal.organisationId, (asking) => leadingValues(asking, own, request), {
    signal: ports.signal,
  });
  const cohort = await cohortValues(request, ports);
  const results = request.metrics.map(({ metric }, i) => {
    const others = cohort.flatMap((each) => each[i] ?? []).sort((a, b) => a - b);
    return compared(metric, values[i] ?? null, others);
  });
  const { window } = request;
  return {
    results,
    meta: {
      filters,
      date_range: { start_date: window?.firstDay ?? '', end_date: window?.lastDay ?? '' },
      ...(results.every(isEnough) ? {} : { organisations_needed: othersLeast }),
    },
  };
}

const isEnough = ({ benchmark_p50 }: BenchmarkResult): boolean => benchmark_p50 !== null;

/** The numbers of each other organisation that has enough records in the window. The caller's filters are not theirs. */
async function cohortValues(request: MetricRequest, ports: Ports): Promise<(number | null)[][]> {
  const unfiltered: MetricRequest = { ...request, filters: { rows: new Map(), people: {}, written: {} } };
  const values: (number | null)[][] = [];
  const waiting = [...ports.others];
  const askNext = async (): Promise<void> => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      const organisationId = id;
      await ports.prepare(organisationId);
      const query = questionOf(unfiltered, ({ table }) => scopeToCohort(organisationId, table).scoped);
      const found = await ports.tables.ask(
        organisationId,
        async (asking) => {
          const records = await leadingValues(asking, countingRecords(query), request);
          const found = await leadingValues(asking, query, request);
          return found.map((value, i) => ((records[i] ?? 0) >= recordsLeast ? value : null));
        },
        { signal: ports.signal },
      );
      values.push(found);
    }
  };
  await Promise.all(Array.from({ length: askedAtOnce }, askNext));
  return values;
}

/** The same question about how many records each number is made of. */
function countingRecords(query: Query): Query {
  const plans = query.plans.map((plan) => ({
    ...plan,
    least: [],
    measures: plan.measures.map(({ as, ...measure }) => {
      const value: AggregateNode = 'value' in measure ? recordsOf(measure.value) : { op: 'count' };
      return { as, type: 'number', value } as const;
    }),
  }));
  return { ...query, plans };
}

/** Rows that have the value, what a rate divides by, and else every row. */
function recordsOf(node: AggregateNode): AggregateNode {
  if (node.op === 'fold') return { op: 'count', where: { op: 'isPresent', value: node.value } };
  return node.op === 'ratio' && node.whole.op !== 'plus' ? recordsOf(node.whole) : countOf(node);
}

const countOf = (node: AggregateNode): AggregateNode =>
  node.op === 'count' || node.op === 'countDistinct' ? node : { op: 'count' };

/** One number for each metric. One of several values is compared by the last of them. */
async function leadingValues(asking: Asking, query: Query, { metrics }: MetricRequest): Promise<(number | null)[]> {
  const [row = []] = await asking.rows({ ...query, limit: 1 });
  let end = 0;
  return metrics.map(({ values }) => {
    end += values.length;
    const value = row[end - 1];
    return typeof value === 'number' ? value : null;
  });
}

function compared({ name, unit }: Metric, value: number | null, others: readonly number[]): BenchmarkResult {
  const areEnough = others.length >= othersLeast;
  const quartile = (at: number): number | null => (areEnough ? Number(percentileOf(others, at).toPrecision(3)) : null);
  const p50 = quartile(0.5);
  return {
    metric_name: name,
    value,
    benchmark_p25: quartile(0.25),
    benchmark_p50: p50,
    benchmark_p75: quartile(0.75),
    percentile: areEnough && value !== null ? positionOf(value, others) : null,
    benchmark_value: p50,
    ...(unit ? { unit } : {}),
  };
}

function percentileOf(sorted: readonly number[], at: number): number {
  const place = (sorted.length - 1) * at;
  const [below = 0, above = 0] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return below + (above - below) * (place - Math.floor(place));
}

function positionOf(value: number, others: readonly number[]): number {
  const lower = others.filter((other) => other < value).length;
  const equal = others.filter((other) => other === value).length;
  return Math.round(((lower + equal / 2) / others.length) * 1_000) / 10;
}
