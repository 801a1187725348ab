import type { Ticket } from '../admission/ticket.ts';
import type { FactTable } from '../catalogue/tables/all-tables.ts';
import { Refusal } from '../refusal.ts';
import type { FlatColumn } from './answer-columns.ts';
import type { AnswerRow, Query, QuerySession } from './plan.ts';

export interface QuestionOptions {
  /** A heavy question does not keep light ones waiting. Light by default. */
  readonly lane?: 'light' | 'heavy' | undefined;
  /** The ticket under which statements wait and run: the caller's, also for tables of other organisations. */
  readonly ticket?: Ticket | undefined;
}

/** A question as the engine gets it: its text, and the values that are bound to it. */
export interface ExplainedSql {
  readonly sql: string;
  readonly parameters: readonly (string | number | boolean | null)[];
}

/** The port through which questions read a warehouse, whichever engine it is. Questions never write. */
export interface QuestionPort {
  /** Answers questions, all from one state of an organisation's tables. */
  ask<T>(organisationId: string, work: (session: QuerySession) => Promise<T>, options?: QuestionOptions): Promise<T>;
  /**
   * All rows of an answer, however many, batch by batch: the next batch is made only when it is asked for. Ends early
   * only with an error; a caller that wants no more rows just stops asking.
   */
  answers(organisationId: string, query: Query, options?: QuestionOptions): AsyncIterable<AnswerRow[]>;
  /**
   * The same as JSON objects of these columns, one a line, some whole lines at a time. Undefined where the engine would
   * not write the bytes that an object has everywhere else.
   */
  lines(
    organisationId: string,
    query: Query,
    columns: readonly FlatColumn[],
    options?: QuestionOptions,
  ): AsyncIterable<Buffer> | undefined;
  explainSql(organisationId: string, query: Query): ExplainedSql;
  /**
   * The data version that questions are answered from now. It changes with every change of the tables. Undefined
   * while it is not known: nothing is to be kept by it then.
   */
  versionOf(organisationId: string): number | undefined;
  /** When anything of an organisation last changed; undefined where nothing was ever stored. */
  changedAt(organisationId: string): Promise<Date | undefined>;
}

/**
 * The tables of one organisation cannot be read: their file is damaged, closed to this process, or no database. Those of
 * all others can. What the engine said is for the log alone.
 */
export class UnreadableTables extends Refusal {
  /** The error text of the engine. */
  readonly problem: string;

  constructor(organisationId: string, cause: unknown) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    super(
      'unavailable',
      'The tables of this organisation cannot be read at the moment. The log of the service says why, and `plumb verify` what is damaged.',
      { retryAfterSeconds: 30, cause: new Error(`organisation ${organisationId}: ${problem}`, { cause }) },
    );
    this.problem = problem;
  }
}

/** The state of the copies of a directory in the tables. Questions wait for them and publish nothing. */
export interface PublishedDirectory {
  /** Resolves once the tables show the directory as it is now. Refused (503) when the caller has no waiting time left. */
  whenPublished(organisationId: string, ticket?: Ticket): Promise<void>;
  /** Whether the tables have shown the directory since the start, or are found to show it. Waits for no publication. */
  isPublished(organisationId: string, asked: { readonly ticket?: Ticket | undefined }): Promise<boolean>;
  /** Whether an organisation has tables at all. */
  hasTables(organisationId: string): boolean;
}

/** From when to when some tables are complete, in seconds since 1970. The same for everyone in the organisation. */
export interface Extent {
  /** The moment up to which the rows are complete, of several tables the earliest. Undefined where there is none. */
  readonly through: number | undefined;
  /** The beginning of the history, of several tables the latest. Undefined without rows. */
  readonly since: number | undefined;
  /** Streams that feed the tables and do not count, for people: "pull requests of acme/web (GitHub)". Mostly none. */
  readonly missing: readonly string[];
}

export interface ExtentReader {
  readonly ticket?: Ticket | undefined;
}

/** How far the data of an organisation reach. Kept by table and version of the data: asking again asks no engine. */
export interface DataExtent {
  of(organisationId: string, tables: readonly FactTable[], reader?: ExtentReader): Promise<Extent>;
  /** The extent at once, where it is in memory and still holds. */
  known(organisationId: string, tables: readonly FactTable[]): Extent | undefined;
}
