import type { Principal } from '../access/principal.ts';
import { scopeTo, scopeToCohort } from '../access/scope.ts';
import type { Ticket } from '../admission/ticket.ts';
import type { Metric, Unit } from '../catalogue/metric.ts';
import type { Table } from '../catalogue/table.ts';
import type { AggregateNode, RowNode } from '../expression/expression.ts';
import { Refusal } from '../refusal.ts';
import { nColumnOf } from './answer-columns.ts';
import {
  findUnmatched,
  type NearestRows,
  nearestToNothing,
  type UnmatchedFilters,
  unmatchedAsSent,
} from './empty-answer.ts';
import type { AnswerRow, Measure, Query, QuerySession } from './plan.ts';
import { questionKey, questionOf } from './planner.ts';
import { type PublishedDirectory, type QuestionPort, UnreadableTables } from './question-port.ts';
import type { BenchmarkRequest } from './reading/benchmark-request.ts';
import type { Body } from './reading/body.ts';
import { type MetricRequest, namedWindow } from './request.ts';
import { type DateRange, dateRangeOf } from './request-window.ts';

interface Ports {
  readonly tables: QuestionPort;
  /** The organisations that take part, without the caller's own. */
  readonly others: readonly string[];
  readonly directory: Pick<PublishedDirectory, 'isPublished'>;
  /** Everyone's tables are asked in the caller's name: places and waiting are the caller's. */
  readonly ticket: Ticket;
  /** Called with the reason why an organisation had to be left out. */
  readonly onError: (error: unknown) => void;
}

export interface BenchmarkResult {
  readonly metric_name: string;
  readonly value: number | null;
  /** How many rows have the value, where that is asked for. */
  readonly n?: number;
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
    readonly date_range: DateRange;
    /** By what durations and sizes are compared; null for rates and counts. */
    readonly aggregation: string | null;
    /** Values of the caller's filters that match nothing. */
    readonly unmatched_filters?: UnmatchedFilters;
    /** On how many others the distribution of the metric that was asked for rests. */
    readonly organisations: number;
    /** Said where there were fewer. */
    readonly organisations_needed?: number;
    /** Said where some could not be read and are left out. */
    readonly organisations_unreadable?: number;
  };
}

/** A comparison, and where the caller's own rows are if the window has none of them. */
interface FoundBenchmark {
  readonly document: BenchmarkAnswer;
  readonly nearest: NearestRows | undefined;
}

/** An average of fewer records depends more on chance than on the organisation. */
const minRecords = 30;
/** With fewer others, a caller could work out the values of one of them. */
const minOthers = 5;
const askedAtOnce = 4;

const ownQuestion = (request: MetricRequest, principal: Principal): Query =>
  questionOf(request, ({ table }) => scopeTo(principal, table));

/** The key of a comparison, apart from the data: who asks what, and whom they are compared with. */
export function benchmarkKey(
  { request, filters, showsN }: BenchmarkRequest,
  principal: Principal,
  organisations: readonly string[],
): string {
  return questionKey(ownQuestion(request, principal), ['benchmark', organisations, filters, ...(showsN ? ['n'] : [])]);
}

