import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { DataFolder, FolderInUse } from '../data-folder.ts';
import { Refusal } from '../refusal.ts';
import { readNotice } from '../server-notice.ts';
import { schemaVersion } from '../store/migrations/migrations.ts';
import { embeddedStoreFiles, openStore, type StoreHolder, storeHolder } from '../store/open.ts';
import { unusableNames } from '../store/organisation-names.ts';
import { listOrganisations } from '../store/organisations.ts';
import type { Reading, Store } from '../store/store.ts';
import type { IntakePort } from '../warehouse/intake-port.ts';
import type { MaintenancePort } from '../warehouse/maintenance-port.ts';
import { engineVersion, openTablesElsewhere, openWarehouse, warehouseFolder } from '../warehouse/open.ts';
import {
  type Diagnosis,
  judgeClock,
  judgeDisk,
  judgeNames,
  judgeNode,
  judgeOrganisations,
  judgePermissions,
  judgeSchema,
  judgeStoreVersion,
  judgeThreadPool,
  judgeTimeZones,
} from './diagnosis.ts';
import { leftoversIn } from './leftovers.ts';
import { examineRecords, nothingFound, type RecordCheck } from './record-checks.ts';
import { limitsOf, type StorePlace } from './restore.ts';
import { examineClockOf } from './server-clocks.ts';
import { examineServerOfTables, tablesUnusable } from './tables-elsewhere.ts';
import { judgeLeftovers } from './warehouse-diagnosis.ts';
import { examineWarehouses } from './warehouse-health.ts';

export type { Diagnosis } from './diagnosis.ts';

type ExaminedTables = IntakePort & Pick<MaintenancePort, 'clock'>;

interface Installation extends StorePlace {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly now: Date;
  /** The store and the tables, where the one who asks has them open already. */
  readonly store?: Store;
  readonly warehouse?: ExaminedTables;
  /** What to look for in records. */
  readonly recordChecks: readonly RecordCheck[];
  /** What to look for in the store besides. */
  readonly storeChecks?: readonly StoreCheck[];
}

/** What somebody else has to say about the store, beside what has to be right for Plumb to run. */
export type StoreCheck = (store: Store) => Promise<readonly Diagnosis[]>;

/** Looks at everything that has to be right for Plumb to run here, and changes nothing. */
export async function examine(installation: Installation): Promise<readonly Diagnosis[]> {
  const { folder, environment, databaseUrl } = installation;
  const machine: Diagnosis[] = [
    { name: 'node', ...judgeNode(process.version) },
    { name: 'native module', ...(await loadNativeModule()) },
    { name: 'thread pool', ...judgeThreadPool(environment.UV_THREADPOOL_SIZE) },
    { name: 'time zones', ...judgeTimeZones(hourInVienna()) },
  ];
  const isThere = existsSync(folder);
  const place = isThere
    ? [...(await examineFolder(folder)), ...(await examineWarehouses(installation))]
    : [noFolder(folder)];
  const isMade =
    databaseUrl !== undefined || installation.store !== undefined || existsSync(join(folder, embeddedStoreFiles.data));
  const store = isMade ? await examineStore(installation) : noStore(installation.now);
  return [...machine, ...place, ...store];
}

const noFolder = (folder: string): Diagnosis => ({
  name: 'data folder',
  status: 'warning',
  detail: `${folder} does not exist yet. It is made by the first command that needs it; PLUMB_DATA names another one.`,
});

const noStore = (now: Date): Diagnosis[] => [
  { name: 'store', status: 'warning', detail: 'There is none yet. Make an organisation with `plumb org create`.' },
  { name: 'clock', ...judgeClock(now, undefined) },
];

async function loadNativeModule(): Promise<Omit<Diagnosis, 'name'>> {
  try {
    return { status: 'ok', detail: await engineVersion() };
  } catch {
    return {
      status: 'problem',
      detail: `The engine has no binary for ${process.platform}-${process.arch} here. Install the dependencies again on this machine.`,
    };
  }
}

