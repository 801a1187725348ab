import type { Principal } from '../access/principal.ts';
import type { GatedMetric } from '../access/sensitive-reads.ts';
import type { RequestTicket } from '../admission/ticket.ts';
import { daysBetween } from '../calendar.ts';
import type { FactTable } from '../catalogue/tables/all-tables.ts';
import { answerColumns, type FlatColumn, flatColumns } from './answer-columns.ts';
import { type AnswerRows, TooManyBytes } from './answer-memory.ts';
import {
  findUnmatched,
  type NearestRows,
  nearestToNothing,
  type UnmatchedFilters,
  type UnmatchedValues,
  unmatchedAsSent,
} from './empty-answer.ts';
import { judgeRows, type ReachOf } from './judged-changes.ts';
import { type AnswerRow, isRowExport, type Query, type QuerySession } from './plan.ts';
import { planOf } from './planner.ts';
import { type ComparedRow, comparePeriods, periodsBefore, type RowsBefore } from './previous-period.ts';
import type { Extent } from './question-port.ts';
import { refuse } from './reading/body.ts';
import type { CountedN, DurationStyle, MetricRequest } from './request.ts';
import type { RequestTimings } from './request-timings.ts';
import { compareCellLists } from './shape/cell.ts';
import { comparedResults } from './shape/results.ts';
import { chartSeries } from './shape/series.ts';

/** The options of a question beside its body. */
export interface AnswerOptions {
  /** The ticket of the question; the principal's when absent. */
  readonly ticket?: RequestTicket | undefined;
  readonly durations?: DurationStyle | undefined;
  /** Whether every value is to come with n: how many rows have it, or how many values it is made of. */
  readonly showsN?: CountedN | undefined;
  /** Whether every value is to come with what may be said of its change since the period before. */
  readonly showsVerdict?: boolean | undefined;
  /** Records where the time goes. */
  readonly timings?: RequestTimings | undefined;
}

/** Rows of a flat answer, in any format. */
export interface RowsAnswer {
  readonly form: 'rows';
  readonly columns: readonly FlatColumn[];
  readonly rows: readonly AnswerRow[];
  /** How many rows there would be, where not all of them are here. */
  readonly total: number | undefined;
  readonly unmatched?: UnmatchedValues | undefined;
  /** How many answers to surveys are left out, where they are anonymous. */
  readonly suppressed?: number | undefined;
  /** For an answer without values: where rows are. */
  readonly nearest?: NearestRows | undefined;
}

/** More rows than are held at once. They come batch by batch, once. */
export interface StreamedAnswer {
  readonly form: 'stream';
  readonly columns: readonly FlatColumn[];
  readonly batches: AsyncIterable<readonly AnswerRow[]>;
  /** The rows as JSON objects, one a line, where the engine can write them itself: to be taken in place of batches. */
  readonly lines?: AsyncIterable<Buffer> | undefined;
}

/** A single JSON document. */
export interface DocumentAnswer {
  readonly form: 'document';
  readonly document: object;
  /** How many results or series there would be, where not all of them are here. */
  readonly total: number | undefined;
  readonly unmatched?: UnmatchedValues | undefined;
  /** How many answers to surveys are left out, where they are anonymous. */
  readonly suppressed?: number | undefined;
  /** For an answer without values: where rows are. */
  readonly nearest?: NearestRows | undefined;
}

export type MetricAnswer = RowsAnswer | DocumentAnswer;

/** An answer, found now or taken from the cache. */
export interface Served<A> {
  readonly answer: A;
  readonly isCached: boolean;
  readonly ageSeconds: number;
  /** Values of filters that match nothing, as this caller sent them. */
  readonly unmatched?: UnmatchedFilters | undefined;
  /** The metrics behind a gate: everyone who gets this answer is written to the audit log. */
  readonly gated?: readonly GatedMetric[];
  /** How many answers to surveys are left out, where they are anonymous. */
  readonly suppressed?: number | undefined;
  /** The tables that the answer depends on. */
  readonly tables?: readonly FactTable[] | undefined;
  /** From when to when those tables are complete now, also where the answer is older. */
  readonly extent?: Extent | undefined;
  /**
   * All that the answer depends on: the question, what the caller may see, and the version of the data, read before the data
   * itself. While a question has this state, its answer stays the same in this process. Undefined where it is not known.
   */
  readonly state?: string | undefined;
}

