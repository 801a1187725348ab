import pg from 'pg';
import { migrate } from '../migrations/migrations.ts';
import { refuseUnstorable } from '../put-rows.ts';
import {
  type EngineLimits,
  type OrganisationWriting,
  type Reading,
  type Store,
  type StoreCaller,
  StoreTurns,
  type StoreValue,
  statementSecondsDefault,
  tooSlow,
  type Writing,
} from '../store.ts';
import { onHold, type WriteHold, type WriterTurns } from '../writer-turns.ts';
import type { StoreLock } from './store-lock.ts';
import { isAway, unavailable, unusableAddress } from './unreachable.ts';
import { channel, VersionWatch } from './version-watch.ts';
import { holdWrites, mayWrite } from './write-hold.ts';
import { LeasedWriterTurns, type LeaseTerms } from './writer-turns.ts';

/** Readers and writers leave each other some, one for what is noted, and one for the turns of those who write tables. */
const maxConnections = 11;
const reads = { all: 5, organisation: 4, key: 3 };
/**
 * Changes of one organisation wait for each other here before they take a connection, so that a busy organisation holds
 * one of them and not the whole pool.
 */
const changes = { all: 4, organisation: 1, key: 1 };

/** How much longer than the server a statement is waited for. */
const graceSeconds = 3;

/** Any number will do, as long as every Plumb takes the same one before it migrates. */
const migrationLock = 7_586_233;

const bigintType = 20;
const types = {
  // Versions and counts; none of them ever leaves what a number holds exactly.
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === bigintType ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

interface PostgresOptions {
  /** This process has the store lock, so every other process that had a turn to write is gone. */
  readonly endsTurns?: boolean;
  readonly lease?: LeaseTerms;
  /** The store works only while this process holds it, and gives it back when it is closed. */
  readonly lock?: StoreLock;
}

export async function openPostgresStore(
  url: string,
  { statementSeconds = statementSecondsDefault }: EngineLimits = {},
  { endsTurns = false, lease, lock }: PostgresOptions = {},
): Promise<Store> {
  const pool = new pg.Pool({
    connectionString: url,
    types,
    max: maxConnections,
    application_name: 'plumb',
    connectionTimeoutMillis: 5_000,
    // A statement that hangs would hold its organisation's lock against every replica.
    statement_timeout: statementSeconds * 1_000,
    // A server that says nothing any more does not end it.
    query_timeout: (statementSeconds + graceSeconds) * 1_000,
  });
  // An idle connection that breaks is replaced by the pool; without a listener the process would end.
  pool.on('error', () => {});
  const watch = new VersionWatch(url, lock);
  const writerTurns = new LeasedWriterTurns(pool, watch, lock, lease);
  try {
    await inTransaction(pool, 'BEGIN', async (session) => {
      await session.run('SELECT pg_advisory_xact_lock($1::bigint)', [migrationLock]);
      await migrate(session);
    });
    if (endsTurns) await writerTurns.endAll();
    await watch.start();
  } catch (error) {
    await watch.close();
    await pool.end();
    throw unusableAddress(error) ?? error;
  }
  return new PostgresStore(url, pool, watch, writerTurns, lock);
}

class PostgresStore implements Store {
  readonly engine = 'postgres';
  readonly isShared = true;
  readonly writerTurns: WriterTurns;
  readonly #url: string;
  readonly #pool: pg.Pool;
  readonly #watch: VersionWatch;
  readonly #lock: StoreLock | undefined;
  readonly #reads = new StoreTurns(reads);
  readonly #changes = new StoreTurns(changes);

  constructor(url: string, pool: pg.Pool, watch: VersionWatch, writerTurns: WriterTurns, lock?: StoreLock) {
    this.#url = url;
    this.writerTurns = writerTurns;
    this.#pool = pool;
    this.#watch = watch;
    this.#lock = lock;
  }

  async read<T>(work: (session: Reading) => Promise<T>, turn: StoreCaller = {}): Promise<T> {
    this.#lock?.refuseUnlessHeld();
    return this.#reads.take(turn, () =>
      inTransaction(this.#pool, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', work),
    );
  }

  async change<T>(
    organisationId: string,
    work: (session: OrganisationWriting) => Promise<T>,
    turn: StoreCaller = { organisationId },
  ): Promise<T> {
    this.#lock?.refuseUnlessHeld();
    return this.#changes.take(turn, () => this.#change(organisationId, work));
  }

  async #change<T>(organisationId: string, work: (session: OrganisationWriting) => Promise<T>): Promise<T> {
    let version = 0;
    const result = await inTransaction(this.#pool, 'BEGIN', async (session) => {
      // An advisory lock rather than a row lock: an organisation that is just being made has no row to lock yet.
      await enter(session, 'pg_advisory_xact_lock(hashtextextended($1, 0))', [organisationId]);
      const [known] = await session.rows<{ version: number }>('SELECT version FROM organisations WHERE id = $1', [
        organisationId,
      ]);
      version = (known?.version ?? 0) + 1;
      const done = await work({ organisationId, version, ...session });
      // Before it is committed: another process may have begun in the meantime.
      this.#lock?.refuseUnlessHeld();
      await session.run('UPDATE organisations SET version = $2 WHERE id = $1', [organisationId, version]);
      await session.run('SELECT pg_notify($1, $2)', [channel, `${organisationId} ${version}`]);
      return done;
    });
    this.#watch.learn(organisationId, version);
    return result;
  }

  async note(work: (session: Writing) => Promise<void>): Promise<void> {
    this.#lock?.refuseUnlessHeld();
    await inTransaction(this.#pool, 'BEGIN', async (session) => {
      await enter(session);
      await work(session);
      this.#lock?.refuseUnlessHeld();
    });
  }

  async holdWrites(): Promise<WriteHold> {
    this.#lock?.refuseUnlessHeld();
    return holdWrites(this.#url);
  }

  versionOf(organisationId: string): number | undefined {
    return this.#watch.versionOf(organisationId);
  }

  watch(listener: (organisationId: string) => void): void {
    this.#watch.onRaise(listener);
  }

  async close(): Promise<void> {
    try {
      await this.#watch.close();
      await this.#pool.end();
    } finally {
      await this.#lock?.close();
    }
  }
}

