import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import type { Condition } from '../../warehouse/intake-port.ts';
import type { Batch } from '../apply/batch.ts';
import { keyPortions, type StoredReading } from '../read/stored-rows.ts';
import { type IntakeSession, patchDifferent } from '../write/intake-session.ts';
import { all, among, isNull } from './conditions.ts';
import { attributedAlone, pullRequestAttributionColumns } from './rules/pull-request-attribution.ts';
import { pullRequestFacts, storedPullRequestColumns } from './rules/repository-facts.ts';

/** What follows for those pull requests of a batch that are in no repository, or no longer in one. */
export async function attributeBatchAlone({ session, tables }: Batch): Promise<void> {
  const ids = tables.pull_requests
    .changedIn(pullRequestFacts)
    // A row may be read without its repository. What is stored decides.
    .flatMap(({ after }) => (after?.pr_id && after.repository_key == null ? [after.pr_id] : []));
  if (ids.length > 0) await attributeAlone(session, among('pr_id', ids));
}

/** The same for all that are stored, portion by portion: there may be any number of them. */
export async function attributeEverythingAlone(
  session: IntakeSession,
  { maxRows, signal }: StoredReading,
): Promise<void> {
  for (const where of await keyPortions(session, pullRequests, isNull('repository_key'), maxRows)) {
    signal?.throwIfAborted();
    await attributeAlone(session, where);
    await session.flushIfLarge();
  }
}

/** Attributes those of these pull requests that are in no repository. Nothing follows from one for another. */
export async function attributeAlone(
  session: Pick<IntakeSession, 'select' | 'patch'>,
  where: Condition,
): Promise<void> {
  const rows = await session.select(pullRequests, storedPullRequestColumns, all(where, isNull('repository_key')));
  const attributed = rows.map((row) => [row, attributedAlone(row)] as const);
  await patchDifferent(session, pullRequests, pullRequestAttributionColumns, attributed);
}
