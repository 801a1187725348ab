import type { Table } from '../catalogue/table.ts';
import { pullRequests } from '../catalogue/tables/pull-requests.ts';
import type { Condition, TableReader } from '../warehouse/intake-port.ts';
import { openBatch, tableOf } from './apply/batch.ts';
import { attributeDeployments } from './attribute/attribute-deployments.ts';
import { everyRepository } from './attribute/repository-keys.ts';
import { TouchedRows } from './attribute/touched-rows.ts';
import { medianComplexities, score } from './derive/complexity-scores.ts';
import { recomputeLastActivity } from './derive/last-activity.ts';
import { deriveRows, type Portion } from './pipeline.ts';
import type { KnownDirectory } from './publish/known-directory.ts';
import { orphanParents, portioned, storedPortions, storedRowsMost } from './read/stored-rows.ts';
import { gatherBots } from './resolve/bot-accounts.ts';
import { families } from './resolve/family-columns.ts';
import { changedAccounts, recountAccounts } from './resolve/known-accounts.ts';
import { knownBots } from './resolve/known-bots.ts';
import type { IntakeSession } from './write/intake-session.ts';

interface RederiveOptions {
  /** Rows at once. */
  readonly rowsMost?: number;
  /** Looked at between portions. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Recomputes everything derived from what records gave: the pipeline with stored rows as its portions. All of it is one
 * change, so readers see the old rows until it ends. What follows from rows of many portions comes last.
 */
export async function rederive(
  session: IntakeSession,
  directory: KnownDirectory,
  { rowsMost = storedRowsMost, signal }: RederiveOptions = {},
): Promise<void> {
  await recountAccounts(session, directory.resolver, await knownBots(session));
  await gatherBots(session);
  await changedAccounts(session, directory.resolver, await knownBots(session));
  for await (const portion of everything(session, rowsMost)) {
    signal?.throwIfAborted();
    const batch = await openBatch(session, directory, true);
    await portion(batch);
    await deriveRows(batch);
    await session.flushIfLarge();
  }
  const medians = await medianComplexities(session);
  for await (const where of storedPortions(session, pullRequests, rowsMost)) {
    signal?.throwIfAborted();
    await score(session, medians, where);
    await session.flushIfLarge();
  }
  const touched = new TouchedRows();
  for (const key of await everyRepository(session)) touched.repository(key);
  await attributeDeployments(session, touched, directory);
  await recomputeLastActivity(session);
}

/** Every stored row that records brought. Parents bring their parts along; parts without a parent follow. */
async function* everything(session: TableReader, rowsMost: number): AsyncGenerator<Portion> {
  for (const { name, table } of families) {
    for await (const where of storedPortions(session, table, rowsMost)) {
      yield (batch) => tableOf(batch, name).load(session, recordedOnly(table, where));
    }
  }
  for (const { name, link, parents } of await orphanParents(session)) {
    for (const some of portioned(parents, rowsMost)) {
      yield (batch) => tableOf(batch, name).load(session, { column: link, in: some });
    }
  }
}

/** Inferred rows are inferred again. */
const recordedOnly = ({ recorded }: Table, where: Condition): Condition =>
  recorded ? { all: [where, { column: recorded.column, in: [recorded.value] }] } : where;