/** The first statement of every transaction that writes. */
async function enter(session: Writing, also = 'true', values: readonly StoreValue[] = []): Promise<void> {
  const [entered] = await session.rows<{ free: boolean }>(`SELECT ${mayWrite} AS free, ${also}`, values);
  if (!entered?.free) throw onHold();
}

async function inTransaction<T>(pool: pg.Pool, begin: string, work: (session: Writing) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error) => {
    throw isAway(error) ? unavailable(error) : error;
  });
  let broken: Error | undefined;
  // A connection that breaks between two statements says so by an event, which would end the process unheard.
  const breaks = (error: Error) => {
    broken = error;
  };
  client.on('error', breaks);
  try {
    await client.query(begin);
    const query = (sql: string, values: readonly StoreValue[] = []) => {
      for (const value of values) refuseUnstorable(value);
      return client.query(listsAsArrays(sql), [...values]);
    };
    const result = await work({
      rows: async <R>(sql: string, values?: readonly StoreValue[]) => (await query(sql, values)).rows as R[],
      run: async (sql: string, values?: readonly StoreValue[]) => {
        await query(sql, values);
      },
      lock: async (what: string) => {
        await query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [what]);
      },
    });
    await client.query('COMMIT');
    return result;
  } catch (error) {
    if (isAway(error)) {
      broken = error as Error;
      throw unavailable(error);
    }
    await client.query('ROLLBACK').catch((rollbackError: Error) => {
      broken = rollbackError;
    });
    throw isTimeout(error) ? tooSlow(Number(pool.options.statement_timeout) / 1_000) : error;
  } finally {
    client.off('error', breaks);
    client.release(broken);
  }
}

/**
 * A planner that still takes a freshly filled table for a small one joins a list to it row by row: fifty thousand names
 * among fifty thousand people took minutes. An array it hashes or looks up in an index, whatever it believes.
 */
const listsAsArrays = (sql: string): string =>
  sql.replace(/\bIN \(SELECT unnest\((\$\d+::[a-z ]+\[\])\)\)/g, '= ANY($1)');

const isTimeout = (error: unknown): boolean => (error as { code?: string }).code === '57014';
