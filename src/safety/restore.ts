import { createWriteStream, existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { defaultMemory, divideMemory, inMebibytes } from '../admission/memory-division.ts';
import type { LeftOutOfSource } from '../configured-sources/admit-restored-source.ts';
import { DataFolder } from '../data-folder.ts';
import { Refusal } from '../refusal.ts';
import { embeddedStoreFiles, lockStore, openStore } from '../store/open.ts';
import { listOrganisations } from '../store/organisation-rows.ts';
import type { EngineLimits, Reading, Store } from '../store/store.ts';
import type { IntakePort } from '../warehouse/intake-port.ts';
import type { EmbeddedPort } from '../warehouse/maintenance-port.ts';
import { openWarehouse, warehouseFilesIn, warehouseFolder } from '../warehouse/open.ts';
import { stateTable, tableFile } from './backed-up-warehouses.ts';
import { damaged } from './backup-archive.ts';
import type { BackupManifest, PartLeftOut } from './backup-manifest.ts';
import { manifestIn, readBackup, type WarehouseTable } from './backup-reader.ts';
import { fillStore, isHereAlready, RestoredSources, type Restorer, refuseUsedStore } from './fill-store.ts';
import { Staging } from './staging.ts';
import { tablesElsewhere } from './tables-elsewhere.ts';

/** The place of everything: the warehouses in the folder, and the store there or at its address. */
export interface StorePlace {
  readonly folder: string;
  readonly databaseUrl?: string | undefined;
  /** Where the tables are, if not in the folder. */
  readonly tablesUrl?: string | undefined;
  /** The memory of the whole process, in bytes. */
  readonly memory?: number | undefined;
  readonly threads?: number | undefined;
  /** Private hosts that a page or the API may name as the address of a source. */
  readonly sourceHosts?: readonly string[];
}

interface RestoreOptions {
  readonly by?: Restorer;
  /** The operator knows the backup of one organisation: its sources come back as they were. */
  readonly trustSources?: boolean;
}

/** The result of a restore. */
interface Restored {
  readonly createdAt: string;
  readonly plumbVersion: string;
  readonly rows: number;
  readonly warehouses: number;
  /** The parts that the backup does not hold. */
  readonly leftOut: readonly PartLeftOut[];
  /** For the sources of one organisation: settings that a page or the API could not have set. */
  readonly sourcesLeftOut: readonly LeftOutOfSource[];
}

/** The limits of one of the engines. */
export function limitsOf(
  { memory = defaultMemory(), threads }: StorePlace,
  engine: 'store' | 'warehouse',
): EngineLimits {
  return { memory: inMebibytes(divideMemory(memory)[engine]), ...(threads === undefined ? {} : { threads }) };
}

/**
 * Takes a backup into an empty place, or that of one organisation also to others which do not have it: all of it or,
 * whatever happens on the way, nothing. The warehouses are built
 * first, which may take long, and the file is read again for the store, so that no transaction on a database has to wait
 * for them.
 */
export async function restoreInto(place: StorePlace, file: string, options: RestoreOptions = {}): Promise<Restored> {
  const { folder, databaseUrl, tablesUrl } = place;
  if (tablesUrl !== undefined) throw tablesElsewhere('restore');
  const owned = await DataFolder.claim(folder);
  try {
    // A server on the database, wherever it runs, would find organisations that its own tables know nothing of.
    const lock = databaseUrl === undefined ? undefined : await lockStore(databaseUrl, { kind: 'command' });
    try {
      return await restoreOwned(place, file, options);
    } finally {
      await lock?.close();
    }
  } finally {
    owned.release();
  }
}

async function restoreOwned(
  place: StorePlace,
  file: string,
  { by, trustSources = false }: RestoreOptions,
): Promise<Restored> {
  const { folder, databaseUrl } = place;
  const joining = await joiningOrganisation(place, file);
  if (joining === undefined) await refuseUsedPlace(place);
  const staging = Staging.begin(folder);
  try {
    const { manifest, rows, sources } = await buildWarehouses(place, staging.path, file, trustSources);
    const fill: Fill = (store, beforeCommit) =>
      fillStore(store, file, manifest, { by, rows, sources, joining, beforeCommit });
    if (joining !== undefined) await fillExisting(place, staging, fill, () => staging.joinWarehouses());
    else if (databaseUrl !== undefined) await fillExisting(place, staging, fill, () => staging.moveWarehouses());
    else await fillFolder(place, staging, fill);
    const { createdAt, plumbVersion, warehouses, entries, leftOut = [] } = manifest;
    const stored = entries.reduce((sum, entry) => sum + entry.rows, 0) - sources.droppedRows;
    const inTables = [...rows.values()].reduce((sum, some) => sum + some, 0);
    return {
      createdAt,
      plumbVersion,
      rows: stored + inTables,
      warehouses: warehouses.length,
      leftOut,
      sourcesLeftOut: sources.leftOut,
    };
  } finally {
    staging.end();
  }
}

type Fill = (store: Store, beforeCommit?: () => void) => Promise<void>;

async function fillFolder(place: StorePlace, staging: Staging, fill: Fill): Promise<void> {
  const store = await openStore({ folder: staging.path, limits: limitsOf(place, 'store') });
  try {
    await fill(store);
  } finally {
    await store.close();
  }
  staging.moveWarehouses();
  staging.moveStore();
}

/** The warehouses are moved in the last moment before the commit, which takes the place of the store's rename. */
async function fillExisting(place: StorePlace, staging: Staging, fill: Fill, move: () => void): Promise<void> {
  const store = await openStore({ ...place, limits: limitsOf(place, 'store') });
  try {
    await fill(store, move);
    staging.storeIsKept();
  } finally {
    await store.close();
  }
}

/** A store without organisations may be replaced; opening and closing it also folds its log into its file. */
async function refuseUsedPlace(place: StorePlace): Promise<void> {
  await readExisting(place, refuseUsedStore);
  refuseForeignWarehouses(place.folder);
}

/** The organisation of a backup of one that comes to others, where there are others already. */
async function joiningOrganisation(place: StorePlace, file: string): Promise<string | undefined> {
  const { organisation } = await manifestIn(file);
  if (organisation === undefined) return undefined;
  const known = (await readExisting(place, listOrganisations)) ?? [];
  if (known.length === 0) return undefined;
  if (known.some(({ id }) => id === organisation)) throw isHereAlready(organisation);
  refuseForeignWarehouses(place.folder, organisation);
  return organisation;
}

/** Reads the store that is there; nothing where none is. */
async function readExisting<T>(
  { folder, databaseUrl }: StorePlace,
  read: (session: Reading) => Promise<T>,
): Promise<T | undefined> {
  const isMade = [embeddedStoreFiles.data, embeddedStoreFiles.log].some((name) => existsSync(join(folder, name)));
  if (databaseUrl === undefined && !isMade) return undefined;
  const store = await openStore({ folder, databaseUrl }).catch((error) => {
    if (databaseUrl !== undefined) throw error;
    throw new Refusal(
      'conflict',
      `The data folder ${folder} holds a store that cannot be opened. Restore into an empty folder instead.`,
    );
  });
  try {
    return await store.read(read);
  } finally {
    await store.close();
  }
}

/** An operator may have lost a store and still need what belonged to it. */
function refuseForeignWarehouses(folder: string, organisation?: string): void {
  if (Staging.isLeftIn(folder)) return;
  if (warehouseFilesIn(folder).some(({ owner }) => organisation === undefined || owner === organisation)) {
    throw new Refusal(
      'conflict',
      `${join(folder, warehouseFolder)} holds warehouses of organisations that the store does not know. ` +
        'Move them away, or restore into an empty folder instead.',
    );
  }
}

/** Reads the whole backup, with every check there is, and keeps the warehouses. */
async function buildWarehouses(
  place: StorePlace,
  folder: string,
  file: string,
  trustSources: boolean,
): Promise<{
  readonly manifest: BackupManifest;
  readonly rows: ReadonlyMap<string, number>;
  readonly sources: RestoredSources;
}> {
  const warehouse = await openWarehouse({ folder, limits: limitsOf(place, 'warehouse') });
  try {
    let manifest: BackupManifest | undefined;
    const rows = new Map<string, number>();
    const sources = new RestoredSources(place.sourceHosts ?? []);
    for await (const part of readBackup(file)) {
      if (part.kind === 'manifest') manifest = part.manifest;
      if (part.kind === 'rows' && manifest?.organisation !== undefined && !trustSources) {
        await sources.examine(part.table, part.rows);
      }
      if (part.kind === 'warehouse') {
        rows.set(part.organisationId, await takeIn(warehouse, part.organisationId, part.tables, file));
      }
    }
    if (!manifest) throw new Error('a backup was read without its manifest');
    return { manifest, rows, sources };
  } finally {
    await warehouse.close();
  }
}

/** One organisation's files are on the disk at a time. Returns how many rows came of them. */
async function takeIn(
  warehouse: EmbeddedPort & Pick<IntakePort, 'change'>,
  organisationId: string,
  tables: AsyncIterable<WarehouseTable>,
  file: string,
): Promise<number> {
  const folder = await warehouse.makeCopyFolder();
  try {
    const promised = new Map<string, number>();
    for await (const { table, rows, bytes } of tables) {
      await pipeline(Readable.from(bytes), createWriteStream(join(folder, tableFile(table)), { mode: 0o600 }));
      if (table !== stateTable) promised.set(table, rows);
    }
    const copies = await warehouse.copyIn(organisationId, folder);
    const taken = new Map(copies.map(({ table, rows }) => [table, rows]));
    for (const [table, rows] of promised) {
      const came = taken.get(table) ?? 0;
      if (came !== rows) {
        throw damaged(file, `${table} of organisation ${organisationId} has ${came} rows instead of ${rows}`);
      }
    }
    // The store that goes with it may be older or newer, and may reach the version that is noted here by another way.
    // No directory has version 0, so the first process that uses the warehouse compares the copies of people and teams
    // with the store, whatever has happened there by then.
    await warehouse.change(organisationId, (session) => session.setDirectoryVersion(0));
    return copies.reduce((sum, { rows }) => sum + rows, 0);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
