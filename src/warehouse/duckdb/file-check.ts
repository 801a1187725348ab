import { inheritedColumns, storedColumns, storedNames, type Table } from '../../catalogue/table.ts';
import type { TableDigest } from '../maintenance-port.ts';
import { derivationRules, storedTables } from '../schema.ts';
import { EngineError } from './engine-failures.ts';
import { schemaOf } from './organisation-file.ts';
import { keptTypes, quoted, tableIn } from './statement.ts';
import type { Task } from './task.ts';

/** Everything that can be wrong with the file of an organisation. Where it cannot be read, nothing is compared in it. */
export async function examineFile(task: Task, organisationId: string): Promise<string[]> {
  const schema = schemaOf(organisationId);
  const others = await findOtherColumns(task, schema);
  if (others.length > 0) return others;
  const damage = await findDamage(task, schema);
  return damage.length > 0 || !(await isOfToday(task, schema)) ? damage : findStrays(task, schema);
}

/** Whether everything was derived by today's rules. What is inherited may not be there yet where it was not. */
async function isOfToday(task: Task, schema: string): Promise<boolean> {
  const sql = `SELECT json_array(derivation_version) FROM ${schema}.state`;
  const [state] = await task.values<[number | null]>({ sql, values: [] });
  return state?.[0] === derivationRules;
}

/**
 * The differences between the file and the declared tables. Opening a file adds what it lacks, if it is asked to look.
 */
async function findOtherColumns(task: Task, schema: string): Promise<string[]> {
  const problems: string[] = [];
  for (const table of storedTables) {
    const types = await columnTypes(task, table, schema);
    if (!types) problems.push(`${table.name} is missing`);
    else problems.push(...otherColumns(table, types));
  }
  return problems;
}

function otherColumns(table: Table, types: ReadonlyMap<string, string>): string[] {
  return [...storedColumns(table)].flatMap(([column, type]) => {
    const has = types.get(column);
    if (has === keptTypes[type]) return [];
    return [`${table.name}.${column} is ${has === undefined ? 'missing' : `${has} instead of ${keptTypes[type]}`}`];
  });
}

/**
 * Undefined where there is no such table. Asked table by table: the engine's own list of columns takes longer with every
 * other organisation that is attached, 0.8 s with a hundred of them.
 */
async function columnTypes(task: Task, table: Table, schema: string): Promise<Map<string, string> | undefined> {
  const described = `(DESCRIBE SELECT * FROM ${tableIn(schema, table)})`;
  try {
    const sql = `SELECT json_array(column_name, column_type) FROM ${described}`;
    return new Map(await task.values<[string, string]>({ sql, values: [] }));
  } catch (error) {
    if (!(error instanceof Error && /^Catalog Error/.test(error.message))) throw error;
    await task.startOver();
    return undefined;
  }
}

/** Rows that say otherwise than their parents what they have from them. One without a known parent has nothing. */
async function findStrays(task: Task, schema: string): Promise<string[]> {
  const problems: string[] = [];
  for (const child of storedTables) {
    const parent = storedTables.find(({ name }) => name === child.parent?.table);
    if (!parent) continue;
    for (const [column, rows] of await orphansOf(task, child, parent, schema)) {
      problems.push(`${child.name}.${column} differs from that of its ${parent.name}, in ${rows} rows`);
    }
  }
  return problems;
}

async function orphansOf(task: Task, child: Table, parent: Table, schema: string): Promise<[string, number][]> {
  const columns = inheritedColumns(child);
  if (columns.length === 0) return [];
  const same = (child.parent?.key ?? []).map(
    (column, i) => `c.${quoted(column)} = p.${quoted(parent.key[i] ?? column)}`,
  );
  const counts = columns.map(
    (column) => `count(*) FILTER (WHERE c.${quoted(column)} IS DISTINCT FROM p.${quoted(column)})`,
  );
  const [found] = await task.values<number[]>({
    sql: `SELECT json_array(${counts.join(', ')}) FROM ${tableIn(schema, child)} c
      LEFT JOIN ${tableIn(schema, parent)} p ON ${same.join(' AND ')}`,
    values: [],
  });
  return columns.flatMap((column, i) => (found?.[i] ? [[column, found[i]] as [string, number]] : []));
}

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
async function findDamage(task: Task, schema: string): Promise<string[]> {
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
