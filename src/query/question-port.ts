import type { Ticket } from '../admission/ticket.ts';
import { Refusal } from '../refusal.ts';
import type { AnswerRow, Query, QuerySession } from './plan.ts';
import type { FlatColumn } from './shape/rows.ts';

export interface QuestionOptions {
  /** A heavy question does not keep light ones waiting. Light by default. */
  readonly lane?: 'light' | 'heavy' | undefined;
  /** In whose name statements wait and run, and for how long: the caller's, also for tables of other organisations. */
  readonly ticket?: Ticket | undefined;
}

/** A question as the engine gets it: its text, and the values that are bound to it. */
export interface ExplainedSql {
  readonly sql: string;
  readonly parameters: readonly (string | number | boolean | null)[];
}

/** What questions need of a warehouse, whichever engine it is. Questions never write. */
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
  /** What the engine said. */
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
