import { Refusal } from '../refusal.ts';
import type { Turn } from '../turns/turn.ts';
import type { AnswerRow, Asking, Query } from './plan.ts';
import type { FlatColumn } from './shape/rows.ts';

export interface AskOptions {
  /** Stops what is running and what waits to run. */
  readonly signal?: AbortSignal | undefined;
  readonly lane?: 'light' | 'heavy' | undefined;
  /** The key that asks, so that what one key takes can be bounded. */
  readonly keyId?: string | undefined;
  /** In whose name the question waits: the caller's, whosever tables are asked. */
  readonly turn?: Turn | undefined;
}

/** What questions are put to: the tables of every organisation, whichever engine holds them. */
export interface Tables {
  /** Answers questions, all from one state of an organisation's tables. */
  ask<T>(organisationId: string, work: (asking: Asking) => Promise<T>, options?: AskOptions): Promise<T>;
  /** All rows of an answer, however many, batch by batch. */
  answers(organisationId: string, query: Query, options?: AskOptions): AsyncIterable<AnswerRow[]>;
  /**
   * The same as JSON objects of these columns, one a line, some whole lines at a time. Undefined where the engine would
   * not write the bytes that an object has everywhere else.
   */
  lines(
    organisationId: string,
    query: Query,
    columns: readonly FlatColumn[],
    options?: AskOptions,
  ): AsyncIterable<Buffer> | undefined;
  /** What a question is to the engine. */
  explainSql(organisationId: string, query: Query): { readonly sql: string; readonly parameters: readonly unknown[] };
  /** Changes with every change of what an organisation's questions are answered from. */
  versionOf(organisationId: string): number;
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
