import type { Principal } from '../access/principal.ts';
import type { GatedMetric, SensitiveReads } from '../access/sensitive-reads.ts';
import { dateDetails } from '../catalogue/metrics/metrics.ts';
import { type Patience, type Turn, turnOf } from '../turns/turn.ts';
import type { Answer, DocumentAnswer, RowsAnswer, Served, StreamedAnswer } from './answer.ts';
import { AnswerCache } from './answer-cache.ts';
import { answerColumns } from './answer-columns.ts';
import { AnswerMemory, type AnswerRows, TooManyBytes, tooLarge } from './answer-memory.ts';
import { type BenchmarkAnswer, benchmarkKey, benchmarkOf, readBenchmark } from './benchmark.ts';
import { dateDetailColumns, dateDetailRows } from './date-details.ts';
import { explain } from './explain.ts';
import type { AnswerRow, Asking, Query } from './plan.ts';
import { planOf } from './planner.ts';
import { comparePeriods, periodsBefore, type RowsBefore } from './previous-period.ts';
import { questionKey } from './question-key.ts';
import type { QuestionPort } from './question-port.ts';
import { refuse } from './reading/body.ts';
import { readDateDetails } from './reading/date-details.ts';
import { type Asker, findMetric, readMultiple, readSingle } from './reading/metric-request.ts';
import type { DurationStyle, MetricRequest } from './request.ts';
import { compareCellLists, compareCells } from './shape/order.ts';
import { comparedResults } from './shape/results.ts';
import { flatColumns } from './shape/rows.ts';
import { chartSeries } from './shape/series.ts';
import { countSuppressed } from './suppressed-answers.ts';
import { findUnmatched, unmatchedAsSent } from './unmatched-filters.ts';

export interface MetricsSettings {
  readonly tables: QuestionPort;
  /** Brings the tables of an organisation up to what its directory says, where they are behind. */
  readonly prepare: (organisationId: string, patience?: Patience) => Promise<void>;
  readonly benchmarks: {
    /** Every organisation that has not opted out of being compared with. */
    readonly organisations: (turn: Turn) => Promise<readonly string[]>;
    /** Told why one of them could not be read, and had to be left out. */
    readonly troubled?: (error: unknown) => void;
  };
  /** Writes down who asks a metric behind a gate. Waited for before there is an answer. */
  readonly reads?: Pick<SensitiveReads, 'note'>;
  readonly now: () => Date;
  /** What answers take while they are put together and sent. */
  readonly memory?: AnswerMemory;
  /** What kept answers may take, in bytes. */
  readonly keptBytes?: number;
}

/** A longer answer is not kept: it goes to whoever asked as it comes. */
const keptRowsMost = 2_000;
/** Nor is one of more bytes than this. */
const keptBytesMost = 1_024 ** 2;
/** Kept in the place of such an answer. */
const manyRows = {};
const isManyRows = (answer: Answer): boolean => answer.form === 'document' && answer.document === manyRows;

/** Results and charts are put together in memory; this many groups are more than anyone reads. */
const groupsMost = 100_000;

const comparisonBytes = 4_096;

/** What is asked beside the body. */
export interface AnswerStyle {
  readonly durations?: DurationStyle | undefined;
}

/** Every question about metrics, from the body of a request to the answer in its form. */
export class Metrics {
  readonly #settings: MetricsSettings;
  readonly #cache: AnswerCache<Answer>;
  readonly #memory: AnswerMemory;
  /** What kept answers take, about. */
  readonly #sizes = new WeakMap<Answer, number>();

  constructor(settings: MetricsSettings) {
    this.#settings = settings;
    this.#memory = settings.memory ?? new AnswerMemory();
    this.#cache = new AnswerCache(() => settings.now().getTime(), settings.keptBytes);
  }

