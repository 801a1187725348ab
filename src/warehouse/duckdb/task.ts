import type { DuckDBMaterializedResult } from '@duckdb/node-api';
import { Refusal } from '../../refusal.ts';
import {
  atOnce,
  begin,
  type Connection,
  commit,
  rollBack,
  type Stop,
  Stopped,
  textsOf,
  writeOut,
} from './connection.ts';
import type { Door } from './door.ts';
import type { Lane, Lanes, Leave } from './lanes.ts';
import type { Statement } from './statement.ts';

export interface TaskTerms {
  readonly organisationId: string;
  readonly lane: Lane;
  /** How long one statement may run, and wait for its turn. */
  readonly seconds: number;
  readonly signal?: AbortSignal | undefined;
  /** What the statements of those who read the same file pass, so that a large change can be committed without them. */
  readonly door: Door;
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

/**
 * One transaction on one private connection. Each of its statements waits for a place in its lane, and is stopped when
 * it takes too long or when the caller gives up.
 */
export class Task {
  readonly #connection: Connection;
  readonly #lanes: Lanes;
  readonly #terms: TaskTerms;
  #lane: Lane;
  #hasRead = false;
  #isOpen = false;
  #isLargeChange = false;
  /** A change that is still being made, or the beginning of it all. */
  #underWay: Promise<unknown> | undefined;

  constructor(connection: Connection, lanes: Lanes, terms: TaskTerms) {
    this.#connection = connection;
    this.#lanes = lanes;
    this.#terms = terms;
    this.#lane = terms.lane;
  }

  /** Does not wait for it: what the transaction is to do can be put into words meanwhile. */
  begin(): void {
    this.#isOpen = true;
    if (this.#connection.takeBegun()) return;
    const underWay = this.#connection.perform(begin, atOnce);
    underWay.catch(() => {});
    this.#underWay = underWay;
  }

  async commit(): Promise<void> {
    await this.#settled();
    if (this.#lane !== 'writing') await this.#connection.perform(commit, atOnce);
    else if (this.#isLargeChange) await this.#commitAlone();
    else await this.#perform(commit);
    this.#isOpen = false;
  }

  /** Whether the connection is as it was before. The engine may have ended the transaction itself. */
  async rollBack(): Promise<boolean> {
    if (!this.#isOpen) return true;
    this.#isOpen = false;
    // Whether it was made is of no account any more.
    await this.#settled().catch(() => {});
    return this.#connection.perform(rollBack, atOnce).then(
      () => true,
      (error: unknown) => error instanceof Error && /no transaction is active/.test(error.message),
    );
  }

  /** Goes on after an error, which ended the transaction. What is read from here on may be a later state. */
  async beginAnew(): Promise<void> {
    await this.rollBack();
    this.begin();
    await this.#settled();
  }

  async run(statement: Statement): Promise<void> {
    await this.#settled();
    await this.#perform(statement);
  }

  /**
   * Makes a change, and does not wait for it: while the engine is at it, what comes next can be worked out. Whatever is
   * asked next waits for it, and fails with it, the commit at the latest.
   */
  async startChange(statement: Statement): Promise<void> {
    const written = await writeOut(statement);
    await this.#settled();
    const underWay = this.#perform(written);
    underWay.catch(() => {});
    this.#underWay = underWay;
  }

  /** How many rows a statement wrote. */
  async changed(statement: Statement): Promise<number> {
    await this.#settled();
    return (await this.#perform(statement)).rowsChanged;
  }

  /** What a statement answers, value by value: each text holds some JSON values, one after another. */
  async each<V>(statement: Statement, take: (value: V) => void): Promise<void> {
    await this.#settled();
    for await (const texts of textsOf(await this.#perform(statement))) {
      for (const value of JSON.parse(`[${texts.join()}]`) as V[]) take(value);
    }
  }

  /**
   * Lists that a statement answers, up to so many characters. A number in the place of a list tells how long all lists so
   * far would have been.
   */
  async listsWithin<V>(statement: Statement, most: number): Promise<{ readonly lists: V[]; readonly length: number }> {
    await this.#settled();
    const lists: V[] = [];
    let [sum, told] = [0, 0];
    for await (const texts of textsOf(await this.#perform(statement))) {
      for (const text of texts) {
        sum += text.length;
        if (!text.startsWith('[')) told = Math.max(told, Number(text));
      }
      // What is too long is only measured to its end.
      if (Math.max(sum, told) > most) continue;
      for (const list of JSON.parse(`[${texts.join()}]`) as V[]) lists.push(list);
    }
    return { lists, length: Math.max(sum, told) };
  }

  async values<V>(statement: Statement): Promise<V[]> {
    const all: V[] = [];
    await this.each<V>(statement, (value) => all.push(value));
    return all;
  }

  async #settled(): Promise<void> {
    const underWay = this.#underWay;
    this.#underWay = undefined;
    await underWay;
  }

  async #commitAlone(): Promise<void> {
    const { seconds, door } = this.#terms;
    // The place comes first: nobody should wait at the door for somebody who is himself waiting for a place.
    const leave = await this.#enter();
    try {
      const outcome = await door.alone({ politeMs, patienceMs: seconds * 1_000 }, () =>
        this.#connection.perform(commit, { seconds }),
      );
      if (outcome === 'occupied') throw tooSlow(seconds);
    } finally {
      leave();
    }
  }

  /** Only the first statement of a reading task gives way: it can begin anew without anyone noticing. */
  async #perform(statement: Statement): Promise<DuckDBMaterializedResult> {
    try {
      const answer = await this.#inPlace(statement);
      this.#hasRead = true;
      if (answer.rowsChanged >= largeChange) this.#isLargeChange = true;
      return answer;
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      if (error.why !== 'gave way') throw this.#reasonOf(error.why);
      await this.beginAnew();
      this.#lane = 'heavy';
      return this.#perform(statement);
    }
  }

  /** The answer is complete when the place is left, so reading it keeps nobody from anything. */
  async #inPlace(statement: Statement): Promise<DuckDBMaterializedResult> {
    const leave = await this.#enter();
    try {
      const { seconds, signal } = this.#terms;
      return await this.#connection.perform(statement, { seconds, signal });
    } finally {
      leave();
    }
  }

  /** Nobody keeps a place while a door is closed. */
  async #enter(): Promise<Leave> {
    const { organisationId, seconds, signal, door } = this.#terms;
    const isWriting = this.#lane === 'writing';
    for (;;) {
      const leave = await this.#lanes.enter({
        organisationId,
        lane: this.#lane,
        signal,
        patienceMs: isWriting ? undefined : seconds * 1_000,
        giveWay: this.#lane === 'light' && !this.#hasRead ? () => this.#connection.stop('gave way') : undefined,
      });
      const pass = isWriting ? () => {} : door.tryEnter();
      if (pass) {
        return () => {
          pass();
          leave();
        };
      }
      leave();
      await door.opened();
    }
  }

  #reasonOf(why: Stop): unknown {
    const { seconds, signal } = this.#terms;
    if (why === 'aborted') return signal?.reason;
    if (why === 'late') return tooSlow(seconds);
    return beingClosed();
  }
}

export const tooSlow = (seconds: number): Refusal =>
  new Refusal('too-slow', `This took more than ${seconds} seconds and was stopped. Ask for less at once.`);

export const beingClosed = (): Refusal =>
  new Refusal('unavailable', 'The warehouse is being closed. Send the request again.', { retryAfterSeconds: 1 });
