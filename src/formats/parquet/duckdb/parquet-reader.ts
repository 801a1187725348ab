import { resolve } from 'node:path';
import {
  DuckDBArrayValue,
  DuckDBBlobValue,
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBDecimalValue,
  DuckDBInstance,
  DuckDBListValue,
  DuckDBMapValue,
  type DuckDBResult,
  DuckDBStructValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBUnionValue,
  type DuckDBValue,
  DuckDBVariantValue,
} from '@duckdb/node-api';
import type { Json } from '../../../catalogue/record.ts';
import { type ReadColumn, type ReadRows, UnreadableParquet } from '../parquet-files.ts';

// Hive partitioning would make columns of folders that are named like `year=2024`.
const readFile = 'read_parquet($1, hive_partitioning = false)';

export async function* readParquet(path: string): AsyncGenerator<ReadRows> {
  const pattern = patternOf(resolve(path));
  const instance = await engineFor(resolve(path));
  try {
    const connection = await instance.connect();
    const rowsTotal = await engineAnswer(() => countRows(connection, pattern));
    const result = await engineAnswer(() => streamRows(connection, pattern));
    const columns = columnsOf(result);
    let count = 0;
    for (;;) {
      const chunk = await engineAnswer(() => result.fetchChunk());
      if (!chunk || chunk.rowCount === 0) break;
      count += chunk.rowCount;
      yield { columns, rows: rowsOf(chunk), count: chunk.rowCount, rowsTotal };
    }
    // A stream of this engine that meets an error can end as if it were complete.
    if (count !== rowsTotal) throw new UnreadableParquet();
  } finally {
    instance.closeSync();
  }
}

/** A row at a time: long texts of a whole chunk would be in memory twice. */
function* rowsOf(chunk: DuckDBDataChunk): Generator<Json[]> {
  for (let at = 0; at < chunk.rowCount; at += 1) yield chunk.getRowValues(at).map(jsonValue);
}

/** The engine takes a path for a pattern. One character in brackets matches itself. */
const patternOf = (path: string): string => path.replace(/[*?[]/g, '[$&]');

/** An engine of its own that can reach nothing but this one file, so that a hostile file can reach nothing else. */
export async function engineFor(path: string): Promise<DuckDBInstance> {
  const instance = await DuckDBInstance.create(':memory:', {
    threads: '1',
    memory_limit: '1GB',
    temp_directory: '',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
  });
  try {
    const connection = await instance.connect();
    // DuckDB asks for both: the pattern when the statement is bound, the path when the file is opened.
    await connection.run(`SET allowed_paths = [${[path, patternOf(path)].map(sqlText).join(', ')}]`);
    await connection.run('SET enable_external_access = false');
    await connection.run('SET lock_configuration = true');
    connection.closeSync();
    return instance;
  } catch (error) {
    instance.closeSync();
    throw error;
  }
}

// A setting takes no parameter.
const sqlText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

async function countRows(connection: DuckDBConnection, pattern: string): Promise<number> {
  const reader = await connection.runAndReadAll(`SELECT count(*)::double FROM ${readFile}`, [pattern]);
  return Number(reader.getRows()[0]?.[0]);
}

const streamRows = (connection: DuckDBConnection, pattern: string): Promise<DuckDBResult> =>
  connection.stream(`SELECT * FROM ${readFile}`, [pattern]);

/** The engine reports internal details. For the person who has to mend the file all its errors mean the same. */
async function engineAnswer<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    throw new UnreadableParquet('the file cannot be read', { cause });
  }
}

const columnsOf = (result: DuckDBResult): readonly ReadColumn[] =>
  result.columnNames().map((name, at) => ({ name, isJson: result.columnLogicalType(at).alias === 'JSON' }));

/** A value of a Parquet file as the same record would have it in JSON. What JSON cannot say is said as text. */
export function jsonValue(value: DuckDBValue): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  // NaN and the infinities as text: a number field then refuses them, where null would clear it.
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'bigint') return wholeNumber(value);
  if (value instanceof DuckDBDecimalValue) return value.scale === 0 ? wholeNumber(value.value) : Number(String(value));
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) return value.items.map(jsonValue);
  if (value instanceof DuckDBStructValue) {
    return Object.fromEntries(Object.entries(value.entries).map(([name, entry]) => [name, jsonValue(entry)]));
  }
  if (value instanceof DuckDBMapValue) {
    return Object.fromEntries(value.entries.map((entry) => [keyText(entry.key), jsonValue(entry.value)]));
  }
  if (value instanceof DuckDBUnionValue || value instanceof DuckDBVariantValue) return jsonValue(value.value);
  if (value instanceof DuckDBBlobValue) return Buffer.from(value.bytes).toString('base64');
  const milliseconds = epochMilliseconds(value);
  if (milliseconds !== undefined && Math.abs(milliseconds) <= 8.64e15) return new Date(milliseconds).toISOString();
  return String(value);
}

function keyText(key: DuckDBValue): string {
  const json = jsonValue(key);
  return typeof json === 'string' ? json : JSON.stringify(json);
}

/** A number as long as it is exact, else its digits. */
function wholeNumber(value: bigint): Json {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

/** Every timestamp is taken as UTC, with or without a zone in its type. Below the millisecond it is cut off. */
function epochMilliseconds(value: DuckDBValue): number | undefined {
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue) {
    return flooredMilliseconds(value.micros, 1_000n);
  }
  if (value instanceof DuckDBTimestampNanosecondsValue) return flooredMilliseconds(value.nanos, 1_000_000n);
  if (value instanceof DuckDBTimestampMillisecondsValue) return Number(value.millis);
  if (value instanceof DuckDBTimestampSecondsValue) return Number(value.seconds) * 1_000;
  return undefined;
}

/** Division of bigints rounds towards zero, which before 1970 is up. */
function flooredMilliseconds(units: bigint, perMillisecond: bigint): number {
  const quotient = units / perMillisecond;
  return Number(units % perMillisecond < 0n ? quotient - 1n : quotient);
}
