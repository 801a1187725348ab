import { type Batch, openBatch } from './apply/batch.ts';
import { settlePosted } from './apply/posthook/intake.ts';
import {
  attributeBatchAlone,
  attributeDeployments,
  attributeEverythingAlone,
} from './attribute/attribute-deployments.ts';
import { touchEveryRepository } from './attribute/repository-parts.ts';
import { TouchedRows } from './attribute/touched-rows.ts';
import { deriveComplexity, scoreEverything } from './derive/complexity-scores.ts';
import { deriveFamily } from './derive/derive-family.ts';
import { linkBatch, linkEverything } from './derive/issue-links.ts';
import { deriveLastActivity, recomputeLastActivity } from './derive/last-activity.ts';
import type { KnownDirectory } from './publish/known-directory.ts';
import type { StoredReading } from './read/stored-rows.ts';
import { noteBots } from './resolve/bots.ts';
import { families } from './resolve/family-columns.ts';
import { countUncountedRecords, noteAccounts, rowsOfChangedAccounts } from './resolve/known-accounts.ts';
import { resolveFamily } from './resolve/resolve-family.ts';
import { TouchedSurveys } from './surveys/touched-surveys.ts';
import type { IntakeSession } from './write/intake-session.ts';
import { writeFamily } from './write/write-family.ts';

/** Reads and applies some rows: incoming records, or stored rows that have to be derived again. */
export type Portion = (batch: Batch) => Promise<unknown>;

/** The steps that need rows of many portions: each runs for the rows of a batch, and for everything stored at once. */
interface AcrossPortions {
  readonly ofBatch: (batch: Batch, touched: TouchedRows) => Promise<void> | void;
  readonly ofEverything: (
    session: IntakeSession,
    touched: TouchedRows,
    reading: StoredReading,
    directory: KnownDirectory,
  ) => Promise<void>;
}
const acrossPortions: readonly AcrossPortions[] = [
  { ofBatch: deriveComplexity, ofEverything: (session, _, reading) => scoreEverything(session, reading) },
  {
    ofBatch: linkBatch,
    ofEverything: (session, _, reading, { earlierNames }) => linkEverything(session, reading, earlierNames),
  },
  { ofBatch: deriveLastActivity, ofEverything: recomputeLastActivity },
  {
    ofBatch: attributeBatchAlone,
    ofEverything: (session, _, reading) => attributeEverythingAlone(session, reading),
  },
  {
    ofBatch: ({ tables, settingsOf }, touched) => touched.collect(tables, settingsOf),
    ofEverything: touchEveryRepository,
  },
];

interface PipelineOptions {
  /** Gets the surveys of which the portions bring records. */
  readonly surveys?: TouchedSurveys;
  readonly touched?: TouchedRows;
  /** Given where the portions are all stored rows, which are recomputed even where they look unchanged. */
  readonly everything?: StoredReading | undefined;
}

/**
 * The way of all rows into the tables, for import, HTTP, hook, connector and stored rows alike. All portions are one
 * change.
 *
 *     read ─▸ apply ─▸ resolve ─▸ derive ─▸ write, each portion  ─▸  attribute, each touched repository once
 *
 * Returns the accounts of which more or fewer records say now whether they are bots.
 */
export async function runPipeline(
  session: IntakeSession,
  directory: KnownDirectory,
  portions: Iterable<Portion> | AsyncIterable<Portion>,
  { surveys = new TouchedSurveys(), touched = new TouchedRows(), everything }: PipelineOptions = {},
): Promise<ReadonlySet<string>> {
  const changedVotes = new Set<string>();
  const deriveBatch = async (batch: Batch) => {
    await deriveRows(batch);
    if (!everything) surveys.collect(batch.tables);
    if (!everything) for (const { ofBatch } of acrossPortions) await ofBatch(batch, touched);
  };
  for await (const portion of portions) {
    everything?.signal?.throwIfAborted();
    const batch = await openBatch(session, directory, everything !== undefined);
    await portion(batch);
    await countUncountedRecords(batch);
    await deriveBatch(batch);
    for (const account of batch.changedVotes) changedVotes.add(account);
    // An account that has become a bot, or is none any more, changes all of its rows.
    const affected = (await noteBots(batch)) ? rowsOfChangedAccounts(session, directory.resolver) : [];
    for await (const stored of affected) {
      const others = await openBatch(session, directory);
      await stored(others);
      await deriveBatch(others);
      await session.flushIfLarge();
    }
    await session.flushIfLarge();
  }
  if (everything)
    for (const { ofEverything } of acrossPortions) await ofEverything(session, touched, everything, directory);
  await attributeDeployments(session, touched, directory);
  return changedVotes;
}

/** Resolves, derives and writes the rows of a batch, without what follows from rows of other batches. */
async function deriveRows(batch: Batch): Promise<void> {
  await settlePosted(batch);
  for (const family of families) {
    const touched = await resolveFamily(batch, family);
    await deriveFamily(batch, family, touched);
    await writeFamily(batch, family);
  }
  await noteAccounts(batch);
}
