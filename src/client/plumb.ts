import type { AnsweredBenchmark, AnswerNotes, AnswerTo, UnmatchedValuesSent } from './answer.ts';
import type { DateLevelName } from './catalogue.ts';
import { type BoardDocument, DocumentCollection, type SendDocument } from './document-collection.ts';
import type { AnsweredGoalHistory, DaysAsked, ListedAnnotation, ListedGoal } from './documents.ts';
import { AlertCollection, type DigestDocument } from './notifications.ts';
import type {
  AnyAggregation,
  AskBody,
  BenchmarkBody,
  BenchmarkedMetric,
  ColumnOf,
  MetricName,
  MetricRow,
  RowsBody,
  VerdictOption,
} from './question.ts';

export type {
  AnsweredBenchmark,
  AnsweredChart,
  AnsweredResults,
  AnsweredRows,
  AnswerNotes,
  JudgedChange,
} from './answer.ts';
export type { AggregationName, DateLevelName } from './catalogue.ts';
export type {
  BoardDocument,
  BoardPanelDocument,
  DocumentCollection,
  ReadDocument,
  VisibleTo,
} from './document-collection.ts';
export type {
  AnsweredGoalHistory,
  AnsweredPeriod,
  DaysAsked,
  ListedAnnotation,
  ListedDocument,
  ListedGoal,
} from './documents.ts';
export type * from './notifications.ts';
export type {
  AnyAggregation,
  BenchmarkAggregation,
  BenchmarkedMetric,
  ColumnOf,
  FiltersOf,
  MetricName,
  MetricRow,
} from './question.ts';

export interface PlumbSettings {
  /** Where Plumb is, such as http://127.0.0.1:4400. */
  readonly url: string;
  /** The API key. */
  readonly key: string;
  /** How often a request is sent again that could not be answered at the moment. Default: 4. */
  readonly retries?: number;
  /** In place of the global fetch. */
  readonly fetch?: typeof fetch;
}

export interface AskOptions {
  /** Ends the request, and the waiting for another try. */
  readonly signal?: AbortSignal;
}

/** In one pass: a pattern for slashes at the end begins again at each of them. */
function withoutSlashes(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end -= 1;
  return url.slice(0, end);
}

/** Asks Plumb. Metrics, columns, filters and rows have the types of the catalogue. */
export class Plumb {
  readonly #url: string;
  readonly #key: string;
  /** Boards: panels that are questions. */
  readonly boards: DocumentCollection<BoardDocument>;
  readonly alerts: AlertCollection;
  readonly digests: DocumentCollection<DigestDocument>;
  readonly #retry: { readonly fetch: typeof fetch; readonly retries: number };

  constructor({ url, key, retries = 4, fetch: send = (...args) => fetch(...args) }: PlumbSettings) {
    this.#url = withoutSlashes(url);
    this.#key = key;
    this.#retry = { fetch: send, retries };
    this.boards = this.#documents('boards');
    this.alerts = new AlertCollection(this.#sendDocument);
    this.digests = this.#documents('digests');
  }

  /** Asks one metric: at most 200 rows, or a chart, or values beside those of the previous window. */
  async ask<
    M extends MetricName,
    const G extends ColumnOf<M> = never,
    const L extends DateLevelName = never,
    const A extends AnyAggregation = never,
    const S extends boolean = false,
    const P extends boolean = false,
    const V extends boolean = false,
  >(
    metric: M,
    body: AskBody<M, G, L, A, S, P>,
    options?: AskOptions & VerdictOption<S, P, V>,
  ): Promise<AnswerTo<M, G, L, A, S, P, V>> {
    const path = options?.verdict === true ? `${metric}?verdict=true` : metric;
    const response = await this.#send(path, body, 'application/json', options ?? {});
    const answer: unknown = await response.json();
    const content = Array.isArray(answer) ? { rows: answer } : (answer as object);
    return { ...content, ...notesOf(response) } as AnswerTo<M, G, L, A, S, P, V>;
  }

  /** Puts the value of one metric beside those of the other organisations on the platform. */
  async benchmark<M extends BenchmarkedMetric>(
    metric: M,
    body: BenchmarkBody<M>,
    options: AskOptions = {},
  ): Promise<AnsweredBenchmark> {
    const asked = { ...body, benchmark_metric: metric };
    const response = await this.#send('benchmark', asked, 'application/json', options);
    return { ...((await response.json()) as object), ...notesOf(response) } as AnsweredBenchmark;
  }

  /** All rows of one metric, however many, as they arrive: by date bucket, then by the columns that are grouped by. */
  async *rows<
    M extends MetricName,
    const G extends ColumnOf<M> = never,
    const L extends DateLevelName = never,
    const A extends AnyAggregation = never,
  >(
    metric: M,
    body: RowsBody<M, G, L, A>,
    options: AskOptions = {},
  ): AsyncGenerator<MetricRow<M, G, L, A>, void, undefined> {
    const { aggregation, date_field, metric_min_value, ...rest } = body as Readonly<Record<string, unknown>>;
    const asked = {
      ...rest,
      metrics: [metric],
      ...ofMetric('aggregations', metric, aggregation),
      ...ofMetric('date_fields', metric, date_field),
      ...ofMetric('metric_min_values', metric, metric_min_value),
    };
    const response = await this.#send('get-multiple-metrics', asked, 'application/x-ndjson', options);
    if (response.body) yield* ndjsonRows(response.body) as AsyncGenerator<MetricRow<M, G, L, A>, void, undefined>;
  }

  /** Every goal that the key may see, with its state. */
  goals(options: AskOptions = {}): Promise<ListedGoal[]> {
    return this.#get('/goals', {}, options);
  }

  /** The whole periods of a goal, 26 unless asked otherwise, as the key may see them. */
  goalHistory(goal: string, options: AskOptions & { readonly periods?: number } = {}): Promise<AnsweredGoalHistory> {
    return this.#get(`/goals/${encodeURIComponent(goal)}/history`, { periods: options.periods }, options);
  }

  /** What happened, on some days or ever, as far as the key may see it. */
  annotations({ start_date, end_date }: DaysAsked = {}, options: AskOptions = {}): Promise<ListedAnnotation[]> {
    return this.#get('/annotations', { start_date, end_date }, options);
  }

  async #get<T>(path: string, query: Readonly<Record<string, unknown>>, { signal }: AskOptions): Promise<T> {
    const asked = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value !== undefined) asked.set(name, String(value));
    const question = asked.size === 0 ? '' : `?${asked}`;
    const response = await retriedRequest(this.#retry, `${this.#url}${path}${question}`, {
      headers: { authorization: this.#key, accept: 'application/json' },
      signal: signal ?? null,
    });
    return (await response.json()) as T;
  }

  #documents<D extends object>(path: string): DocumentCollection<D> {
    return new DocumentCollection(path, this.#sendDocument);
  }

  readonly #sendDocument: SendDocument = (path, { method, body, headers, signal }) => {
    // A change that got no answer may have been made: it is not sent again.
    const retry = method === 'GET' ? this.#retry : { ...this.#retry, retries: 0 };
    return retriedRequest(retry, `${this.#url}/${path}`, {
      method,
      headers: { authorization: this.#key, accept: 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: signal ?? null,
    });
  };

  #send(path: string, body: object, accept: string, { signal }: AskOptions): Promise<Response> {
    return retriedRequest(this.#retry, `${this.#url}/metrics/${path}`, {
      method: 'POST',
      headers: { authorization: this.#key, 'content-type': 'application/json', accept },
      body: JSON.stringify(body),
      signal: signal ?? null,
    });
  }
}

