import { inheritedColumns, orderColumn, type Row, type Table } from '../catalogue/table.ts';
import { pullRequests } from '../catalogue/tables/pull-requests.ts';
import { surveyResponses } from '../catalogue/tables/survey-responses.ts';
import { childrenOf, type FactTable, factTableNames, factTables } from '../catalogue/tables/tables.ts';
import type { Condition, Reading, Writing } from '../warehouse/warehouse.ts';
import { attributeDeployments } from './attribution/attribute-deployments.ts';
import { TouchedRows } from './attribution/touched-rows.ts';
import { derive, deriveRows } from './derivation.ts';
import { answerId } from './derive/answer-id.ts';
import { noRepository } from './derive/deployments/repository-settings.ts';
import { keyed } from './draft.ts';
import type { KnownDirectory } from './known-directory.ts';
import { gatherBots, knownBots, noteBots } from './people/bot-accounts.ts';
import {
  changedAccounts,
  countUncounted,
  recountAccounts,
  rowsNaming,
  tablesOfPeople,
} from './people/known-accounts.ts';
import { score, usualSizes } from './stages/complexity.ts';
import { askAfterEverybody } from './stages/last-activity.ts';
import { draftOf, newDrafts, type Workspace } from './workspace.ts';

/** Rows that are held in memory at once; with their parts it is several times as many. */
const usualRowsMost = 20_000;

export async function openWorkspace(session: Writing, directory: KnownDirectory, anew = false): Promise<Workspace> {
  const { resolver, zone, runnerPrices, surveyKey } = directory;
  const bots = await knownBots(session);
  return {
    session,
    drafts: newDrafts(),
    resolver,
    bots,
    recounted: new Set(),
    zone,
    runnerPrices,
    surveyKey,
    anew,
  };
}

/** Everything that follows from a batch. */
export async function deriveBatch(workspace: Workspace, directory: KnownDirectory): Promise<void> {
  const touched = new TouchedRows();
  await derivePart(workspace, directory, touched);
  await attributeDeployments(workspace.session, touched, directory);
}

/**
 * Everything that follows from one part of a change except deployments. Where it makes a bot of an account, or no longer
 * does, that is all its rows.
 */
export async function derivePart(workspace: Workspace, directory: KnownDirectory, touched: TouchedRows): Promise<void> {
  await countUncounted(workspace);
  await derive(workspace, touched);
  if (await noteBots(workspace)) await rederiveAccounts(workspace.session, directory, touched);
}

/** Rows of accounts that mean somebody else now than when they were written. */
export async function rederiveAccounts(
  session: Writing,
  directory: KnownDirectory,
  touched: TouchedRows,
): Promise<void> {
  const accounts = await changedAccounts(session, directory.resolver, await knownBots(session));
  if (accounts.length === 0) return;
  for (const table of tablesOfPeople) {
    await rederiveRows(session, directory, touched, table, rowsNaming(table, accounts));
  }
}

/** Derives rows of one table anew, a bounded number at a time, with everything that depends on them except deployments. */
export async function rederiveRows(
  session: Writing,
  directory: KnownDirectory,
  touched: TouchedRows,
  name: FactTable,
  where: Condition,
): Promise<void> {
  for (const some of await keysOf(session, factTables[name], where, usualRowsMost)) {
    const workspace = await openWorkspace(session, directory);
    await draftOf(workspace.drafts, name).load(session, some);
    await derive(workspace, touched);
  }
}

/** What stands by itself, in the order in which one asks the other: pull requests ask about AI. */
const roots: readonly FactTable[] = factTableNames
  .filter((name) => (factTables[name] as Table).parent === undefined)
  .sort((a, b) => Number(a === 'pull_requests') - Number(b === 'pull_requests'));

