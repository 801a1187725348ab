import type { AnsweredBenchmark, AnswerNotes, AnswerTo, UnmatchedValuesSent } from './answer.ts';
import type { DateLevelName } from './catalogue.ts';
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
import { retriedRequest } from './retried-request.ts';

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
  AnyAggregation,
  BenchmarkAggregation,
  BenchmarkedMetric,
  ColumnOf,
  FiltersOf,
  MetricName,
  MetricRow,
} from './question.ts';
export { PlumbError } from './retried-request.ts';

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
  readonly #retry: { readonly fetch: typeof fetch; readonly retries: number };

  constructor({ url, key, retries = 4, fetch: send = (...args) => fetch(...args) }: PlumbSettings) {
    this.#url = withoutSlashes(url);
    this.#key = key;
    this.#retry = { fetch: send, retries };
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
