import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { serviceTicket, waitFor } from '../../admission/ticket.ts';
import { Refusal } from '../../refusal.ts';
import {
  onHold,
  type PublishedData,
  type Writer,
  WriterQueue,
  type WriterTurn,
  type WriterTurns,
} from '../writer-turns.ts';
import { isAway, unavailable } from './unreachable.ts';
import { dataChannel, type VersionWatch } from './versions.ts';
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

/** All times are the database's own: the clocks of servers may differ. */
const leaseEnd = "clock_timestamp() + $2 * interval '1 millisecond'";

/**
 * Drawn by itself: a server that never hears that it was given the turn knows which one to give back. The numbers before it are
 * left to changes that go beside it.
 */
const drawNumber = `SELECT max(drawn)::text AS change
  FROM (SELECT nextval('change_number') AS drawn FROM generate_series(1, 16)) AS numbers`;

/** Refused where a writer with a later number was quicker: numbers of an organisation only grow. */
const takeTurn = `INSERT INTO data_versions AS d (organisation_id, published, writer, lease_until, dead)
  SELECT $1, 0, $3::bigint, ${leaseEnd}, '{}' WHERE ${mayWrite}
  ON CONFLICT (organisation_id) DO UPDATE SET writer = $3::bigint, lease_until = ${leaseEnd},
    dead = CASE WHEN d.writer IS NULL THEN d.dead ELSE array_append(d.dead, d.writer) END,
    left_copies = NULL, beside = NULL, beside_until = NULL
  WHERE (d.writer IS NULL OR d.lease_until < clock_timestamp())
    AND $3::bigint > ALL (d.dead || d.published || coalesce(d.writer, 0))
  RETURNING dead::text[]`;

const renewTurn = `UPDATE data_versions SET lease_until = ${leaseEnd} WHERE organisation_id = $1 AND writer = $3::bigint
  RETURNING writer::text AS change`;

/** Nobody goes beside a change, or has gone for longer than a turn lasts. */
const isAlone = '(beside IS NULL OR beside_until < clock_timestamp())';

/** No row has the number of a dead change where the engine undoes what is not published: the list can go. */
const publishChange = `WITH done AS (
    UPDATE data_versions SET published = writer, writer = NULL, lease_until = NULL,
      dead = CASE WHEN $3::boolean THEN '{}' ELSE dead END
    WHERE organisation_id = $1 AND writer = $2::bigint AND ${isAlone} RETURNING organisation_id, published, dead)
  SELECT published::text, dead::text[], pg_notify('${dataChannel}', organisation_id) FROM done`;

const endTurn = `UPDATE data_versions SET writer = NULL, lease_until = NULL,
    dead = CASE WHEN $3::boolean THEN dead ELSE array_append(dead, writer) END
  WHERE organisation_id = $1 AND writer = $2::bigint AND ${isAlone}`;

const isStillHad = 'SELECT 1 FROM data_versions WHERE organisation_id = $1 AND writer = $2::bigint';

const leaveCopies = 'UPDATE data_versions SET left_copies = writer WHERE organisation_id = $1 AND writer = $2::bigint';

/** The first free number below that of the writer: larger than whatever is published, so that nothing of the writer is seen by it. */
const numberBeside = '(SELECT max(known) + 1 FROM unnest(d.dead || d.published) AS known WHERE known < d.writer)';

/** It counts as dead until it is published: whatever becomes of its writer, nothing half is seen. */
const goBeside = `UPDATE data_versions AS d SET beside = ${numberBeside}, beside_until = ${leaseEnd},
    dead = array_append(d.dead, ${numberBeside})
  WHERE organisation_id = $1 AND ${mayWrite} AND left_copies = writer AND lease_until > clock_timestamp() AND ${isAlone}
    AND ${numberBeside} < writer
  RETURNING beside::text AS change, writer::text AS writer, dead::text[]`;

const renewBeside = `UPDATE data_versions SET beside_until = ${leaseEnd}
  WHERE organisation_id = $1 AND beside = $3::bigint AND writer = $4::bigint RETURNING beside::text AS change`;

