import type { ScopedTable } from '../access/scope.ts';
import type { ClockPiece, DateLevel } from '../calendar.ts';
import type { FilterPredicate, PeopleChoice, PeopleFilter, ValuePredicate } from '../catalogue/filters.ts';
import type { GroupColumn } from '../catalogue/group-columns.ts';
import type { AggregateNode, RowNode } from '../expression/expression.ts';

/** The window of rows: seconds for timestamps and days for dates, so that no engine needs to know time zones. */
export type Span =
  | { readonly type: 'timestamp'; readonly column: string; readonly from: number; readonly until: number }
  | { readonly type: 'date'; readonly column: string; readonly from: string; readonly to: string };

/** Groups rows by the day, week … of the span's column, in the time zone of the organisation. */
export interface BucketBy {
  readonly level: DateLevel;
  readonly as: string;
  /** Pieces of the span with the distance of the clocks from UTC. None for dates, which have no clock. */
  readonly clock: readonly ClockPiece[];
}

/** The conditions of a row filter. */
export interface RowChoice {
  readonly predicate: FilterPredicate;
  readonly values: readonly (string | number)[];
}

export type Measure =
  | { readonly as: string; readonly type: 'number' | 'text'; readonly value: AggregateNode }
  /** The people of whom it holds, divided by everyone onboarded, or by those with one of some activities. */
  | {
      readonly as: string;
      readonly type: 'share';
      readonly people: RowNode;
      readonly activities: readonly Activity[] | undefined;
    }
  /** How many people such a share divides by: beside the share, or alone. */
  | { readonly as: string; readonly type: 'population'; readonly activities: readonly Activity[] | undefined };

/** Something that people did, in the same span of time and the same buckets as the rows of the plan. */
export interface Activity {
  readonly from: ScopedTable;
  readonly span: Span;
  readonly bucket: BucketBy | undefined;
  /** A column that has to be true. */
  readonly onlyIf: string | undefined;
}

/** The values of a metric below its minimum become empty. A metric with several values is compared by the leading one. */
export interface MinimumValue {
  readonly leading: string;
  readonly columns: readonly string[];
  readonly minimum: number;
  readonly ofNothing: 0 | null;
}

/** A query over one table: who may see it, which rows, how they are grouped, and what is aggregated of each group. */
export interface Plan {
  readonly from: ScopedTable;
  readonly span: Span | undefined;
  readonly bucket: BucketBy | undefined;
  readonly groupBy: readonly GroupColumn[];
  readonly rows: readonly RowChoice[];
  readonly people: PeopleChoice;
  readonly measures: readonly Measure[];
  /** A row stays when one of its metrics reaches its minimum; the values of the other metrics become empty. */
  readonly minimumValues: readonly MinimumValue[];
  /**
   * Rows that do not count, in the place of those that do: of people who are known and not onboarded, or of bot accounts
   * where only people are asked about.
   */
  readonly leftOut?: 'not-onboarded' | 'bot' | undefined;
}

export interface OrderBy {
  readonly column: string;
  readonly direction: 'asc' | 'desc';
}

/**
 * A question: one plan, or several that meet in their buckets and groups. The answer's columns are the bucket, the
 * groups, and the measures of all plans. It is in order, and complete unless it is limited.
 */
export interface Query {
  readonly plans: readonly Plan[];
  /** Every measure, in the order in which the answer has them. */
  readonly values: readonly string[];
  readonly order: readonly OrderBy[];
  readonly limit: number | undefined;
  /** Whether each row ends with one more cell: how many rows the answer has without its limit. */
  readonly isCounted?: boolean | undefined;
}

/** Grouped by its key every row is a group of its own, and so is each of its person's memberships. */
export function isRowExport({ from, groupBy }: Plan): boolean {
  const names = new Set(groupBy.map(({ name }) => name));
  return from.table.key.every((part) => names.has(part)) && !from.table.publicKey;
}

/** A column of an answer as the engine gives it. */
export type Cell = string | number | boolean | null;
export type AnswerRow = readonly Cell[];

/** Asks which values of a filter exist, in rows or people that the caller may see. */
export type Lookup =
  | { readonly places: readonly LookupPlace[]; readonly values: readonly string[] }
  | {
      readonly from: ScopedTable;
      readonly people: PeopleFilter;
      readonly values: readonly (string | number)[];
    };

/** Rows with the bytes that they take as the engine gives them, about. */
export interface MeasuredRows {
  /** Undefined where they take too many bytes. */
  readonly rows: AnswerRow[] | undefined;
  readonly bytes: number;
  /** How many rows there are, also where they take too many bytes. */
  readonly count: number;
}

/** A table in which values of a filter can be. */
export interface LookupPlace {
  readonly from: ScopedTable;
  readonly predicate: ValuePredicate;
}

/** Queries that are answered from one state of an organisation's tables. */
export interface QuerySession {
  /** Rows of a limited answer, all at once. */
  rows(query: Query): Promise<AnswerRow[]>;
  /**
   * The same, unless the rows take more bytes than that: then no row leaves the engine, which only says how many bytes
   * they take at least.
   */
  rowsWithin(query: Query, maxBytes: number): Promise<MeasuredRows>;
  /** How many rows the whole answer has. */
  count(query: Query): Promise<number>;
  /** How many rows of the table the answer is computed from. */
  rowsRead(plan: Plan): Promise<number>;
  /** How many answers to anonymous surveys it leaves out, because they are in no reporting group that is selected whole. */
  suppressed(plan: Plan): Promise<number>;
  /** The values that exist. */
  found(lookup: Lookup): Promise<(string | number)[]>;
}
