import type { MetricName, MetricRow } from './question.ts';

/** Values of filters that match nothing, as they were sent. */
export type UnmatchedValuesSent = Readonly<Record<string, readonly unknown[]>>;

/** The facts that every answer has in its headers. */
export interface AnswerNotes {
  /** Whether there are more rows or series than these. */
  readonly isTruncated: boolean;
  /** How many there are, where not all of them are here. */
  readonly total: number | undefined;
  readonly unmatched: UnmatchedValuesSent;
}

export interface AnsweredRows<R> extends AnswerNotes {
  readonly rows: readonly R[];
}

interface AnsweredDates {
  readonly start_date: string;
  readonly end_date: string;
}

interface AnsweredMeta {
  readonly filters: Readonly<Record<string, unknown>>;
  readonly date_range?: AnsweredDates;
  readonly previous_date_range?: AnsweredDates;
  readonly data_through?: string;
  readonly data_missing?: readonly string[];
  readonly unit?: string;
}

interface AnsweredResult {
  readonly metric_name: string;
  readonly value: number | null;
  readonly group_by: Readonly<Record<string, unknown>>;
  readonly unit?: string;
  readonly previous_value: number | null;
  readonly change_percentage: number | null;
}

/** From where to where chance alone moves a value, each end null where there is none. */
type LikelyRange = readonly [low: number | null, high: number | null];

/** The verdict about the change of a value. */
export interface JudgedChange {
  /** How many values the value is made of; of a rate what it divides by; of a count the count itself. */
  readonly n: number | null;
  readonly previous_n: number | null;
  readonly range: LikelyRange | null;
  readonly previous_range: LikelyRange | null;
  /** Null where a change of such a number says nothing. */
  readonly verdict: 'up' | 'down' | 'about_the_same' | 'too_close' | 'too_few' | 'no_comparison' | null;
  /** Whether up or down is the good side of the metric, where it has one. */
  readonly is_better: boolean | null;
}

/** Values beside those of the previous window, with what may be said of each change where that is asked for. */
export interface AnsweredResults<V = false> extends AnswerNotes {
  readonly results: readonly (AnsweredResult & ([V] extends [true] ? JudgedChange : unknown))[];
  readonly meta: AnsweredMeta;
}

/** A value beside those of the other organisations. */
export interface AnsweredBenchmark extends AnswerNotes {
  readonly results: readonly {
    readonly metric_name: string;
    readonly value: number | null;
    readonly benchmark_p25: number | null;
    readonly benchmark_p50: number | null;
    readonly benchmark_p75: number | null;
    /** Where the value stands among the others, 0 to 100 in steps of 5. */
    readonly percentile: number | null;
    /** An alias of benchmark_p50. */
    readonly benchmark_value: number | null;
    readonly unit?: string;
  }[];
  readonly meta: Omit<AnsweredMeta, 'previous_date_range' | 'unit'> & {
    /** By what durations and sizes are compared; null for rates and counts. */
    readonly aggregation: string | null;
    /** On how many other organisations the quartiles rest. */
    readonly organisations: number;
    /** There where there are fewer: then the quartiles are null. */
    readonly organisations_needed?: number;
    /** How many of the others could not be read and are left out. */
    readonly organisations_unreadable?: number;
  };
}

/** The lines of a chart: a number for each category. */
export interface AnsweredChart extends AnswerNotes {
  readonly series: readonly { readonly name: string; readonly data: readonly (number | null)[] }[];
  readonly categories: readonly string[];
  readonly meta: AnsweredMeta;
}

/** The answer in the form that the body asks for. */
export type AnswerTo<M extends MetricName, G, L, A, S, P, V> = [S] extends [true]
  ? AnsweredChart
  : [P] extends [true]
    ? AnsweredResults<V>
    : AnsweredRows<MetricRow<M, G, L, A>>;
