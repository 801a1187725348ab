import type { MetricName, MetricRow } from './question.ts';

/** Values of filters that match nothing, as they were sent. */
export type UnmatchedValuesSent = Readonly<Record<string, readonly unknown[]>>;

/** What every answer says beside its content. */
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

/** Values beside those of the previous window. */
export interface AnsweredResults extends AnswerNotes {
  readonly results: readonly {
    readonly metric_name: string;
    readonly value: number | null;
    readonly group_by: Readonly<Record<string, unknown>>;
    readonly unit?: string;
    readonly previous_value: number | null;
    readonly change_percentage: number | null;
  }[];
  readonly meta: AnsweredMeta;
}

/** The lines of a chart: a number for each category. */
export interface AnsweredChart extends AnswerNotes {
  readonly series: readonly { readonly name: string; readonly data: readonly (number | null)[] }[];
  readonly categories: readonly string[];
  readonly meta: AnsweredMeta;
}

/** The answer in the form that the body asks for. */
export type AnswerTo<M extends MetricName, G, L, A, S, P> = [S] extends [true]
  ? AnsweredChart
  : [P] extends [true]
    ? AnsweredResults
    : AnsweredRows<MetricRow<M, G, L, A>>;
