import type { DuckDBMaterializedResult } from '@duckdb/node-api';
import { type Ticket, WaitingTime, waitFor } from '../../admission/ticket.ts';
import { Refusal } from '../../refusal.ts';
import {
  atOnce,
  begin,
  commit,
  type EngineConnection,
  rollBack,
  type Stop,
  Stopped,
  textsOf,
  writeOut,
} from './connection.ts';
import type { Lane, Lanes, Leave } from './lanes.ts';
import { beingChanged, type CommitWatch, type ReadGate } from './organisation-lock.ts';
import type { EngineStatement } from './statement.ts';

export interface TaskTerms {
  /** The organisation whose tables are read. */
  readonly organisationId: string;
  /** The ticket under which statements wait for a place, and run. */
  readonly ticket: Ticket;
  readonly lane: Lane;
  /** How long one statement may run. */
  readonly seconds: number;
  /** The gate that statements reading the same file pass, so that a large change can be committed without them. */
  readonly gate: ReadGate;
  /** The commits in the same file. */
  readonly commits: CommitWatch;
}

/**
 * While a transaction is committed that has added as many rows as a row group holds with one statement, DuckDB shows
 * them to every statement that runs meanwhile, also to those of transactions that began before, together with the rows
 * that they replace: 1,000,000 rows were counted where 500,000 were replaced. Smaller statements do no such harm, however
 * many of them there are.
 */
const largeChange = 100_000;
/** How long a large change waits for a moment without readers before it makes one. */
const politeMs = 2_000;

/** The source of a task's connection. */
interface Connections {
  take(): Promise<EngineConnection>;
}

/**
 * Statements on one private connection: one transaction, or each by itself where `begin` is not called. Each of its statements waits for a place in its lane, and is stopped when
 * it takes too long or when the caller gives up. The connection is taken once the first statement has its place: a
 * thousand tasks that only wait cost the engine nothing, and neither do those that are turned away.
 */
export class Task {
  readonly #connections: Connections;
  readonly #lanes: Lanes;
  readonly #terms: TaskTerms;
  #lane: Lane;
  #connection: EngineConnection | undefined;
  #opening: Promise<EngineConnection> | undefined;
  #isTransaction = false;
  /** Whether a statement had its place already. */
  #hasBegun = false;
  #hasRead = false;
  #isOpen = false;
  #isLargeChange = false;
  #isDirectoryChange = false;
  #hasChanged = false;
  #statements = 0;
  /** A change that is still being made. */
  #underWay: Promise<unknown> | undefined;

  constructor(connections: Connections, lanes: Lanes, terms: TaskTerms) {
    this.#connections = connections;
    this.#lanes = lanes;
    this.#terms = terms;
    this.#lane = terms.lane;
  }

  /** The connection, where one was needed so far. The creator of the task gives it back. */
  get connection(): EngineConnection | undefined {
    return this.#connection;
  }

  /** How many statements were begun. */
  get statements(): number {
    return this.#statements;
  }

  /** Whether a statement was run that may have written something. */
  get hasChanged(): boolean {
    return this.#hasChanged;
  }

  /** The copies of the directory are among what this task changes. */
  markDirectoryChange(): void {
    this.#isDirectoryChange = true;
  }

  /** Everything from here on is one transaction. The engine learns of it with the first statement. */
  begin(): void {
    this.#isTransaction = true;
  }

