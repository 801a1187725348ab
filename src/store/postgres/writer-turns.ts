import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { serviceTicket, waitFor } from '../../admission/ticket.ts';
import { Refusal } from '../../refusal.ts';
import {
  nothingPublished,
  onHold,
  type PublishedData,
  type RowsLayout,
  type Writer,
  WriterQueue,
  type WriterTurn,
  type WriterTurns,
} from '../writer-turns.ts';
import { areLayoutsKnown, type StoreLock } from './store-lock.ts';
import {
  drawNumber,
  endEveryTurn,
  forgetDead,
  forgetEnds,
  goBeside,
  isStillHad,
  leaveCopies,
  ownTurn,
  type TurnStatements,
  takeTurn,
  turnBeside,
} from './turn-statements.ts';
import { isAway, unavailable } from './unreachable.ts';
import { type DataRow, publishedIn, type VersionWatch } from './version-watch.ts';
import { mayWrite } from './write-hold.ts';

export interface LeaseTerms {
  /** How long a turn lasts without being renewed. */
  readonly leaseMs: number;
  readonly renewMs: number;
  /** How often a turn that another writer has is asked for. */
  readonly retryMs: number;
  /** How long it is asked for: longer than the lease of a writer that was killed. */
  readonly patienceMs: number;
  /** How long the database may take to answer, before it counts as away: far less than a lease. */
  readonly answerMs: number;
}

export const defaultLease: LeaseTerms = {
  leaseMs: 30_000,
  renewMs: 10_000,
  retryMs: 100,
  patienceMs: 45_000,
  answerMs: 10_000,
};

/** How often the end of a turn is written again while the database is away. */
const endAgainMs = 250;

/** How often a change that is done looks whether the one beside it is done as well. */
const besideRetryMs = 20;

interface TakenTurn extends Pick<WriterTurn, 'change' | 'before'> {
  readonly organisationId: string;
  /** Whether what it has written is undone is known when it ends. */
  readonly writer: Pick<Writer, 'isUndone'>;
  readonly statements: TurnStatements;
  readonly leaseEndsAt: number;
}

/**
 * The turn of a writer is a lease in the database, renewed for as long as the writer works. A writer that finds it run
 * out declares the lost writer's change dead in the same statement that takes the turn, so that nothing the lost writer
 * still does can ever be published.
 *
 * Beside a writer who leaves copies of the directory to others, one change at a time may write those. Its number is smaller,
 * so that it is published without showing anything of the writer; the writer ends after it.
 */
export class LeasedWriterTurns implements WriterTurns {
  readonly #pool: pg.Pool;
  readonly #watch: VersionWatch;
  readonly #terms: LeaseTerms;
  readonly #lock: StoreLock | undefined;
  readonly #queue = new WriterQueue();

  constructor(pool: pg.Pool, watch: VersionWatch, lock: StoreLock | undefined, terms: LeaseTerms = defaultLease) {
    this.#pool = pool;
    this.#watch = watch;
    this.#terms = terms;
    this.#lock = lock;
  }

  async inTurn<T>(organisationId: string, work: (turn: WriterTurn) => Promise<T>, writer: Writer = {}): Promise<T> {
    this.#lock?.refuseUnlessHeld();
    const inItsTurn = () => this.#inTurn(organisationId, work, writer);
    // A change of copies goes beside a change of records, so it does not queue behind the writers that wait for those.
    return writer.isOfCopies ? inItsTurn() : this.#queue.take(organisationId, writer, inItsTurn);
  }