const ofMetric = (field: string, metric: string, value: unknown): object =>
  value === undefined || value === null ? {} : { [field]: { [metric]: value } };

function notesOf({ headers }: Response): AnswerNotes {
  const total = headers.get('x-total-rows');
  const unmatched = headers.get('x-unmatched-filters');
  return {
    isTruncated: headers.get('x-truncated') === 'true',
    total: total === null ? undefined : Number(total),
    unmatched: unmatched === null ? {} : (JSON.parse(decodeURIComponent(unmatched)) as UnmatchedValuesSent),
  };
}

/** The values of lines of JSON, as they arrive. To stop reading ends the request. */
export async function* ndjsonRows(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') yield JSON.parse(line);
    }
    if (rest !== '') throw new Error('The answer of Plumb broke off in the middle of a row.');
  } finally {
    await reader.cancel().catch(() => {});
  }
}

export interface RetrySettings {
  readonly fetch: typeof fetch;
  /** How often a request is sent again. */
  readonly retries: number;
}

/** Too many requests; overloaded or starting; a proxy that found nobody. */
const worthRetrying = [429, 502, 503];
const firstWaitMs = 250;
const maxWaitMs = 60_000;

/**
 * Sends a question, and sends it again where that helps: questions change nothing. The server says how long to wait; where it
 * does not, every wait is twice as long as the one before.
 */
export async function retriedRequest(
  { fetch: send, retries }: RetrySettings,
  url: string,
  init: RequestInit & { readonly signal: AbortSignal | null },
): Promise<Response> {
  for (let sent = 0; ; sent += 1) {
    const isLast = sent >= retries;
    const waitMs = firstWaitMs * 2 ** sent;
    let response: Response;
    try {
      response = await send(url, init);
    } catch (error) {
      if (isLast || init.signal?.aborted) throw error;
      await pause(waitMs, init.signal);
      continue;
    }
    if (response.ok) return response;
    if (isLast || !worthRetrying.includes(response.status)) throw await errorOf(response);
    await response.body?.cancel();
    await pause(retryAfterMs(response) ?? waitMs, init.signal);
  }
}

function retryAfterMs({ headers }: Response): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? Math.min(seconds * 1_000, maxWaitMs) : undefined;
}

function pause(ms: number, signal: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

/** A request that Plumb refused, or could not answer. */
export class PlumbError extends Error {
  override readonly name = 'PlumbError';
  readonly status: number;
  /** Identifies the request in the server's log. */
  readonly requestId: string | undefined;

  constructor(status: number, detail: string, requestId: string | undefined) {
    super(detail);
    this.status = status;
    this.requestId = requestId;
  }
}

/** The body of a refused response. */
export async function errorOf(response: Response): Promise<PlumbError> {
  const text = await response.text().catch(() => '');
  const requestId = response.headers.get('x-request-id') ?? undefined;
  return new PlumbError(response.status, detailIn(text) ?? `Plumb answered with status ${response.status}.`, requestId);
}

/** A proxy in front of Plumb may answer with something else. */
function detailIn(text: string): string | undefined {
  try {
    const { detail } = JSON.parse(text) as { readonly detail?: unknown };
    return typeof detail === 'string' ? detail : undefined;
  } catch {
    return undefined;
  }
}
