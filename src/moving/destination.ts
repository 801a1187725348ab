import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DataFolder } from '../data-folder.ts';
import { Refusal } from '../refusal.ts';
import { limitsOf } from '../safety/restore.ts';
import { Staging } from '../safety/staging.ts';
import { embeddedStoreFiles, openStore, openStoreWithTables } from '../store/open.ts';
import { listOrganisations } from '../store/organisation-rows.ts';
import type { Writing } from '../store/store.ts';
import type { IntakePort } from '../warehouse/intake-port.ts';
import type { MovingPort } from '../warehouse/moving-port.ts';
import { openTablesElsewhere, openWarehouse, warehouseFolder } from '../warehouse/open.ts';

/** The new place: a data folder, or addresses of a PostgreSQL and a ClickHouse. */
export type DestinationPlace =
  | { readonly folder: string }
  | { readonly databaseUrl: string; readonly tablesUrl: string };

export interface Destination {
  readonly tables: IntakePort & { readonly moving: MovingPort };
  /** Fills the store in one transaction. With it everything is in its place, and before it nothing counts. */
  complete(fill: (session: Writing) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** The memory of each engine beside those of the place that everything comes from. */
export interface DestinationLimits {
  readonly memory?: number | undefined;
  readonly threads?: number | undefined;
}

export const openDestination = (place: DestinationPlace, limits: DestinationLimits): Promise<Destination> =>
  'folder' in place ? openFolder(place.folder, limits) : openServers(place, limits);

/** Everything is built in a folder of this name inside, which says that a move was not finished. */
const movingFolder = '.moving';

async function openFolder(folder: string, limits: DestinationLimits): Promise<Destination> {
  const owned = await DataFolder.claim(folder);
  try {
    refuseUsedFolder(folder);
    const staging = Staging.resume(folder, movingFolder);
    const place = { folder: staging.path, ...limits };
    const tables = await openWarehouse({ folder: staging.path, limits: limitsOf(place, 'warehouse') });
    return {
      tables,
      async complete(fill) {
        // The store of an earlier run was not complete.
        staging.removeStore();
        const store = await openStore({ folder: staging.path, limits: limitsOf(place, 'store') });
        try {
          await store.note(fill);
        } finally {
          await store.close();
        }
        await tables.close();
        staging.moveWarehouses();
        staging.moveStore();
        staging.complete();
      },
      async close() {
        await tables.close();
        owned.release();
      },
    };
  } catch (error) {
    owned.release();
    throw error;
  }
}

function refuseUsedFolder(folder: string): void {
  const isLeft = existsSync(join(folder, movingFolder));
  const warehouses = join(folder, warehouseFolder);
  const hasTables = existsSync(warehouses) && readdirSync(warehouses).length > 0;
  if (!existsSync(join(folder, embeddedStoreFiles.data)) && (isLeft || !hasTables)) return;
  throw new Refusal('conflict', `The folder ${folder} holds data already. Name an empty folder, or a new one.`);
}

async function openServers(
  { databaseUrl, tablesUrl }: { readonly databaseUrl: string; readonly tablesUrl: string },
  limits: DestinationLimits,
): Promise<Destination> {
  // No server uses the place meanwhile, and the writes of a killed run are known to be over.
  const place = { folder: '', databaseUrl, limits: limitsOf({ folder: '', ...limits }, 'store') };
  const store = await openStoreWithTables(place, { kind: 'command' });
  try {
    const known = await store.read(listOrganisations);
    if (known.length > 0) {
      throw new Refusal('conflict', 'The database for the store holds organisations already. Name an empty database.');
    }
    const tables = await openTablesElsewhere(tablesUrl, store.writerTurns);
    const others = await tables.organisationsOfOthers().catch(async (error: unknown) => {
      await tables.close();
      throw error;
    });
    if (others.length > 0) {
      await tables.close();
      throw new Refusal(
        'conflict',
        'The database for the tables holds tables that belong to another store. Name an empty database.',
      );
    }
    return {
      tables,
      complete: (fill) => store.note(fill),
      async close() {
        await tables.close();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}
