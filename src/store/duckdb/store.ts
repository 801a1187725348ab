import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { defaultMemory, divideMemory, inMebibytes } from '../../admission/memory-division.ts';
import { Refusal } from '../../refusal.ts';
import { migrate } from '../migrations/migrations.ts';
import type { EngineLimits, OrganisationWriting, Reading, Store, StoreCaller, Writing } from '../store.ts';
import { StoreTurns } from '../store.ts';
import { MemoryWriterTurns, WriteGate, type WriteHold } from '../writer-turns.ts';
import { ReaderPool, StoreConnection } from './store-connections.ts';
import { CommitCounter, embeddedStoreFiles } from './store-files.ts';

const maxReaders = 4;

/** A store reads no files but its own and loads no code, whatever statement reaches it. */
const lockedDown = {
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
} as const;

interface Opened {
  readonly instance: DuckDBInstance;
  readonly writer: StoreConnection;
  readonly readers: ReaderPool;
  commits: number;
}

/** Opens the store's file in a data folder that this process owns. */
export async function openEmbeddedStore(folder: string, limits: EngineLimits = {}): Promise<Store> {
  const commitCounter = new CommitCounter(join(folder, embeddedStoreFiles.commitCounter));
  const store = new EmbeddedStore(join(folder, embeddedStoreFiles.data), commitCounter, limits);
  try {
    await store.open();
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

class EmbeddedStore implements Store {
  readonly engine = 'duckdb';
  readonly isShared = false;
  readonly #gate = new WriteGate();
  readonly writerTurns = new MemoryWriterTurns(this.#gate);
  readonly #path: string;
  readonly #commitCounter: CommitCounter;
  readonly #limits: EngineLimits;
  readonly #versions = new Map<string, number>();
  #opened: Promise<Opened> | undefined;
  #closed = false;
  readonly #reads = new StoreTurns({ all: maxReaders, organisation: maxReaders - 1, key: maxReaders - 2 });
  /** Writes run one after another: DuckDB would refuse the second of two that touch the same row. */
  readonly #writes = new StoreTurns({ all: 1, organisation: 1, key: 1 });
  readonly #writing = new Set<Promise<unknown>>();

  constructor(path: string, commitCounter: CommitCounter, limits: EngineLimits) {
    this.#path = path;
    this.#commitCounter = commitCounter;
    this.#limits = limits;
  }

  /** The one instance of this file in this process: DuckDB loses rows when a file is opened twice. */
  open(): Promise<Opened> {
    if (this.#closed) throw new Refusal('unavailable', 'The store is closed.', { retryAfterSeconds: 1 });
    this.#opened ??= this.#openFile().catch((error) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  read<T>(work: (session: Reading) => Promise<T>, turn: StoreCaller = {}): Promise<T> {
    return this.#reads.take(turn, () => this.#read(work));
  }

  async #read<T>(work: (session: Reading) => Promise<T>): Promise<T> {
    const opened = await this.open();
    const reader = await opened.readers.take();
    try {
      return await transaction(reader, () => work(reader));
    } catch (error) {
      throw await this.#understood(opened, error);
    } finally {
      opened.readers.giveBack(reader);
    }
  }

  async change<T>(
    organisationId: string,
    work: (session: OrganisationWriting) => Promise<T>,
    turn: StoreCaller = { organisationId },
  ): Promise<T> {
    let version = 0;
    const result = await this.#write(
      async (writer) => {
        const [known] = await writer.rows<{ version: number }>('SELECT version FROM organisations WHERE id = $1', [
          organisationId,
        ]);
        // One that was deleted and is made again must not look older than what is kept of its former life.
        version = Math.max(known?.version ?? 0, this.#versions.get(organisationId) ?? 0) + 1;
        const done = await work({
          organisationId,
          version,
          rows: (sql, values) => writer.rows(sql, values),
          run: (sql, values) => writer.run(sql, values),
          lock: (what) => writer.lock(what),
        });
        await writer.run('UPDATE organisations SET version = $2 WHERE id = $1', [organisationId, version]);
        return done;
      },
      () => this.#versions.set(organisationId, version),
      turn,
    );
    return result;
  }

  async note(work: (session: Writing) => Promise<void>): Promise<void> {
    await this.#write(work, () => {});
  }

  holdWrites(): Promise<WriteHold> {
    return this.#gate.hold();
  }

  /** Nobody but this process changes an embedded store, and it knows of its own changes. */
  watch(): void {}

  versionOf(organisationId: string): number | undefined {
    return this.#versions.get(organisationId);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await Promise.allSettled(this.#writing);
    const opened = await this.#opened?.catch(() => undefined);
    if (opened) release(opened);
    this.#commitCounter.close();
  }

  async #openFile(): Promise<Opened> {
    const { threads = 1, memory = inMebibytes(divideMemory(defaultMemory()).store), statementSeconds } = this.#limits;
    const instance = await DuckDBInstance.create(this.#path, {
      ...lockedDown,
      threads: String(threads),
      memory_limit: memory,
    });
    const native = await instance.connect();
    await native.run('SET GLOBAL enable_external_access = false');
    await native.run('SET GLOBAL lock_configuration = true');
    const writer = new StoreConnection(native, statementSeconds);
    const opened: Opened = {
      instance,
      writer,
      readers: new ReaderPool(instance, maxReaders, statementSeconds),
      commits: 0,
    };
    try {
      await transaction(writer, async () => {
        await migrate(writer);
        await dropIndexes(writer);
        await writer.run('CREATE TABLE IF NOT EXISTS commits (count bigint NOT NULL)');
        await writer.run('INSERT INTO commits SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM commits)');
      });
      const [state] = await writer.rows<{ count: number }>('SELECT count FROM commits');
      opened.commits = state?.count ?? 0;
      this.#commitCounter.check(opened.commits);
      const versions = await writer.rows<{ id: string; version: number }>('SELECT id, version FROM organisations');
      for (const { id, version } of versions) this.#versions.set(id, version);
      return opened;
    } catch (error) {
      release(opened);
      throw error;
    }
  }

  #write<T>(work: (writer: Writing) => Promise<T>, committed: () => void, turn: StoreCaller = {}): Promise<T> {
    const transact = async () => {
      const opened = await this.open();
      const commits = opened.commits + 1;
      try {
        const result = await transaction(opened.writer, async () => {
          const done = await work(opened.writer);
          await opened.writer.run('UPDATE commits SET count = $1', [commits]);
          return done;
        });
        opened.commits = commits;
        committed();
        this.#commitCounter.record(commits);
        return result;
      } catch (error) {
        throw await this.#understood(opened, error);
      }
    };
    const write = this.#writes.take(turn, () => this.#gate.enter(transact));
    this.#writing.add(write);
    const forget = () => void this.#writing.delete(write);
    write.then(forget, forget);
    return write;
  }

  /**
   * A full disk makes DuckDB declare the whole instance invalid; reopening it brings every commit back. The caller
   * learns that the outcome is undecided, and may simply ask again: every write here can be repeated.
   */
  async #understood(opened: Opened, error: unknown): Promise<unknown> {
    if (!(error instanceof Error) || !/invalidated|no space left|failed to commit/i.test(error.message)) return error;
    if ((await this.#opened) === opened) {
      this.#opened = undefined;
      release(opened);
    }
    return new Refusal('unavailable', 'The store had to be reopened. Send the request again.', {
      retryAfterSeconds: 1,
      cause: error,
    });
  }
}

function release({ instance, writer, readers }: Opened): void {
  readers.close();
  writer.close();
  instance.closeSync();
}

async function transaction<T>(connection: StoreConnection, work: () => Promise<T>): Promise<T> {
  await connection.run('BEGIN TRANSACTION');
  try {
    const result = await work();
    await connection.run('COMMIT');
    return result;
  } catch (error) {
    // The transaction may already be over when the engine itself gave up; the first error is the one that matters.
    await connection.run('ROLLBACK').catch(() => {});
    throw error;
  }
}

/**
 * Leaves a store with its primary keys as its only indexes. When DuckDB opens a file after a crash and closes it before a
 * table is used, it loses what its log held for the other indexes of that table, and fails for ever when such a row is
 * deleted. A file that was damaged this way is whole again without them, and the tables are short enough to be read through.
 */
async function dropIndexes(session: Writing): Promise<void> {
  const indexes = await session.rows<{ index_name: string }>('SELECT index_name FROM duckdb_indexes()');
  for (const { index_name } of indexes) await session.run(`DROP INDEX "${index_name}"`);
}
