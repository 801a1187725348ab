import type { Principal } from '../access/principal.ts';
import type { GatedMetric, SensitiveReads } from '../access/sensitive-reads.ts';
import { type RequestTicket, type Ticket, ticketOf } from '../admission/ticket.ts';
import { dateDetails } from '../catalogue/metrics/all-metrics.ts';
import type { FactTable } from '../catalogue/tables/all-tables.ts';
import { answerColumns, flatColumns } from './answer-columns.ts';
import { AnswerMemory, TooManyBytes, tooLarge } from './answer-memory.ts';
import { type BenchmarkAnswer, benchmarkKey, benchmarkOf } from './benchmark.ts';
import {
  type AnswerOptions,
  type AnswerSource,
  collectAnswer,
  collectFewRows,
  type DocumentAnswer,
  isStreamed,
  type MetricAnswer,
  type Served,
  type StreamedAnswer,
} from './collect-answer.ts';
import { dateDetailsAnswer } from './date-details.ts';
import { unmatchedAsSent } from './empty-answer.ts';
import { explain } from './explain.ts';
import { reachOfMetrics } from './judged-changes.ts';
import type { Query } from './plan.ts';
import { planOf, questionKey, tablesBehind } from './planner.ts';
import { noVerdict } from './previous-period.ts';
import type { DataExtent, Extent, PublishedDirectory, QuestionPort } from './question-port.ts';
import { readBenchmark } from './reading/benchmark-request.ts';
import { refuse } from './reading/body.ts';
import { findMetric, type QuestionContext, readMultiple, readSingle } from './reading/metric-request.ts';
import { readDateDetails } from './reading/read-date-details.ts';
import type { CountedN, MetricRequest, RequestedMetric } from './request.ts';
import { type RequestTimings, timedSession } from './request-timings.ts';
import { ResponseCache } from './response-cache.ts';
import { dataMeta } from './shape/results.ts';

interface MetricsSettings {
  readonly tables: QuestionPort;
  /** Whether the tables show the directory. Questions wait for it; they never write. */
  readonly directory: PublishedDirectory;
  readonly benchmarks: {
    /** Every organisation that has not opted out of being compared with. */
    readonly organisations: (ticket: Ticket) => Promise<readonly string[]>;
    /** Called with the reason why an organisation could not be read, and had to be left out. */
    readonly onError?: (error: unknown) => void;
  };
  /** Writes down who asks a metric behind a gate, before there is an answer. */
  readonly reads?: Pick<SensitiveReads, 'note'>;
  /** How far the data reach. Absent: answers say nothing of it, and no change is judged. */
  readonly extents?: DataExtent;
  readonly now: () => Date;
  /** The memory of answers while they are put together and sent. */
  readonly memory?: AnswerMemory;
  readonly responses?: ResponseCache;
}

/** A request on its way to its answer. */
interface Journey {
  readonly principal: Principal;
  readonly request: MetricRequest;
  readonly query: Query;
  readonly ticket: RequestTicket;
  readonly timings: RequestTimings | undefined;
  readonly tables: readonly FactTable[];
}

type ExtentQuestion = Pick<Journey, 'principal' | 'tables' | 'ticket'>;

const comparisonBytes = 4_096;

/**
 * Answers questions about metrics. The journey of a question: its body is read (reading/), planned (planner), looked up
 * in the cache by its plan, which contains who asks, and otherwise asked of the tables and shaped (collect-answer).
 */
export class Metrics {
  readonly #settings: MetricsSettings;
  readonly #cache: ResponseCache;
  readonly #memory: AnswerMemory;
  /** The approximate memory of cached answers. */
  readonly #sizes = new WeakMap<MetricAnswer, number>();

  constructor(settings: MetricsSettings) {
    this.#settings = settings;
    this.#memory = settings.memory ?? new AnswerMemory();
    this.#cache = settings.responses ?? new ResponseCache(() => settings.now().getTime());
  }

