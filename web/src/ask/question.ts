import type { DateLevel } from '../../../src/calendar.ts';
import type { FilterName } from './catalogue.ts';
import { type Aggregation, type ColumnOf, isMetric, type MetricName } from './metric-facts.ts';
import type { DayWindow } from './windows.ts';

export type FilterValues = readonly (string | number)[] | string;
export type RequestFilters = { readonly [N in FilterName]?: FilterValues };

/** Another window to compare with, so that the server gives a verdict on the change. */
interface ComparedBody {
  readonly include_previous_period?: true;
  readonly previous_start_date?: string;
  readonly previous_end_date?: string;
}

/** The fields that ask a question for the change since another window. */
export const comparedWith = ({ start, end }: DayWindow): ComparedBody => ({
  include_previous_period: true,
  previous_start_date: start,
  previous_end_date: end,
});

/** The body of a request for one metric, as the API takes it. */
export interface MetricBody<M extends MetricName = MetricName> extends ComparedBody {
  readonly filters: RequestFilters;
  readonly group_by?: readonly ColumnOf<M>[];
  readonly date_level?: DateLevel;
  readonly aggregation?: Aggregation;
  readonly date_field?: string;
  readonly metric_min_value?: number;
  readonly order_by?: string;
  readonly order_direction?: 'ASC' | 'DESC';
  readonly limit?: number;
}

/** The body of a request for several metrics: one column each, and no limit on the rows. */
interface MultipleBody<M extends MetricName = MetricName> extends ComparedBody {
  readonly filters: RequestFilters;
  readonly group_by?: readonly ColumnOf<M>[];
  readonly date_level?: DateLevel;
  readonly aggregations?: Readonly<Partial<Record<MetricName, Aggregation>>>;
  readonly date_fields?: Readonly<Partial<Record<MetricName, string>>>;
  readonly metric_min_values?: Readonly<Partial<Record<MetricName, number>>>;
}

/** A request as plain data: it is sent, shown and kept in this form. */
export interface Question {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>> & { readonly filters: RequestFilters };
}

export const ask = <M extends MetricName>(metric: M, body: MetricBody<M>): Question => ({
  path: `/metrics/${metric}`,
  body: withoutEmpty(body),
});

export const askSeveral = <M extends MetricName>(metrics: readonly M[], body: MultipleBody<M>): Question => ({
  path: '/metrics/get-multiple-metrics',
  body: { metrics, ...withoutEmpty(body) },
});

/**
 * A request for several metrics as one request for each, since only those can be explained. A request for one metric
 * stays as it is.
 */
export function singleQuestions(question: Question): readonly Question[] {
  const { metrics, aggregations, date_fields, metric_min_values, ...body } = question.body as Question['body'] &
    Partial<MultipleBody> & { readonly metrics?: readonly MetricName[] };
  if (!metrics) return [question];
  return metrics.map((metric) => ({
    path: `/metrics/${metric}`,
    body: withoutEmpty({
      ...body,
      aggregation: aggregations?.[metric],
      date_field: date_fields?.[metric],
      metric_min_value: metric_min_values?.[metric],
    }),
  }));
}

/** The metric of a request for a single one. */
export function metricOf({ path }: Question): MetricName | undefined {
  const name = path.slice('/metrics/'.length);
  return isMetric(name) ? name : undefined;
}

/** Undefined fields are left out, so that one question has one spelling: in the cache and in the shown request. */
function withoutEmpty<B extends { readonly filters: RequestFilters }>(body: B): Question['body'] {
  const kept = Object.entries(body).filter(([, value]) => value !== undefined);
  const filters = Object.entries(body.filters).filter(([, value]) => value !== undefined && value.length > 0);
  return { ...Object.fromEntries(kept), filters: Object.fromEntries(filters) };
}

/** The query string that every request of the pages has. A benchmark has no durations among its columns. */
export function parametersOf({ path, body }: Question): string {
  if (path === '/metrics/benchmark') return 'n=true';
  return `durations=seconds&n=true${body.include_previous_period ? '&verdict=true' : ''}`;
}
