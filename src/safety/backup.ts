import { createHash, randomBytes } from 'node:crypto';
import { pipeline, type Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { type Pack, pack } from 'tar-stream';
import { reportedAnswers } from '../catalogue/derivation-state.ts';
import { peopleCopy } from '../catalogue/directory-copies.ts';
import type { Table } from '../catalogue/table.ts';
import { factTables } from '../catalogue/tables/all-tables.ts';
import type { Actor } from '../directory/directory.ts';
import { Refusal } from '../refusal.ts';
import { backupTables, organisations, people, type StoreTable } from '../store/all-store-tables.ts';
import { AuditedRows, backupAction } from '../store/audit.ts';
import { listOrganisations } from '../store/organisation-rows.ts';
import type { Reading, Store } from '../store/store.ts';
import type { IntakePort } from '../warehouse/intake-port.ts';
import type { EmbeddedPort } from '../warehouse/maintenance-port.ts';
import { addWarehouse } from './backed-up-warehouses.ts';
import { BackupWriter } from './backup-archive.ts';
import {
  type BackupEntry,
  entryName,
  type ManifestOptions,
  manifestName,
  manifestOf,
  type PartLeftOut,
} from './backup-manifest.ts';
import { isLeftOut } from './one-organisation.ts';
import { type PlainRow, pagesOf } from './row-pages.ts';
import { tablesElsewhere } from './tables-elsewhere.ts';

/** Tables of a warehouse that hold what is left out. Copies of the directory are made again from the store. */
const tablesWith: Readonly<Record<PartLeftOut, readonly string[]>> = {
  'survey answers': [
    ...Object.values<Table>(factTables).flatMap(({ name, anonymous }) => (anonymous ? [name] : [])),
    // The privacy of a survey goes along: the promise holds where the backup is restored.
    reportedAnswers.name,
  ],
  salaries: [peopleCopy.name],
};

/** The store and the warehouses that a backup is made of. */
export interface BackupSource {
  readonly store: Store;
  readonly warehouse: EmbeddedPort & Pick<IntakePort, 'organisations'>;
}

/** Tables in ClickHouse are not part of it: the administrator of the cluster copies them there. */
export function backupSource({
  store,
  embedded,
}: {
  readonly store: Store;
  readonly embedded: BackupSource['warehouse'] | undefined;
}): BackupSource {
  if (embedded) return { store, warehouse: embedded };
  throw tablesElsewhere('backup');
}

export interface BackupOptions extends ManifestOptions {
  /** Called with how many rows of an organisation's tables went into the backup, as each is done. */
  readonly taken?: (organisationId: string, rows: number) => void;
}

/**
 * Everything, or one organisation alone, as one file: a gzipped tar with the store as NDJSON tables, which either engine can take in again, and
 * every organisation's warehouse as Parquet. The server writes on meanwhile. Memory holds a page at a time, and the
 * disk a copy of one organisation's tables.
 */
export function backup(source: BackupSource, options: BackupOptions): Readable {
  const archive = pack();
  const compressed = createGzip();
  const gone = new AbortController();
  archive.once('close', () => gone.abort(new Error('no one reads the backup any more')));
  // The reader of the compressed end gets an error there, and ends the snapshot by no longer reading.
  pipeline(archive, compressed, () => {});
  write(source, archive, options, gone.signal).catch((error: unknown) => {
    archive.destroy(error instanceof Error ? error : new Error(String(error)));
    // The archive may have ended for a reason that it did not pass on.
    if (!compressed.destroyed) compressed.destroy(error instanceof Error ? error : undefined);
  });
  return compressed;
}

/**
 * The store comes first, from one snapshot of its own; then each warehouse, from one snapshot each. So a warehouse may
 * show a later directory than the store that goes with it: restoring makes it compare the two before it is first used.
 * The other way round would lose rows: where a connector has got to is kept in the store, and has to be behind them.
 */
async function write(
  { store, warehouse }: BackupSource,
  archive: Pack,
  options: BackupOptions,
  signal: AbortSignal,
): Promise<void> {
  const { at, organisationId, leftOut = [], taken = () => {} } = options;
  const writer = new BackupWriter(archive, at);
  const warehouses = await store.read(async (session) => {
    const known = await session.rows<{ id: string }>(
      'SELECT id FROM organisations WHERE $1::text IS NULL OR id = $1 ORDER BY id',
      [organisationId ?? null],
    );
    if (organisationId !== undefined && known.length === 0) {
      throw new Refusal('not-found', `There is no organisation ${organisationId}.`);
    }
    // Asked for only now: one that is made after this snapshot holds nothing that the store knows of.
    const held = await warehouse.organisations();
    const wanted = known.map(({ id }) => id).filter((id) => held.includes(id));
    await writeStore(session, writer, options, (entries) => manifestOf(entries, wanted, options));
    return wanted;
  });
  const tables = leftOut.flatMap((one) => tablesWith[one]);
  for (const id of warehouses) taken(id, await addWarehouse(warehouse, id, writer, { signal, leftOut: tables }));
  archive.finalize();
}

/** Read twice: first for the checksums, so that the manifest can lead and every entry has its size, then for the rows. */
async function writeStore(
  session: Reading,
  writer: BackupWriter,
  { organisationId, leftOut = [] }: BackupOptions,
  manifestFor: (entries: readonly BackupEntry[]) => object,
): Promise<void> {
  const newKey = randomBytes(16).toString('hex');
  const pages = (table: StoreTable): Pages => {
    if (organisationId !== undefined && isLeftOut(table)) return noPages();
    const all = pagesOf(session, table, organisationId);
    // The key hides whose answers to surveys are.
    if (table === organisations && leftOut.includes('survey answers')) return changed(all, { survey_key: newKey });
    if (table === people && leftOut.includes('salaries')) return changed(all, { salary: null });
    return all;
  };
  const entries: BackupEntry[] = [];
  for (const table of backupTables) entries.push(await measure(table, pages(table)));
  await writer.addJson(manifestName, manifestFor(entries));
  for (const [i, table] of backupTables.entries()) {
    await writer.add(entryName(table), entries[i]?.bytes ?? 0, linesOf(pages(table)));
  }
}

type Pages = AsyncGenerator<readonly PlainRow[]>;

async function* noPages(): Pages {}

async function* changed(pages: Pages, values: PlainRow): Pages {
  for await (const page of pages) yield page.map((row) => ({ ...row, ...values }));
}

async function measure(table: StoreTable, pages: Pages): Promise<BackupEntry> {
  const hash = createHash('sha256');
  let rows = 0;
  let bytes = 0;
  for await (const page of pages) {
    const chunk = lines(page);
    hash.update(chunk);
    rows += page.length;
    bytes += chunk.length;
  }
  return { name: entryName(table), rows, bytes, sha256: hash.digest('hex') };
}

async function* linesOf(pages: Pages): AsyncGenerator<Buffer> {
  for await (const page of pages) yield lines(page);
}

const lines = (rows: readonly object[]): Buffer => Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));

/** A backup that every organisation in it has an entry of, made before the first byte leaves. */
export async function* auditedBackup(
  source: BackupSource,
  actor: Actor,
  options: BackupOptions,
): AsyncGenerator<Uint8Array> {
  const { store } = source;
  const { organisationId: only, at, leftOut = [] } = options;
  const entries = new Map<string, AuditedRows>();
  for (const { id } of await store.read(listOrganisations)) {
    if (only !== undefined && only !== id) continue;
    const without = Object.fromEntries(leftOut.map((one) => [`without_${one.replace(' ', '_')}`, true]));
    const details = only === undefined ? undefined : { only_this_organisation: true, ...without };
    const event = { organisationId: id, actor, at, action: backupAction, subject: id, ...(details && { details }) };
    entries.set(id, await AuditedRows.begin(store, event));
  }
  const rows = new Map<string, number>();
  const taken = (organisationId: string, count: number) => void rows.set(organisationId, count);
  try {
    yield* backup(source, { ...options, taken });
  } finally {
    for (const [id, count] of rows) await entries.get(id)?.add(count);
  }
}
