import { isPeopleFilter, predicatesOf } from '../../src/catalogue/filters.ts';
import { groupColumnsOf } from '../../src/catalogue/group-columns.ts';
import { type Metric, type ValueColumn, valueColumnsOf } from '../../src/catalogue/metric.ts';
import { metrics } from '../../src/catalogue/metrics/all-metrics.ts';
import type { FieldType } from '../../src/catalogue/record.ts';
import type { Aggregation } from '../../src/expression/expression.ts';
import type { Level } from './calendar.ts';
import type { PeopleWanted } from './directory.ts';
import type { RowsWanted } from './row-filters.ts';
import { type Window, windowOf } from './window.ts';
import type { World } from './world.ts';

/** What a caller sends. The evaluator takes it to be right: what is wrong with a body is not its subject. */
export interface QuestionBody {
  readonly filters?: Readonly<Record<string, unknown>>;
  readonly group_by?: readonly string[];
  readonly date_level?: string;
  readonly aggregation?: string;
  readonly metric_min_value?: number;
  readonly date_field?: string;
  readonly time_series_data?: boolean;
  readonly include_previous_period?: boolean;
  readonly previous_start_date?: string;
  readonly previous_end_date?: string;
  readonly order_by?: string;
  readonly order_direction?: string;
  readonly limit?: number;
  readonly benchmark_metric?: string;
  readonly metrics?: readonly string[];
  readonly metric_min_values?: Readonly<Record<string, number>>;
  readonly date_fields?: Readonly<Record<string, string>>;
  readonly aggregations?: Readonly<Record<string, string>>;
}

export interface AskedMetric {
  readonly metric: Metric;
  readonly aggregation: Aggregation | undefined;
  readonly dateColumn: string | undefined;
  readonly least: number;
  readonly values: readonly ValueColumn[];
}

export interface Question {
  readonly asked: readonly AskedMetric[];
  readonly isMultiple: boolean;
  readonly window: Window | undefined;
  /** What the caller wants to compare with; else it is the window before. */
  readonly comparedWith: Window | undefined;
  readonly level: Level | undefined;
  readonly groupBy: readonly string[];
  readonly filters: Readonly<Record<string, readonly (string | number)[]>>;
  readonly people: PeopleWanted;
  readonly order: { readonly by: string; readonly isDescending: boolean } | undefined;
  readonly limit: number;
  /** Whether every value comes with how many rows have it. */
  readonly showsN: boolean;
}

/** The metric asked for by name, or those that the body lists when it is asked for several. */
export function questionOf(world: World, name: string, body: QuestionBody, showsN = false): Question {
  const isMultiple = name === 'get-multiple-metrics';
  const names = isMultiple ? [...new Set(body.metrics)] : [name];
  const asked = names.map((one) => askedMetric(one, isMultiple, body));
  const { start_date, end_date, ...others } = body.filters ?? {};
  const { previous_start_date: from, previous_end_date: to } = body;
  const knowsTime = asked.some(({ dateColumn }) => dateColumn !== undefined);
  const filters: Record<string, (string | number)[]> = {};
  for (const [key, written] of Object.entries(others)) {
    const [name, values] = [key === 'team_ids' ? 'team' : key, valuesOf(written)];
    if (values.length > 0) filters[name] = [...(filters[name] ?? []), ...values];
  }
  return {
    asked,
    isMultiple,
    window: knowsTime
      ? windowOf(world.timeZone, String(start_date), typeof end_date === 'string' ? end_date : undefined, world.now)
      : undefined,
    comparedWith: from === undefined ? undefined : windowOf(world.timeZone, from, to, world.now),
    level: body.date_level?.toLowerCase() as Level | undefined,
    groupBy: [...new Set([...(body.group_by ?? []), ...asked.flatMap(({ metric }) => metric.alwaysBy)])],
    filters,
    people: Object.fromEntries(Object.entries(filters).filter(([key]) => isPeopleFilter(key))),
    order:
      body.order_by === undefined || isMultiple
        ? undefined
        : { by: body.order_by, isDescending: body.order_direction?.toLowerCase() === 'desc' },
    showsN,
    limit: isMultiple ? Number.POSITIVE_INFINITY : Math.min(body.limit ?? 200, 200),
  };
}

function askedMetric(name: string, isMultiple: boolean, body: QuestionBody): AskedMetric {
  const metric = metrics.get(name);
  if (!metric) throw new Error(`there is no metric ${name}`);
  const aggregation = isMultiple ? body.aggregations?.[name] : body.aggregation;
  const chosen = metric.kind === 'aggregated' ? (aggregation?.toLowerCase() as Aggregation) : undefined;
  const field = isMultiple ? body.date_fields?.[name] : body.date_field;
  const least = isMultiple ? body.metric_min_values?.[name] : body.metric_min_value;
  return {
    metric,
    aggregation: chosen,
    dateColumn: field === undefined ? metric.dates[0] : (metric.dateNames[field] ?? metric.dates[0]),
    least: least ?? 0,
    values: valueColumnsOf(metric, chosen),
  };
}

/** One value may stand without its list; repositories may stand as objects. */
function valuesOf(written: unknown): (string | number)[] {
  if (written === null || written === undefined) return [];
  return (Array.isArray(written) ? written : [written]).map((value: unknown) =>
    typeof value === 'object' && value !== null && 'repository_name' in value
      ? String(value.repository_name)
      : (value as string | number),
  );
}

/** What the number of rows is called in a row. */
export const nameOfCount = ({ isMultiple }: Question, { metric }: AskedMetric): string =>
  isMultiple ? `n_${metric.name.split('-').join('_')}` : 'n';

/** The row filters of a question as the table of one of its metrics understands them. */
export function rowsWanted({ filters }: Question, metric: Metric): RowsWanted[] {
  const predicates = predicatesOf(metric);
  return Object.entries(filters).flatMap(([key, values]) => {
    const predicate = predicates[key as keyof typeof predicates];
    return predicate ? [{ predicate, values }] : [];
  });
}

/** What kind of value a group column holds. */
export const typeOf = ({ asked }: Question, column: string): FieldType =>
  asked.map(({ metric }) => groupColumnsOf(metric.table).get(column)?.type).find((type) => type !== undefined) ??
  'text';
