import {
  type DuckDBConnection,
  DuckDBDateValue,
  DuckDBInstance,
  DuckDBTimestampValue,
  type DuckDBValue,
} from '@duckdb/node-api';
import type { ComparedRows, ComparedValue } from './question.ts';
import { memoryMegabytes, threads } from './sizes.ts';
import type { Organisation } from './world.ts';

/** The engine by itself, with the files of all organisations and with the limits that Plumb has. */
export class BareEngine {
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#instance = instance;
    this.#connection = connection;
  }

  static async open(organisations: readonly Organisation[]): Promise<BareEngine> {
    const instance = await DuckDBInstance.create(':memory:', {
      threads: String(threads),
      memory_limit: `${memoryMegabytes}MiB`,
    });
    const connection = await instance.connect();
    for (const { number, file } of organisations) {
      await connection.run(`ATTACH '${file}' AS organisation_${number} (READ_ONLY)`);
    }
    return new BareEngine(instance, connection);
  }

  /** Statements from here on are about this organisation. */
  async turnTo({ number }: Organisation): Promise<void> {
    await this.#connection.run(`USE organisation_${number}`);
  }

  async run(sql: string): Promise<void> {
    await this.#connection.run(sql);
  }

  async rows(sql: string): Promise<ComparedRows> {
    const result = await this.#connection.runAndReadAll(sql);
    return result.getRows().map((row) => row.map(plain));
  }

  /** The first column of every row, as it comes: one text a row is the quickest way for many rows. */
  async texts(sql: string, take: (text: string) => void): Promise<void> {
    const result = await this.#connection.run(sql);
    for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
      const column = chunk.getColumnVector(0);
      for (let i = 0; i < chunk.rowCount; i += 1) take(String(column.getItem(i)));
    }
  }

  close(): void {
    this.#connection.closeSync();
    this.#instance.closeSync();
  }
}

function plain(value: DuckDBValue): ComparedValue {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof DuckDBDateValue) return value.toString();
  if (value instanceof DuckDBTimestampValue) return Number(value.micros / 1_000_000n);
  throw new Error(`no way to compare ${String(value)}`);
}