export async function benchmarkOf(
  { request, filters, aggregation, showsN }: BenchmarkRequest,
  principal: Principal,
  ports: Ports,
): Promise<FoundBenchmark> {
  const { tables, ticket } = ports;
  const question = ownQuestion(request, principal);
  // Of metrics that are compared together the one that was asked for comes first.
  const leadingQuestion = ownQuestion({ ...request, metrics: request.metrics.slice(0, 1) }, principal);
  const { own, counts, unmatched, nearest } = await tables.ask(
    principal.organisationId,
    async (session) => {
      const values = await measured(session, question, request);
      const isEmpty = values.every(({ value }) => value === null || value === 0);
      return {
        own: values,
        counts: showsN ? await rowsBehind(session, request, principal) : [],
        unmatched: unmatchedAsSent(request.filters, await findUnmatched(session, request, principal)),
        nearest: isEmpty ? await nearestToNothing(session, leadingQuestion, request.zone) : undefined,
      };
    },
    { ticket },
  );
  const { cohort, unreadable } = await cohortValues(request, ports);
  const distributions = request.metrics.map((_, i) => cohort.flatMap((each) => each[i] ?? []).sort((a, b) => a - b));
  const results = request.metrics.map(({ metric }, i) =>
    compared(metric, { value: null, records: 0, ...own[i], n: counts[i] }, distributions[i] ?? []),
  );
  const window = namedWindow(request);
  const meta = {
    filters,
    date_range: window ? dateRangeOf(window, request.zone) : { start_date: '', end_date: '' },
    aggregation: aggregation?.toUpperCase() ?? null,
    ...(unmatched && { unmatched_filters: unmatched }),
    organisations: distributions[0]?.length ?? 0,
    ...(results.every(isEnough) ? {} : { organisations_needed: minOthers }),
    ...(unreadable === 0 ? {} : { organisations_unreadable: unreadable }),
  };
  return { document: { results, meta }, nearest };
}

const isEnough = ({ benchmark_p50 }: BenchmarkResult): boolean => benchmark_p50 !== null;

interface Cohort {
  /** The numbers of each organisation that could be read. */
  readonly cohort: readonly (readonly (number | null)[])[];
  /** How many could not. */
  readonly unreadable: number;
}

/**
 * An organisation whose file is damaged is left out, and so is one whose directory is not published: its tables may not
 * know who its people are. The others are still compared.
 */
async function cohortValues(request: MetricRequest, ports: Ports): Promise<Cohort> {
  const cohort: (number | null)[][] = [];
  const { directory, ticket } = ports;
  let unreadable = 0;
  const waiting = [...ports.others];
  const askNext = async (): Promise<void> => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      try {
        if (await directory.isPublished(id, { ticket })) cohort.push(await valuesOf(id, request, ports));
        else unreadable += 1;
      } catch (error) {
        if (!isOfOneOrganisation(error, ticket.signal)) throw error;
        unreadable += 1;
        ports.onError(error);
      }
    }
  };
  await Promise.all(Array.from({ length: askedAtOnce }, askNext));
  return { cohort, unreadable };
}

/** A stopped, slow or overloaded query would fail for every organisation: the caller gets that error. */
function isOfOneOrganisation(error: unknown, signal: AbortSignal | undefined): boolean {
  if (signal?.aborted) return false;
  if (error instanceof UnreadableTables) return true;
  return !(error instanceof Refusal && (error.reason === 'unavailable' || error.reason === 'too-slow'));
}

/** The numbers of an organisation, where it has enough records in the window. The caller's filters are not its own. */
async function valuesOf(
  organisationId: string,
  request: MetricRequest,
  { tables, ticket }: Ports,
): Promise<(number | null)[]> {
  const unfiltered: MetricRequest = { ...request, filters: { rows: new Map(), people: {}, written: {}, sent: [] } };
  const query = questionOf(unfiltered, ({ table }) => scopeToCohort(organisationId, table).scoped);
  const found = await tables.ask(organisationId, (session) => measured(session, query, request), { ticket });
  return found.map(({ value, records }) => (records >= minRecords ? value : null));
}

/** A number, and how many records it rests on. */
interface Measured {
  readonly value: number | null;
  readonly records: number;
}

/** One for each metric of a request. */
async function measured(session: QuerySession, query: Query, request: MetricRequest): Promise<Measured[]> {
  const row = await onlyRow(session, withRecords(query));
  const records = leadingValues(row.slice(query.values.length), request);
  return leadingValues(row, request).map((value, i) => ({ value, records: records[i] ?? 0 }));
}

/** How many rows have the value of each metric. */
async function rowsBehind(session: QuerySession, request: MetricRequest, principal: Principal): Promise<number[]> {
  const query = ownQuestion({ ...request, showsN: true }, principal);
  const row = await onlyRow(session, query);
  return request.metrics.map(({ metric }) => Number(row[query.values.indexOf(nColumnOf(request, metric))] ?? 0));
}