  /** Whether there is such a metric and the caller may ask it, before anything else of the request is looked at. */
  admit(principal: Principal, name: string): void {
    if (name !== dateDetails) findMetric(name, this.#asker(principal));
  }

  async single(
    principal: Principal,
    name: string,
    body: unknown,
    signal?: AbortSignal,
    { durations = 'iso' }: AnswerStyle = {},
  ): Promise<Served<Answer>> {
    const asker = this.#asker(principal);
    if (name === dateDetails) return fresh(this.#dateDetails(asker, body));
    const request = { ...readSingle(findMetric(name, asker), body, asker), durations };
    return this.#served(principal, request, signal);
  }

  async multiple(
    principal: Principal,
    body: unknown,
    signal?: AbortSignal,
    { durations = 'iso' }: AnswerStyle = {},
  ): Promise<Served<Answer | StreamedAnswer>> {
    const request = { ...readMultiple(body, this.#asker(principal)), durations };
    if (request.form !== 'rows') return this.#served(principal, request, signal);
    const query = planOf(request, principal);
    const { tables } = this.#settings;
    const { organisationId } = principal;
    const columns = flatColumns(answerColumns(request));
    const turn = turnOf(principal);
    const served = await this.#kept(principal, turn, query, request, signal, async (asking, memory) => {
      // Whether there are many is told sooner by rows that come as they lie; a few are put in order here.
      const first = { ...query, order: [], limit: keptRowsMost + 1 };
      const rows = await fewRows(memory, asking, first);
      const unmatched = await findUnmatched(asking, request, principal);
      const notes = { unmatched, suppressed: await countSuppressed(asking, query) };
      if (!rows || rows.length > keptRowsMost) {
        return { form: 'document', document: manyRows, total: undefined, ...notes };
      }
      return { form: 'rows', columns, rows: inOrder(rows, query, request), total: undefined, ...notes };
    });
    if (!isManyRows(served.answer)) return served;
    const options = { signal, keyId: principal.keyId, turn };
    const batches = tables.answers(organisationId, query, options);
    const lines = tables.lines(organisationId, query, columns, options);
    return { ...served, isKept: false, answer: { form: 'stream', columns, batches, lines } };
  }

  async benchmark(principal: Principal, body: unknown, signal?: AbortSignal): Promise<Served<Answer>> {
    const asked = readBenchmark(body, this.#asker(principal));
    const { benchmarks, tables, prepare } = this.#settings;
    const { organisationId } = principal;
    const turn = turnOf(principal);
    await prepare(organisationId, { signal, waiting: turn.waiting });
    const all = await benchmarks.organisations(turn);
    const compared = [organisationId, ...all.filter((id) => id !== organisationId)];
    let isComplete = true;
    const served = await this.#cache.serve({
      key: benchmarkKey(asked, principal, compared),
      // New data of any of them makes the comparison stale.
      version: () => compared.map((id) => tables.versionOf(id)).join(),
      find: async (stop) => {
        const document = await benchmarkOf(asked, principal, {
          tables,
          prepare,
          others: compared.slice(1),
          signal: stop,
          turn,
          troubled: benchmarks.troubled ?? (() => {}),
        });
        isComplete = document.meta.organisations_unreadable === undefined;
        return { form: 'document', document, total: undefined };
      },
      // Who could not be read may be there again the next moment.
      isWorthKeeping: () => isComplete,
      bytes: (answer) => this.#sizeOf(answer),
      signal,
      turn,
    });
    const { meta } = (served.answer as DocumentAnswer).document as BenchmarkAnswer;
    return { ...served, unmatched: meta.unmatched_filters };
  }

  async explain(
    principal: Principal,
    name: string,
    body: unknown,
    signal?: AbortSignal,
  ): Promise<Served<DocumentAnswer>> {
    if (name === dateDetails)
      throw refuse(`${dateDetails} is told from the calendar alone: there is nothing to explain.`);
    const asker = this.#asker(principal);
    const request = readSingle(findMetric(name, asker), body, asker);
    await this.#settings.reads?.note(principal, gatedIn(request));
    const turn = turnOf(principal);
    await this.#settings.prepare(principal.organisationId, { signal, waiting: turn.waiting });
    const { document, ...notes } = await explain(request, body, principal, this.#settings.tables, { signal, turn });
    return { ...fresh<DocumentAnswer>({ form: 'document', document, total: undefined }), ...notes };
  }

  #asker(principal: Principal): Asker {
    return { principal, now: this.#settings.now() };
  }

  #served(principal: Principal, request: MetricRequest, signal: AbortSignal | undefined): Promise<Served<Answer>> {
    const query = planOf(request, principal);
    return this.#kept(principal, turnOf(principal), query, request, signal, async (asking, memory) => {
      const rowsOf: RowsOf = (one) => memory.of(asking, one);
      try {
        return await answerFrom({ asking, rowsOf }, query, request, principal);
      } catch (error) {
        throw error instanceof TooManyBytes ? tooLarge(this.#memory.answerBytes) : error;
      }
    });
  }

