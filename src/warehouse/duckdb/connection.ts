import {
  type DuckDBConnection,
  type DuckDBMaterializedResult,
  type DuckDBPreparedStatement,
  DuckDBTimestampValue,
} from '@duckdb/node-api';
import { yieldIfDue } from '../../yield-to-event-loop.ts';
import { EngineError } from './engine-failures.ts';
import type { EngineStatement } from './statement.ts';

/** Why a statement was stopped: it took too long, its caller gave up, or it gave its place to others. */
export type Stop = 'late' | 'aborted' | 'gave way' | 'closed';

/** Thrown for a statement that was stopped on purpose. */
export class Stopped extends Error {
  readonly why: Stop;

  constructor(why: Stop, cause?: unknown) {
    super(`The statement was stopped: ${why}.`, { cause });
    this.why = why;
  }
}

interface StatementTerms {
  readonly seconds: number;
  readonly signal?: AbortSignal | undefined;
}

/** Beginning, and ending what only read, costs the engine nothing: neither waits for a place. */
export const atOnce: StatementTerms = { seconds: 3_600 };
export const begin: EngineStatement = { sql: 'BEGIN TRANSACTION', values: [] };
export const commit: EngineStatement = { sql: 'COMMIT', values: [] };
export const rollBack: EngineStatement = { sql: 'ROLLBACK', values: [] };

/** An interrupt that comes before the engine has begun is lost, so it is said again until it is heard. */
const interruptEveryMs = 20;

/**
 * One connection of the engine, for one task at a time. Statements are prepared for each use: a kept one keeps the plan
 * that the rows of its first day suggested, and gives garbage once there are others.
 */
export class EngineConnection {
  readonly #native: DuckDBConnection;
  #running: Promise<unknown> | undefined;
  #stop: ((why: Stop) => void) | undefined;
  #isClosed = false;

  constructor(native: DuckDBConnection) {
    this.#native = native;
  }

  /** Runs a statement; its whole answer is then in memory. */
  perform(statement: EngineStatement, terms: StatementTerms): Promise<DuckDBMaterializedResult> {
    if (this.#isClosed) return Promise.reject(new Stopped('closed'));
    const running = this.#stoppable(statement, terms);
    this.#running = running;
    return running;
  }

  /** Stops the statement that is running now, if there is one. */
  stop(why: Stop): void {
    this.#stop?.(why);
  }

  /** Stops what is running, waits until the engine has let go of it, and closes. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.stop('closed');
    await this.#running?.catch(() => {});
    this.#native.closeSync();
  }

  async #stoppable(
    { sql, values }: EngineStatement,
    { seconds, signal }: StatementTerms,
  ): Promise<DuckDBMaterializedResult> {
    let stopped: Stop | undefined;
    let insisting: NodeJS.Timeout | undefined;
    const stop = (why: Stop) => {
      if (stopped) return;
      stopped = why;
      this.#native.interrupt();
      insisting = setInterval(() => this.#native.interrupt(), interruptEveryMs);
    };
    const abort = () => stop('aborted');
    // The engine has no time limit of its own.
    const timer = setTimeout(() => stop('late'), seconds * 1_000);
    signal?.addEventListener('abort', abort);
    this.#stop = stop;
    try {
      if (signal?.aborted) throw new Stopped('aborted');
      // Planned and run in one: outside a transaction a commit between the two would leave a plan made for other rows.
      // A statement with values is planned when it runs, since only then are they known.
      if (values.length === 0) return await this.#native.run(sql);
      const prepared = await this.#native.prepare(sql);
      try {
        await bind(prepared, values);
        if (stopped) throw new Stopped(stopped);
        return await prepared.run();
      } finally {
        prepared.destroySync();
      }
    } catch (error) {
      if (stopped) throw new Stopped(stopped, error);
      throw error instanceof Stopped ? error : new EngineError(error);
    } finally {
      clearTimeout(timer);
      clearInterval(insisting);
      signal?.removeEventListener('abort', abort);
      this.#stop = undefined;
      this.#running = undefined;
    }
  }
}

/** Characters that are taken apart at once: many small texts together, or a large one by itself. */
const maxPieceLength = 64 * 1_024;

/** The first column of every row of an answer, which is text, some rows at a time. */
export async function* textsOf(answer: DuckDBMaterializedResult): AsyncGenerator<string[]> {
  const { chunkCount } = answer;
  let [texts, length] = [[] as string[], 0];
  for (let i = 0; i < chunkCount; i++) {
    // The whole answer is in memory: fetching from it would go through another thread for nothing.
    const chunk = answer.getChunk(i);
    const column = chunk.getColumnVector(0);
    for (let row = 0; row < chunk.rowCount; row++) {
      const text = column.getItem(row);
      if (typeof text !== 'string') continue;
      texts.push(text);
      length += text.length;
      if (length < maxPieceLength) continue;
      yield texts;
      await yieldIfDue();
      [texts, length] = [[], 0];
    }
  }
  if (texts.length > 0) yield texts;
}

/** The statement with its lists written into it, so that binding them keeps nobody waiting. */
export async function writeOut({ sql, values }: EngineStatement): Promise<EngineStatement> {
  const written: EngineStatement['values'][number][] = [];
  for (const value of values) {
    written.push(typeof value === 'function' ? value() : value);
    await yieldIfDue();
  }
  return { sql, values: written };
}

async function bind(statement: DuckDBPreparedStatement, values: EngineStatement['values']): Promise<void> {
  for (const [i, value] of values.entries()) {
    const given = typeof value === 'function' ? value() : value;
    if (given === null) statement.bindNull(i + 1);
    else if (typeof given === 'string') statement.bindVarchar(i + 1, given);
    else if (typeof given === 'boolean') statement.bindBoolean(i + 1, given);
    else if (given instanceof Date) {
      statement.bindTimestamp(i + 1, new DuckDBTimestampValue(BigInt(given.getTime()) * 1_000n));
    } else if (Number.isSafeInteger(given)) statement.bindBigInt(i + 1, BigInt(given));
    else statement.bindDouble(i + 1, given);
    await yieldIfDue();
  }
}