/** Only while the change that it goes beside has its turn: the next one may write copies itself. */
const publishBeside = `WITH done AS (
    UPDATE data_versions SET published = beside, dead = array_remove(dead, beside), beside = NULL, beside_until = NULL
    WHERE organisation_id = $1 AND beside = $2::bigint AND writer = $3::bigint
    RETURNING organisation_id, published, dead)
  SELECT published::text, dead::text[], pg_notify('${dataChannel}', organisation_id) FROM done`;

const endBeside = `UPDATE data_versions SET beside = NULL, beside_until = NULL,
    dead = CASE WHEN $3::boolean THEN array_remove(dead, beside) ELSE dead END
  WHERE organisation_id = $1 AND beside = $2::bigint`;

/** Others hear of it with the next change: what they know until then hides rows that are no longer there. */
const forgetDead = `UPDATE data_versions SET dead = ARRAY(SELECT one FROM unnest(dead) AS one WHERE one <> ALL($2::bigint[]))
  WHERE organisation_id = $1`;

const endEveryTurn = `UPDATE data_versions SET dead = array_append(dead, writer), writer = NULL, lease_until = NULL
  WHERE writer IS NOT NULL`;

interface TakenTurn {
  readonly change: number;
  readonly dead: readonly number[];
  readonly leaseEndsAt: number;
  /** The change that this one goes beside. */
  readonly writer?: number;
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
  readonly #queue = new WriterQueue();

  constructor(pool: pg.Pool, watch: VersionWatch, terms: LeaseTerms = defaultLease) {
    this.#pool = pool;
    this.#watch = watch;
    this.#terms = terms;
  }

  inTurn<T>(organisationId: string, work: (turn: WriterTurn) => Promise<T>, writer: Writer = {}): Promise<T> {
    const inItsTurn = () => this.#inTurn(organisationId, work, writer);
    // A change of copies goes beside a change of records, so it does not queue behind the writers that wait for those.
    return writer.isOfCopies ? inItsTurn() : this.#queue.take(organisationId, writer, inItsTurn);
  }

  async #inTurn<T>(organisationId: string, work: (turn: WriterTurn) => Promise<T>, writer: Writer): Promise<T> {
    const taken = await this.#take(organisationId, writer);
    const { change, dead } = taken;
    let { leaseEndsAt } = taken;
    const renew = async () => {
      leaseEndsAt = (await this.#renew(organisationId, taken)) ?? leaseEndsAt;
    };
    const renewing = setInterval(() => void renew(), this.#terms.renewMs);
    renewing.unref();
    let isPublished = false;
    const publish = async () => {
      await this.#publish(organisationId, taken, writer.isUndone ?? false);
      isPublished = true;
    };
    const leave = async () => {
      await this.#query(leaveCopies, [organisationId, change]);
    };
    try {
      return await work({ change, dead, leaseEndsAt: () => leaseEndsAt, leaveCopies: leave, publish });
    } finally {
      clearInterval(renewing);
      if (!isPublished) await this.#end(organisationId, taken, writer.isUndone ?? false);
    }
  }

  published(organisationId: string): PublishedData | undefined {
    return this.#watch.publishedOf(organisationId);
  }

  lastKnown(organisationId: string): PublishedData {
    return this.#watch.lastPublishedOf(organisationId);
  }

  async forgetDead(organisationId: string, changes: readonly number[]): Promise<void> {
    await this.#query(forgetDead, [organisationId, [...changes]]);
  }

  /** For a process that knows that every other writer is gone. */
  async endAll(): Promise<void> {
    await this.#query(endEveryTurn, []);
  }

  async #take(organisationId: string, { ticket = serviceTicket(), isOfCopies }: Writer): Promise<TakenTurn> {
    const { retryMs, patienceMs } = this.#terms;
    for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += retryMs) {
      ticket.signal?.throwIfAborted();
      const taken = (await this.#tryTake(organisationId)) ?? (isOfCopies && (await this.#tryBeside(organisationId)));
      if (taken) return taken;
      const [asked] = await this.#query<{ free: boolean }>(`SELECT ${mayWrite} AS free`, []);
      if (!asked?.free) throw onHold();
      await waitFor(sleep(retryMs), ticket, takenElsewhere);
    }
    throw takenElsewhere();
  }

