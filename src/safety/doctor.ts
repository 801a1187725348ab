import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DataFolder, FolderInUse } from '../data-folder.ts';
import { resolveOrganisation } from '../directory/organisations.ts';
import { Refusal } from '../refusal.ts';
import { schemaVersion } from '../store/migrations/migrations.ts';
import { embeddedStoreFiles, openStore, type StoreHolder, storeHolder } from '../store/open.ts';
import { listOrganisations, type OrganisationRow, unusableNames } from '../store/organisation-rows.ts';
import type { Reading, Store } from '../store/store.ts';
import type { IntakePort } from '../warehouse/intake-port.ts';
import type { MaintenancePort } from '../warehouse/maintenance-port.ts';
import {
  hasLeftCopies,
  openTablesElsewhere,
  openWarehouse,
  warehouseFilesIn,
  warehouseFolder,
} from '../warehouse/open.ts';
import { type Diagnosis, judgeClock, judgeOrganisations, judgeSchema, judgeStoreVersion } from './diagnosis.ts';
import { dryRunFolder, isDryRunUnderWay } from './dry-run-rederive.ts';
import { examineRecords, nothingFound, type RecordCheck } from './examine-records.ts';
import { countFound, type DoctorScope, diagnoseFindings } from './finding.ts';
import { examineFolder, examineMachine } from './machine-health.ts';
import { limitsOf, type StorePlace } from './restore.ts';
import { examineClockOf } from './server-clocks.ts';
import { Staging } from './staging.ts';
import { examineServerOfTables, tablesUnusable } from './tables-elsewhere.ts';
import { examineWarehouses } from './warehouse-health.ts';

export type { Diagnosis } from './diagnosis.ts';

type ExaminedTables = IntakePort & Pick<MaintenancePort, 'clock'>;

interface Installation extends StorePlace {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly now: Date;
  /** The store and the tables, where the one who asks has them open already. */
  readonly store?: Store;
  readonly warehouse?: ExaminedTables;
  /** The checks of records. */
  readonly recordChecks: readonly RecordCheck[];
  /** More checks of the store. */
  readonly storeChecks?: readonly StoreCheck[];
  /** Identifier or name of the one organisation to look at, and at nothing of the installation. */
  readonly org?: string | undefined;
  /** Lists all examples of everything that is found; otherwise a few. */
  readonly isWhole?: boolean | undefined;
}

/** Examples of each organisation, of which a reader is shown as many of all together. */
const defaultExamples = 3;

/** The diagnoses of other modules about the store, beside what has to be right for Plumb to run. */
export type StoreCheck = (store: Store, scope: DoctorScope) => Promise<readonly Diagnosis[]>;

/** Looks at everything that has to be right for Plumb to run here, and changes nothing. */
export async function examine(installation: Installation): Promise<readonly Diagnosis[]> {
  const { folder, environment, databaseUrl, org } = installation;
  const isMade =
    databaseUrl !== undefined || installation.store !== undefined || existsSync(join(folder, embeddedStoreFiles.data));
  if (org !== undefined) {
    if (isMade) return examineStore(installation);
    throw new Refusal('not-found', `There is no organisation '${org}'. Make one with \`plumb org create\`.`);
  }
  const machine = await examineMachine(environment);
  const isThere = existsSync(folder);
  const place = isThere
    ? [...(await examineFolder(folder)), ...(await examineWarehouses(installation))]
    : [noFolder(folder)];
  const store = isMade ? await examineStore(installation) : noStore(installation.now);
  return [...machine, ...place, ...store];
}

const noFolder = (folder: string): Diagnosis => ({
  name: 'data folder',
  status: 'warning',
  detail: `${folder} does not exist yet. The first command that needs it makes it. PLUMB_DATA names another one.`,
});

const noStore = (now: Date): Diagnosis[] => [
  { name: 'store', status: 'warning', detail: 'There is none yet. Make an organisation with `plumb org create`.' },
  { name: 'clock', ...judgeClock(now, undefined) },
];

/** The folder is claimed while its store is open, as by every other owner. */
async function examineStore(installation: Installation): Promise<Diagnosis[]> {
  const { folder, databaseUrl, now } = installation;
  if (installation.store) {
    const scope = await scopeIn(installation.store, installation);
    return [
      ...(scope.isOfOne ? [] : await examineOpened(installation.store, scope, now)),
      ...(await examineFurther(installation.store, scope, installation)),
      ...(scope.isOfOne ? [] : [examineLeftovers(folder, scope, true)]),
      ...(installation.warehouse
        ? await examineTables(installation.warehouse, { ...installation, store: installation.store }, scope)
        : []),
    ];
  }
  let owned: DataFolder | undefined;
  let store: Store | undefined;
  try {
    owned = databaseUrl === undefined ? await DataFolder.claim(folder) : await claimIfFree(folder);
    store = await openStore(databaseUrl === undefined ? { folder } : { folder, databaseUrl });
    const scope = await scopeIn(store, installation);
    // Only its owner knows that nobody is at work in the folder. Tables beside a server elsewhere are not the store's.
    const leftovers = owned && !scope.isOfOne ? [examineLeftovers(folder, scope, false)] : [];
    const isTheirs =
      installation.tablesUrl !== undefined || (owned !== undefined && (await holderOf(store)) === undefined);
    const ofOwner = [...leftovers, ...(isTheirs ? await examineClosedTables({ ...installation, store }, scope) : [])];
    return [
      ...(scope.isOfOne ? [] : await examineOpened(store, scope, now)),
      ...(await examineFurther(store, scope, installation)),
      ...ofOwner,
    ];
  } catch (error) {
    // The refusal is about the name that the caller gave.
    if (store && installation.org !== undefined && error instanceof Refusal) throw error;
    return [{ name: 'store', ...notOpened(error, databaseUrl !== undefined) }];
  } finally {
    await store?.close();
    owned?.release();
  }
}

