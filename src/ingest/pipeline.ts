import { factTableNames } from '../catalogue/tables/tables.ts';
import type { TableWriter } from '../warehouse/intake-port.ts';
import { type Batch, openBatch, tableOf } from './apply/batch.ts';
import { settlePosted } from './apply/posthook/intake.ts';
import { attributeDeployments } from './attribute/attribute-deployments.ts';
import { TouchedRows } from './attribute/touched-rows.ts';
import { touchedByAi } from './derive/ai-shares.ts';
import { deriveComplexity } from './derive/complexity-scores.ts';
import { deriveLastActivity } from './derive/last-activity.ts';
import { derivePullRequests } from './derive/pull-requests.ts';
import { deriveSessions } from './derive/sessions.ts';
import { deriveSingleRows } from './derive/single-rows.ts';
import type { KnownDirectory } from './publish/known-directory.ts';
import { noteBots } from './resolve/bot-accounts.ts';
import { rowsOfChangedAccounts } from './resolve/changed-accounts.ts';
import { propagateInherited, settleFamily } from './resolve/family.ts';
import { countUncounted, noteAccounts } from './resolve/known-accounts.ts';

/** Reads and applies some rows: records of whoever brings them, or stored rows that have to be derived again. */
export type Portion = (batch: Batch) => Promise<unknown>;

/**
 * The way of all rows into the tables, whoever brings them: import, HTTP, hook or connector. All portions are one change.
 *
 *     read ─▸ apply ─▸ resolve ─▸ derive ─▸ write, each portion  ─▸  attribute, each touched repository once
 *
 * Returns the accounts of which more or fewer records say now whether they are bots.
 */
export async function runPipeline(
  session: TableWriter,
  directory: KnownDirectory,
  portions: Iterable<Portion> | AsyncIterable<Portion>,
  touched = new TouchedRows(),
): Promise<ReadonlySet<string>> {
  const recounted = new Set<string>();
  for await (const portion of portions) {
    const batch = await openBatch(session, directory);
    await portion(batch);
    await countUncounted(batch);
    await deriveBatch(batch, touched);
    for (const account of batch.recounted) recounted.add(account);
    if (!(await noteBots(batch))) continue;
    // An account that has become a bot, or is none any more, changes all of its rows.
    for await (const stored of rowsOfChangedAccounts(session, directory.resolver)) {
      const others = await openBatch(session, directory);
      await stored(others);
      await deriveBatch(others, touched);
    }
  }
  await attributeDeployments(session, touched, directory);
  return recounted;
}

async function deriveBatch(batch: Batch, touched: TouchedRows): Promise<void> {
  await deriveRows(batch);
  await deriveComplexity(batch);
  await deriveLastActivity(batch);
  touched.collect(batch.tables);
}

/** Resolves, derives and writes the rows of a batch, without what follows from rows of other batches. */
export async function deriveRows(batch: Batch): Promise<void> {
  await settlePosted(batch);
  await deriveSingleRows(batch);
  await deriveSessions(batch);
  await writeTables(batch, isReadByPullRequests);
  await settleFamily(batch, 'issues', 'issue_comments');
  await settleFamily(batch, 'survey_recipients', 'survey_responses');
  await derivePullRequests(batch, new Set([...batch.alsoRecompute, ...(await touchedByAi(batch))]));
  await noteAccounts(batch);
  await writeTables(batch, (name) => !isReadByPullRequests(name));
  for (const parent of ['pull_requests', 'issues', 'survey_recipients'] as const) {
    await propagateInherited(batch, parent);
  }
}

/** Tables that the derivation of pull requests reads. Their own derivation reads no pull requests. */
const isReadByPullRequests = (name: string): boolean => name === 'ai_copilot' || name.startsWith('posthook_');

async function writeTables(batch: Batch, isMeant: (name: string) => boolean): Promise<void> {
  for (const name of factTableNames.filter(isMeant)) await tableOf(batch, name).write(batch.session);
}