  async #kept(
    principal: Principal,
    turn: Turn,
    query: Query,
    request: MetricRequest,
    signal: AbortSignal | undefined,
    find: (asking: Asking, memory: AnswerRows) => Promise<Answer>,
  ): Promise<Served<Answer>> {
    const { organisationId } = turn;
    const { tables, prepare, reads } = this.#settings;
    const gated = gatedIn(request);
    if (gated.length > 0) await reads?.note(principal, gated);
    await prepare(organisationId, { signal, waiting: turn.waiting });
    const { form, isMultiple, limit, filters, durations } = request;
    // Only answers that repeat the filters depend on how they were spelled.
    const spelled = form === 'rows' ? undefined : filters.written;
    const served = await this.#cache.serve({
      key: questionKey(query, [organisationId, form, isMultiple, limit, durations, spelled]),
      version: () => String(tables.versionOf(organisationId)),
      find: (stop) => this.#found(turn, stop, find),
      bytes: (answer) => this.#sizeOf(answer),
      signal,
      turn,
    });
    const unmatched = unmatchedAsSent(filters, served.answer.unmatched);
    const { suppressed } = served.answer;
    return { ...served, unmatched, suppressed, ...(gated.length > 0 ? { gated } : {}) };
  }

  /** An answer with the memory that it takes until it is sent. */
  async #found(
    turn: Turn,
    signal: AbortSignal,
    find: (asking: Asking, memory: AnswerRows) => Promise<Answer>,
  ): Promise<Answer> {
    const { organisationId, keyId } = turn;
    const rows = await this.#memory.open(turn, signal);
    try {
      const options = { signal, keyId, turn };
      const answer = await this.#settings.tables.ask(organisationId, (asking) => find(asking, rows), options);
      this.#sizes.set(answer, rows.memory);
      if (isManyRows(answer)) rows.release();
      else this.#memory.give(answer, rows);
      return answer;
    } catch (error) {
      rows.release();
      throw error;
    }
  }

  /** Comparisons are a few numbers each. */
  #sizeOf(answer: Answer): number {
    return this.#sizes.get(answer) ?? comparisonBytes;
  }

  #dateDetails({ principal, now }: Asker, body: unknown): Answer {
    const { window, level, zone, order, limit } = readDateDetails(body, { principal, now });
    const rows = dateDetailRows({ window, level, zone, today: zone.dayAt(now.getTime() / 1_000) });
    const columns = dateDetailColumns(level);
    if (order) {
      const place = columns.findIndex(({ name }) => name === order.column);
      rows.sort((a, b) => compareCells(a[place] ?? null, b[place] ?? null, order.direction));
    }
    return { form: 'rows', columns, rows: rows.slice(0, limit), total: rows.length > limit ? rows.length : undefined };
  }
}

const gatedIn = ({ metrics }: MetricRequest): GatedMetric[] =>
  metrics.flatMap(({ metric }) => (metric.gate === undefined ? [] : [metric]));

const fresh = <A>(answer: A): Served<A> => ({ answer, isKept: false, ageSeconds: 0 });

type RowsOf = (query: Query) => Promise<AnswerRow[]>;

/** What an answer is put together from: rows, as many as there is memory for. */
interface AnswerSource {
  readonly asking: Asking;
  readonly rowsOf: RowsOf;
}

async function answerFrom(
  source: AnswerSource,
  query: Query,
  request: MetricRequest,
  principal: Principal,
): Promise<Answer> {
  const columns = answerColumns(request);
  const unmatched = await findUnmatched(source.asking, request, principal);
  const named = unmatchedAsSent(request.filters, unmatched);
  const suppressed = await countSuppressed(source.asking, query);
  switch (request.form) {
    case 'rows':
      return { ...(await limitedRows(source, query, request)), unmatched, suppressed };
    case 'results': {
      const now = await allRows(source, query);
      const before: RowsBefore[] = [];
      for (const period of periodsBefore(request)) {
        before.push({ period, rows: await allRows(source, withoutLeast(planOf(period, principal))) });
      }
      const { rows, total } = comparePeriods(request, columns, now, before);
      const document = comparedResults(request, columns, rows, { unmatched: named, suppressed });
      return { form: 'document', document, total: total > rows.length ? total : undefined, unmatched, suppressed };
    }
    case 'series': {
      const rows = await allRows(source, query);
      const { answer, isCut, total } = chartSeries(request, columns, rows, { unmatched: named, suppressed });
      return { form: 'document', document: answer, total: isCut ? total : undefined, unmatched, suppressed };
    }
  }
}

async function limitedRows(
  { asking, rowsOf }: AnswerSource,
  query: Query,
  request: MetricRequest,
): Promise<RowsAnswer> {
  const { limit } = request;
  const rows = await rowsOf({ ...query, limit: limit + 1 });
  const columns = flatColumns(answerColumns(request));
  if (rows.length <= limit) return { form: 'rows', columns, rows, total: undefined };
  return { form: 'rows', columns, rows: rows.slice(0, limit), total: await asking.count(query) };
}

async function allRows({ rowsOf }: AnswerSource, query: Query): Promise<AnswerRow[]> {
  const rows = await rowsOf({ ...query, order: [], limit: groupsMost + 1 });
  if (rows.length > groupsMost) {
    throw refuse(
      `This form holds ${groupsMost} groups at most. Group by less, or ask for rows with get-multiple-metrics.`,
    );
  }
  return rows;
}

/** Rows of an answer that may be kept; undefined for one that is too large for that. */
async function fewRows(memory: AnswerRows, asking: Asking, query: Query): Promise<AnswerRow[] | undefined> {
  try {
    return await memory.of(asking, query, keptBytesMost);
  } catch (error) {
    if (error instanceof TooManyBytes) return undefined;
    throw error;
  }
}

/** Rows in the order that the engine would have given them in: by bucket and groups. */
function inOrder(rows: AnswerRow[], { order }: Query, request: MetricRequest): AnswerRow[] {
  const names = answerColumns(request).map(({ name }) => name);
  const places = order.map(({ column }) => names.indexOf(column));
  const key = (row: AnswerRow) => places.map((place) => row[place] ?? null);
  return rows.sort((a, b) => compareCellLists(key(a), key(b)));
}

/** A minimum is about the period that is asked for. */
const withoutLeast = (query: Query): Query => ({
  ...query,
  plans: query.plans.map((plan) => ({ ...plan, least: [] })),
});
