import { openEmbeddedStore } from './duckdb/store.ts';
import { openPostgresStore } from './postgres/store.ts';
import type { EngineLimits, Store } from './store.ts';

export interface StoreSettings {
  readonly folder: string;
  readonly databaseUrl?: string;
  readonly limits?: EngineLimits;
}

/** PostgreSQL where an address is given, else a file in the data folder. Nothing else knows which of them it is. */
export function openStore({ folder, databaseUrl, limits = {} }: StoreSettings): Promise<Store> {
  return databaseUrl === undefined ? openEmbeddedStore(folder, limits) : openPostgresStore(databaseUrl, limits);
}