  async commit(): Promise<void> {
    await this.#settled();
    if (!this.#isOpen || !this.#connection) return;
    if (this.#lane !== 'writing') await this.#connection.perform(commit, atOnce);
    else await this.#commitChange(this.#connection);
    this.#isOpen = false;
  }

  /** Whether the connection is as it was before. The engine may have ended the transaction itself. */
  async rollBack(): Promise<boolean> {
    // Whether it was made is of no account any more.
    await this.#settled().catch(() => {});
    if (!this.#isOpen || !this.#connection) return true;
    this.#isOpen = false;
    return this.#connection.perform(rollBack, atOnce).then(
      () => true,
      (error: unknown) => error instanceof Error && /no transaction is active/.test(error.message),
    );
  }

  /** Goes on after an error, which ended the transaction. What is read from here on may be a later state. */
  async startOver(): Promise<void> {
    await this.rollBack();
    this.#opening = undefined;
  }

  async run(statement: EngineStatement): Promise<void> {
    this.#hasChanged = true;
    await this.#settled();
    await this.#perform(statement);
  }

  /**
   * Makes a change, and does not wait for it: while the engine is at it, what comes next can be worked out. Whatever is
   * asked next waits for it, and fails with it, the commit at the latest.
   */
  async startChange(statement: EngineStatement): Promise<void> {
    this.#hasChanged = true;
    const written = await writeOut(statement);
    await this.#settled();
    const underWay = this.#perform(written);
    underWay.catch(() => {});
    this.#underWay = underWay;
  }

  /** How many rows a statement wrote. */
  async changed(statement: EngineStatement): Promise<number> {
    this.#hasChanged = true;
    await this.#settled();
    return (await this.#perform(statement)).rowsChanged;
  }

  /** The values that a statement answers: each text holds some JSON values, one after another. */
  async each<V>(statement: EngineStatement, take: (value: V) => void): Promise<void> {
    await this.#settled();
    for await (const texts of textsOf(await this.#perform(statement))) {
      for (const value of JSON.parse(`[${texts.join()}]`) as V[]) take(value);
    }
  }

  /**
   * Lists that a statement answers, up to so many characters. A number in the place of a list tells how long all lists so
   * far would have been.
   */
  async listsWithin<V>(
    statement: EngineStatement,
    most: number,
  ): Promise<{ readonly lists: V[]; readonly length: number; readonly count: number }> {
    await this.#settled();
    const lists: V[] = [];
    let [sum, reported, count] = [0, 0, 0];
    for await (const texts of textsOf(await this.#perform(statement))) {
      for (const text of texts) {
        sum += text.length;
        if (!text.startsWith('[')) reported = Math.max(reported, Number(text));
      }
      count += texts.length;
      // An answer that is too long is only measured to its end.
      if (Math.max(sum, reported) > most) continue;
      for (const list of JSON.parse(`[${texts.join()}]`) as V[]) lists.push(list);
    }
    return { lists, length: Math.max(sum, reported), count };
  }

  async values<V>(statement: EngineStatement): Promise<V[]> {
    const all: V[] = [];
    await this.each<V>(statement, (value) => all.push(value));
    return all;
  }

  async #settled(): Promise<void> {
    const underWay = this.#underWay;
    this.#underWay = undefined;
    await underWay;
  }

  #commitChange(connection: EngineConnection): Promise<void> {
    const commitIt = async () => {
      if (this.#isLargeChange) await this.#commitAlone(connection);
      else await this.#perform(commit);
    };
    return this.#terms.commits.during(commitIt, this.#isDirectoryChange);
  }

  async #commitAlone(connection: EngineConnection): Promise<void> {
    const { seconds, gate } = this.#terms;
    // The place comes first: no task should wait at the gate for one that itself waits for a place.
    const leave = await this.#enter();
    try {
      const outcome = await gate.alone({ politeMs, patienceMs: seconds * 1_000 }, () =>
        connection.perform(commit, { seconds }),
      );
      if (outcome === 'occupied') throw tooSlow(seconds);
    } finally {
      leave();
    }
  }

  /** In a transaction only the first statement gives way: it can start over without anyone noticing. */
  async #perform(statement: EngineStatement): Promise<DuckDBMaterializedResult> {
    try {
      const answer = await this.#inPlace(statement);
      this.#hasRead = true;
      if (answer.rowsChanged >= largeChange) this.#isLargeChange = true;
      return answer;
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      if (error.why !== 'gave way') throw this.#reasonOf(error.why);
      await this.startOver();
      this.#lane = 'heavy';
      return this.#perform(statement);
    }
  }

  /** The answer is complete when the place is left, so reading it keeps no other task waiting. */
  async #inPlace(statement: EngineStatement): Promise<DuckDBMaterializedResult> {
    this.#statements += 1;
    const leave = await this.#enter();
    try {
      const { seconds, ticket } = this.#terms;
      this.#opening ??= this.#open();
      const connection = await this.#opening;
      // A COMMIT that is interrupted says that it failed, and is made all the same.
      const signal = statement === commit ? undefined : ticket.signal;
      return await connection.perform(statement, { seconds, signal });
    } finally {
      leave();
    }
  }

  async #open(): Promise<EngineConnection> {
    this.#connection ??= await this.#connections.take();
    const connection = this.#connection;
    if (!this.#isTransaction) return connection;
    this.#isOpen = true;
    await connection.perform(begin, atOnce);
    return connection;
  }

  /** No task keeps a place while a gate is closed. */
  async #enter(): Promise<Leave> {
    const { seconds, gate, ticket } = this.#terms;
    const isWriting = this.#lane === 'writing';
    // Work of the service itself waits for as long as it may run.
    const waiting = isWriting ? undefined : (ticket.waiting ?? new WaitingTime(seconds * 1_000));
    const waiter = { ...ticket, waiting };
    for (;;) {
      const leave = await this.#lanes.enter({
        ticket: waiter,
        lane: this.#lane,
        isFirst: this.#hasBegun,
        giveWay:
          this.#lane === 'light' && (!this.#isTransaction || !this.#hasRead)
            ? () => this.#connection?.stop('gave way')
            : undefined,
      });
      this.#hasBegun = true;
      const pass = isWriting ? () => {} : gate.tryEnter();
      if (pass) {
        return () => {
          pass();
          leave();
        };
      }
      leave();
      await waitFor(gate.opened(), waiter, beingChanged);
    }
  }

  #reasonOf(why: Stop): unknown {
    const { seconds, ticket } = this.#terms;
    if (why === 'aborted') return ticket.signal?.reason;
    if (why === 'late') return tooSlow(seconds);
    return beingClosed();
  }
}

const tooSlow = (seconds: number): Refusal =>
  new Refusal('too-slow', `This took more than ${seconds} seconds and was stopped. Ask for less at once.`);

export const beingClosed = (): Refusal =>
  new Refusal('unavailable', 'The warehouse is being closed. Send the request again.', { retryAfterSeconds: 1 });
