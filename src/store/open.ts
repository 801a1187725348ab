import { openEmbeddedStore } from './duckdb/store.ts';
import { openPostgresStore } from './postgres/store.ts';
import { StoreLock, type StoreLockOptions } from './postgres/store-lock.ts';
import type { EngineLimits, Store } from './store.ts';

export { damagedFileParts } from './duckdb/file-blocks.ts';
export { embeddedStoreFiles, type FileLock, FileLocked, lockFile } from './duckdb/store-files.ts';
export { type StoreHolder, StoreInUse, storeHolder } from './postgres/store-lock.ts';

interface StoreSettings {
  readonly folder: string;
  readonly databaseUrl?: string | undefined;
  readonly limits?: EngineLimits;
}

/** PostgreSQL where an address is given, else a file in the data folder. Nothing else knows which of them it is. */
export function openStore({ folder, databaseUrl, limits = {} }: StoreSettings): Promise<Store> {
  return databaseUrl === undefined ? openEmbeddedStore(folder, limits) : openPostgresStore(databaseUrl, limits);
}

/**
 * The same for a process that keeps tables beside the store. Refused (StoreInUse) while another one does, wherever it
 * runs; an embedded store is in a data folder that has one owner anyway.
 */
export async function openStoreWithTables(settings: StoreSettings, holder: StoreLockOptions): Promise<Store> {
  if (settings.databaseUrl === undefined) return openStore(settings);
  // Before the store is opened, which may migrate it under another process.
  const lock = await lockStore(settings.databaseUrl, holder);
  try {
    // Where it is shared, others may be writing.
    const endsTurns = holder.isShared !== true;
    return await openPostgresStore(settings.databaseUrl, settings.limits, { endsTurns, lock });
  } catch (error) {
    await lock.close();
    throw error;
  }
}

/** The right to keep tables beside a PostgreSQL store, without opening the store. */
export const lockStore = (databaseUrl: string, holder: StoreLockOptions): Promise<StoreLock> =>
  StoreLock.claim(databaseUrl, holder);
