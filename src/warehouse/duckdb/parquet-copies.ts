import { existsSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { directoryCopyTables } from '../../catalogue/directory-copies.ts';
import { storedColumns, storedNames, type Table } from '../../catalogue/table.ts';
import { Refusal } from '../../refusal.ts';
import type { TableCopy } from '../maintenance-port.ts';
import { schemaVersion, storedTables } from '../schema.ts';
import { copyPrefix } from './organisation-file.ts';
import { quoted, tableIn } from './statement.ts';
import type { Task } from './task.ts';

/** The file of what a warehouse says about itself, beside those of its tables. */
const stateFile = 'state';

const fileOf = (folder: string, name: string): string => join(folder, `${name}.parquet`);
const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** The engine reaches nothing outside its own folder; this says so before it does. */
export function refuseOutside(place: string, folder: string): void {
  const inside = relative(place, resolve(folder));
  if (inside === '' || inside.startsWith('..') || !inside.split(sep)[0]?.startsWith(copyPrefix)) {
    throw new Refusal('bad-input', 'Copies are made in a folder that the warehouse itself has made for them.');
  }
}

/** Writes every table, of the one state that the task sees. */
export async function copyTables(task: Task, schema: string, folder: string): Promise<TableCopy[]> {
  await copyTo(task, `SELECT * FROM ${schema}.state`, fileOf(folder, stateFile));
  const copies: TableCopy[] = [];
  for (const table of storedTables) {
    const path = fileOf(folder, table.name);
    const rows = await countOf(task, tableIn(schema, table));
    const columns = storedNames(table).map(quoted).join(', ');
    await copyTo(task, `SELECT ${columns} FROM ${tableIn(schema, table)}`, path);
    const written = await countOf(task, `read_parquet(${text(path)})`);
    if (written !== rows) throw new Error(`${path} has ${written} rows instead of ${rows}`);
    copies.push({ table: table.name, path, rows });
  }
  return copies;
}

const copyTo = (task: Task, sql: string, path: string): Promise<void> =>
  task.run({ sql: `COPY (${sql}) TO ${text(path)} (FORMAT parquet, COMPRESSION zstd)`, values: [] });

async function countOf(task: Task, from: string): Promise<number> {
  const [row] = await task.values<[number]>({ sql: `SELECT json_array(count(*)) FROM ${from}`, values: [] });
  return row?.[0] ?? 0;
}

/**
 * Takes in what another warehouse wrote, perhaps an older one: a table without a file stays empty, and a column that is
 * not in the file is null.
 */
export async function takeInTables(task: Task, schema: string, folder: string): Promise<TableCopy[]> {
  for (const table of storedTables) {
    if ((await countOf(task, tableIn(schema, table))) > 0) {
      throw new Refusal('conflict', `Copies can be taken in only where nothing is yet: ${table.name} has rows.`);
    }
  }
  task.markDirectoryChange();
  await takeInState(task, schema, folder);
  const copies: TableCopy[] = [];
  let isDirectoryWhole = true;
  for (const table of storedTables) {
    const path = fileOf(folder, table.name);
    const columns = existsSync(path) ? await columnsIn(task, table, path) : [];
    if (isCopyOfDirectory(table) && columns.length < storedColumns(table).size) isDirectoryWhole = false;
    if (columns.length === 0) continue;
    const list = columns.map(quoted).join(', ');
    const from = `read_parquet(${text(path)})`;
    await task.run({ sql: `INSERT INTO ${tableIn(schema, table)} (${list}) SELECT ${list} FROM ${from}`, values: [] });
    const rows = await countOf(task, tableIn(schema, table));
    const given = await countOf(task, from);
    if (rows !== given) throw new Error(`${table.name} has ${rows} rows instead of ${given}`);
    copies.push({ table: table.name, path, rows });
  }
  // An older Plumb did not publish everything that questions read of the directory: it is published again.
  if (!isDirectoryWhole) await task.run({ sql: `UPDATE ${schema}.state SET directory_version = 0`, values: [] });
  return copies;
}

const isCopyOfDirectory = (table: Table): boolean => directoryCopyTables.some((copy: Table) => copy === table);

/** The columns that both the file and this Plumb have. */
async function columnsIn(task: Task, table: Table, path: string): Promise<string[]> {
  const found = await task.values<[string]>({
    sql: `SELECT json_array(column_name) FROM (DESCRIBE SELECT * FROM read_parquet(${text(path)}))`,
    values: [],
  });
  const present = new Set(found.map(([name]) => name));
  return storedNames(table).filter((column) => present.has(column));
}

async function takeInState(task: Task, schema: string, folder: string): Promise<void> {
  const path = fileOf(folder, stateFile);
  if (!existsSync(path)) return;
  const [state] = await task.values<[number | null, number | null, number | null]>({
    sql: `SELECT json_array(schema_version, directory_version, derivation_version) FROM read_parquet(${text(path)})`,
    values: [],
  });
  const [version, directory, derivation] = state ?? [0, 0, 0];
  if ((version ?? 0) > schemaVersion) {
    throw new Refusal(
      'conflict',
      `These copies were made by a newer Plumb (schema ${version}; this one knows ${schemaVersion}). Use that one.`,
    );
  }
  await task.run({
    sql: `UPDATE ${schema}.state SET directory_version = $1::BIGINT, derivation_version = $2::BIGINT`,
    values: [directory ?? 0, derivation ?? 0],
  });
}
