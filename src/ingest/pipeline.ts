import { type Batch, openBatch } from './apply/batch.ts';
import { settlePosted } from './apply/posthook/intake.ts';
import { attributeDeployments } from './attribute/attribute-deployments.ts';
import { TouchedRows } from './attribute/touched-rows.ts';
import { deriveComplexity } from './derive/complexity-scores.ts';
import { deriveFamily } from './derive/derive-family.ts';
import { deriveLastActivity } from './derive/last-activity.ts';
import type { KnownDirectory } from './publish/known-directory.ts';
import { noteBots } from './resolve/bot-accounts.ts';
import { rowsOfChangedAccounts } from './resolve/changed-accounts.ts';
import { families } from './resolve/family-columns.ts';
import { countUncountedRecords, noteAccounts } from './resolve/known-accounts.ts';
import { resolveFamily } from './resolve/resolve-family.ts';
import type { IntakeSession } from './write/intake-session.ts';
import { writeFamily } from './write/write-family.ts';

/** Reads and applies some rows: incoming records, or stored rows that have to be derived again. */
export type Portion = (batch: Batch) => Promise<unknown>;

/**
 * The way of all rows into the tables, for import, HTTP, hook and connector alike. All portions are one change.
 *
 *     read ─▸ apply ─▸ resolve ─▸ derive ─▸ write, each portion  ─▸  attribute, each touched repository once
 *
 * Returns the accounts of which more or fewer records say now whether they are bots.
 */
export async function runPipeline(
  session: IntakeSession,
  directory: KnownDirectory,
  portions: Iterable<Portion> | AsyncIterable<Portion>,
  touched = new TouchedRows(),
): Promise<ReadonlySet<string>> {
  const changedVotes = new Set<string>();
  for await (const portion of portions) {
    const batch = await openBatch(session, directory);
    await portion(batch);
    await countUncountedRecords(batch);
    await deriveBatch(batch, touched);
    for (const account of batch.changedVotes) changedVotes.add(account);
    // An account that has become a bot, or is none any more, changes all of its rows.
    const affected = (await noteBots(batch)) ? rowsOfChangedAccounts(session, directory.resolver) : [];
    for await (const stored of affected) {
      const others = await openBatch(session, directory);
      await stored(others);
      await deriveBatch(others, touched);
      await session.flushIfLarge();
    }
    await session.flushIfLarge();
  }
  await attributeDeployments(session, touched, directory);
  return changedVotes;
}

async function deriveBatch(batch: Batch, touched: TouchedRows): Promise<void> {
  await deriveRows(batch);
  await deriveComplexity(batch);
  await deriveLastActivity(batch);
  touched.collect(batch.tables, batch.settingsOf);
}

/** Resolves, derives and writes the rows of a batch, without what follows from rows of other batches. */
export async function deriveRows(batch: Batch): Promise<void> {
  await settlePosted(batch);
  for (const family of families) {
    const touched = await resolveFamily(batch, family);
    await deriveFamily(batch, family, touched);
    await writeFamily(batch, family);
  }
  await noteAccounts(batch);
}
