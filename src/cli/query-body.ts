import { groupColumnsOf } from '../catalogue/group-columns.ts';
import { takesAggregation } from '../catalogue/metric.ts';
import { dateDetails, metrics } from '../catalogue/metrics/all-metrics.ts';
import { nearest } from '../nearest.ts';
import type { Body } from '../query/reading/body.ts';
import { Refusal } from '../refusal.ts';
import type { AskedMetric } from './value-text.ts';

/** The options of a question on the command line, each as it was typed. */
export interface QuestionWords {
  readonly since?: string;
  readonly until?: string;
  readonly team?: readonly string[];
  readonly repo?: readonly string[];
  readonly member?: readonly string[];
  readonly by?: string;
  readonly per?: string;
  readonly agg?: string;
  readonly compare?: boolean;
  readonly order?: string;
  readonly limit?: string;
}

/** A question, and what was chosen on behalf of the caller. */
export interface CommandQuestion {
  readonly body: unknown;
  /** The window ends where the body says, or today, and begins this many days before. */
  readonly lastDays: number | undefined;
  /** Whether the days were chosen here. */
  readonly isWindowChosen: boolean;
  /** Aggregations that were chosen here, by metric. */
  readonly chosenAggregations: Readonly<Record<string, string>>;
  /** The metrics, as far as they are known. */
  readonly asked: readonly AskedMetric[];
}

const defaultDays = 90;

/** The question in a file, with what is said on the command line laid over it, and what nobody has said filled in. */
export function questionOf(metric: string, written: unknown, words: QuestionWords): CommandQuestion {
  const said = saidIn(metric, words);
  if (!isObject(written)) {
    if (Object.keys(said.fields).length + Object.keys(said.filters).length === 0 && said.lastDays === undefined) {
      return { body: written, lastDays: undefined, isWindowChosen: false, chosenAggregations: {}, asked: [] };
    }
    throw new Refusal('bad-input', 'The body must be a JSON object for anything to be added to it.');
  }
  const { filters: given = {} } = written;
  if (!isObject(given)) {
    throw new Refusal('bad-input', 'filters must be an object, such as {"start_date": "2024-01-01"}.');
  }
  const { start_date, ...others } = given;
  const filters = { ...(said.lastDays === undefined ? given : others), ...said.filters };
  const body: Body = { ...written, filters, ...said.fields };
  const asked = metricsIn(metric, body);
  const isWindowChosen =
    said.lastDays === undefined && filters.start_date === undefined && asked.some(({ name }) => knowsTime(name));
  const chosen = chosenAggregations(asked);
  return {
    body: withAggregations(metric, body, chosen),
    lastDays: isWindowChosen ? defaultDays : said.lastDays,
    isWindowChosen,
    chosenAggregations: chosen,
    asked: asked.map(({ name, aggregation }) => ({ name, aggregation: aggregation ?? chosen[name] })),
  };
}

function saidIn(metric: string, words: QuestionWords) {
  const { since, until, by, per, agg, compare, order, limit } = words;
  const lastDays = since === undefined ? undefined : daysIn(since);
  return {
    lastDays,
    filters: defined({
      start_date: lastDays === undefined ? since : undefined,
      end_date: until,
      team: listed(words.team),
      repositories: listed(words.repo),
      member: listed(words.member),
    }),
    fields: defined({
      group_by: by?.split(',').map((name) => columnNamed(metric, name.trim())),
      date_level: per,
      aggregation: agg,
      include_previous_period: compare,
      ...orderIn(order),
      limit: limit === undefined ? undefined : wholeNumber(limit),
    }),
  };
}

/** `90d` or `12w`; anything else is left to be read as a date. */
function daysIn(text: string): number | undefined {
  const [, amount, unit] = /^(\d{1,4})([dw])$/i.exec(text.trim()) ?? [];
  if (amount === undefined && /^\s*\d{4}-/.test(text)) return undefined;
  const days = Number(amount) * (unit?.toLowerCase() === 'w' ? 7 : 1);
  if (amount !== undefined && days > 0) return days;
  throw new Refusal('bad-input', '--since must be a date such as 2026-01-31, or days or weeks such as 90d or 12w.');
}

