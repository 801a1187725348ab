import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DataFolder } from '../data-folder.ts';
import { versionUnchangedSince } from '../directory/published-copies.ts';
import { Refusal } from '../refusal.ts';
import { backupTables, storeTables } from '../store/all-store-tables.ts';
import { schemaVersion } from '../store/migrations/migrations.ts';
import { embeddedStoreFiles, openStore, openStoreWithTables, StoreInUse } from '../store/open.ts';
import type { Reading, Store } from '../store/store.ts';
import type { IntakePort } from '../warehouse/intake-port.ts';
import type { EmbeddedPort } from '../warehouse/maintenance-port.ts';
import { openWarehouse } from '../warehouse/open.ts';
import { readBackup } from './backup-reader.ts';
import { brokenPeople, brokenRules, circularSquads, strayMemberships } from './checks/check-directory.ts';
import { danglingReferences, inspectRows } from './checks/check-references.ts';
import {
  damagedBlocks,
  damagedWarehouseBlocks,
  inspectWarehouses,
  type StoredDirectories,
} from './checks/check-warehouses.ts';
import { type DryRun, dryRunRederive } from './dry-run-rederive.ts';
import { found, type HealthFinding, unreadable } from './finding.ts';
import { limitsOf, type StorePlace } from './restore.ts';
import { tablesElsewhere, tablesNotRead } from './tables-elsewhere.ts';

export type { HealthFinding } from './finding.ts';

export interface Verification {
  /** Empty when nothing is damaged. */
  readonly findings: readonly HealthFinding[];
  /** Facts worth knowing that are no damage. */
  readonly notices: readonly HealthFinding[];
  /** Rows read, by table. A table that could not be read is not here. */
  readonly rows: Readonly<Record<string, number>>;
}

interface VerifyOptions {
  /** Absent where the tables are no files of this service. */
  readonly warehouse?: IntakePort & EmbeddedPort;
  /** Whether everything is recomputed and compared, too. */
  readonly deep?: DryRun | undefined;
}

const checks: readonly { readonly name: string; readonly run: (session: Reading) => Promise<HealthFinding[]> }[] = [
  { name: 'schema', run: otherSchema },
  { name: 'references', run: danglingReferences },
  { name: 'organisations', run: brokenRules },
  { name: 'people', run: brokenPeople },
  { name: 'squads', run: circularSquads },
  { name: 'memberships', run: strayMemberships },
];

/**
 * Reads everything in a store, and in the warehouses that go with it, and tells what is damaged. Each check sees one
 * state, while others may write on.
 */
export async function verify(store: Store, { warehouse, deep }: VerifyOptions = {}): Promise<Verification> {
  const stored = await verifyStore(store);
  if (!warehouse) return { ...stored, notices: [tablesNotRead()] };
  const { sound, ...inspected } = await inspectWarehouses(warehouse, await directoriesIn(store));
  const derived = deep ? await dryRunRederive(store, warehouse, sound, deep) : [];
  return {
    findings: [...stored.findings, ...inspected.findings, ...derived],
    notices: inspected.notices,
    rows: { ...stored.rows, ...inspected.rows },
  };
}

async function verifyStore(store: Store): Promise<Verification> {
  const findings: HealthFinding[] = [];
  const rows: Record<string, number> = {};
  for (const table of storeTables) {
    try {
      const inspected = await store.read((session) => inspectRows(session, table));
      rows[table.name] = inspected.rows;
      findings.push(...inspected.findings);
    } catch (error) {
      findings.push(unreadable(`${table.name} cannot be read`, error));
    }
  }
  for (const { name, run } of checks) {
    try {
      findings.push(...(await store.read(run)));
    } catch (error) {
      findings.push(unreadable(`the check of ${name} could not be finished`, error));
    }
  }
  return { findings, notices: [], rows };
}

/** Undefined when the store cannot say: its own checks report that. */
async function directoriesIn(store: Store): Promise<StoredDirectories | undefined> {
  try {
    const rows = await store.read((session) => session.rows<{ id: string }>('SELECT id FROM organisations'));
    return {
      organisations: new Set(rows.map(({ id }) => id)),
      async isShown(id, version) {
        return (await store.read((session) => versionUnchangedSince(session, id, version))) !== undefined;
      },
    };
  } catch {
    return undefined;
  }
}