/** The organisations that are asked about. Refuses a name that means none, or several. */
async function scopeIn(store: Store, { org, isWhole }: Installation): Promise<DoctorScope> {
  const organisations = await store.read(
    async (session): Promise<OrganisationRow[]> =>
      org === undefined ? listOrganisations(session) : [await resolveOrganisation(session, org)],
  );
  return {
    organisations,
    isOfOne: org !== undefined,
    maxExamples: isWhole ? Number.POSITIVE_INFINITY : defaultExamples,
  };
}

/** With the store elsewhere the folder may well be somebody else's at the moment, or not be there at all. */
async function claimIfFree(folder: string): Promise<DataFolder | undefined> {
  if (!existsSync(folder)) return undefined;
  return DataFolder.claim(folder).catch((error: unknown) => {
    if (error instanceof FolderInUse) return undefined;
    throw error;
  });
}

/** The diagnoses of the rows in the tables. */
async function examineTables(
  warehouse: ExaminedTables,
  { recordChecks, now, tablesUrl, store }: Installation & { readonly store: Store },
  scope: DoctorScope,
): Promise<Diagnosis[]> {
  const { organisations, maxExamples } = scope;
  const records = await examineRecords(warehouse, recordChecks, { organisations, maxExamples, store, now });
  if (tablesUrl === undefined || scope.isOfOne) return records;
  return [...records, ...(await examineServerOfTables(warehouse, scope))];
}

async function examineFurther(
  store: Store,
  scope: DoctorScope,
  { storeChecks = [] }: Installation,
): Promise<Diagnosis[]> {
  const found: Diagnosis[] = [];
  for (const check of storeChecks) found.push(...(await check(store, scope)));
  return found;
}

function examineLeftovers(folder: string, { organisations, maxExamples }: DoctorScope, isServing: boolean): Diagnosis {
  const organisationIds = new Set(organisations.map(({ id }) => id));
  const left = leftoversIn(folder, { organisationIds, isServing });
  const findings = left.length === 0 ? [] : [countFound(left, maxExamples, (sentence) => sentence)];
  return diagnoseFindings({ name: 'leftovers', advice: '', things: ['leftover', 'leftovers'] }, findings);
}

/** Names that several organisations have, or that look like an identifier. */
function examineNames({ organisations, maxExamples }: DoctorScope): Diagnosis {
  const unusable = unusableNames(organisations);
  const advice =
    'Such names mean no organisation, or another one, and only identifiers work. Give them others with `plumb org set --org ID name=…`.';
  return diagnoseFindings(
    { name: 'organisation names', advice, things: ['name', 'names'], well: 'unique' },
    unusable.length === 0 ? [] : [countFound(unusable, maxExamples, (one) => one)],
  );
}

/** Opens the tables for as long as they are looked at. */
async function examineClosedTables(
  installation: Installation & { readonly store: Store },
  scope: DoctorScope,
): Promise<Diagnosis[]> {
  const { folder, recordChecks, store, tablesUrl } = installation;
  const isElsewhere = tablesUrl !== undefined;
  if (!isElsewhere && !existsSync(join(folder, warehouseFolder))) {
    return recordChecks.map(({ name }) => nothingFound(name));
  }
  let warehouse: (ExaminedTables & { close(): Promise<void> }) | undefined;
  try {
    warehouse = isElsewhere
      ? await openTablesElsewhere(tablesUrl, store.writerTurns)
      : await openWarehouse({ folder, limits: limitsOf(installation, 'warehouse') });
    return await examineTables(warehouse, installation, scope);
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

async function examineOpened(store: Store, scope: DoctorScope, now: Date): Promise<Diagnosis[]> {
  const state = await store.read(async (session) => ({
    version: await one(session.rows<{ value: number }>('SELECT max(version)::int AS value FROM migrations')),
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
    { name: 'organisations', ...judgeOrganisations(scope.organisations.length) },
    examineNames(scope),
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

/** Who owns the folder while it is looked at. */
interface Holder {
  /** The organisations in the store. */
  readonly organisationIds: ReadonlySet<string>;
  /** Whether a server is at work in the folder: what it is copying at the moment is no leftover. */
  readonly isServing: boolean;
}

/** The leftovers of interrupted work in a data folder, each with what to do about it. */
function leftoversIn(folder: string, { organisationIds, isServing }: Holder): string[] {
  const found: string[] = [];
  const place = join(folder, warehouseFolder);
  const unknown = warehouseFilesIn(folder).filter(({ owner }) => !organisationIds.has(owner));
  const isLeft = Staging.isLeftIn(folder);
  if (isLeft) {
    found.push(
      organisationIds.size === 0 || unknown.length > 0
        ? `A restore into this folder was interrupted. Run it again.`
        : `${Staging.pathIn(folder)} is left over from a restore that is complete. Delete it.`,
    );
  }
  if (existsSync(join(folder, dryRunFolder)) && !isDryRunUnderWay(folder)) {
    found.push(`${join(folder, dryRunFolder)} is left over from \`plumb verify --deep\`. Delete it.`);
  }
  if (!isServing && hasLeftCopies(folder)) {
    found.push(`${place} has copies that a killed process made. They are removed at the next start.`);
  }
  // Before the restore that brought them is complete, nobody's warehouses are in the store.
  const strangers = isLeft ? [] : unknown.map(({ name }) => name);
  for (const name of strangers) {
    found.push(`${join(place, name)} is of an organisation that is not in the store. Move it away.`);
  }
  return found;
}
