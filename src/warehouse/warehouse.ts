import type { Row, RowOf, Table, Value } from '../catalogue/table.ts';
import type { AnswerRow, Asking, Query } from '../query/plan.ts';
import type { FlatColumn } from '../query/shape/rows.ts';
import type { Turn } from '../turns/turn.ts';

/** Which rows: plain data, so that every engine can say it in its own words. */
export type Condition =
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly column: string; readonly in: readonly Value[] }
  /** Several columns at once; a null equals a null. */
  | { readonly columns: readonly string[]; readonly among: readonly (readonly Value[])[] }
  | { readonly column: string; readonly atLeast: Value }
  | { readonly column: string; readonly atMost: Value }
  | { readonly column: string; readonly isNull: boolean };

type NameIn<T extends Table> = keyof RowOf<T> & string;
export type Picked<T extends Table, C extends NameIn<T>> = Pick<RowOf<T>, C>;

/** Reads one state of an organisation's tables. What is committed meanwhile stays unseen. */
export interface Reading {
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
  /** The median (linear) or the largest value of a column for each combination of others. */
  summarise<T extends Table, C extends NameIn<T>>(
    table: T,
    by: readonly C[],
    measure: { readonly median: NameIn<T> } | { readonly max: NameIn<T> },
    where?: Condition,
  ): Promise<(Picked<T, C> & { readonly value: number | null })[]>;
  /** How many rows there are on each day (UTC) of the column that rows are kept in the order of, earliest first. */
  rowsByDay(table: Table): Promise<{ readonly from: number | null; readonly rows: number }[]>;
  /** The version of the directory that the copies in this warehouse show. */
  directoryVersion(): Promise<number>;
  /** The version of the rules that what is derived here was derived by; 0 where nothing ever was. */
  derivationVersion(): Promise<number>;
}

/** What a change does to one table. A row occurs once. */
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

/** Changes an organisation's tables, all of it or none. */
export interface Writing extends Reading {
  /**
   * Whole rows, each in the place of the one with its key. Where it is known that there is none, `areNew` saves looking
   * for it; each key then occurs once.
   */
  put<T extends Table>(table: T, rows: readonly RowOf<T>[], options?: { readonly areNew?: boolean }): Promise<void>;
  /** Some columns of rows that are there already. A row gives its key and those columns. */
  patch<T extends Table>(table: T, columns: readonly NameIn<T>[], rows: readonly Row[]): Promise<void>;
  /** Rows by key, or by any other condition. Those that are not there are no mistake. */
  remove(table: Table, where: Condition): Promise<void>;
  /** Everything that a change does to the tables, or a part of it where a change outgrows memory. */
  flush(changes: readonly TableChanges[]): Promise<void>;
  setDirectoryVersion(version: number): Promise<void>;
  setDerivationVersion(version: number): Promise<void>;
}

export interface ReadOptions {
  /** Stops what is running and what waits to run. */
  readonly signal?: AbortSignal | undefined;
  /** What is known to take long does not keep what is quick from its answer. Light, unless it is said. */
  readonly lane?: 'light' | 'heavy' | undefined;
  /** The key that asks, so that what one key takes can be bounded. */
  readonly keyId?: string | undefined;
  /** In whose name statements wait, which need not be the organisation whose tables are read, and for how long. */
  readonly turn?: Turn | undefined;
}

export interface ChangeOptions {
  /** Ends the wait for the turn. A change that has begun is made to its end. */
  readonly signal?: AbortSignal | undefined;
  /** In whose name the change waits for its turn, and for how long. The service's own changes have none. */
  readonly turn?: Turn | undefined;
  /** For changes that readers wait for: they go before other work of the service. */
  readonly isFirst?: boolean | undefined;
  /** Told when the turn has come. */
  readonly begun?: (() => void) | undefined;
}

export interface ExplainedSql {
  readonly sql: string;
  readonly parameters: readonly (string | number | boolean | null)[];
}

