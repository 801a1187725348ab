import type { DateLevel, TimeZone } from '../calendar.ts';
import type { PeopleChoice, RowFilter } from '../catalogue/filters.ts';
import type { Metric, ValueColumn } from '../catalogue/metric.ts';
import type { FieldType } from '../catalogue/record.ts';
import type { Aggregation } from '../expression/expression.ts';
import type { OrderBy } from './plan.ts';
import { isWholeDays, type Window, wholeDays, windowBefore } from './request-window.ts';

/** One metric of a request, with its own fields. */
export interface RequestedMetric {
  readonly metric: Metric;
  readonly aggregation: Aggregation | undefined;
  /** The column that the window and the buckets are about; none where time makes no sense. */
  readonly dateColumn: string | undefined;
  readonly minimumValue: number;
  readonly values: readonly ValueColumn[];
}

/** The form of the answer. */
export type AnswerForm = 'rows' | 'results' | 'series';

export interface RequestedFilters {
  readonly rows: ReadonlyMap<RowFilter, readonly (string | number)[]>;
  readonly people: PeopleChoice;
  /** The filters in the caller's words, for the answer to repeat. */
  readonly written: Readonly<Record<string, unknown>>;
  /** Every value that may turn out to match nothing at all. */
  readonly sent: readonly SentValue[];
}

/** One value of a filter, as it was read and as the caller sent it. */
export interface SentValue {
  readonly filter: string;
  readonly value: string | number;
  /** The filter may have been sent under another name. */
  readonly sentFilter: string;
  readonly sentValue: unknown;
}

/** A request that was read and found valid. */
export interface MetricRequest {
  readonly metrics: readonly RequestedMetric[];
  /** Whether several metrics were asked for at once: then order and limit are not the caller's. */
  readonly isMultiple: boolean;
  readonly filters: RequestedFilters;
  readonly zone: TimeZone;
  /** Absent where none of the metrics knows time. */
  readonly window: Window | undefined;
  /** The window to compare with, where the caller chose one. */
  readonly chosenBefore?: Window | undefined;
  readonly level: DateLevel | undefined;
  readonly groupBy: readonly string[];
  readonly form: AnswerForm;
  readonly order: OrderBy | undefined;
  readonly limit: number;
  /** How intervals are written that rows are grouped by: `PT26H4M5S`, or as seconds. */
  readonly durations: DurationStyle;
  /** Whether every value comes with n: how many rows have it, or how many values it is made of. */
  readonly showsN: CountedN;
  /** Whether every value comes with what may be said of its change. */
  readonly showsVerdict: boolean;
}

/** `values`: as for verdicts, of a count the count itself, and of a rate what it divides by. */
export type CountedN = boolean | 'values';

export const durationStyles = ['iso', 'seconds'] as const;
export type DurationStyle = (typeof durationStyles)[number];

/** One column of an answer. */
export type AnswerColumn =
  | { readonly role: 'bucket'; readonly name: string; readonly type: 'date' }
  | { readonly role: 'group'; readonly name: string; readonly type: FieldType }
  | {
      readonly role: 'value';
      readonly name: string;
      readonly type: 'number' | 'text';
      readonly metric: Metric;
      readonly value: ValueColumn;
    }
  /** How many rows have the value of a metric; where its change is judged, how many values one of its values is made of. */
  | {
      readonly role: 'n';
      readonly name: string;
      readonly type: 'integer';
      readonly metric: Metric;
      readonly value?: ValueColumn;
    }
  /** One end of the range within which chance alone moves a metric's value. */
  | {
      readonly role: 'rank';
      readonly name: string;
      readonly type: 'number';
      readonly metric: Metric;
    };

type Windowed = Pick<MetricRequest, 'window' | 'zone'>;

/**
 * The window of one metric. Rows with a day and no time count with every day that the window touches, and so do the rows
 * that they are compared with.
 */
export function windowOf({ metric, dateColumn }: RequestedMetric, { window, zone }: Windowed): Window | undefined {
  const isOfDays = dateColumn !== undefined && metric.table.columns[dateColumn]?.type === 'date';
  return window && isOfDays ? wholeDays(window, zone) : window;
}

/** The window that a window of a request is compared with: the one that the caller chose, else the one before it. */
export const comparedWith = (window: Window, { chosenBefore, zone }: Pick<MetricRequest, 'chosenBefore' | 'zone'>) =>
  chosenBefore ?? windowBefore(window, zone);

/** The window that an answer names: that of instants where some of its metrics look at instants, else whole days. */
export function namedWindow(asked: Windowed & Pick<MetricRequest, 'metrics'>): Window | undefined {
  const windows = asked.metrics.map((one) => windowOf(one, asked));
  return windows.find((window) => window && !isWholeDays(window, asked.zone)) ?? windows[0];
}