function hourInVienna(): string | undefined {
  try {
    const format = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Vienna', hour: '2-digit' });
    return format.format(Date.UTC(2024, 0, 1, 12));
  } catch {
    return undefined;
  }
}

async function examineFolder(folder: string): Promise<Diagnosis[]> {
  const found: Diagnosis[] = [];
  const name = 'data folder';
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    found.push({ name, status: 'ok', detail: folder });
  } catch {
    found.push({
      name,
      status: 'problem',
      detail: `${folder} cannot be written to. Give it to the user who runs Plumb.`,
    });
  }
  found.push({ name: 'permissions', ...judgePermissions(folder, statSync(folder).mode) });
  const { bavail, bsize } = await statfs(folder);
  found.push({ name: 'disk', ...judgeDisk(bavail * bsize) });
  found.push({ name: 'server', ...runningServer(folder) });
  return found;
}

function runningServer(folder: string): Omit<Diagnosis, 'name'> {
  const notice = readNotice(folder);
  if (!notice) return { status: 'ok', detail: 'none runs on this folder' };
  return isAlive(notice.pid)
    ? { status: 'ok', detail: `process ${notice.pid} serves ${notice.url}` }
    : {
        status: 'warning',
        detail: `The server that ran here as process ${notice.pid} ended without a word. Start it again.`,
      };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The folder is claimed while its store is open, as by every other owner. */
async function examineStore(installation: Installation): Promise<Diagnosis[]> {
  const { folder, databaseUrl, now } = installation;
  if (installation.store)
    return [
      ...(await examineOpened(installation.store, now)),
      ...(await examineFurther(installation.store, installation)),
      await examineLeftovers(installation.store, folder, true),
      ...(installation.warehouse ? await examineTables(installation.store, installation.warehouse, installation) : []),
    ];
  let owned: DataFolder | undefined;
  let store: Store | undefined;
  try {
    owned = databaseUrl === undefined ? await DataFolder.claim(folder) : await claimIfFree(folder);
    store = await openStore(databaseUrl === undefined ? { folder } : { folder, databaseUrl });
    // Only its owner knows that nobody is at work in the folder. Tables beside a server elsewhere are not the store's.
    const leftovers = owned ? [await examineLeftovers(store, folder, false)] : [];
    const isTheirs =
      installation.tablesUrl !== undefined || (owned !== undefined && (await holderOf(store)) === undefined);
    const ofOwner = [...leftovers, ...(isTheirs ? await examineClosedTables(store, installation) : [])];
    return [...(await examineOpened(store, now)), ...(await examineFurther(store, installation)), ...ofOwner];
  } catch (error) {
    return [{ name: 'store', ...notOpened(error, databaseUrl !== undefined) }];
  } finally {
    await store?.close();
    owned?.release();
  }
}

/** With the store elsewhere the folder may well be somebody else's at the moment, or not be there at all. */
async function claimIfFree(folder: string): Promise<DataFolder | undefined> {
  if (!existsSync(folder)) return undefined;
  return DataFolder.claim(folder).catch((error: unknown) => {
    if (error instanceof FolderInUse) return undefined;
    throw error;
  });
}

/** What is worth a look in what the tables hold. */
async function examineTables(
  store: Store,
  warehouse: ExaminedTables,
  { recordChecks: checks, now, tablesUrl }: Installation,
): Promise<Diagnosis[]> {
  const organisations = await store.read(listOrganisations);
  const records = await examineRecords(warehouse, { organisations, checks, now });
  return tablesUrl === undefined ? records : [...records, ...(await examineServerOfTables(warehouse, organisations))];
}

async function examineFurther(store: Store, { storeChecks = [] }: Installation): Promise<Diagnosis[]> {
  const found: Diagnosis[] = [];
  for (const check of storeChecks) found.push(...(await check(store)));
  return found;
}

async function examineLeftovers(store: Store, folder: string, isServing: boolean): Promise<Diagnosis> {
  const rows = await store.read((session) => session.rows<{ id: string }>('SELECT id FROM organisations'));
  const organisationIds = new Set(rows.map(({ id }) => id));
  return { name: 'leftovers', ...judgeLeftovers(leftoversIn(folder, { organisationIds, isServing })) };
}

/** Opens the tables for as long as they are looked at. */
async function examineClosedTables(store: Store, installation: Installation): Promise<Diagnosis[]> {
  const { folder, recordChecks, tablesUrl } = installation;
  const isElsewhere = tablesUrl !== undefined;
  if (!isElsewhere && !existsSync(join(folder, warehouseFolder))) {
    return recordChecks.map(({ name }) => nothingFound(name));
  }
  let warehouse: (ExaminedTables & { close(): Promise<void> }) | undefined;
  try {
    warehouse = isElsewhere
      ? await openTablesElsewhere(tablesUrl, store.writerTurns)
      : await openWarehouse({ folder, limits: limitsOf(installation, 'warehouse') });
    return await examineTables(store, warehouse, installation);
  } catch (error) {
    if (isElsewhere) return [tablesUnusable(error)];
    return [{ name: 'records', status: 'warning', detail: 'The tables cannot be opened. See `plumb verify`.' }];
  } finally {
    await warehouse?.close();
  }
}

/** The database's own words may hold its address; a refusal is ours. */
function notOpened(error: unknown, isDatabase: boolean): Omit<Diagnosis, 'name'> {
  if (error instanceof FolderInUse)
    return { status: 'warning', detail: `${error.message} Its store was not looked at.` };
  if (isDatabase) {
    const { code } = error as { code?: string };
    const why = error instanceof Refusal ? error.message : `It refuses (${code ?? 'no reason given'}).`;
    return { status: 'problem', detail: `PostgreSQL cannot be used: ${why} Check DATABASE_URL and the server.` };
  }
  const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
  return { status: 'problem', detail: `The store cannot be opened: ${why} See \`plumb verify\`.` };
}

async function examineOpened(store: Store, now: Date): Promise<Diagnosis[]> {
  const state = await store.read(async (session) => ({
    version: await one(session.rows<{ value: number }>('SELECT max(version)::int AS value FROM migrations')),
    organisations: await listOrganisations(session),
    newest: await one(session.rows<{ value: Date | null }>('SELECT max(happened_at) AS value FROM audit_log')),
    server: store.isShared ? await one(session.rows<{ value: string }>(postgresVersion)) : undefined,
  }));
  const holder = await holderOf(store);
  return [
    state.server === undefined
      ? { name: 'store', status: 'ok', detail: 'embedded file' }
      : { name: 'store', ...judgeStoreVersion(state.server) },
    ...(state.server === undefined ? [] : [heldBy(holder)]),
    { name: 'schema', ...judgeSchema(state.version ?? 0, schemaVersion) },
    { name: 'organisations', ...judgeOrganisations(state.organisations.length) },
    { name: 'organisation names', ...judgeNames(unusableNames(state.organisations)) },
    { name: 'clock', ...judgeClock(now, state.newest ?? undefined) },
    ...(store.isShared ? await examineClockOf('PostgreSQL', () => store.read(postgresTime)) : []),
  ];
}

const postgresTime = (session: Reading): Promise<number | undefined> =>
  one(session.rows<{ value: number }>('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS value'));

async function holderOf(store: Store): Promise<StoreHolder | undefined> {
  if (!store.isShared) return undefined;
  return store.read((session) => storeHolder((sql) => session.rows(sql)));
}

const heldBy = (holder: StoreHolder | undefined): Diagnosis => ({
  name: 'store in use',
  status: 'ok',
  detail: holder
    ? `by process ${holder.pid} on host ${holder.host}, since ${holder.since.toISOString()}`
    : 'by no server at the moment',
});

const postgresVersion = "SELECT current_setting('server_version') AS value";

async function one<T>(rows: Promise<{ readonly value: T }[]>): Promise<T | undefined> {
  return (await rows)[0]?.value;
}
