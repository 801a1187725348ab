import { storedNames, type Table } from '../../catalogue/table.ts';
import type { TableDigest } from '../embedded-port.ts';
import { storedTables } from '../schema.ts';
import { EngineError } from './engine-error.ts';
import { quoted, tableIn } from './statement.ts';
import type { Task } from './task.ts';

/** Stands for a missing value, and between values: no name or number has them. */
const missing = 'chr(30)';
const between = 'chr(31)';

/**
 * The sum over all rows of the MD5 of a row's text: it does not depend on the order of rows, nor on the version of the
 * engine as its own hash function would. Columns come by name, so that a catalogue in another order means the same.
 */
export async function digestTables(task: Task, schema: string): Promise<TableDigest[]> {
  const digests: TableDigest[] = [];
  for (const table of storedTables) {
    const columns = storedNames(table).toSorted();
    const values = columns.map((column) => `coalesce(t.${quoted(column)}::VARCHAR, ${missing})`);
    const row = `md5_number_lower(concat_ws(${between}, ${values.join(', ')}))`;
    const [found] = await task.values<[number, string]>({
      sql: `SELECT json_array(count(*), coalesce(sum(${row}::HUGEINT), 0)::VARCHAR) FROM ${tableIn(schema, table)} t`,
      values: [],
    });
    digests.push({ table: table.name, rows: found?.[0] ?? 0, digest: found?.[1] ?? '0' });
  }
  return digests;
}

/** Reads every value of every table, and looks for keys that are there twice. */
export async function findDamage(task: Task, schema: string): Promise<string[]> {
  const problems: string[] = [];
  for (const table of storedTables) {
    problems.push(...(await unreadableColumns(task, table, schema)));
    const twice = await rowsWithSharedKey(task, table, schema);
    if (twice) problems.push(twice);
  }
  return problems;
}

/** All columns at once, and one by one only where that fails: then each tells whether it is the one. */
async function unreadableColumns(task: Task, table: Table, schema: string): Promise<string[]> {
  const columns = storedNames(table);
  if ((await readThrough(task, table, columns, schema)) === undefined) return [];
  const problems: string[] = [];
  for (const column of columns) {
    const problem = await readThrough(task, table, [column], schema);
    if (problem !== undefined) problems.push(`${table.name}.${column} cannot be read: ${problem}`);
  }
  return problems;
}

/** Hashing makes the engine read the values themselves; counting them would be answered without. */
async function readThrough(
  task: Task,
  table: Table,
  columns: readonly string[],
  schema: string,
): Promise<string | undefined> {
  const hashes = columns.map((column) => `bit_xor(hash(t.${quoted(column)}))`);
  try {
    await task.run({ sql: `SELECT ${hashes.join(', ')} FROM ${tableIn(schema, table)} t`, values: [] });
    return undefined;
  } catch (error) {
    if (!isDamage(error)) throw error;
    await task.startOver();
    return error.message;
  }
}

const isDamage = (error: unknown): error is EngineError =>
  error instanceof EngineError &&
  /checksum|corrupt|serializ|could not read|cannot read|out of range/i.test(error.message);

async function rowsWithSharedKey(task: Task, table: Table, schema: string): Promise<string | undefined> {
  const key = table.key.map(quoted).join(', ');
  const twice = `SELECT count(*) AS rows FROM ${tableIn(schema, table)} GROUP BY ${key} HAVING count(*) > 1`;
  try {
    const [found] = await task.values<[number]>({ sql: `SELECT json_array(count(*)) FROM (${twice})`, values: [] });
    const keys = found?.[0] ?? 0;
    return keys === 0
      ? undefined
      : `${table.name} has several rows for one key, ${keys} ${keys === 1 ? 'time' : 'times'}`;
  } catch (error) {
    if (!isDamage(error)) throw error;
    // Which column cannot be read was said already.
    await task.startOver();
    return undefined;
  }
}
