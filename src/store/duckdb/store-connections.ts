import type {
  DuckDBConnection,
  DuckDBInstance,
  DuckDBMaterializedResult,
  DuckDBPreparedStatement,
} from '@duckdb/node-api';
import { Refusal } from '../../refusal.ts';
import { refuseUnstorable } from '../put-rows.ts';
import { type StoreValue, statementSecondsDefault, tooSlow, type Writing } from '../store.ts';

/**
 * One DuckDB connection as a session of the store. Used by one task at a time: its owner sees to that.
 *
 * Statements are prepared for each use. A kept one keeps the plan that the rows of its first day suggested, and gives
 * garbage once there are others: prepared on an empty table, `SELECT id … ORDER BY id` returned '4' for '4650fc90'.
 */
export class StoreConnection implements Writing {
  readonly #native: DuckDBConnection;
  readonly #statementSeconds: number;

  constructor(native: DuckDBConnection, statementSeconds: number = statementSecondsDefault) {
    this.#native = native;
    this.#statementSeconds = statementSeconds;
  }

  async rows<R>(sql: string, values: readonly StoreValue[] = []): Promise<R[]> {
    const result = await this.#perform(sql, values);
    const names = result.deduplicatedColumnNames();
    const columns = await result.getColumnsJS();
    return Array.from({ length: result.rowCount }, (_, row) => {
      const record: Record<string, unknown> = {};
      for (const [i, name] of names.entries()) {
        const value = columns[i]?.[row];
        // Versions and counts come as bigint; none of them ever leaves what a number holds exactly.
        record[name] = typeof value === 'bigint' ? Number(value) : value;
      }
      return record as R;
    });
  }

  async run(sql: string, values: readonly StoreValue[] = []): Promise<void> {
    await this.#perform(sql, values);
  }

  /** Transactions that write run one after another. */
  async lock(): Promise<void> {}

  close(): void {
    this.#native.closeSync();
  }

  /** Runs a statement; its whole answer is then in memory. */
  async #perform(sql: string, values: readonly StoreValue[]): Promise<DuckDBMaterializedResult> {
    // DuckDB has no time limit of its own.
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.#native.interrupt();
    }, this.#statementSeconds * 1_000);
    try {
      return values.length === 0 ? await this.#native.run(sql) : await this.#bound(sql, values);
    } catch (error) {
      throw isLate ? tooSlow(this.#statementSeconds) : error;
    } finally {
      clearTimeout(timer);
    }
  }

  async #bound(sql: string, values: readonly StoreValue[]): Promise<DuckDBMaterializedResult> {
    const statement = await this.#native.prepare(listsAsJson(sql));
    try {
      for (const [i, value] of values.entries()) bind(statement, i + 1, value);
      return await statement.run();
    } finally {
      statement.destroySync();
    }
  }
}

/**
 * A list is bound as one JSON text and unpacked by the engine: binding its values one by one is twelve times slower
 * (100,000 texts: 17 ms against 207).
 */
const listsAsJson = (sql: string): string =>
  sql.replace(/(\$\d+)::([a-z ]+)\[\]/g, `from_json($1::text, '["VARCHAR"]')::$2[]`);

/** Times are bound as text too: the statement's own `::type` gives them their type. */
function bind(statement: DuckDBPreparedStatement, position: number, value: StoreValue): void {
  refuseUnstorable(value);
  if (value === null) statement.bindNull(position);
  else if (typeof value === 'string') statement.bindVarchar(position, value);
  else if (typeof value === 'boolean') statement.bindBoolean(position, value);
  else if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) statement.bindBigInt(position, BigInt(value));
    else statement.bindDouble(position, value);
  } else if (value instanceof Date) statement.bindVarchar(position, value.toISOString());
  else statement.bindVarchar(position, JSON.stringify(value));
}

/** Connections for reading, made as they are needed. Readers never wait for the writer, only for each other. */
export class ReaderPool {
  readonly #instance: DuckDBInstance;
  readonly #max: number;
  readonly #statementSeconds: number | undefined;
  readonly #idle: StoreConnection[] = [];
  readonly #waiting: { readonly take: (reader: StoreConnection) => void; readonly refuse: (error: Error) => void }[] =
    [];
  #made = 0;
  #closed = false;

  constructor(instance: DuckDBInstance, max: number, statementSeconds?: number) {
    this.#instance = instance;
    this.#max = max;
    this.#statementSeconds = statementSeconds;
  }

  async take(): Promise<StoreConnection> {
    if (this.#closed) throw closed();
    const idle = this.#idle.pop();
    if (idle) return idle;
    if (this.#made >= this.#max) {
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
