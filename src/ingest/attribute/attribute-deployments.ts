import { inferredId } from '../../catalogue/tables/deployments.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import type { Condition } from '../../warehouse/intake-port.ts';
import type { Batch } from '../apply/batch.ts';
import type { KnownDirectory } from '../publish/known-directory.ts';
import { keyPortions, type StoredReading } from '../read/stored-rows.ts';
import { type IntakeSession, patchDifferent } from '../write/intake-session.ts';
import { all, among, isNull } from './attribution-reader.ts';
import { withoutEarlyDeployments } from './facts-outside-span.ts';
import { FailuresToFind } from './failure-evidence.ts';
import { keepNamed, meantBy } from './named-pull-requests.ts';
import { isStoredPromotion, readFacts } from './read-facts.ts';
import { inParts } from './repository-parts.ts';
import { attributeRepository, type RepositoryAttribution } from './rules/attribute-repository.ts';
import { type ChosenSource, environmentKey } from './rules/deployment-source.ts';
import { attributedAlone, pullRequestAttributionColumns } from './rules/pull-request-attribution.ts';
import { pullRequestFacts, type RepositoryFacts, storedPullRequestColumns } from './rules/repository-facts.ts';
import { noRepository } from './rules/repository-settings.ts';
import { allTime, isAllTime, Spans, theEnd } from './spans.ts';
import { chooseSources, readStanding, type StandingRepository } from './standing.ts';
import type { TouchedRows } from './touched-rows.ts';
import { type Attributed, writeAttribution, writeDeployers } from './write-attribution.ts';
import { type AttributionSettings, findAllFailures } from './write-failures.ts';

/**
 * Deployments, what each carried, which failed, and what became of every pull request. Each repository is attributed from
 * the earliest moment on that the touched rows can affect, until what comes after that stands, and only rows that differ
 * are written.
 */
export async function attributeDeployments(
  session: IntakeSession,
  touched: TouchedRows,
  directory: AttributionSettings & Pick<KnownDirectory, 'earlierNames'>,
): Promise<void> {
  const { settingsOf } = directory;
  await touched.named.touchReverts(session, touched.spans);
  if (touched.isEmpty) return;
  const sources = await chooseAllSources(session, touched, directory);
  const standing = await readStanding(session, sources, settingsOf, touched);
  const failures = new FailuresToFind(touched);
  let spans = touched.spans;
  for (let tries = 1; spans.size > 0; tries += 1) {
    const more = new Spans();
    for (const part of await inParts(session, spans, touched)) {
      const facts = await readFacts(session, part, standing, settingsOf, touched);
      const known = await withoutEarlyDeployments(session, facts, touched, more);
      const attributed = known
        .map((one) => ({ facts: one, result: attributeRepository(one) }))
        .filter((one) => isOfSameModel(one, standing, more));
      for (const { facts: one, result } of attributed) {
        const isTouched = (id: string) => touched.inferredDeployments.has(inferredId('merge', id));
        if (!isSettled(one, result, isTouched)) more.add(one.key, { from: one.span.until, until: theEnd });
      }
      await writeAttribution(session, attributed, touched);
      for (const one of attributed) failures.collect(one);
      await session.flushIfLarge();
    }
    // Where each span leads to one before it, the beginning is nearer.
    if (tries === maxTries) for (const key of more.keys()) more.add(key, allTime);
    spans = more;
  }
  await writeDeployers(session, touched);
  // Failures follow from pull requests and incidents of any repository, so they are found once all are attributed.
  await findAllFailures(session, failures, directory);
}

const maxTries = 4;

/** Where deployments come from, of the touched repositories and of those that touched deployments name pull requests of. */
async function chooseAllSources(
  session: IntakeSession,
  touched: TouchedRows,
  { settingsOf, earlierNames }: AttributionSettings & Pick<KnownDirectory, 'earlierNames'>,
): Promise<Map<string, ChosenSource>> {
  const { spans, signalled } = touched;
  const { sources, changedMarks } = await chooseSources(session, new Set(spans.keys()), settingsOf);
  for (const { repository_key, deployed_at, environment } of changedMarks) {
    spans.touch(repository_key ?? noRepository, deployed_at, theEnd);
    signalled.touch(repository_key ?? noRepository, deployed_at);
    touched.environments.add(environmentKey(environment));
  }
  const marked = changedMarks.map(({ deployment_id }) => deployment_id ?? '');
  const named = await keepNamed(session, touched, marked, earlierNames);
  if (named.size === 0) return sources;
  const linked = await session.select(pullRequests, ['repository_key', 'pr_merged_at'], meantBy(named));
  for (const { repository_key, pr_merged_at } of linked)
    spans.touch(repository_key ?? noRepository, pr_merged_at, theEnd);
  const others = new Set([...spans.keys()].filter((key) => !sources.has(key)));
  for (const [key, source] of (await chooseSources(session, others, settingsOf)).sources) sources.set(key, source);
  return sources;
}

/** Whether a repository is branched as it was. Where another model is found, every pull request of it has that. */
function isOfSameModel(
  { facts: { key, pullRequests: before, span }, result }: Attributed,
  standing: ReadonlyMap<string, StandingRepository>,
  more: Spans,
): boolean {
  const repository = standing.get(key);
  if (!repository) return false;
  const isSame = isAllTime(span) || [...repository.models].every((model) => model === result.model);
  if (!isSame) {
    more.add(key, allTime);
    return false;
  }
  repository.promotions +=
    result.pullRequests.filter(isStoredPromotion).length - before.filter(isStoredPromotion).length;
  return true;
}

/**
 * Whether a repository is, at the end of a span, as its stored rows say: the same pull requests wait, for production or
 * for a deployment. Then what comes after the span stands. Of what was touched nothing may wait any more.
 */
function isSettled(
  { key, span: { until }, pullRequests, branches }: RepositoryFacts,
  { pullRequests: attributed }: RepositoryAttribution,
  isTouched: (pullRequestId: string) => boolean,
): boolean {
  if (until === theEnd || key === noRepository) return true;
  const isDone = (at: number | null): boolean => at !== null && at < until;
  return pullRequests.every((before, i) => {
    const now = attributed[i];
    if (!now || before.pr_merged_at === null) return true;
    const hasArrived = isDone(now.production_merged_at);
    const isDeployed = isDone(now.deployed_at);
    // One that was never attributed waited for nothing that came.
    const wasKnown = before.branching_model !== null;
    const isAsBefore = hasArrived === isDone(before.production_merged_at) && isDeployed === isDone(before.deployed_at);
    if (wasKnown && !isAsBefore) return false;
    const isOver = hasArrived
      ? isDeployed || now.deployment_attribution_status === 'before_first_signal'
      : !branches.isLongLived(before.base_branch ?? '');
    if (!isOver && before.production_merged_at !== now.production_merged_at) return false;
    // A step decides when others reach production.
    return (wasKnown && !isTouched(before.pr_id)) || (isOver && !before.is_promotion_step && !now.is_promotion_step);
  });
}

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
