import { createHash } from 'node:crypto';
import { problemOfRow } from '../directory/backed-up-rows.ts';
import { backupTables, organisations, type StoreTable } from '../store/all-store-tables.ts';
import { schemaVersion } from '../store/migrations/migrations.ts';
import { parseWarehouseManifest, tableOf, warehouseManifestName } from './backed-up-warehouses.ts';
import { type ArchiveEntry, BackupArchive, brokenStream, damaged, notABackup } from './backup-archive.ts';
import { type BackupEntry, type BackupManifest, entryName, manifestName, parseManifest } from './backup-manifest.ts';
import { exampleOf } from './finding.ts';
import { misfitsOf, ownerColumn, type PlainRow } from './row-pages.ts';

/** One table of an organisation's warehouse, as a Parquet file. */
export interface WarehouseTable {
  readonly table: string;
  readonly rows: number;
  readonly bytes: AsyncIterable<Buffer>;
}

type BackupPart =
  | { readonly kind: 'manifest'; readonly manifest: BackupManifest }
  | { readonly kind: 'rows'; readonly table: StoreTable; readonly rows: readonly PlainRow[] }
  | {
      readonly kind: 'warehouse';
      readonly organisationId: string;
      /** To be read in order, each to its end. What is left over is read, and checked, without being kept. */
      readonly tables: AsyncIterable<WarehouseTable>;
    };

const maxManifestBytes = 16 << 20;
const batchRows = 5_000;

/**
 * Reads a backup part by part. Only when this ends without a refusal was everything that came out of it right: what is
 * missing or follows at the end is known only there.
 */
export async function* readBackup(path: string): AsyncGenerator<BackupPart> {
  const archive = await BackupArchive.open(path);
  try {
    const manifest = await readManifest(archive);
    yield { kind: 'manifest', manifest };
    const known = new Set<unknown>();
    for (const expected of manifest.entries) {
      const table = backupTables.find((one) => entryName(one) === expected.name);
      if (!table) throw new Error(`${expected.name} is no table of the store`);
      for await (const rows of tableRows(archive, table, expected, manifest)) {
        if (table === organisations) for (const { id } of rows) known.add(id);
        yield { kind: 'rows', table, rows };
      }
    }
    for (const organisationId of manifest.warehouses) {
      if (!known.has(organisationId)) {
        throw damaged(path, `it holds the warehouse of ${organisationId}, which is none of its organisations`);
      }
      const tables = warehouseTables(archive, organisationId);
      yield { kind: 'warehouse', organisationId, tables };
      for await (const { bytes } of tables) for await (const _ of bytes);
    }
    await archive.end();
  } finally {
    archive.close();
  }
}

async function readManifest(archive: BackupArchive): Promise<BackupManifest> {
  const entry = await archive.first();
  if (entry.header.name !== manifestName) throw notABackup(archive.path);
  const text = await wholeText(entry, maxManifestBytes, archive.path).catch(() => {
    throw notABackup(archive.path);
  });
  return parseManifest(text);
}

/** The manifest of a backup, without reading on. */
export async function manifestIn(path: string): Promise<BackupManifest> {
  const archive = await BackupArchive.open(path);
  try {
    return await readManifest(archive);
  } finally {
    archive.close();
  }
}

