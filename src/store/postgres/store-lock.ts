import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { Refusal } from '../../refusal.ts';
import { isAway, unavailable, unusableAddress } from './unreachable.ts';

/** The role of a process towards the tables that it keeps beside the store. */
type HolderKind = 'serve' | 'command';

/** The process that holds the lock, as it said itself when it connected. */
export interface StoreHolder {
  readonly kind: HolderKind;
  readonly host: string;
  readonly pid: number;
  readonly since: Date;
}

/** Another process keeps the tables that belong to this store. */
export class StoreInUse extends Refusal {
  readonly holder: StoreHolder | undefined;

  constructor(holder: StoreHolder | undefined) {
    const what = holder?.kind === 'serve' ? 'A Plumb server' : 'A plumb command';
    super(
      'conflict',
      holder
        ? `${what} already works with this PostgreSQL store: process ${holder.pid} on host ${holder.host}, since ${holder.since.toISOString()}. ` +
            'Each process keeps tables of its own, so that two beside one store would give different answers. ' +
            (holder.kind === 'serve'
              ? `Run this on ${holder.host} with the PLUMB_DATA of that server, or stop it first.`
              : 'Try again when it is done.')
        : 'Another process already works with this PostgreSQL store, under a database role that hides who it is. Stop it first.',
    );
    this.holder = holder;
  }
}

const beatMs = 1_000;
const beatTimeoutMs = 5_000;
/** Held only if PostgreSQL said so this recently: a process that was asleep must not answer before it has asked again. */
const maxConfirmedAgeMs = 6_000;
const retryMs = 250;
/** A server that was killed a moment ago may still be seen: the one that follows it waits, a command need not. */
const patienceMs = { command: { serve: 250, command: 15_000 }, serve: { serve: 2_000, command: 15_000 } } as const;

export interface StoreLockOptions {
  readonly kind: HolderKind;
  /** Others may hold it in the same way at the same time: their tables are the same. */
  readonly isShared?: boolean;
  /** Called when the lock is lost, and when it is held again. */
  readonly notify?: (message: string) => void;
  readonly now?: () => number;
}

/**
 * The right to keep tables beside a PostgreSQL store: one process at a time, on any machine, or any number whose tables are
 * the same. It is a session lock on a
 * connection of its own, so that PostgreSQL gives it back whatever way its holder ends. When the connection breaks, the
 * lock is no longer held, and is asked for again until it is.
 */
