import { resolve } from 'node:path';
import { type DuckDBConnection, DuckDBInstance, type DuckDBResult } from '@duckdb/node-api';
import type { Json } from '../../catalogue/record.ts';
import { BrokenInput } from './byte-source.ts';
import { type FileLine, lineBytesMax, tooLong } from './file-line.ts';
import { jsonLine } from './json-line.ts';
import { jsonValue } from './parquet-value.ts';

const unreadable = 'it is damaged, encrypted or written in a way this version does not know';

// Hive partitioning would make columns of folders that are named like `year=2024`.
const readFile = 'read_parquet($1, hive_partitioning = false)';

/** The rows of a Parquet file, numbered from 1. `readShare` is told how far it is, from 0 to 1. */
export async function* parquetLines(path: string, readShare: (share: number) => void): AsyncGenerator<FileLine> {
  const pattern = patternOf(resolve(path));
  const instance = await engineFor(resolve(path));
  try {
    const connection = await instance.connect();
    const rowsTotal = await engineAnswer(() => countRows(connection, pattern));
    const result = await engineAnswer(() => streamRows(connection, pattern));
    const columns = columnsOf(result);
    let row = 0;
    for (;;) {
      const chunk = await engineAnswer(() => result.fetchChunk());
      if (!chunk || chunk.rowCount === 0) break;
      readShare((row + chunk.rowCount) / rowsTotal);
      for (let at = 0; at < chunk.rowCount; at++) {
        row++;
        yield await fileLine(row, columns, chunk.getRowValues(at).map(jsonValue));
      }
    }
    // A stream of this engine that meets an error can end as if it were complete.
    if (row !== rowsTotal) throw new BrokenInput(unreadable);
    readShare(1);
  } finally {
    instance.closeSync();
  }
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

/** The engine speaks of its inside; all its complaints about a file come to the same for who has to put it right. */
async function engineAnswer<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch {
    throw new BrokenInput(unreadable);
  }
}

interface Column {
  readonly name: string;
  /** Text that the file itself declares to be JSON. */
  readonly isJson: boolean;
}

const columnsOf = (result: DuckDBResult): readonly Column[] =>
  result.columnNames().map((name, at) => ({ name, isJson: result.columnLogicalType(at).alias === 'JSON' }));

async function fileLine(row: number, columns: readonly Column[], values: readonly Json[]): Promise<FileLine> {
  const record: [string, unknown][] = [];
  for (const [at, { name, isJson }] of columns.entries()) {
    const value = values[at] ?? null;
    if (!isJson || typeof value !== 'string') {
      record.push([name, value]);
      continue;
    }
    const parsed = await jsonLine(row, value);
    if ('problem' in parsed) return { line: row, problem: `${name} ${parsed.problem}`, raw: value };
    record.push([name, parsed.value]);
  }
  const length = values.reduce<number>((sum, value) => sum + lengthOf(value), 0);
  if (length > lineBytesMax) return { line: row, problem: tooLong, raw: '' };
  return { line: row, value: Object.fromEntries(record) };
}

/** Roughly, as it would be in JSON. */
function lengthOf(value: Json): number {
  if (typeof value === 'string') return value.length;
  return typeof value === 'object' && value !== null ? JSON.stringify(value).length : 8;
}