/** The rows of one table, checked against what the manifest promises. */
async function* tableRows(
  archive: BackupArchive,
  table: StoreTable,
  expected: BackupEntry,
  manifest: BackupManifest,
): AsyncGenerator<readonly PlainRow[]> {
  const { path } = archive;
  const isOlder = manifest.schemaVersion < schemaVersion;
  const bytes = checkedBytes(await archive.entry(expected.name), expected, path);
  let count = 0;
  let batch: PlainRow[] = [];
  for await (const line of linesOf(bytes, expected.name, path)) {
    count += 1;
    const row = parseRow(line, count, table, isOlder, path);
    refuseForeignRow(row, count, table, manifest, path);
    batch.push(row);
    if (batch.length === batchRows) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
  if (count !== expected.rows) throw damaged(path, `${expected.name} has ${count} rows instead of ${expected.rows}`);
}

/** A row that the store could hold. Checksums only prove that a backup is as somebody wrote it. */
function parseRow(line: string, number: number, table: StoreTable, isOlder: boolean, path: string): PlainRow {
  const wrong = (what: string) => damaged(path, `line ${number} of ${entryName(table)} ${what}`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    throw wrong('is not JSON');
  }
  if (typeof parsed !== 'object' || parsed === null) throw wrong('is not a row');
  const row = isOlder ? { ...absentColumns(table), ...parsed } : (parsed as PlainRow);
  const [misfit] = misfitsOf(table, row);
  if (misfit) throw wrong(`has no usable ${misfit}`);
  const unknown = Object.keys(row).find((name) => !Object.hasOwn(table.columns, name));
  if (unknown !== undefined) throw wrong(`has '${unknown}', which is no column of ${table.name}`);
  const problem = problemOfRow(table.name, row);
  if (problem) throw wrong(`(${exampleOf(table, row)}) cannot be taken: ${problem.problem}`);
  return row;
}

/** A backup of one organisation must not bring keys or people into another one. */
function refuseForeignRow(
  row: PlainRow,
  number: number,
  table: StoreTable,
  { organisation }: BackupManifest,
  path: string,
): void {
  if (organisation === undefined || row[ownerColumn(table)] === organisation) return;
  throw damaged(
    path,
    `line ${number} of ${entryName(table)} is not of organisation ${organisation}, the only one in it`,
  );
}

/** A column that came after the backup was made is one that nothing was ever said of. */
function absentColumns(table: StoreTable): PlainRow {
  const nullable = Object.entries(table.columns).filter(([, column]) => column.nullable);
  return Object.fromEntries(nullable.map(([name]) => [name, null]));
}

async function* warehouseTables(archive: BackupArchive, organisationId: string): AsyncGenerator<WarehouseTable> {
  const { path } = archive;
  const text = await wholeText(await archive.entry(warehouseManifestName(organisationId)), maxManifestBytes, path);
  const { entries } = parseWarehouseManifest(text, organisationId, path);
  for (const expected of entries) {
    const bytes = checkedBytes(await archive.entry(expected.name), expected, path);
    yield { table: tableOf(expected), rows: expected.rows, bytes };
    for await (const _ of bytes);
  }
}

const newline = 0x0a;

/** The bytes of an entry, checked against what a manifest promises. They were right only if this ends by itself. */
async function* checkedBytes(entry: ArchiveEntry, expected: BackupEntry, path: string): AsyncGenerator<Buffer, void> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of entry) {
      hash.update(chunk);
      yield chunk;
    }
  } catch (error) {
    throw damaged(path, brokenStream(error));
  }
  if (hash.digest('hex') !== expected.sha256) throw damaged(path, `the checksum of ${expected.name} does not match`);
}

/** Split at line feeds alone: `readline` would also split at the Unicode line separators that names may hold. */
export async function* linesOf(bytes: AsyncIterable<Buffer>, name: string, path: string): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  for await (const chunk of bytes) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      yield Buffer.concat([...rest, chunk.subarray(start, end)]).toString('utf8');
      rest = [];
      start = end + 1;
    }
    if (start < chunk.length) rest.push(chunk.subarray(start));
  }
  if (rest.length > 0) throw damaged(path, `${name} ends in the middle of a line`);
}

/** An entry that is small, as manifests are, as one text. */
async function wholeText(entry: ArchiveEntry, maxBytes: number, path: string): Promise<string> {
  if ((entry.header.size ?? 0) > maxBytes) throw damaged(path, `${entry.header.name} is too long`);
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of entry) chunks.push(chunk);
  } catch (error) {
    throw damaged(path, brokenStream(error));
  }
  return Buffer.concat(chunks).toString('utf8');
}
