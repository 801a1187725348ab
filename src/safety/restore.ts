import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DataFolder } from '../data-folder.ts';
import { Refusal } from '../refusal.ts';
import { openEmbeddedStore } from '../store/duckdb/store.ts';
import { openStore } from '../store/open.ts';
import { insertRows } from '../store/rows.ts';
import type { Reading, Store, Writing } from '../store/store.ts';
import { type RowOf, type StoreTable, storeTables } from '../store/tables.ts';
import type { BackupManifest } from './backup-manifest.ts';
import { readBackup } from './backup-reader.ts';

/** Where a store lives: PostgreSQL when an address is given, else the folder. */
export interface StorePlace {
  readonly folder: string;
  readonly databaseUrl?: string | undefined;
}

const stagingFolder = '.restoring';
const storeFile = 'store.duckdb';
const logFile = 'store.duckdb.wal';
const witnessFile = 'store.commits';

/** Takes a backup into an empty place: all of it or, whatever happens on the way, nothing. */
export function restoreInto(place: StorePlace, file: string): Promise<BackupManifest> {
  const { folder, databaseUrl } = place;
  return databaseUrl === undefined ? restoreIntoFolder(folder, file) : restoreIntoDatabase(folder, databaseUrl, file);
}

async function restoreIntoDatabase(folder: string, databaseUrl: string, file: string): Promise<BackupManifest> {
  const store = await openStore({ folder, databaseUrl });
  try {
    return await fill(store, file);
  } finally {
    await store.close();
  }
}

/**
 * The store is built in a folder of its own beside the place where it belongs, and moved there by one rename once it is
 * complete and on the disk. Before that rename the folder is as empty as it was; after it, nothing is missing.
 */
async function restoreIntoFolder(folder: string, file: string): Promise<BackupManifest> {
  const owned = await DataFolder.claim(folder);
  const staging = join(folder, stagingFolder);
  try {
    await refuseUsedFolder(folder);
    rmSync(staging, { recursive: true, force: true });
    mkdirSync(staging, { mode: 0o700 });
    const store = await openEmbeddedStore(staging);
    let manifest: BackupManifest;
    try {
      manifest = await fill(store, file);
    } finally {
      await store.close();
    }
    if (existsSync(join(staging, logFile))) throw new Error('the restored store was closed without a checkpoint');
    syncToDisk(join(staging, storeFile));
    // The witness of the empty store goes first and that of the new one comes last: none at all is always allowed.
    rmSync(join(folder, witnessFile), { force: true });
    renameSync(join(staging, storeFile), join(folder, storeFile));
    renameSync(join(staging, witnessFile), join(folder, witnessFile));
    syncToDisk(folder);
    return manifest;
  } finally {
    rmSync(staging, { recursive: true, force: true });
    owned.release();
  }
}

/** A store without organisations may be replaced; opening and closing it also folds its log into its file. */
async function refuseUsedFolder(folder: string): Promise<void> {
  if (![storeFile, logFile].some((name) => existsSync(join(folder, name)))) return;
  let store: Store;
  try {
    store = await openEmbeddedStore(folder);
  } catch {
    throw new Refusal(
      'conflict',
      `The data folder ${folder} holds a store that cannot be opened. Restore into an empty folder instead.`,
    );
  }
  try {
    await store.read(refuseUsedStore);
  } finally {
    await store.close();
  }
}

async function refuseUsedStore(session: Reading): Promise<void> {
  const [state] = await session.rows<{ count: number }>('SELECT count(*)::int AS count FROM organisations');
  if (state && state.count > 0) {
    throw new Refusal(
      'conflict',
      `There ${state.count === 1 ? 'is an organisation' : `are ${state.count} organisations`} here already. ` +
        'A backup can only be restored into an empty data folder or an empty database.',
    );
  }
}

/** One transaction, which keeps the versions that the organisations had; it is kept only when every check has passed. */
async function fill(store: Store, file: string): Promise<BackupManifest> {
  let manifest: BackupManifest | undefined;
  await store.note(async (session) => {
    await refuseUsedStore(session);
    for await (const part of readBackup(file)) {
      if (part.kind === 'manifest') manifest = part.manifest;
      else await insertRows(session, part.table, part.rows as readonly RowOf<StoreTable>[]);
    }
    for (const [i, table] of storeTables.entries()) await refuseOtherCount(session, table, manifest?.entries[i]?.rows);
  });
  if (!manifest) throw new Error('a backup was read without its manifest');
  return manifest;
}

/** Somebody else may have written to the same database meanwhile. */
async function refuseOtherCount(session: Writing, table: StoreTable, rows: number | undefined): Promise<void> {
  const [state] = await session.rows<{ count: number }>(`SELECT count(*)::int AS count FROM ${table.name}`);
  if (state?.count !== rows) {
    throw new Refusal('conflict', `Something else wrote to ${table.name} during the restore. Nothing was restored.`);
  }
}

function syncToDisk(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