  async #inTurn<T>(organisationId: string, work: (turn: WriterTurn) => Promise<T>, writer: Writer): Promise<T> {
    const taken = await this.#take(organisationId, writer);
    const { change, before } = taken;
    let { leaseEndsAt } = taken;
    const renew = async () => {
      leaseEndsAt = (await this.#renew(taken)) ?? leaseEndsAt;
    };
    const renewing = setInterval(() => void renew(), this.#terms.renewMs);
    renewing.unref();
    let isPublished = false;
    const publish = async (layout?: RowsLayout) => {
      this.#lock?.refuseUnlessHeld();
      await this.#publish(taken, layout);
      isPublished = true;
    };
    const leave = async () => {
      await this.#query(leaveCopies, [organisationId, change]);
    };
    try {
      return await work({ change, before, leaseEndsAt: () => leaseEndsAt, leaveCopies: leave, publish });
    } finally {
      clearInterval(renewing);
      if (!isPublished) await this.#end(taken);
    }
  }

  published(organisationId: string): PublishedData | undefined {
    return this.#watch.publishedOf(organisationId);
  }

  lastKnown(organisationId: string): PublishedData {
    return this.#watch.lastPublishedOf(organisationId);
  }

  async forgetDead(organisationId: string, changes: readonly number[]): Promise<void> {
    this.#lock?.refuseUnlessHeld();
    await this.#query(forgetDead, [organisationId, [...changes]]);
  }

  async forgetEnds(organisationId: string, tables: readonly string[], change: number): Promise<void> {
    this.#lock?.refuseUnlessHeld();
    await this.#query(forgetEnds, [organisationId, [...tables], change]);
  }

  async isLayoutKnownToAll(): Promise<boolean> {
    this.#lock?.refuseUnlessHeld();
    const [looked] = await this.#query<{ known: boolean }>(areLayoutsKnown, []);
    return looked?.known === true;
  }

  /** For a process that knows that no other writer is left. */
  async endAll(): Promise<void> {
    await this.#query(endEveryTurn, []);
  }

  async #take(organisationId: string, writer: Writer): Promise<TakenTurn> {
    const { retryMs, patienceMs } = this.#terms;
    const { ticket = serviceTicket(), isOfCopies } = writer;
    for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += retryMs) {
      ticket.signal?.throwIfAborted();
      const taken =
        (await this.#tryTake(organisationId, writer)) ??
        (isOfCopies && (await this.#tryBeside(organisationId, writer)));
      if (taken) return taken;
      const [asked] = await this.#query<{ free: boolean }>(`SELECT ${mayWrite} AS free`, []);
      if (!asked?.free) throw onHold();
      await waitFor(sleep(retryMs), ticket, takenElsewhere);
    }
    throw takenElsewhere();
  }

  async #tryTake(organisationId: string, writer: Writer): Promise<TakenTurn | undefined> {
    const [drawn] = await this.#query<{ change: string }>(drawNumber, []);
    const { leaseMs } = this.#terms;
    // Asked before the database counts from: what is known here ends no later than the lease.
    const leaseEndsAt = performance.now() + leaseMs;
    const change = Number(drawn?.change);
    const turn = { organisationId, change, writer, statements: ownTurn, before: nothingPublished, leaseEndsAt };
    const values = [organisationId, leaseMs, change];
    const [taken] = await this.#query<DataRow>(takeTurn, values).catch((error: unknown) => {
      // The database may have given the turn all the same. Nothing was written yet.
      void this.#endLater({ ...turn, writer: { isUndone: true } });
      throw error;
    });
    return taken && { ...turn, before: publishedIn(taken) };
  }

  async #tryBeside(organisationId: string, writer: Writer): Promise<TakenTurn | undefined> {
    const { leaseMs } = this.#terms;
    const leaseEndsAt = performance.now() + leaseMs;
    const [taken] = await this.#query<DataRow & { change: string }>(goBeside, [organisationId, leaseMs]);
    if (!taken) return undefined;
    const [change, before] = [Number(taken.change), publishedIn(taken)];
    return { organisationId, change, writer, statements: turnBeside, before, leaseEndsAt };
  }

  /** A renewal that fails is tried again with the next one; one that finds no turn leaves it to `publish` to say so. */
  async #renew({ organisationId, change, statements }: TakenTurn): Promise<number | undefined> {
    const { leaseMs } = this.#terms;
    const leaseEndsAt = performance.now() + leaseMs;
    const [renewed] = await this.#query(statements.renew, [organisationId, leaseMs, change]).catch(() => []);
    return renewed && leaseEndsAt;
  }

  async #publish(turn: TakenTurn, layout?: RowsLayout): Promise<void> {
    const { organisationId, change, writer, statements } = turn;
    for (;;) {
      const values = [organisationId, change, writer.isUndone ?? false, layout ? JSON.stringify(layout) : null];
      const [done] = await this.#query<DataRow>(statements.publish, values);
      if (done) {
        this.#watch.learnData(organisationId, publishedIn(done));
        return;
      }
      if (!(await this.#waitsForOther(turn))) throw turnLost();
      await sleep(besideRetryMs);
    }
  }

  /** Whether a turn has to go on: copies are being written beside it, and their writer has to end first. */
  async #waitsForOther({ organisationId, change }: TakenTurn): Promise<boolean> {
    return (await this.#query(isStillHad, [organisationId, change])).length > 0;
  }

  /**
   * Where the database is away it hears of this as soon as it is back, so that the next writer need not wait for the end of
   * the lease. A writer that has followed meanwhile keeps the turn, and a change that was published stays published.
   */
  async #end(turn: TakenTurn): Promise<void> {
    try {
      while (!(await this.#tryEnd(turn))) await sleep(besideRetryMs);
    } catch {
      void this.#endLater(turn);
    }
  }

  /** Whether the turn is over. */
  async #tryEnd(turn: TakenTurn): Promise<boolean> {
    const { organisationId, change, writer, statements } = turn;
    await this.#query(statements.end, [organisationId, change, writer.isUndone ?? false]);
    return !(await this.#waitsForOther(turn));
  }

  async #endLater(turn: TakenTurn): Promise<void> {
    const until = performance.now() + this.#terms.leaseMs;
    for (let isOver = false; !isOver && performance.now() < until; ) {
      await sleep(endAgainMs, undefined, { ref: false });
      isOver = await this.#tryEnd(turn).catch(
        // Otherwise the store was closed, or the statement is wrong: then the lease runs out.
        (error: unknown) => !(error instanceof Refusal),
      );
    }
  }

  async #query<R extends pg.QueryResultRow>(sql: string, values: readonly unknown[]): Promise<R[]> {
    try {
      const query = { text: sql, values: [...values], query_timeout: this.#terms.answerMs };
      return (await this.#pool.query<R>(query)).rows;
    } catch (error) {
      throw isAway(error) ? unavailable(error) : error;
    }
  }
}

const takenElsewhere = (): Refusal =>
  new Refusal(
    'unavailable',
    'Another server is writing the tables of this organisation. Send this again in a moment.',
    {
      retryAfterSeconds: 5,
    },
  );

const turnLost = (): Refusal =>
  new Refusal('unavailable', 'The turn to write went to another server before this was done. Send this again.', {
    retryAfterSeconds: 1,
  });
