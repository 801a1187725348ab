import { resolve } from 'node:path';
import { type DuckDBConnection, type DuckDBDataChunk, DuckDBInstance, type DuckDBResult } from '@duckdb/node-api';
import type { Json } from '../../../catalogue/record.ts';
import { type ReadColumn, type ReadRows, UnreadableParquet } from '../parquet-files.ts';
import { jsonValue } from './parquet-value.ts';

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
    // Both are asked for: the pattern when the statement is bound, the path when the file is opened.
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