  /** Whether there is such a metric and the caller may ask it, before anything else of the request is looked at. */
  admit(principal: Principal, name: string): void {
    if (name !== dateDetails) findMetric(name, this.#context(principal));
  }

  async single(
    principal: Principal,
    name: string,
    body: unknown,
    { durations = 'iso', showsN, showsVerdict, ticket = ticketOf(principal), timings }: AnswerOptions = {},
  ): Promise<Served<MetricAnswer>> {
    const context = this.#context(principal, showsN, showsVerdict);
    if (name === dateDetails && showsN)
      throw refuse(`${dateDetails} is computed from the calendar alone: there are no rows to count. Leave out n.`);
    if (name === dateDetails && showsVerdict) throw noVerdict.periods();
    if (name === dateDetails) {
      const periods = readDateDetails(body, context);
      const tables = tablesBehind([periods.metric]);
      const extent = await this.#extentOf({ principal, tables, ticket });
      return { ...fresh(dateDetailsAnswer(periods, context.now, extent?.through)), extent };
    }
    const request = { ...readSingle(findMetric(name, context), body, context), durations };
    return this.#answer(this.#begin(principal, request, ticket, timings), collectAnswer);
  }

  async multiple(
    principal: Principal,
    body: unknown,
    { durations = 'iso', showsN, showsVerdict, ticket = ticketOf(principal), timings }: AnswerOptions = {},
  ): Promise<Served<MetricAnswer | StreamedAnswer>> {
    const request = { ...readMultiple(body, this.#context(principal, showsN, showsVerdict)), durations };
    const journey = this.#begin(principal, request, ticket, timings);
    if (request.form !== 'rows') return this.#answer(journey, collectAnswer);
    const served = await this.#answer(journey, collectFewRows);
    return isStreamed(served.answer) ? { ...served, isCached: false, answer: this.#stream(journey) } : served;
  }

  async benchmark(
    principal: Principal,
    body: unknown,
    { showsN, showsVerdict, ticket = ticketOf(principal), timings }: AnswerOptions = {},
  ): Promise<Served<MetricAnswer>> {
    if (showsVerdict) throw noVerdict.benchmark();
    const asked = readBenchmark(body, this.#context(principal, showsN));
    const { benchmarks, tables, directory } = this.#settings;
    const { organisationId } = principal;
    timings?.enter('wait');
    await directory.whenPublished(organisationId, ticket);
    const all = await benchmarks.organisations(ticket);
    const compared = [organisationId, ...all.filter((id) => id !== organisationId)];
    let isComplete = true;
    const own = { principal, ticket, tables: tablesOf(asked.request) };
    const served = await this.#cache.serve({
      key: benchmarkKey(asked, principal, compared),
      // New data of any of them makes the comparison stale.
      version: () => {
        const versions = compared.map((id) => tables.versionOf(id));
        return versions.includes(undefined) ? undefined : versions.join();
      },
      find: async (stop) => {
        timings?.enter('engine');
        const waitedBefore = ticket.waiting.spentMs;
        const { document, nearest } = await benchmarkOf(asked, principal, {
          tables,
          directory,
          // A comparison does not wait for the directories of others.
          others: compared.slice(1).filter((id) => directory.hasTables(id)),
          ticket: { ...ticket, signal: stop },
          onError: benchmarks.onError ?? (() => {}),
        });
        const meta = { ...document.meta, ...dataMeta(await this.#extentOf(own)) };
        timings?.enter('shape');
        timings?.move('engine', 'wait', ticket.waiting.spentMs - waitedBefore);
        isComplete = document.meta.organisations_unreadable === undefined;
        return { form: 'document', document: { ...document, meta }, total: undefined, nearest };
      },
      // An organisation that was left out may be readable the next moment.
      isWorthKeeping: () => isComplete,
      bytes: () => comparisonBytes,
      ticket,
    });
    const { meta } = (served.answer as DocumentAnswer).document as BenchmarkAnswer;
    return { ...served, unmatched: meta.unmatched_filters, extent: await this.#extentOf(own) };
  }

  async explain(
    principal: Principal,
    name: string,
    body: unknown,
    { showsVerdict, ticket = ticketOf(principal), timings }: AnswerOptions = {},
  ): Promise<Served<DocumentAnswer>> {
    if (showsVerdict) throw noVerdict.explanation();
    if (name === dateDetails)
      throw refuse(`${dateDetails} is computed from the calendar alone: there is nothing to explain.`);
    const context = this.#context(principal);
    const request = readSingle(findMetric(name, context), body, context);
    const { tables, directory, reads } = this.#settings;
    timings?.enter('wait');
    const gated = gatedIn(request);
    await reads?.note(principal, gated);
    await directory.whenPublished(principal.organisationId, ticket);
    timings?.enter('engine');
    const { document, ...notes } = await explain(request, body, principal, tables, { ticket });
    timings?.enter('shape');
    const served = fresh<DocumentAnswer>({ form: 'document', document, total: undefined });
    const extent = await this.#extentOf({ principal, ticket, tables: tablesOf(request) });
    return { ...served, ...notes, extent, ...(gated.length > 0 ? { gated } : {}) };
  }

  #context(principal: Principal, showsN?: CountedN, showsVerdict?: boolean): QuestionContext {
    return { principal, now: this.#settings.now(), showsN, showsVerdict };
  }

  #begin(
    principal: Principal,
    request: MetricRequest,
    ticket: RequestTicket,
    timings: RequestTimings | undefined,
  ): Journey {
    return { principal, request, query: planOf(request, principal), ticket, timings, tables: tablesOf(request) };
  }

  /** The answer from the cache, or collected from the tables. */
  async #answer(journey: Journey, collect: typeof collectAnswer): Promise<Served<MetricAnswer>> {
    const { principal, request, query, ticket, timings } = journey;
    const { organisationId } = principal;
    const { tables, directory, reads } = this.#settings;
    const gated = gatedIn(request);
    timings?.enter('wait');
    if (gated.length > 0) await reads?.note(principal, gated);
    await directory.whenPublished(organisationId, ticket);
    const { form, isMultiple, limit, filters, durations, chosenBefore, showsVerdict } = request;
    // Only answers that repeat the filters depend on how the filters were spelled.
    const spelled = form === 'rows' ? undefined : filters.written;
    const extentOf = async ({ metric }: RequestedMetric) =>
      this.#settings.extents?.of(organisationId, tablesBehind([metric]), { ticket });
    const reach = showsVerdict ? await reachOfMetrics(request, this.#settings.now(), extentOf) : undefined;
    const key = questionKey(query, [
      organisationId,
      form,
      isMultiple,
      limit,
      durations,
      spelled,
      reach?.key,
      chosenBefore,
    ]);
    const version = versionIn(tables, organisationId);
    const known = version();
    const state = known === undefined ? undefined : `${known} ${key}`;
    const served = await this.#cache.serve({
      key,
      version,
      find: (stop) =>
        this.#collect(journey, stop, (source) => collect({ ...source, reachOf: reach?.of }, query, request)),
      bytes: (answer) => this.#sizes.get(answer) ?? 0,
      ticket,
    });
    timings?.enter('shape');
    const { suppressed } = served.answer;
    const unmatched = unmatchedAsSent(filters, served.answer.unmatched);
    const extent = await this.#extentOf(journey);
    const notes = { unmatched, suppressed, state, tables: journey.tables, extent };
    return { ...served, ...notes, ...(gated.length > 0 ? { gated } : {}) };
  }

  /** Undefined where it cannot be had: an answer does not fail for it. */
  async #extentOf({ principal, tables, ticket }: ExtentQuestion): Promise<Extent | undefined> {
    const { extents } = this.#settings;
    const { organisationId } = principal;
    return (
      extents?.known(organisationId, tables) ?? extents?.of(organisationId, tables, { ticket }).catch(() => undefined)
    );
  }

  /** An answer from one state of the tables, with the memory that it takes until it is sent. */
  async #collect(
    journey: Journey,
    signal: AbortSignal,
    collect: (source: AnswerSource) => Promise<MetricAnswer>,
  ): Promise<MetricAnswer> {
    const { principal, ticket, timings } = journey;
    const asked = { ...ticket, signal };
    const extent = this.#extentOf(journey);
    const memory = await this.#memory.open(asked);
    try {
      const work = (session: AnswerSource['session']) => {
        memory.startOver();
        return collect({
          session: timings ? timedSession(session, timings, ticket.waiting) : session,
          memory,
          principal,
          extent,
        });
      };
      const answer = await this.#settings.tables.ask(principal.organisationId, work, { ticket: asked });
      this.#sizes.set(answer, memory.memory);
      if (isStreamed(answer)) memory.release();
      else this.#memory.give(answer, memory);
      return answer;
    } catch (error) {
      memory.release();
      throw error instanceof TooManyBytes ? tooLarge(this.#memory.answerBytes) : error;
    }
  }

  /** All rows, however many, as they come. */
  #stream({ principal, request, query, ticket }: Journey): StreamedAnswer {
    const { tables } = this.#settings;
    const { organisationId } = principal;
    const columns = flatColumns(answerColumns(request));
    const batches = tables.answers(organisationId, query, { ticket });
    const lines = tables.lines(organisationId, query, columns, { ticket });
    return { form: 'stream', columns, batches, lines };
  }
}

const tablesOf = ({ metrics }: MetricRequest) => tablesBehind(metrics.map(({ metric }) => metric));

/** Kept with the answer, so it must not hold on to the request. */
const versionIn = (tables: QuestionPort, organisationId: string) => () => tables.versionOf(organisationId)?.toString();

const gatedIn = ({ metrics }: MetricRequest): GatedMetric[] =>
  metrics.flatMap(({ metric }) => (metric.gate === undefined ? [] : [metric]));

const fresh = <A>(answer: A): Served<A> => ({ answer, isCached: false, ageSeconds: 0 });
