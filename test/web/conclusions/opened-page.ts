import { listedPages } from '../page-list.ts';
import { loadPageRenderer, type RenderPage, textOf } from '../page-rendering.ts';
import type { RowsOfReader } from './asked-rows.ts';
import type { Exchange } from './kept-answers.ts';
import type { Reader } from './made-service.ts';
import { isMetric, type MetricName } from './metric-facts.ts';
import { defaultRange, now } from './organisations.ts';
import type { Days } from './plain-days.ts';

/** A page of the application, and where it is: one of a record is at that of a record. */
export interface PageToOpen {
  readonly path: string;
  readonly address: string;
}

/** A page as somebody reads it, and all that it asked for. */
export interface OpenedPage extends PageToOpen {
  readonly reader: Reader;
  /** How many days its range has, which it compares with as many before; undefined where it shows something else. */
  readonly days: number | undefined;
  readonly html: string;
  readonly text: string;
  readonly exchanges: readonly Exchange[];
}

/** Whether a page shows figures or records: lists of documents, settings and the first steps show none. */
export const showsRecords = (path: string): boolean => !/^\/(?:settings|welcome|annotation$|board$)/.test(path);

let renderer: Promise<RenderPage> | undefined;

export async function openPage(reader: Reader, page: PageToOpen, search: string = defaultRange): Promise<OpenedPage> {
  renderer ??= loadPageRenderer();
  const exchanges: Exchange[] = [];
  const { url, cookie, answers } = reader;
  const fetch = answers.fetching((exchange) => exchanges.push(exchange));
  const html = await (await renderer)(`${page.address}?${search}`, { url, cookie, now: new Date(now), fetch });
  const [, days] = /^r=(\d+)d$/.exec(search) ?? [];
  return { ...page, reader, days: days === undefined ? undefined : Number(days), html, text: textOf(html), exchanges };
}

/** Pages of one record: what finds one, and the column with its id. */
const ofRecords: Readonly<Record<string, readonly [MetricName, string]>> = {
  '/pull-requests/:id': ['pull-requests-count', 'pr_id'],
  '/deployments/:id': ['deployment-frequency', 'deployment_id'],
  '/ai-sessions/:id': ['posthook-sessions-count', 'session_id'],
};

/** Every page there is, those of records for one that the reader may see, or for none where there is none. */
export async function pagesFor(rows: RowsOfReader): Promise<readonly PageToOpen[]> {
  const idFor = async (path: string): Promise<unknown> => {
    const [metric, column] = ofRecords[path] ?? [];
    if (metric === undefined || column === undefined) return (await rows.people())[0]?.merged_user_id;
    const [first] = await rows.of({ metric });
    return first?.columns[column] ?? 'none';
  };
  return Promise.all(
    listedPages.map(async ({ path }) => ({
      path,
      address: path.endsWith('/:id') ? path.replace(':id', encodeURIComponent(String(await idFor(path)))) : path,
    })),
  );
}

type Json = Readonly<Record<string, unknown>>;

/** One metric that a page asked for, alone or with others, and what came. */
export interface AskedMetric {
  readonly metric: MetricName;
  readonly aggregation: string | undefined;
  readonly dateField: string | undefined;
  readonly window: Days;
  /** The window that it is compared with, where it is. */
  readonly before: Days | undefined;
  /** All but those of the window. */
  readonly filters: Json;
  readonly groupBy: readonly string[];
  readonly level: string | undefined;
  readonly exchange: Exchange;
}

interface Body {
  readonly filters: Json;
  readonly metrics?: readonly string[];
  readonly benchmark_metric?: string;
  readonly aggregation?: string;
  readonly aggregations?: Readonly<Record<string, string>>;
  readonly date_field?: string;
  readonly date_fields?: Readonly<Record<string, string>>;
  readonly group_by?: readonly string[];
  readonly date_level?: string;
  readonly include_previous_period?: boolean;
  readonly previous_start_date?: string;
  readonly previous_end_date?: string;
}

/** The metrics that a page asked for over some days. What is of all time, as people are, has none. */
export const askedMetrics = ({ exchanges }: OpenedPage): AskedMetric[] => exchanges.flatMap(metricsIn);

function metricsIn(exchange: Exchange): AskedMetric[] {
  const [, asked] = /^\/metrics\/([\w-]+)(?:\?|$)/.exec(exchange.path) ?? [];
  const body = exchange.body as Body | undefined;
  if (asked === undefined || body === undefined || exchange.status !== 200) return [];
  const names = asked === 'benchmark' ? [body.benchmark_metric ?? ''] : (body.metrics ?? [asked]);
  const { start_date: start, end_date: end, ...filters } = body.filters;
  if (typeof start !== 'string' || typeof end !== 'string') return [];
  return names.filter(isMetric).map((metric) => ({
    metric,
    aggregation: body.aggregations?.[metric] ?? body.aggregation,
    dateField: body.date_fields?.[metric] ?? body.date_field,
    window: { start, end },
    before: body.include_previous_period
      ? { start: String(body.previous_start_date), end: String(body.previous_end_date) }
      : undefined,
    filters,
    groupBy: body.group_by ?? [],
    level: body.date_level,
    exchange,
  }));
}

/** A result of a compared question, as the API answers it. */
export interface AnsweredChange {
  readonly metric_name: string;
  readonly group_by?: Json;
  readonly value: number | null;
  readonly previous_value: number | null;
  readonly n: number;
  readonly previous_n: number | null;
  readonly verdict: string | null;
  readonly is_better: boolean | null;
}

export const resultsOf = ({ exchange, metric }: AskedMetric): readonly AnsweredChange[] => {
  const { results = [] } = exchange.answer as { readonly results?: readonly AnsweredChange[] };
  return results.filter(({ metric_name }) => metric_name === metric);
};
