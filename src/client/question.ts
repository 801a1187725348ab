import type { AggregationName, ColumnTypes, DateLevelName, FilterTypes, MetricTypes } from './catalogue.ts';

export type MetricName = keyof MetricTypes;

/** Columns that a metric can be grouped by. */
export type ColumnOf<M extends MetricName> = keyof ColumnTypes[MetricTypes[M]['table']] & string;

/** In upper or lower case. */
export type AnyAggregation = AggregationName | Lowercase<AggregationName>;

/** People are counted as they are now: their metrics have no window of time. */
type IsTimeless<M extends MetricName> = [MetricTypes[M]['dates']] extends [never] ? true : false;

/** The filters of a metric. Rows match any value of a filter and every filter. */
export type FiltersOf<M extends MetricName> = Readonly<Pick<FilterTypes, MetricTypes[M]['filters']>> &
  (IsTimeless<M> extends true ? unknown : { readonly start_date: string });

type AggregationField<M extends MetricName, A> = MetricTypes[M]['aggregation'] extends true
  ? { readonly aggregation: A }
  : { readonly aggregation?: A };

type TimeFields<M extends MetricName, L> =
  IsTimeless<M> extends true
    ? { readonly date_level?: never }
    : { readonly date_level?: L; readonly date_field?: MetricTypes[M]['dates'] };

/** The body of a question about one metric that answers with rows. */
export type RowsBody<M extends MetricName, G, L, A> = AggregationField<M, A> &
  TimeFields<M, L> & {
    readonly filters: FiltersOf<M>;
    /** Columns to group by, in this order. */
    readonly group_by?: readonly G[];
    /** Groups with a lower value are left out. */
    readonly metric_min_value?: number;
  };

/** The fields of a question about one metric. */
export type AskBody<M extends MetricName, G, L, A, S, P> = RowsBody<M, G, L, A> &
  (IsTimeless<M> extends true
    ? {
        readonly time_series_data?: never;
        readonly include_previous_period?: never;
        readonly previous_start_date?: never;
        readonly previous_end_date?: never;
      }
    : {
        /** Whether to answer in chart form. */
        readonly time_series_data?: S;
        /** Whether to put the value of the previous window beside every value. */
        readonly include_previous_period?: P;
        /** The first day of another window to compare with. */
        readonly previous_start_date?: string;
        /** The last day of the window. */
        readonly previous_end_date?: string;
      }) & {
    /** A column of the answer. */
    readonly order_by?: NoInfer<(keyof MetricRow<M, G, L, A> & string) | ComparedOrder<P>>;
    readonly order_direction?: 'ASC' | 'DESC' | 'asc' | 'desc';
    /** Rows at most, 1 to 200. */
    readonly limit?: number;
  };

/** The options beside the body. Only a question with the previous period, not as a chart, has changes to judge. */
export type VerdictOption<S, P, V> = [S] extends [true]
  ? { readonly verdict?: never }
  : [P] extends [true]
    ? {
        /** Whether to say of each result what may be said of its change. */
        readonly verdict?: V;
      }
    : { readonly verdict?: never };

/** Metrics that can be compared with those of other organisations. */
export type BenchmarkedMetric = {
  [M in MetricName]: IsTimeless<M> extends true
    ? never
    : string extends MetricTypes[M]['value']
      ? never
      : MetricTypes[M]['table'] extends `survey_${string}`
        ? never
        : M;
}[MetricName];

/** The aggregations by which organisations are compared. */
export type BenchmarkAggregation = Exclude<AnyAggregation, 'SUM' | 'MIN' | 'MAX' | 'sum' | 'min' | 'max'>;

/** The fields of a comparison with other organisations. */
export interface BenchmarkBody<M extends BenchmarkedMetric> {
  readonly filters: FiltersOf<M>;
  /** The date that the window is about. */
  readonly date_field: MetricTypes[M]['dates'];
  /** By what durations and sizes are compared; AVG by default. Rates and counts ignore it. */
  readonly aggregation?: BenchmarkAggregation;
}

type ComparedOrder<P> = P extends true ? 'previous_value' | 'change_percentage' : never;

/** One row of an answer: the bucket, the columns that were grouped by, and the value. */
export type MetricRow<M extends MetricName, G, L, A> = Flat<Bucket<L> & Omit<Group<M, G>, Value<M, A>> & Values<M, A>>;

type Bucket<L> = [L] extends [never]
  ? { readonly date_level_not_set: true }
  : L extends DateLevelName
    ? { readonly [K in `${L}_date`]: string }
    : never;

type Group<M extends MetricName, G> = {
  readonly [K in (G | MetricTypes[M]['always']) & ColumnOf<M>]: ColumnTypes[MetricTypes[M]['table']][K];
};

type Value<M extends MetricName, A> = MetricTypes[M]['aggregation'] extends true
  ? A extends string
    ? `${Lowercase<A>}_${MetricTypes[M]['columns']}`
    : never
  : MetricTypes[M]['columns'];

type Values<M extends MetricName, A> = { readonly [K in Value<M, A>]: MetricTypes[M]['value'] };

/** Flattens a type into one object. */
type Flat<T> = T extends unknown ? { [K in keyof T]: T[K] } : never;