/** Results and charts are put together in memory; this many groups are more than anyone reads. */
const maxGroups = 100_000;
/** An answer with more rows is not cached: it is streamed to the caller. */
const maxCachedRows = 5_000;
/** Nor is an answer of more bytes. */
const maxCachedBytes = 1_024 ** 2;

/** The source of an answer: the tables in one state, and as many rows as there is memory for. */
export interface AnswerSource {
  readonly session: QuerySession;
  readonly memory: AnswerRows;
  readonly principal: Principal;
  /** How far the tables reach, which is looked up meanwhile. */
  readonly extent: Promise<Extent | undefined>;
  /** The extent of a metric's data. Read where changes are judged. */
  readonly reachOf?: ReachOf | undefined;
}

/** Cached in the place of an answer that is streamed. */
const streamedDocument = {};
export const isStreamed = (answer: MetricAnswer): boolean =>
  answer.form === 'document' && answer.document === streamedDocument;

/** The answer to a request, in the form that the request asks for. */
export async function collectAnswer(source: AnswerSource, query: Query, request: MetricRequest): Promise<MetricAnswer> {
  const { session, principal } = source;
  const columns = answerColumns(request);
  const unmatched = await findUnmatched(session, request, principal);
  const named = unmatchedAsSent(request.filters, unmatched);
  const suppressed = await countSuppressed(session, query);
  switch (request.form) {
    case 'rows': {
      const answer = await limitedRows(source, query, request);
      return { ...answer, unmatched, suppressed, nearest: await nearestTo(answer.rows, source, query, request) };
    }
    case 'results': {
      const now = await allRows(source, query);
      const before: RowsBefore[] = [];
      for (const period of periodsBefore(request)) {
        before.push({ period, rows: await allRows(source, withoutMinimum(planOf(period, principal))) });
      }
      const { rows, total } = comparePeriods(request, columns, now, before);
      const notes = { unmatched: named, suppressed, extent: await source.extent };
      const judged = request.showsVerdict ? await judgeIn(source, query, request, rows) : undefined;
      const document = comparedResults(request, columns, rows, notes, judged);
      const nearest = await nearestTo(now, source, query, request);
      const counted = total > rows.length ? total : undefined;
      return { form: 'document', document, total: counted, unmatched, suppressed, nearest };
    }
    case 'series': {
      const rows = await allRows(source, query);
      const { answer, isCut, total } = chartSeries(request, columns, rows, {
        unmatched: named,
        suppressed,
        extent: await source.extent,
      });
      const nearest = await nearestTo(rows, source, query, request);
      return { form: 'document', document: answer, total: isCut ? total : undefined, unmatched, suppressed, nearest };
    }
  }
}

function judgeIn(source: AnswerSource, query: Query, request: MetricRequest, rows: readonly ComparedRow[]) {
  return judgeRows(request, rows, {
    query,
    queryOf: (period) => planOf(period, source.principal),
    rows: (about) => allRows(source, about),
    reachOf: source.reachOf ?? (() => ({ since: undefined, through: undefined })),
  });
}

/** Every row of an answer where they are few enough to be cached; else only the notes on the answer. */
export async function collectFewRows(
  { session, memory, principal }: AnswerSource,
  query: Query,
  request: MetricRequest,
): Promise<MetricAnswer> {
  // Whether there are many is known sooner of rows that come as they lie; a few are sorted here.
  const rows = await fewRows(memory, session, { ...query, order: [], limit: maxCachedRows + 1 });
  const unmatched = await findUnmatched(session, request, principal);
  const notes = { unmatched, suppressed: await countSuppressed(session, query) };
  if (!rows) {
    return { form: 'document', document: streamedDocument, total: undefined, ...notes };
  }
  const columns = flatColumns(answerColumns(request));
  const nearest = await nearestTo(rows, { session }, query, request);
  return { form: 'rows', columns, rows: inOrder(rows, query, request), total: undefined, ...notes, nearest };
}

