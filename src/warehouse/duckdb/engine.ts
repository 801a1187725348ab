import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Ticket } from '../../admission/ticket.ts';
import { AttachedFiles, type Release } from './attached-files.ts';
import { EngineConnection } from './connection.ts';
import { isStillOpen } from './engine-failures.ts';
import type { Lanes } from './lanes.ts';
import {
  defaultEngineMemory,
  defaultFiles,
  defaultThreads,
  maxLogSize,
  type WarehouseLimits,
  writingSeconds,
} from './limits.ts';
import { migrate, pathOf, schemaOf } from './organisation-file.ts';
import { Task, type TaskTerms } from './task.ts';

/** Where sorting and joining go when memory runs out. */
export const temporaryFolder = (place: string): string => join(place, 'temporary');

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;
const lowPriority = { seconds: writingSeconds };

/**
 * The one instance, with the files of all organisations attached: DuckDB loses rows when a file is opened twice in a
 * process. It reads and writes files of its own folder only and loads no code, whatever statement reaches it.
 */
export class Engine {
  readonly #instance: DuckDBInstance;
  readonly #place: string;
  readonly #connections: ConnectionPool;
  readonly #files: AttachedFiles;
  /**
   * The organisations whose tables are known to be as this Plumb keeps them: attaching their files again takes moments.
   */
  readonly #migrated = new Set<string>();

  private constructor(instance: DuckDBInstance, place: string, maxFiles: number) {
    this.#instance = instance;
    this.#place = place;
    this.#connections = new ConnectionPool(instance);
    this.#files = new AttachedFiles(
      {
        attach: (organisationId) => this.#attach(organisationId),
        detach: (organisationId) => this.use((connection) => this.#detach(connection, organisationId)),
      },
      maxFiles,
    );
  }

  static async open(place: string, { memory, threads, files }: WarehouseLimits): Promise<Engine> {
    const memoryLimit = memory ?? defaultEngineMemory();
    const instance = await DuckDBInstance.create(':memory:', {
      threads: String(threads ?? defaultThreads()),
      memory_limit: memoryLimit,
      temp_directory: temporaryFolder(place),
      checkpoint_threshold: maxLogSize(memoryLimit),
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      allow_community_extensions: 'false',
    });
    const engine = new Engine(instance, place, files ?? defaultFiles());
    try {
      await engine.use(async (connection) => {
        for (const sql of [
          `SET GLOBAL allowed_directories = [${text(place)}]`,
          'SET GLOBAL enable_external_access = false',
          'SET GLOBAL lock_configuration = true',
        ]) {
          await connection.perform({ sql, values: [] }, lowPriority);
        }
      });
    } catch (error) {
      await engine.close();
      throw error;
    }
    return engine;
  }

  take(): Promise<EngineConnection> {
    return this.#connections.take();
  }

  giveBack(connection: EngineConnection, isClean: boolean): Promise<void> {
    return this.#connections.giveBack(connection, isClean);
  }

  /** Keeps the file of an organisation attached until it is given back. */
  hold(organisationId: string, ticket: Ticket): Promise<Release> {
    return this.#files.hold(organisationId, ticket);
  }

  /** Lets go of a file. Readers inside keep it until they leave; it cannot be attached again before that. */
  async detach(organisationId: string): Promise<void> {
    await this.#files.detach(organisationId);
    this.#migrated.delete(organisationId);
  }

  /** Stops whatever runs, and lets go of every file. */
  async close(): Promise<void> {
    const attached = await this.#files.close();
    await this.#connections.close();
    await this.#bringIn(attached);
    this.#instance.closeSync();
  }

  /**
   * Detaching brings the log into the file. Closing the instance would do so as well, but on the thread that everyone
   * else is waiting for. What cannot be brought in now stays in the log, and comes in when the file is next attached.
   */
  async #bringIn(attached: readonly string[]): Promise<void> {
    if (attached.length === 0) return;
    const native = await this.#instance.connect();
    for (const organisationId of attached) {
      await native.run(`DETACH ${schemaOf(organisationId)}`).catch(() => {});
    }
    native.closeSync();
  }

  async use<T>(work: (connection: EngineConnection) => Promise<T>): Promise<T> {
    const connection = await this.take();
    let isClean = false;
    try {
      const result = await work(connection);
      isClean = true;
      return result;
    } finally {
      await this.giveBack(connection, isClean);
    }
  }

  async #attach(organisationId: string): Promise<void> {
    const path = pathOf(this.#place, organisationId);
    await this.use(async (connection) => {
      await attachWhenFree(connection, `ATTACH ${text(path)} AS ${schemaOf(organisationId)}`);
      if (this.#migrated.has(organisationId)) return;
      try {
        await migrate(connection, organisationId);
        this.#migrated.add(organisationId);
      } catch (error) {
        await this.#detach(connection, organisationId);
        throw error;
      }
    });
  }

  /** A full disk can fail the checkpoint that detaching ends with; the file is let go of all the same. */
  async #detach(connection: EngineConnection, organisationId: string): Promise<void> {
    try {
      await connection.perform({ sql: `DETACH ${schemaOf(organisationId)}`, values: [] }, lowPriority);
    } catch (error) {
      if (!(error instanceof Error && /Detached database/.test(error.message))) throw error;
    }
  }
}