export interface RederiveOptions {
  /** Rows at once. */
  readonly rowsMost?: number;
  /** Looked at between portions. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Tells everything anew from what records gave, in one transaction: readers see what was there until all of it is done.
 * Parents bring their parts along; what looks across rows comes last.
 */
export async function rederive(
  session: Writing,
  directory: KnownDirectory,
  { rowsMost = usualRowsMost, signal }: RederiveOptions = {},
): Promise<void> {
  await recountAccounts(session, directory.resolver, await knownBots(session));
  await gatherBots(session);
  await changedAccounts(session, directory.resolver, await knownBots(session));
  for (const name of roots) {
    for await (const where of portionsOf(session, factTables[name], rowsMost)) {
      signal?.throwIfAborted();
      const workspace = await openWorkspace(session, directory, true);
      await draftOf(workspace.drafts, name).load(session, name === 'deployments' ? stated(where) : where);
      await deriveRows(workspace);
    }
  }
  await rederiveOrphans(session, directory, rowsMost);
  const sizes = await usualSizes(session);
  for await (const where of portionsOf(session, pullRequests, rowsMost)) {
    signal?.throwIfAborted();
    await score(session, sizes, where);
  }
  const touched = new TouchedRows();
  for (const key of await everyRepository(session)) touched.repository(key);
  await attributeDeployments(session, touched, directory);
  await askAfterEverybody(session);
  for await (const where of portionsOf(session, surveyResponses, rowsMost)) {
    signal?.throwIfAborted();
    await nameAnswers(session, directory.surveyKey, where);
  }
}

/** The identifiers that answers are shown with. */
async function nameAnswers(session: Writing, key: string, where: Condition): Promise<void> {
  const rows = await session.select(surveyResponses, ['survey_response_id', 'answer_id'], where);
  const changed = rows.flatMap(({ survey_response_id: id, answer_id }) => {
    const now = id === null ? null : answerId(key, id);
    return now === answer_id ? [] : [{ survey_response_id: id, answer_id: now }];
  });
  if (changed.length > 0) await session.patch(surveyResponses, ['answer_id'], changed);
}

/** Those made from releases, runs and merges are made anew. */
const stated = (where: Condition): Condition => ({ all: [where, { column: 'origin', in: ['stated'] }] });

/** All rows of a table, as many at once as fit into memory. What is too much for that is taken by its keys. */
async function* portionsOf(session: Reading, table: Table, rowsMost: number): AsyncGenerator<Condition> {
  for (const { where, rows } of await windowsOf(session, table, rowsMost)) {
    if (rows <= 2 * rowsMost) yield where;
    else yield* await keysOf(session, table, where, rowsMost);
  }
}

async function keysOf(session: Reading, table: Table, where: Condition, rowsMost: number): Promise<Condition[]> {
  const keys = (await session.select(table, table.key as never, where)) as unknown as Row[];
  return portioned(keys, rowsMost).map((some) => keyed(table, some));
}

function portioned<T>(all: readonly T[], most: number): T[][] {
  const portions: T[][] = [];
  for (let i = 0; i < all.length; i += most) portions.push(all.slice(i, i + most));
  return portions;
}

/** Spans of time that hold about as many rows as fit into memory at once, and the rows without a time. */
async function windowsOf(
  session: Reading,
  table: Table,
  rowsMost: number,
): Promise<{ readonly where: Condition; readonly rows: number }[]> {
  const column = orderColumn(table);
  if (column === undefined) throw new Error(`${table.name} has no order to go by`);
  const isDate = table.columns[column]?.type === 'date';
  const bound = (seconds: number) => (isDate ? new Date(seconds * 1_000).toISOString().slice(0, 10) : seconds);
  const windows: { readonly where: Condition; readonly rows: number }[] = [];
  let rows = 0;
  let from: number | undefined;
  let until = 0;
  const close = () => {
    if (from === undefined) return;
    const last = isDate ? until : until + 86_399;
    const where: Condition = {
      all: [
        { column, atLeast: bound(from) },
        { column, atMost: bound(last) },
      ],
    };
    windows.push({ where, rows });
    from = undefined;
    rows = 0;
  };
  for (const day of await session.rowsByDay(table)) {
    if (day.from === null) {
      windows.push({ where: { column, isNull: true }, rows: day.rows });
      continue;
    }
    // A day that is too much by itself leaves those before it alone.
    if (rows + day.rows > 2 * rowsMost) close();
    from ??= day.from;
    until = day.from;
    rows += day.rows;
    if (rows >= rowsMost) close();
  }
  close();
  return windows;
}

/** Parts of what is not known itself. */
async function rederiveOrphans(session: Writing, directory: KnownDirectory, rowsMost: number): Promise<void> {
  for (const some of portioned([...(await withoutPullRequest(session))], rowsMost)) {
    await deriveRows(await openWorkspace(session, directory, true), new Set(some));
  }
  for (const name of factTableNames) {
    const table: Table = factTables[name];
    const [link] = table.parent?.key ?? [];
    if (link === undefined || table.parent?.table === 'pull_requests') continue;
    // A parent that has nothing to hand down is as good as none.
    const empty = inheritedColumns(table).map((column): Condition => ({ column, isNull: true }));
    const rows = (await session.tally(table, [link as never], { all: empty })) as unknown as Row[];
    const parents = rows.flatMap((row) => row[link] ?? []);
    for (const some of portioned(parents, rowsMost)) {
      const workspace = await openWorkspace(session, directory, true);
      await draftOf(workspace.drafts, name).load(session, { column: link, in: some });
      await deriveRows(workspace);
    }
  }
}

/** Pull requests that are only known by their parts. */
async function withoutPullRequest(session: Reading): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const part of childrenOf('pull_requests')) {
    const rows = await session.tally(factTables[part] as Table, ['pr_id' as never], {
      column: 'pr_created_at',
      isNull: true,
    });
    for (const { pr_id } of rows as unknown as Row[]) if (typeof pr_id === 'string') ids.add(pr_id);
  }
  return ids;
}

/** Every repository that anything is known of. Deployments without a repository are derived together, as one. */
export async function everyRepository(session: Reading): Promise<string[]> {
  const keys = new Set<string>();
  for (const name of ['pull_requests', 'deployments', 'release_details', 'workflow_runs'] as const) {
    const rows = await session.tally(factTables[name] as Table, ['repository_key' as never]);
    for (const { repository_key } of rows as unknown as Row[]) {
      if (typeof repository_key === 'string') keys.add(repository_key);
      else if (name === 'deployments') keys.add(noRepository);
    }
  }
  return [...keys];
}
