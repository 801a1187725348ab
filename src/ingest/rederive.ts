import type { Table } from '../catalogue/table.ts';
import { pullRequests } from '../catalogue/tables/pull-requests.ts';
import { surveyResponses } from '../catalogue/tables/survey-responses.ts';
import { type FactTable, factTableNames, factTables } from '../catalogue/tables/tables.ts';
import type { Condition, TableReader, TableWriter } from '../warehouse/intake-port.ts';
import { openBatch, tableOf } from './apply/batch.ts';
import { attributeDeployments } from './attribute/attribute-deployments.ts';
import { everyRepository } from './attribute/every-repository.ts';
import { TouchedRows } from './attribute/touched-rows.ts';
import { answerId } from './derive/answer-id.ts';
import { score, usualSizes } from './derive/complexity-scores.ts';
import { askAfterEverybody } from './derive/last-activity.ts';
import { deriveRows, type Portion } from './pipeline.ts';
import type { KnownDirectory } from './publish/known-directory.ts';
import { orphanParents, portioned, storedPortions, storedRowsMax } from './read/stored-rows.ts';
import { gatherBots } from './resolve/bot-accounts.ts';
import { changedAccounts, recountAccounts } from './resolve/known-accounts.ts';
import { knownBots } from './resolve/known-bots.ts';

export interface RederiveOptions {
  /** Rows at once. */
  readonly rowsMax?: number;
  /** Looked at between portions. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Recomputes everything derived from what records gave: the pipeline with stored rows as its portions. All of it is one
 * change, so readers see the old rows until it ends. What follows from rows of many portions comes last.
 */
export async function rederive(
  session: TableWriter,
  directory: KnownDirectory,
  { rowsMax = storedRowsMax, signal }: RederiveOptions = {},
): Promise<void> {
  await recountAccounts(session, directory.resolver, await knownBots(session));
  await gatherBots(session);
  await changedAccounts(session, directory.resolver, await knownBots(session));
  for await (const portion of everything(session, rowsMax)) {
    signal?.throwIfAborted();
    const batch = await openBatch(session, directory, true);
    await portion(batch);
    await deriveRows(batch);
  }
  const sizes = await usualSizes(session);
  for await (const where of storedPortions(session, pullRequests, rowsMax)) {
    signal?.throwIfAborted();
    await score(session, sizes, where);
  }
  const touched = new TouchedRows();
  for (const key of await everyRepository(session)) touched.repository(key);
  await attributeDeployments(session, touched, directory);
  await askAfterEverybody(session);
  for await (const where of storedPortions(session, surveyResponses, rowsMax)) {
    signal?.throwIfAborted();
    await nameAnswers(session, directory.surveyKey, where);
  }
}

/** Tables without a parent, in the order in which one reads the other: pull requests read what is known of AI. */
const roots: readonly FactTable[] = factTableNames
  .filter((name) => (factTables[name] as Table).parent === undefined)
  .sort((a, b) => Number(a === 'pull_requests') - Number(b === 'pull_requests'));

/** Every stored row. Parents bring their parts along; parts without a parent follow. */
async function* everything(session: TableReader, rowsMax: number): AsyncGenerator<Portion> {
  for (const name of roots) {
    for await (const where of storedPortions(session, factTables[name], rowsMax)) {
      yield (batch) => tableOf(batch, name).load(session, name === 'deployments' ? stated(where) : where);
    }
  }
  for (const [name, parents] of await orphanParents(session)) {
    const { parent }: Table = factTables[name];
    for (const some of portioned(parents, rowsMax)) {
      yield async (batch) => {
        if (parent?.table === 'pull_requests') for (const id of some) batch.alsoRecompute.add(id);
        else await tableOf(batch, name).load(session, { column: parent?.key[0] ?? '', in: some });
      };
    }
  }
}

/** The identifiers that answers are shown with. */
async function nameAnswers(session: TableWriter, key: string, where: Condition): Promise<void> {
  const rows = await session.select(surveyResponses, ['survey_response_id', 'answer_id'], where);
  const changed = rows.flatMap(({ survey_response_id: id, answer_id }) => {
    const now = id === null ? null : answerId(key, id);
    return now === answer_id ? [] : [{ survey_response_id: id, answer_id: now }];
  });
  if (changed.length > 0) await session.patch(surveyResponses, ['answer_id'], changed);
}

/** Inferred deployments are inferred again from releases, runs and merges. */
const stated = (where: Condition): Condition => ({ all: [where, { column: 'origin', in: ['stated'] }] });
