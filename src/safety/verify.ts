import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DataFolder } from '../data-folder.ts';
import { Refusal } from '../refusal.ts';
import { schemaVersion } from '../store/migrations/migrations.ts';
import { openStore } from '../store/open.ts';
import type { Reading, Store } from '../store/store.ts';
import { storeTables } from '../store/tables.ts';
import { readBackup } from './backup-reader.ts';
import { brokenRules } from './checks/organisations.ts';
import { brokenPeople } from './checks/people.ts';
import { danglingReferences } from './checks/references.ts';
import { inspectRows } from './checks/rows.ts';
import { circularSquads } from './checks/squads.ts';
import { damagedBlocks } from './checks/store-file.ts';
import type { Finding } from './finding.ts';
import type { StorePlace } from './restore.ts';

export type { Finding } from './finding.ts';

export interface Verification {
  /** Empty when nothing is damaged. */
  readonly findings: readonly Finding[];
  /** Rows read, by table. A table that could not be read is not here. */
  readonly rows: Readonly<Record<string, number>>;
}

const checks: readonly { readonly name: string; readonly run: (session: Reading) => Promise<Finding[]> }[] = [
  { name: 'schema', run: otherSchema },
  { name: 'references', run: danglingReferences },
  { name: 'organisations', run: brokenRules },
  { name: 'people', run: brokenPeople },
  { name: 'squads', run: circularSquads },
];

/** Reads everything in a store and tells what is damaged. Each check sees one state, while others may write on. */
export async function verify(store: Store): Promise<Verification> {
  const findings: Finding[] = [];
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
  return { findings, rows };
}

/** Opens the store of a place, verifies it and closes it. One that does not even open is a finding, too. */
export async function verifyPlace(place: StorePlace): Promise<Verification> {
  const { folder, databaseUrl } = place;
  if (databaseUrl !== undefined) return verifyOpened({ folder, databaseUrl });
  if (!existsSync(join(folder, 'store.duckdb'))) {
    // A witness without a store has seen commits that are gone.
    if (existsSync(join(folder, 'store.commits'))) {
      return { findings: [unreadable('the store is missing from the data folder', undefined)], rows: {} };
    }
    throw new Refusal('not-found', `There is no store in the data folder ${folder}.`);
  }
  const owned = await DataFolder.claim(folder);
  try {
    // Before it is opened: opening may already write to the file.
    const blocks = await damagedBlocks(join(folder, 'store.duckdb'));
    const { findings, rows } = await verifyOpened({ folder });
    return { findings: [...blocks, ...findings], rows };
  } finally {
    owned.release();
  }
}

async function verifyOpened(place: { readonly folder: string; readonly databaseUrl?: string }): Promise<Verification> {
  let store: Store;
  try {
    store = await openStore(place);
  } catch (error) {
    return { findings: [unreadable('the store cannot be opened', error)], rows: {} };
  }
  try {
    return await verify(store);
  } finally {
    await store.close();
  }
}

/** Reads a backup from end to end, with every check that restoring it would make. */
export async function verifyBackup(file: string): Promise<Verification> {
  const rows: Record<string, number> = {};
  try {
    for await (const part of readBackup(file)) {
      if (part.kind === 'manifest') for (const { name } of storeTables) rows[name] = 0;
      else rows[part.table.name] = (rows[part.table.name] ?? 0) + part.rows.length;
    }
    return { findings: [], rows };
  } catch (error) {
    if (!(error instanceof Refusal) || error.reason === 'not-found') throw error;
    return { findings: [{ check: 'backup', problem: error.message, count: 1, examples: [] }], rows };
  }
}

async function otherSchema(session: Reading): Promise<Finding[]> {
  const [state] = await session.rows<{ version: number }>(
    'SELECT coalesce(max(version), 0)::int AS version FROM migrations',
  );
  const problem = `the schema is at version ${state?.version}, not ${schemaVersion}`;
  return state?.version === schemaVersion ? [] : [{ check: 'schema', problem, count: 1, examples: [] }];
}

/** The engine's own first line says most about a broken file, and nothing about what is in it. */
function unreadable(what: string, error: unknown): Finding {
  const why = error instanceof Error ? `: ${error.message.split('\n')[0]?.slice(0, 300)}` : '';
  return { check: 'readable', problem: `${what}${why}`, count: 1, examples: [] };
}
