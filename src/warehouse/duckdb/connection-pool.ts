import type { DuckDBInstance } from '@duckdb/node-api';
import { EngineConnection } from './connection.ts';

/** Connections that are kept for the next task. The callers decide how many are open at once. */
const idleMost = 16;

/** Private connections, made as they are needed and used again. */
export class ConnectionPool {
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
    if (isClean && !this.#isClosed && this.#idle.length < idleMost) this.#idle.push(connection);
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
