import type { Ticket } from '../admission/ticket.ts';
import type { Row, RowOf, Table, Value } from '../catalogue/table.ts';
import type { QuestionOptions } from '../query/question-port.ts';

/**
 * A condition on rows as plain data, so that every engine can say it in its own words. It may name only the columns
 * `C`.
 */
export type Condition<C extends string = string, L = Value> =
  | { readonly all: readonly Condition<C, L>[] }
  | { readonly any: readonly Condition<C, L>[] }
  /** A null equals nothing here. */
  | { readonly column: C; readonly in: readonly Value[] }
  /** Several columns at once; a null equals a null. */
  | { readonly columns: readonly C[]; readonly among: readonly (readonly Value[])[] }
  | { readonly column: C; readonly atLeast: L }
  | { readonly column: C; readonly atMost: L }
  | { readonly column: C; readonly below: L }
  /** Rows of these keys, each of which meets a condition that is about the span of its own key. */
  | { readonly key: C; readonly spans: readonly KeySpan[]; readonly holds: ConditionOnSpan<C> }
  | { readonly column: C; readonly isNull: boolean };

/** A condition that may compare with the ends of a span. */
export type ConditionOnSpan<C extends string = string> = Condition<C, Value | SpanEnd>;

/** One end of the span that is given for the key of a row, inside the condition of spans. */
export interface SpanEnd {
  readonly end: 'from' | 'until';
}

/** A key occurs once. An end that the condition does not name is null. */
export interface KeySpan {
  readonly key: string | null;
  readonly from: number | null;
  readonly until: number | null;
}

export const isSpanEnd = (value: Value | SpanEnd): value is SpanEnd => typeof value === 'object' && value !== null;

/** What a condition says of one span. */
export function conditionIn(where: ConditionOnSpan, span: KeySpan): Condition {
  if ('all' in where) return { all: where.all.map((part) => conditionIn(part, span)) };
  if ('any' in where) return { any: where.any.map((part) => conditionIn(part, span)) };
  const limit = (value: Value | SpanEnd): Value => (isSpanEnd(value) ? span[value.end] : value);
  if ('atLeast' in where) return { column: where.column, atLeast: limit(where.atLeast) };
  if ('atMost' in where) return { column: where.column, atMost: limit(where.atMost) };
  return 'below' in where ? { column: where.column, below: limit(where.below) } : where;
}

type NameIn<T extends Table> = keyof RowOf<T> & string;
type Picked<T extends Table, C extends NameIn<T>> = Pick<RowOf<T>, C>;

/** Times in seconds since 1970, days as `YYYY-MM-DD`; null where no row has any. */
export interface ColumnExtremes {
  readonly first: Value;
  readonly last: readonly Value[];
}

/** A value that is computed from those of a column. */
export type ColumnMeasure<C extends string = string> =
  | { readonly median: C }
  | { readonly min: C }
  | { readonly max: C };

/** Reads one state of an organisation's tables. What is committed meanwhile stays unseen. */
export interface TableReader {
  select<T extends Table, C extends NameIn<T>>(
    table: T,
    columns: readonly C[],
    where?: Condition,
  ): Promise<Picked<T, C>[]>;
  /** How many rows there are of each combination of some columns. */
  tally<T extends Table, C extends NameIn<T>>(
    table: T,
    by: readonly C[],
    where?: Condition,
  ): Promise<(Picked<T, C> & { readonly rows: number })[]>;
  /** The median (linear), the smallest or the largest value of a column for each combination of others. */
  summarise<T extends Table, C extends NameIn<T>>(
    table: T,
    by: readonly C[],
    measure: ColumnMeasure<NameIn<T>>,
    where?: Condition,
  ): Promise<(Picked<T, C> & { readonly value: number | null })[]>;
  /** How many rows there are on each day (UTC) of the column that rows are sorted by, earliest first. */
  rowsByDay(table: Table): Promise<{ readonly from: number | null; readonly rows: number }[]>;
  /** The first time of the column that rows are sorted by, and the last of each of the columns that a window can be about. */
  extremes(table: Table): Promise<ColumnExtremes>;
  /** The version of the directory that the copies in this warehouse show. */
  directoryVersion(): Promise<number>;
  /** The version of the rules that derived the columns here; 0 where nothing was ever derived. */
  derivationVersion(): Promise<number>;
}

/** The change of one table. A row occurs once. */
export interface TableChanges {
  readonly table: Table;
  /** Rows by their keys. */
  readonly removed: readonly Row[];
  /** Whole rows, each in the place of the one with its key. */
  readonly put: readonly Row[];
  /** Whole rows under keys that are not stored. */
  readonly added: readonly Row[];
  /** Some columns of stored rows. A row gives its key and those columns. */
  readonly patches: readonly { readonly columns: readonly string[]; readonly rows: readonly Row[] }[];
}

/** Changes an organisation's tables, all of it or none. Reads its own writes. */
export interface TableWriter extends TableReader {
  /** Everything that a change does to the tables, or a part of it where a change outgrows memory. */
  flush(changes: readonly TableChanges[]): Promise<void>;
  setDirectoryVersion(version: number): Promise<void>;
  setDerivationVersion(version: number): Promise<void>;
  /** Says that no copies of the directory are written from now on: others may change those meanwhile. */
  leaveCopies?(): Promise<void>;
}

export type ReadOptions = Pick<QuestionOptions, 'lane' | 'ticket'>;

export interface ChangeOptions {
  /** The ticket under which the change waits for its turn. A change that has begun runs to its end, unless it may be stopped. */
  readonly ticket?: Ticket | undefined;
  /**
   * For changes that somebody makes again who stops them: their signal ends them also where they have begun, with nothing of
   * them kept. An engine that undoes nothing lets them end.
   */
  readonly mayBeStopped?: boolean | undefined;
  /** For changes that readers wait for: they go before other work of the service. */
  readonly isFirst?: boolean | undefined;
  /** For changes of copies of the directory alone: they need not wait for one that leaves those to others. */
  readonly isOfCopies?: boolean | undefined;
}

export interface StreamOptions {
  readonly signal?: AbortSignal | undefined;
  /** Rows in one batch, about. */
  readonly batchRows?: number | undefined;
}

/**
 * What intake needs of a warehouse, whichever engine it is: reads of what is stored, and atomic changes. Changes of one
 * organisation run one after another; readers never wait for them and see all of a change or nothing of it.
 */
export interface IntakePort {
  read<T>(organisationId: string, work: (reader: TableReader) => Promise<T>, options?: ReadOptions): Promise<T>;
  change<T>(organisationId: string, work: (writer: TableWriter) => Promise<T>, options?: ChangeOptions): Promise<T>;
  /**
   * The rows of a table, batch by batch, all of one state: by the column that the table is kept in the order of, then by
   * key. Ends early only with an error.
   */
  stream<T extends Table, C extends NameIn<T>>(
    organisationId: string,
    table: T,
    columns: readonly C[],
    options?: StreamOptions,
  ): AsyncIterable<Picked<T, C>[]>;
  /** Everyone for whom something was ever stored. */
  organisations(): Promise<string[]>;
  /** Whether anything was ever stored for an organisation. */
  holds(organisationId: string): boolean;
  /** Forgets an organisation and everything that was stored for it. */
  remove(organisationId: string): Promise<void>;
}
