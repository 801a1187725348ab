import type { DuckDBInstance } from '@duckdb/node-api';
import { Refusal } from '../../refusal.ts';
import { StoreConnection } from './connection.ts';

/** Connections for reading, made as they are needed. Readers never wait for the writer, only for each other. */
export class ReaderPool {
  readonly #instance: DuckDBInstance;
  readonly #most: number;
  readonly #statementSeconds: number | undefined;
  readonly #idle: StoreConnection[] = [];
  readonly #waiting: { readonly take: (reader: StoreConnection) => void; readonly refuse: (error: Error) => void }[] =
    [];
  #made = 0;
  #closed = false;

  constructor(instance: DuckDBInstance, most: number, statementSeconds?: number) {
    this.#instance = instance;
    this.#most = most;
    this.#statementSeconds = statementSeconds;
  }

  async take(): Promise<StoreConnection> {
    if (this.#closed) throw closed();
    const idle = this.#idle.pop();
    if (idle) return idle;
    if (this.#made >= this.#most) {
      return new Promise((take, refuse) => this.#waiting.push({ take, refuse }));
    }
    this.#made += 1;
    try {
      return new StoreConnection(await this.#instance.connect(), this.#statementSeconds);
    } catch (error) {
      this.#made -= 1;
      throw error;
    }
  }

  giveBack(reader: StoreConnection): void {
    if (this.#closed) reader.close();
    else {
      const next = this.#waiting.shift();
      if (next) next.take(reader);
      else this.#idle.push(reader);
    }
  }

  /** Readers still at work close when they are given back. */
  close(): void {
    this.#closed = true;
    for (const reader of this.#idle.splice(0)) reader.close();
    for (const { refuse } of this.#waiting.splice(0)) refuse(closed());
  }
}

const closed = () =>
  new Refusal('unavailable', 'The store is being closed. Send the request again.', { retryAfterSeconds: 1 });
