import type { Table } from '../catalogue/table.ts';
import type { Condition, TableReader } from '../warehouse/intake-port.ts';
import { tableOf } from './apply/batch.ts';
import { type Portion, runPipeline } from './pipeline.ts';
import type { KnownDirectory } from './publish/known-directory.ts';
import { orphanParents, portioned, type StoredReading, storedPortions, storedRowsMost } from './read/stored-rows.ts';
import { gatherBots } from './resolve/bot-accounts.ts';
import { families } from './resolve/family-columns.ts';
import { changedAccounts, recountAccounts } from './resolve/known-accounts.ts';
import { knownBots } from './resolve/known-bots.ts';
import { rewriteShortIds } from './rewrite-short-ids.ts';
import type { IntakeSession } from './write/intake-session.ts';

/**
 * Recomputes everything derived from what records gave: the pipeline with all stored rows as its portions. All of it is
 * one change, so readers see the old rows until it ends.
 */
export async function rederive(
  session: IntakeSession,
  directory: KnownDirectory,
  { rowsMost = storedRowsMost, signal }: Partial<StoredReading> = {},
): Promise<void> {
  await rewriteShortIds(session, directory, { rowsMost, signal });
  await recountAccounts(session, directory.resolver, await knownBots(session));
  await gatherBots(session);
  await changedAccounts(session, directory.resolver, await knownBots(session));
  await runPipeline(session, directory, everyRow(session, rowsMost), { everything: { rowsMost, signal } });
}

/** Every stored row that records brought. Parents bring their parts along; parts without a parent follow. */
async function* everyRow(session: TableReader, rowsMost: number): AsyncGenerator<Portion> {
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