/** Where rows are, for an answer without any value but nulls and zeros. */
async function nearestTo(
  rows: readonly AnswerRow[],
  { session }: Pick<AnswerSource, 'session'>,
  query: Query,
  request: MetricRequest,
): Promise<NearestRows | undefined> {
  const values = answerColumns(request).flatMap(({ role }, at) => (role === 'value' ? at : []));
  const isEmpty = rows.every((row) => values.every((at) => row[at] === null || row[at] === 0));
  return isEmpty ? nearestToNothing(session, query, request.zone) : undefined;
}

/**
 * Rows up to the limit. Groups that may be more are counted where they are made. Rows that are groups of their own are counted
 * apart: to count them there, all of them would be read with all columns.
 */
async function limitedRows(
  { session, memory }: AnswerSource,
  query: Query,
  request: MetricRequest,
): Promise<RowsAnswer> {
  const { limit } = request;
  const isCounted = mayBeCut(request) && !query.plans.some(isRowExport);
  const rows = await memory.of(session, { ...query, limit: limit + 1, isCounted });
  const columns = flatColumns(answerColumns(request));
  if (rows.length <= limit) return { form: 'rows', columns, rows, total: undefined };
  const total = isCounted ? Number(rows[0]?.at(-1)) : await session.count(query);
  return { form: 'rows', columns, rows: rows.slice(0, limit), total };
}

/** A bucket has a day at least. */
const mayBeCut = ({ groupBy, window, limit }: MetricRequest): boolean =>
  groupBy.length > 0 || (window !== undefined && daysBetween(window.firstDay, window.lastDay) >= limit);

async function allRows({ session, memory }: AnswerSource, query: Query): Promise<AnswerRow[]> {
  const rows = await memory.of(session, { ...query, order: [], limit: maxGroups + 1 });
  if (rows.length > maxGroups) {
    throw refuse(
      `This form holds ${maxGroups} groups at most. Group by less, narrow the filters, or ask over HTTP for rows of /metrics/get-multiple-metrics.`,
    );
  }
  return rows;
}

/** Undefined for rows that are too many to be cached, or take too many bytes. */
async function fewRows(memory: AnswerRows, session: QuerySession, query: Query): Promise<AnswerRow[] | undefined> {
  try {
    return await memory.of(session, query, { maxBytes: maxCachedBytes, maxRows: maxCachedRows });
  } catch (error) {
    if (error instanceof TooManyBytes) return undefined;
    throw error;
  }
}

/** Rows in the order in which the engine would have given them: by bucket and groups. */
function inOrder(rows: AnswerRow[], { order }: Query, request: MetricRequest): AnswerRow[] {
  const names = answerColumns(request).map(({ name }) => name);
  const places = order.map(({ column }) => names.indexOf(column));
  const key = (row: AnswerRow) => places.map((place) => row[place] ?? null);
  return rows.sort((a, b) => compareCellLists(key(a), key(b)));
}

/** A minimum is about the period that is asked for. */
const withoutMinimum = (query: Query): Query => ({
  ...query,
  plans: query.plans.map((plan) => ({ ...plan, minimumValues: [] })),
});

/**
 * How many answers to anonymous surveys a question leaves out. Undefined where none are asked about, or the organisation's
 * surveys are not anonymous and none of an earlier one is left out. Metrics of one question look at the same answers.
 */
export async function countSuppressed(session: QuerySession, query: Query): Promise<number | undefined> {
  const plans = query.plans.filter(({ from }) => from.table.anonymous);
  if (plans.length === 0) return undefined;
  let most = 0;
  for (const plan of plans) most = Math.max(most, await session.suppressed(plan));
  const areAnonymous = plans.some(({ from }) => from.areAnswersAnonymous);
  return most > 0 || areAnonymous ? most : undefined;
}