async function onlyRow(session: QuerySession, query: Query): Promise<AnswerRow> {
  const [row = []] = await session.rows({ ...query, limit: 1 });
  return row;
}

/** One number for each metric. One of several values is compared by the last of them. */
function leadingValues(row: AnswerRow, { metrics }: MetricRequest): (number | null)[] {
  let end = 0;
  return metrics.map(({ values }) => {
    end += values.length;
    const value = row[end - 1];
    return typeof value === 'number' ? value : null;
  });
}

function compared(
  { name, unit }: Metric,
  { value, records, n }: Measured & { readonly n: number | undefined },
  others: readonly number[],
): BenchmarkResult {
  const areEnough = others.length >= minOthers;
  const quartile = (at: number): number | null => (areEnough ? Number(percentileOf(others, at).toPrecision(3)) : null);
  const p50 = quartile(0.5);
  return {
    metric_name: name,
    value,
    ...(n === undefined ? {} : { n }),
    benchmark_p25: quartile(0.25),
    benchmark_p50: p50,
    benchmark_p75: quartile(0.75),
    // The percentile of a few records would reveal the values of others, filter by filter.
    percentile: areEnough && value !== null && records >= minRecords ? positionOf(value, others) : null,
    benchmark_value: p50,
    ...(unit ? { unit } : {}),
  };
}

function percentileOf(sorted: readonly number[], at: number): number {
  const place = (sorted.length - 1) * at;
  const [below = 0, above = 0] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return below + (above - below) * (place - Math.floor(place));
}

/** 100·(lower + half of the equal)/others, in steps of 5: finer steps would reveal the values of others. Halves go up. */
function positionOf(value: number, others: readonly number[]): number {
  const lower = others.filter((other) => other < value).length;
  const equal = others.filter((other) => other === value).length;
  const halves = 2 * lower + equal;
  return 5 * Math.floor((20 * halves + others.length) / (2 * others.length));
}

/** The question with the number of records behind each of its values. */
function withRecords(query: Query): Query {
  const plans = query.plans.flatMap((plan) => {
    const counts = plan.measures.map((measure): Measure => {
      const as = recordsNamed(measure.as);
      // People are counted, not the rows of those few of whom it holds.
      if (!('value' in measure)) return { as, type: 'population', activities: measure.activities };
      return { as, type: 'number', value: recordsOf(measure.value, plan.from.table) };
    });
    // A share of people is a plan of its own.
    const isShare = plan.measures.some(({ type }) => type === 'share');
    return isShare ? [plan, { ...plan, measures: counts }] : [{ ...plan, measures: [...plan.measures, ...counts] }];
  });
  return { ...query, plans, values: [...query.values, ...query.values.map(recordsNamed)] };
}

const recordsNamed = (value: string): string => `records of ${value}`;

/**
 * The rows that a value rests on, never the value itself: leaving out people with few of what is counted would push the
 * others up. A count of rows of one kind rests on the rows of every kind.
 */
function recordsOf(node: AggregateNode, { key }: Table): AggregateNode {
  const isOfRows =
    node.op === 'count' ||
    (node.op === 'countDistinct' && node.value.op === 'column' && key.length === 1 && node.value.name === key[0]);
  return { op: 'count', where: isOfRows ? undefined : entering(node) };
}

/** Which rows enter a value: those that have it, those that something is counted among, those that a rate divides by. */
function entering(node: AggregateNode): RowNode | undefined {
  switch (node.op) {
    case 'count':
    case 'countDistinct':
      return node.where;
    case 'aggregate':
    case 'atRank':
    case 'mode':
      return { op: 'isPresent', value: node.value };
    case 'ratio':
      return entering(node.whole);
    case 'plus': {
      const any = node.terms.map(entering);
      return any.every((one) => one !== undefined) ? { op: 'or', any } : undefined;
    }
  }
}