/** Opens what is in a place, verifies it and closes it. What does not even open is a finding, too. */
export async function verifyPlace(place: StorePlace, deep?: DryRun): Promise<Verification> {
  const { folder, databaseUrl, tablesUrl } = place;
  if (tablesUrl !== undefined) return verifySharedStore(place, deep);
  const storeFile = join(folder, embeddedStoreFiles.data);
  if (databaseUrl === undefined && !existsSync(storeFile)) {
    // A commit counter without a store has seen commits that are gone.
    if (existsSync(join(folder, embeddedStoreFiles.commitCounter))) {
      return { findings: [unreadable('the store is missing from the data folder', undefined)], notices: [], rows: {} };
    }
    throw new Refusal('not-found', `There is no store in the data folder ${folder}.`);
  }
  const owned = await DataFolder.claim(folder);
  try {
    // Before they are opened: opening may already write to the files.
    const blocks = [
      ...(databaseUrl === undefined ? await damagedBlocks(storeFile, 'the store file') : []),
      ...(await damagedWarehouseBlocks(folder)),
    ];
    const { findings, notices, rows } = await verifyOpened(place, deep);
    return { findings: [...blocks, ...findings], notices, rows };
  } finally {
    owned.release();
  }
}

/** Any number of servers may be at work meanwhile: nothing is locked. */
async function verifySharedStore(place: StorePlace, deep: DryRun | undefined): Promise<Verification> {
  if (deep) throw tablesElsewhere('recompute');
  const { folder, databaseUrl } = place;
  const store = await openStore({ folder, limits: limitsOf(place, 'store'), databaseUrl });
  try {
    return await verify(store);
  } finally {
    await store.close();
  }
}

async function verifyOpened(place: StorePlace, deep: DryRun | undefined): Promise<Verification> {
  const { folder, databaseUrl } = place;
  const warehouse = await openWarehouse({ folder, limits: limitsOf(place, 'warehouse') });
  try {
    let store: Store;
    try {
      store = await openStoreWithTables({ folder, limits: limitsOf(place, 'store'), databaseUrl }, { kind: 'command' });
    } catch (error) {
      if (error instanceof StoreInUse) throw error;
      const { findings, notices, rows } = await inspectWarehouses(warehouse, undefined);
      return { findings: [unreadable('the store cannot be opened', error), ...findings], notices, rows };
    }
    try {
      return await verify(store, { warehouse, deep });
    } finally {
      await store.close();
    }
  } finally {
    await warehouse.close();
  }
}

const whyLeftOut = 'because the person who downloaded it may not read them';

/** Reads a backup from end to end, with every check that can be made without taking it in. */
export async function verifyBackup(file: string): Promise<Verification> {
  const rows: Record<string, number> = {};
  const add = (table: string, more: number) => {
    rows[table] = (rows[table] ?? 0) + more;
  };
  let notices: readonly HealthFinding[] = [];
  try {
    for await (const part of readBackup(file)) {
      if (part.kind === 'manifest') {
        for (const { name } of backupTables) add(name, 0);
        notices = (part.manifest.leftOut ?? []).map((one) => found('left out', `${one} are not in it, ${whyLeftOut}`));
      } else if (part.kind === 'rows') add(part.table.name, part.rows.length);
      else for await (const table of part.tables) add(`warehouse/${table.table}`, table.rows);
    }
    return { findings: [], notices, rows };
  } catch (error) {
    if (!(error instanceof Refusal) || error.reason === 'not-found') throw error;
    return { findings: [found('backup', error.message)], notices, rows };
  }
}

async function otherSchema(session: Reading): Promise<HealthFinding[]> {
  const [state] = await session.rows<{ version: number }>(
    'SELECT coalesce(max(version), 0)::int AS version FROM migrations',
  );
  const problem = `the schema is at version ${state?.version}, not ${schemaVersion}`;
  return state?.version === schemaVersion ? [] : [found('schema', problem)];
}