/** Given once, names are separated by commas; given several times, each is one name. */
function listed(values: readonly string[] | undefined): readonly string[] | undefined {
  const [only] = values ?? [];
  return values?.length === 1 && only !== undefined ? only.split(',').map((value) => value.trim()) : values;
}

/** The words of `--team`, `--repo` and `--member`, as columns. */
const shortColumns: Readonly<Record<string, string>> = { team: 'team_name', repo: 'repository', member: 'name' };

function columnNamed(metric: string, name: string): string {
  const table = metrics.get(metric)?.table;
  const columns: readonly string[] = table === undefined ? [] : [...groupColumnsOf(table).keys()];
  if (columns.includes(name)) return name;
  if (Object.hasOwn(shortColumns, name)) return shortColumns[name] ?? name;
  // The names of columns are suggested where the question is read; these are known here alone.
  const near = nearest(name, [...columns, ...Object.keys(shortColumns)]);
  if (near.some((one) => Object.hasOwn(shortColumns, one))) {
    throw new Refusal('bad-input', `--by: '${name}' is not a column. Did you mean '${near.join("' or '")}'?`);
  }
  return name;
}

function orderIn(order: string | undefined): Body {
  if (order === undefined) return {};
  const [column = '', direction] = order.split(':');
  if (direction === undefined) return { order_by: column };
  if (/^(asc|desc)$/i.test(direction)) return { order_by: column, order_direction: direction };
  throw new Refusal('bad-input', `--order must be COLUMN, COLUMN:asc or COLUMN:desc, not '${order}'.`);
}

function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text.trim())) return Number(text);
  throw new Refusal('bad-input', `--limit must be a whole number from 1 up, not '${text}'.`);
}

const knowsTime = (name: string): boolean => name === dateDetails || (metrics.get(name)?.dates.length ?? 0) > 0;

function metricsIn(metric: string, body: Body): AskedMetric[] {
  if (metric === 'get-multiple-metrics') {
    const names = Array.isArray(body.metrics) ? body.metrics.filter((name) => typeof name === 'string') : [];
    const aggregations = isObject(body.aggregations) ? body.aggregations : {};
    return names.map((name) => ({ name, aggregation: textOf(aggregations[name]) }));
  }
  if (metric === 'benchmark') {
    const named = textOf(body.benchmark_metric) ?? '';
    // The three clocks are compared together.
    return [...new Set([named, 'cycle-time', 'pickup-time', 'review-time'])].map((name) => ({
      name,
      aggregation: 'median',
    }));
  }
  return [{ name: metric, aggregation: textOf(body.aggregation) }];
}

/** Values that are not text are passed on: the reader of the body refuses them. */
const textOf = (value: unknown): string | undefined =>
  value === undefined || value === null ? undefined : String(value);

/** Durations and sizes default to the median, everything else to the sum. */
function chosenAggregations(asked: readonly AskedMetric[]): Record<string, string> {
  const chosen: Record<string, string> = {};
  for (const { name, aggregation } of asked) {
    const metric = metrics.get(name);
    if (aggregation !== undefined || !metric || !takesAggregation(metric)) continue;
    chosen[name] = metric.unit === 'seconds' || /-sizes?$/.test(name) ? 'MEDIAN' : 'SUM';
  }
  return chosen;
}

function withAggregations(metric: string, body: Body, chosen: Readonly<Record<string, string>>): Body {
  if (Object.keys(chosen).length === 0) return body;
  if (metric !== 'get-multiple-metrics') return { ...body, aggregation: chosen[metric] };
  const given = isObject(body.aggregations) ? body.aggregations : {};
  return { ...body, aggregations: { ...given, ...chosen } };
}

const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const defined = (fields: Body): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