const attachPausesMs = [5, 10, 20, 40, 80, 160, 320, 640];

/** A file that was detached a moment ago stays open until the engine has cleaned up after its last reader. */
async function attachWhenFree(connection: EngineConnection, sql: string): Promise<void> {
  for (const pauseMs of [...attachPausesMs, undefined]) {
    try {
      await connection.perform({ sql, values: [] }, lowPriority);
      return;
    } catch (error) {
      if (pauseMs === undefined || !isStillOpen(error)) throw error;
      await sleep(pauseMs);
    }
  }
}

/** Connections that are kept for the next task. The callers decide how many are open at once. */
const maxIdle = 16;

/** Private connections, made as they are needed and used again. */
class ConnectionPool {
  readonly #instance: DuckDBInstance;
  readonly #idle: EngineConnection[] = [];
  readonly #taken = new Set<EngineConnection>();
  readonly #arriving = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor(instance: DuckDBInstance) {
    this.#instance = instance;
  }

  async take(): Promise<EngineConnection> {
    const connection = this.#idle.pop() ?? (await this.#connect());
    if (this.#isClosed) await connection.close();
    else this.#taken.add(connection);
    return connection;
  }

  /** One that may still be inside a transaction is not used again. */
  async giveBack(connection: EngineConnection, isClean: boolean): Promise<void> {
    this.#taken.delete(connection);
    if (isClean && !this.#isClosed && this.#idle.length < maxIdle) this.#idle.push(connection);
    else await connection.close();
  }

  /** Closes every connection, also under the hands of a task: its next statement is refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#arriving);
    await Promise.all([...this.#idle.splice(0), ...this.#taken].map((connection) => connection.close()));
  }

  async #connect(): Promise<EngineConnection> {
    const arriving = this.#instance.connect();
    this.#arriving.add(arriving);
    try {
      return new EngineConnection(await arriving);
    } finally {
      this.#arriving.delete(arriving);
    }
  }
}

/** Loads the native module, which throws where there is none for this machine. */
export async function engineVersion(): Promise<string> {
  const { version } = await import('@duckdb/node-api');
  return `DuckDB ${version()}`;
}

/** The outcome of such work. */
export interface TaskOutcome<T> {
  readonly result: T;
  /** When its connection is free again. Readers need not wait for that. */
  readonly ended: Promise<void>;
}

/**
 * Work on a connection of its own. Inside one transaction all of it is kept, or none; otherwise each statement is a
 * transaction by itself.
 */
export async function inTask<T>(
  engine: Engine,
  lanes: Lanes,
  terms: TaskTerms,
  work: (task: Task) => Promise<T>,
  isTransaction: boolean,
): Promise<TaskOutcome<T>> {
  const task = new Task(engine, lanes, terms);
  const undo = () => undone(engine, task);
  try {
    if (isTransaction) task.begin();
    const result = await work(task);
    const committed = task.commit();
    if (terms.lane === 'writing') await committed;
    const { connection } = task;
    if (!connection) return { result, ended: committed };
    // Ending what only read loses nothing, even where it goes wrong.
    return { result, ended: committed.then(() => engine.giveBack(connection, true)).catch(undo) };
  } catch (error) {
    await undo();
    throw error;
  }
}

/** A transaction for a stream of values. It also ends when the consumer stops early. */
export async function* streamInTransaction<T>(
  engine: Engine,
  lanes: Lanes,
  terms: TaskTerms,
  work: (task: Task) => AsyncGenerator<T>,
): AsyncGenerator<T> {
  const task = new Task(engine, lanes, terms);
  try {
    task.begin();
    yield* work(task);
  } finally {
    await undone(engine, task);
  }
}

async function undone(engine: Engine, task: Task): Promise<void> {
  const isClean = await task.rollBack();
  if (task.connection) await engine.giveBack(task.connection, isClean);
}