export class StoreLock {
  readonly #url: string;
  readonly #kind: HolderKind;
  readonly #isShared: boolean;
  readonly #notify: (message: string) => void;
  readonly #now: () => number;
  #client: pg.Client | undefined;
  #backend = 0;
  #confirmedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  private constructor(
    url: string,
    { kind, isShared = false, notify = () => {}, now = () => performance.now() }: StoreLockOptions,
  ) {
    this.#url = url;
    this.#kind = kind;
    this.#isShared = isShared;
    this.#notify = notify;
    this.#now = now;
  }

  /** Takes the lock. A command that holds it is waited for, a server is not. */
  static async claim(url: string, options: StoreLockOptions): Promise<StoreLock> {
    const lock = new StoreLock(url, options);
    for (let waited = 0; ; waited += retryMs) {
      const holder = await lock.#take().catch((error: unknown) => {
        throw isAway(error) ? unavailable(error) : (unusableAddress(error) ?? error);
      });
      if (holder === 'mine') break;
      if (waited >= patienceMs[options.kind][holder?.kind ?? 'serve']) {
        await lock.close();
        throw new StoreInUse(holder);
      }
      await pause(retryMs);
    }
    lock.#schedule();
    return lock;
  }

  get isHeld(): boolean {
    return this.#client !== undefined && this.#now() - this.#confirmedAt <= maxConfirmedAgeMs;
  }

  /** Nothing is read or written without the lock: what is kept in memory counts as stale then. */
  refuseUnlessHeld(): void {
    if (!this.isHeld) throw notHeld();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#drop();
  }

  #schedule(): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#beat().finally(() => this.#schedule()), beatMs);
    this.#timer.unref();
  }

  /** Asks whether the lock is still held, and for the lock itself where it is not. */
  async #beat(): Promise<void> {
    const client = this.#client;
    if (client) {
      const askedAt = this.#now();
      const held = await client
        .query<{ held: boolean }>(`SELECT EXISTS (SELECT 1 FROM pg_locks l WHERE ${isLock} AND l.pid = $1) AS held`, [
          this.#backend,
        ])
        .then(({ rows }) => rows[0]?.held === true)
        .catch(() => false);
      if (held) this.#confirmedAt = askedAt;
      else await this.#lose(client);
      return;
    }
    // Whatever refuses now may let in later: the database may be starting, or the other process ending.
    const holder = await this.#take().catch(() => undefined);
    if (holder === 'mine') this.#notify('the lock on the store is held again: requests are answered again');
  }

  async #lose(client: pg.Client): Promise<void> {
    if (this.#client !== client) return;
    await this.#drop();
    if (!this.#isClosed) {
      this.#notify('the lock on the store was lost: nothing is answered until it is held again');
    }
  }

  /** Connects and tries. Who holds it, if it is not this process then. */
  async #take(): Promise<'mine' | StoreHolder | undefined> {
    const client = new pg.Client({
      connectionString: this.#url,
      connectionTimeoutMillis: beatTimeoutMs,
      query_timeout: beatTimeoutMs,
      keepAlive: true,
    });
    client.on('error', () => void this.#lose(client));
    client.on('end', () => void this.#lose(client));
    try {
      await client.connect();
      // Set rather than given with the connection, where an application_name in the address would win.
      await client.query("SELECT set_config('application_name', $1, false)", [nameOf(this.#kind)]);
      const askedAt = this.#now();
      let backend = await tryLock(client, this.#isShared);
      if (backend === undefined) {
        const look = () => storeHolder(async (sql) => (await client.query(sql)).rows);
        let holder = await look();
        // Nobody is to be seen: the role hides who it is, or the holder has let go meanwhile.
        if (!holder) backend = await tryLock(client, this.#isShared);
        if (backend === undefined) {
          holder ??= await look();
          await client.end().catch(() => {});
          return holder;
        }
      }
      if (this.#isClosed) throw new Error('closed while connecting');
      this.#client = client;
      this.#backend = backend;
      this.#confirmedAt = askedAt;
      return 'mine';
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
  }

  async #drop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => {});
  }
}

/**
 * Takes the lock on a connection and answers the backend that holds it, or nothing when another has it. A session may
 * take its own lock twice: behind a pool that shares connections two processes would both succeed, so one that this
 * connection has already counts as another's.
 */
export async function tryLock(client: pg.ClientBase, isShared = false): Promise<number | undefined> {
  const [inTheWay, take] = isShared
    ? [`${isLock} AND l.mode = 'ExclusiveLock'`, 'pg_try_advisory_lock_shared']
    : [isLock, 'pg_try_advisory_lock'];
  const { rows } = await client.query<{ taken: boolean; backend: number }>(
    `SELECT CASE WHEN EXISTS (SELECT 1 FROM pg_locks l WHERE ${inTheWay}) THEN false
                 ELSE ${take}(${lockKey}) END AS taken, pg_backend_pid() AS backend`,
  );
  if (!rows[0]?.taken) return undefined;
  await client.query(`SELECT ${shareLayoutLock}`);
  return rows[0].backend;
}

/** Who holds the lock at the moment, as far as the database role may see. */
export async function storeHolder(
  rows: (sql: string) => Promise<readonly Record<string, unknown>[]>,
): Promise<StoreHolder | undefined> {
  const [found] = await rows(
    `SELECT a.application_name AS name, a.backend_start AS since FROM pg_locks l
     JOIN pg_stat_activity a ON a.pid = l.pid WHERE ${isLock}`,
  );
  const [, kind, pid, host] = /^plumb (serve|command) (\d+)@(.+)$/.exec(String(found?.name ?? '')) ?? [];
  if (kind === undefined || host === undefined || !(found?.since instanceof Date)) return undefined;
  return { kind: kind as HolderKind, pid: Number(pid), host, since: found.since };
}

/** PostgreSQL keeps 63 bytes of it. */
const nameOf = (kind: HolderKind): string => `plumb ${kind} ${process.pid}@${hostname()}`;

const notHeld = () =>
  new Refusal('unavailable', 'This server has lost its lock on the store and waits for it. Send the request again.', {
    retryAfterSeconds: 2,
  });

/** Any number will do, as long as every Plumb takes the same. Stores in two schemas of a database have two locks. */
const lockClass = 7_586_234;
const lockKey = `${lockClass}, hashtext(coalesce(current_schema(), ''))`;
const isLock = `l.locktype = 'advisory' AND l.objsubid = 2 AND l.granted
  AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND l.classid::bigint = ${lockClass} AND l.objid::bigint = (hashtext(coalesce(current_schema(), ''))::bigint & 4294967295)`;

/**
 * A second lock says which layouts of rows its holder knows. Holders of the first one that do not have it are older. One is
 * not believed to be gone before connections that broke are made again: it may be about to take its lock back.
 */
const layoutLockClass = 7_586_242;
const shareLayoutLock = `pg_advisory_lock_shared(${layoutLockClass}, hashtext(coalesce(current_schema(), '')))`;
const hasLayoutLock = `EXISTS (SELECT 1 FROM pg_locks k WHERE k.pid = l.pid AND k.locktype = 'advisory'
  AND k.classid::bigint = ${layoutLockClass} AND k.objid = l.objid AND k.database = l.database AND k.granted)`;
const settledSeconds = 5;

/** Whether everyone who holds the lock knows the layouts that this version knows. */
export const areLayoutsKnown = `SELECT NOT EXISTS (SELECT 1 FROM pg_locks l LEFT JOIN pg_stat_activity a ON a.pid = l.pid
  WHERE ${isLock} AND (NOT ${hasLayoutLock} OR a.backend_start > now() - interval '${settledSeconds} seconds')) AS known`;
