import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { directoryCopyTables } from '../../catalogue/directory-copies.ts';
import { storedColumns, storedNames, type Table } from '../../catalogue/table.ts';
import { Refusal } from '../../refusal.ts';
import { layoutOf, schemaVersion, storedTables } from '../schema.ts';
import { type EngineConnection, textsOf } from './connection.ts';
import { writingSeconds } from './limits.ts';
import { type EngineStatement, keptTypes, quoted, tableIn, typeOf } from './statement.ts';

const organisationIds = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The file of an organisation. Its id becomes part of a path and of SQL, so nothing else passes here. */
export function pathOf(place: string, organisationId: string): string {
  if (!organisationIds.test(organisationId)) throw new Refusal('bad-input', 'An organisation id is a UUID.');
  return join(place, `${organisationId}${fileEnding}`);
}

/** The organisation whose file this is, if it is one. */
export function organisationOf(file: string): string | undefined {
  const id = file.endsWith(fileEnding) ? file.slice(0, -fileEnding.length) : '';
  return organisationIds.test(id) ? id : undefined;
}

export const schemaOf = (organisationId: string): string => quoted(`org_${organisationId}`);

/** The state of a file, one row. */
const stateColumns = {
  directory_version: 'BIGINT',
  schema_version: 'BIGINT',
  layout: 'VARCHAR',
  derivation_version: 'BIGINT',
} as const;

/**
 * Brings a file to the tables and columns that this Plumb keeps, all of it or nothing. Nothing is ever taken away: rows
 * of a newer Plumb must survive an older one, as far as that is allowed to open the file at all.
 */
export async function migrate(
  connection: EngineConnection,
  organisationId: string,
  tables: readonly Table[] = storedTables,
): Promise<void> {
  const schema = schemaOf(organisationId);
  const run = (sql: string, values: EngineStatement['values'] = []) =>
    connection.perform({ sql, values }, { seconds: writingSeconds });
  await run('BEGIN TRANSACTION');
  try {
    const stateChanges = Object.entries(stateColumns).map(
      ([column, type]) => `ALTER TABLE ${schema}.state ADD COLUMN IF NOT EXISTS ${column} ${type}`,
    );
    await run([`CREATE TABLE IF NOT EXISTS ${schema}.state (directory_version BIGINT)`, ...stateChanges].join(';\n'));
    const [state] = await answered<[number | null, string | null]>(
      await run(`SELECT json_array(schema_version, layout) FROM ${schema}.state`),
    );
    if (!state) await run(`INSERT INTO ${schema}.state (directory_version) VALUES (0)`);
    const [version, layout] = state ?? [0, ''];
    if ((version ?? 0) > schemaVersion) throw tooNew(organisationId, version ?? 0);
    if (version !== schemaVersion || layout !== layoutOf(tables)) {
      const known = `SELECT json_array(table_name, column_name, data_type) FROM duckdb_columns() WHERE database_name = $1`;
      // It looks through all files that are attached: a new one, which is empty, need not wait for that.
      const columns = state
        ? await answered<[string, string, string]>(await run(known, [`org_${organisationId}`]))
        : [];
      const changes = changesOf(tables, columns, schema);
      // All in one statement: each goes through another thread and back.
      if (changes.length > 0) await run(changes.join(';\n'));
      // A copy of the directory with something new in it is empty there until it is published again.
      if (changesOf(copiesIn(tables), columns, schema).length > 0) {
        await run(`UPDATE ${schema}.state SET directory_version = 0`);
      }
      await run(`UPDATE ${schema}.state SET schema_version = $1::BIGINT, layout = $2::VARCHAR`, [
        schemaVersion,
        layoutOf(tables),
      ]);
    }
    await run('COMMIT');
  } catch (error) {
    await run('ROLLBACK').catch(() => {});
    throw error;
  }
}

const copiesIn = (tables: readonly Table[]): Table[] =>
  tables.filter((table) => directoryCopyTables.some((copy: Table) => copy === table));

async function answered<V>(answer: Parameters<typeof textsOf>[0]): Promise<V[]> {
  const values: V[] = [];
  for await (const texts of textsOf(answer)) values.push(...texts.map((text) => JSON.parse(text) as V));
  return values;
}

/** The columns that are missing, or have another type than they should. */
function changesOf(
  tables: readonly Table[],
  columns: readonly (readonly [table: string, column: string, type: string])[],
  schema: string,
): string[] {
  const known = new Map(columns.map(([table, column, type]) => [`${table}.${column}`, type]));
  const knownTables = new Set(columns.map(([table]) => table));
  return tables.flatMap((table) => {
    if (!knownTables.has(table.name)) return [createTable(table, schema)];
    return storedNames(table).flatMap((column) => {
      const type = keptTypes[typeOf(table, column)];
      const found = known.get(`${table.name}.${column}`);
      if (found === type) return [];
      const change = found === undefined ? 'ADD COLUMN' : 'ALTER COLUMN';
      return [
        `ALTER TABLE ${tableIn(schema, table)} ${change} ${quoted(column)} ${found === undefined ? '' : 'SET DATA TYPE '}${type}`,
      ];
    });
  });
}

function createTable(table: Table, schema: string): string {
  const columns = [...storedColumns(table)].map(([name, type]) => {
    const needed = table.key.includes(name) ? ' NOT NULL' : '';
    return `${quoted(name)} ${keptTypes[type]}${needed}`;
  });
  return `CREATE TABLE ${tableIn(schema, table)} (${columns.join(', ')})`;
}

const tooNew = (organisationId: string, version: number): Refusal =>
  new Refusal(
    'conflict',
    `The warehouse of organisation ${organisationId} was written by a newer Plumb (schema ${version}; this one knows ` +
      `${schemaVersion}). Start the newer Plumb, or restore a backup that this one wrote.`,
  );

/** The folder of the files in a data folder. */
export const warehouseFolder = 'warehouse';
/** Ends the names of files with the tables of an organisation. */
const fileEnding = '.duckdb';
/** Begins the names of folders with copies. What a killed process left is removed when the warehouse is opened. */
export const copyPrefix = 'copy-';

/** The file of a warehouse in a data folder, whether or not it is one of an organisation that is known. */
interface WarehouseFile {
  readonly name: string;
  /** The organisation that it belongs to, by its name. */
  readonly owner: string;
  readonly path: string;
  /** The write-ahead log of the file, which need not be there. */
  readonly logPath: string;
}

export function warehouseFilesIn(folder: string): WarehouseFile[] {
  return namesIn(folder)
    .filter((name) => name.endsWith(fileEnding))
    .map((name) => {
      const path = join(folder, warehouseFolder, name);
      return { name, owner: name.slice(0, -fileEnding.length), path, logPath: `${path}.wal` };
    });
}

/** Whether a killed process has left copies of tables. They are removed at the next start. */
export const hasLeftCopies = (folder: string): boolean => namesIn(folder).some((name) => name.startsWith(copyPrefix));

function namesIn(folder: string): string[] {
  try {
    return readdirSync(join(folder, warehouseFolder));
  } catch {
    return [];
  }
}