export interface StreamOptions {
  readonly signal?: AbortSignal | undefined;
  /** Rows in one batch, about. */
  readonly batchRows?: number | undefined;
}

/** A folder that goes away, and how much may be written into it. */
export interface Scratch {
  readonly folder: string;
  /** What one caller can take at most. */
  readonly bytesMost: number;
  /** To be called before so many bytes are written. Waits for room, for a while. */
  take(bytes: number): Promise<void>;
  giveBack(bytes: number): void;
  remove(): Promise<void>;
}

/** What a table holds, in two numbers that do not depend on the order of rows. Equal digests mean equal rows. */
export interface TableDigest {
  readonly table: string;
  readonly rows: number;
  readonly digest: string;
}

/** One table as a Parquet file. */
export interface TableCopy {
  readonly table: string;
  readonly path: string;
  readonly rows: number;
}

/**
 * The tables of what happened, apart for each organisation. Writes of one organisation run one after another; readers
 * never wait for them and see all of a change or nothing of it.
 */
export interface Warehouse {
  readonly engine: 'duckdb';
  read<T>(organisationId: string, work: (session: Reading) => Promise<T>, options?: ReadOptions): Promise<T>;
  change<T>(organisationId: string, work: (session: Writing) => Promise<T>, options?: ChangeOptions): Promise<T>;
  /** Answers questions, all from one state of an organisation's tables. */
  ask<T>(organisationId: string, work: (asking: Asking) => Promise<T>, options?: ReadOptions): Promise<T>;
  /**
   * All rows of an answer, however many, batch by batch: the next one is not made before it is asked for. Ends early
   * only with an error; whoever wants no more rows just stops asking.
   */
  answers(organisationId: string, query: Query, options?: ReadOptions): AsyncIterable<AnswerRow[]>;
  /**
   * The same as JSON objects of these columns, one a line, some whole lines at a time. Undefined where the engine would
   * not write the bytes that an object has everywhere else.
   */
  lines(
    organisationId: string,
    query: Query,
    columns: readonly FlatColumn[],
    options?: ReadOptions,
  ): AsyncIterable<Buffer> | undefined;
  /** What a question is to the engine: its text, and the values that are bound to it. */
  explainSql(organisationId: string, query: Query): ExplainedSql;
  /** Changes with every change of what an organisation's questions are answered from. */
  versionOf(organisationId: string): number;
  /** When anything of an organisation last changed; undefined where nothing was ever kept. */
  changedAt(organisationId: string): Promise<Date | undefined>;
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
  /** Everyone for whom something was ever kept. */
  organisations(): Promise<string[]>;
  /** Whether anything was ever kept for an organisation. */
  holds(organisationId: string): boolean;
  /** Brings rows back into the order that makes a window of time cheap, where enough of them have strayed. */
  tidy(organisationId: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<void>;
  /** Forgets an organisation and everything that was kept for it. */
  remove(organisationId: string): Promise<void>;
  checksum(organisationId: string): Promise<TableDigest[]>;
  /** Reads everything, so that damage is found where no question has met it yet. Says what is wrong, in sentences. */
  check(organisationId: string): Promise<string[]>;
  /** An empty folder in which copies can be made and left for `copyIn`: the engine can reach no other. */
  makeCopyFolder(): Promise<string>;
  /** A folder for files that an answer is made of on its way out, with the room that they take on the disk. */
  makeScratch(organisationId: string, options?: ReadOptions): Promise<Scratch>;
  /** What answers take of the disk while they wait to be read, in bytes, for whoever watches. */
  readonly spooledBytes: number;
  /** Every table of one state, each as a file in such a folder. */
  copyOut(organisationId: string, folder: string, options?: ReadOptions): Promise<TableCopy[]>;
  /** Fills a warehouse that holds nothing yet from the files that `copyOut` wrote, all of it or nothing. */
  copyIn(organisationId: string, folder: string): Promise<TableCopy[]>;
  close(): Promise<void>;
}
