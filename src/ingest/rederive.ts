import { orderColumn, type Row, type Table } from '../catalogue/table.ts';
import { pullRequests } from '../catalogue/tables/pull-requests.ts';
import { childrenOf, type FactTable, factTableNames, factTables } from '../catalogue/tables/tables.ts';
import type { Condition, Reading, Writing } from '../warehouse/warehouse.ts';
import { derive, deriveRows } from './derivation.ts';
import type { KnownDirectory } from './known-directory.ts';
import { scoreEverything } from './stages/complexity.ts';
import { DeploymentTouches } from './stages/deployments/deployment-touches.ts';
import { deriveDeployments } from './stages/deployments/deployments-stage.ts';
import { askAfterEverybody } from './stages/last-activity.ts';
import { draftOf, newDrafts, type Workspace } from './workspace.ts';

/** Rows that are held in memory at once; with their parts it is several times as many. */
const rowsMost = 20_000;

export function workspaceOf(session: Writing, directory: KnownDirectory, anew = false): Workspace {
  const { resolver, calendar, runnerPrices, incidentWindowDays } = directory;
  return { session, drafts: newDrafts(), resolver, calendar, runnerPrices, incidentWindowDays, anew };
}

/** Derives rows of one table anew, a bounded number at a time, with everything that depends on them. */
export async function rederiveRows(
  session: Writing,
  directory: KnownDirectory,
  name: FactTable,
  where: Condition,
): Promise<void> {
  const table: Table = factTables[name];
  const keys = (await session.select(table, table.key as never, where)) as unknown as Row[];
  for (let i = 0; i < keys.length; i += rowsMost) {
    const workspace = workspaceOf(session, directory);
    await draftOf(workspace.drafts, name).loadWhole(session, keys.slice(i, i + rowsMost));
    await derive(workspace);
  }
}

/** What stands by itself, in the order in which one asks the other: pull requests ask about AI. */
const roots: readonly FactTable[] = factTableNames
  .filter((name) => (factTables[name] as Table).parent === undefined)
  .sort((a, b) => Number(a === 'pull_requests') - Number(b === 'pull_requests'));

/**
 * Tells everything anew from what records gave, in one transaction: readers see what was there until all of it is done.
 * Parents bring their parts along; what looks across rows comes last.
 */
export async function rederive(session: Writing, directory: KnownDirectory): Promise<void> {
  for (const name of roots) {
    const table: Table = factTables[name];
    for (const where of await windowsOf(session, table)) {
      const workspace = workspaceOf(session, directory, true);
      await draftOf(workspace.drafts, name).load(session, name === 'deployments' ? stated(where) : where);
      await deriveRows(workspace);
    }
  }
  const orphans = workspaceOf(session, directory, true);
  await deriveRows(orphans, await withoutPullRequest(session));
  await scoreEverything(session, await windowsOf(session, pullRequests));
  const touches = new DeploymentTouches();
  for (const key of await everyRepository(session)) touches.repository(key);
  await deriveDeployments(session, touches, { incidentWindowDays: directory.incidentWindowDays });
  await askAfterEverybody(session);
}

/** Those made from releases, runs and merges are made anew. */
const stated = (where: Condition): Condition => ({ all: [where, { column: 'origin', in: ['stated'] }] });

/** Spans of time that hold about as many rows as fit into memory at once, and the rows without a time. */
async function windowsOf(session: Reading, table: Table): Promise<Condition[]> {
  const column = orderColumn(table);
  if (column === undefined) throw new Error(`${table.name} has no order to go by`);
  const isDate = table.columns[column]?.type === 'date';
  const bound = (seconds: number) => (isDate ? new Date(seconds * 1_000).toISOString().slice(0, 10) : seconds);
  const windows: Condition[] = [{ column, isNull: true }];
  let rows = 0;
  let from: number | undefined;
  let until = 0;
  const close = () => {
    if (from === undefined) return;
    const last = isDate ? until : until + 86_399;
    windows.push({
      all: [
        { column, atLeast: bound(from) },
        { column, atMost: bound(last) },
      ],
    });
    from = undefined;
    rows = 0;
  };
  for (const day of await session.rowsByDay(table)) {
    if (day.from === null) continue;
    from ??= day.from;
    until = day.from;
    rows += day.rows;
    if (rows >= rowsMost) close();
  }
  close();
  return windows;
}

/** Pull requests that are only known by their parts. */
async function withoutPullRequest(session: Reading): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const part of childrenOf('pull_requests')) {
    const rows = await session.select(factTables[part] as Table, ['pr_id' as never], {
      column: 'pr_created_at',
      isNull: true,
    });
    for (const { pr_id } of rows as unknown as Row[]) if (typeof pr_id === 'string') ids.add(pr_id);
  }
  return ids;
}

/** Every repository that anything is known of. */
export async function everyRepository(session: Reading): Promise<string[]> {
  const keys = new Set<string>();
  for (const name of ['pull_requests', 'deployments', 'release_details', 'workflow_runs', 'incidents'] as const) {
    const rows = await session.tally(factTables[name] as Table, ['repository_key' as never]);
    for (const { repository_key } of rows as unknown as Row[]) {
      if (typeof repository_key === 'string') keys.add(repository_key);
    }
  }
  return [...keys];
}