  async #tryTake(organisationId: string): Promise<TakenTurn | undefined> {
    const [drawn] = await this.#query<{ change: string }>(drawNumber, []);
    const change = Number(drawn?.change);
    // Asked before the database counts from: what is known here ends no later than the lease.
    const leaseEndsAt = performance.now() + this.#terms.leaseMs;
    const values = [organisationId, this.#terms.leaseMs, change];
    const [taken] = await this.#query<{ dead: string[] }>(takeTurn, values).catch((error: unknown) => {
      // It may have been given all the same. Nothing was written yet.
      void this.#endLater(organisationId, { change }, true);
      throw error;
    });
    return taken && { change, dead: taken.dead.map(Number), leaseEndsAt };
  }

  async #tryBeside(organisationId: string): Promise<TakenTurn | undefined> {
    const leaseEndsAt = performance.now() + this.#terms.leaseMs;
    const values = [organisationId, this.#terms.leaseMs];
    const [taken] = await this.#query<{ change: string; writer: string; dead: string[] }>(goBeside, values);
    if (!taken) return undefined;
    const change = Number(taken.change);
    const dead = taken.dead.map(Number).filter((one) => one !== change);
    return { change, dead, leaseEndsAt, writer: Number(taken.writer) };
  }

  /** A renewal that fails is tried again with the next one; one that finds no turn leaves it to `publish` to say so. */
  async #renew(organisationId: string, { change, writer }: TakenTurn): Promise<number | undefined> {
    const { leaseMs } = this.#terms;
    const leaseEndsAt = performance.now() + leaseMs;
    const [sql, values] = writer === undefined ? [renewTurn, [change]] : [renewBeside, [change, writer]];
    const [renewed] = await this.#query(sql, [organisationId, leaseMs, ...values]).catch(() => []);
    return renewed && leaseEndsAt;
  }

  async #publish(organisationId: string, { change, writer }: TakenTurn, isUndone: boolean): Promise<void> {
    const [sql, last] = writer === undefined ? [publishChange, isUndone] : [publishBeside, writer];
    for (;;) {
      const values = [organisationId, change, last];
      const [done] = await this.#query<{ published: string; dead: string[] }>(sql, values);
      if (done) {
        this.#watch.learnData(organisationId, { version: Number(done.published), dead: done.dead.map(Number) });
        return;
      }
      if (!(await this.#isStillHad(organisationId, change))) throw turnLost();
      await sleep(besideRetryMs);
    }
  }

  /** Whether a writer has its turn: then somebody goes beside it, who has to end before it does. */
  async #isStillHad(organisationId: string, change: number): Promise<boolean> {
    return (await this.#query(isStillHad, [organisationId, change])).length > 0;
  }

  /**
   * Where the database is away it hears of this as soon as it is back, so that the next writer need not wait for the end of
   * the lease. A writer that has followed meanwhile keeps the turn, and a change that was published stays published.
   */
  async #end(organisationId: string, taken: TakenTurn, isUndone: boolean): Promise<void> {
    try {
      while (!(await this.#tryEnd(organisationId, taken, isUndone))) await sleep(besideRetryMs);
    } catch {
      void this.#endLater(organisationId, taken, isUndone);
    }
  }

  /** Whether the turn is over. */
  async #tryEnd(
    organisationId: string,
    { change, writer }: Pick<TakenTurn, 'change' | 'writer'>,
    isUndone: boolean,
  ): Promise<boolean> {
    await this.#query(writer === undefined ? endTurn : endBeside, [organisationId, change, isUndone]);
    return writer !== undefined || !(await this.#isStillHad(organisationId, change));
  }

  async #endLater(
    organisationId: string,
    taken: Pick<TakenTurn, 'change' | 'writer'>,
    isUndone: boolean,
  ): Promise<void> {
    const until = performance.now() + this.#terms.leaseMs;
    for (let isOver = false; !isOver && performance.now() < until; ) {
      await sleep(endAgainMs, undefined, { ref: false });
      isOver = await this.#tryEnd(organisationId, taken, isUndone).catch(
        // Else the store was closed, or the statement makes no sense: then the lease runs out.
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
