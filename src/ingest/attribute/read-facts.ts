import { deployments } from '../../catalogue/tables/deployments.ts';
import { pullRequestCommits } from '../../catalogue/tables/pull-request-parts.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import { releaseDetails } from '../../catalogue/tables/release-details.ts';
import { workflowRuns } from '../../catalogue/tables/workflow-runs.ts';
import type { Condition } from '../../warehouse/intake-port.ts';
import { parseRevertMarks } from '../derive/reverts.ts';
import type { AttributionReader } from './attributed-columns.ts';
import { deployRuns } from './choose-sources.ts';
import { all, any, byRepository, inRepositories, notNull, withSha } from './conditions.ts';
import { firstNaming } from './named-pull-requests.ts';
import { shaKey } from './rules/commit-positions.ts';
import { type ChosenSource, inferredFrom } from './rules/deployment-source.ts';
import {
  commitColumns,
  deploymentColumns,
  type PullRequestNames,
  pullRequestNames,
  type RepositoryFacts,
  releaseColumns,
  runColumns,
  type StoredDeployment,
  type StoredPullRequest,
  type StoredRun,
  storedPullRequestColumns,
} from './rules/repository-facts.ts';
import { noRepository, type SettingsOf } from './rules/repository-settings.ts';

/** Reads everything that the attribution of these repositories follows from. */
export async function readFacts(
  session: AttributionReader,
  keys: readonly string[],
  sources: ReadonlyMap<string, ChosenSource>,
  settingsOf: SettingsOf,
): Promise<RepositoryFacts[]> {
  const prs = (await session.select(
    pullRequests,
    storedPullRequestColumns,
    inRepositories(keys.filter((key) => key !== noRepository)),
  )) as StoredPullRequest[];
  const stored = await session.select(deployments, deploymentColumns, inRepositories(keys));
  const releases = byRepository(await session.select(releaseDetails, releaseColumns, releasesOf(keys)));
  const sourced = keys.flatMap((key) => {
    const source = sources.get(key);
    return source ? [{ key, source, settings: settingsOf(key) }] : [];
  });
  const running = sourced.filter((one) => inferredFrom(one.key, one.settings, one.source) === 'run');
  const runs = await readRuns(
    session,
    running.map(({ key }) => key),
    settingsOf,
  );
  const isNaming = all(inRepositories(keys), notNull('pr_ids'));
  const naming = await session.select(deployments, ['deployment_id'], isNaming);
  const shared = {
    naming: new Set(naming.map(({ deployment_id }) => deployment_id ?? '')),
    namedBy: await firstNaming(session, prs, settingsOf),
    names: await readNames(session, prs),
    commits: await readCommits(session, prs, [...stored.filter(isLive), ...runs.map(deployedBy)]),
  };
  const parts = { pullRequests: byRepository(prs), deployments: byRepository(stored), runs: byRepository(runs) };
  return sourced.map((one) => ({
    ...one,
    ...shared,
    pullRequests: parts.pullRequests.get(one.key) ?? [],
    deployments: parts.deployments.get(one.key) ?? [],
    releases: releases.get(one.key) ?? [],
    runs: parts.runs.get(one.key) ?? [],
  }));
}

/** Rows of these repositories. Those in none are part of nothing: only what was attributed before is looked at. */
const releasesOf = (keys: readonly string[]): Condition<'repository_key' | 'prs_included'> =>
  keys.includes(noRepository)
    ? all<'repository_key' | 'prs_included'>(
        inRepositories(keys),
        any(notNull('repository_key'), notNull('prs_included')),
      )
    : inRepositories(keys);

async function readRuns(
  session: AttributionReader,
  keys: readonly string[],
  settingsOf: SettingsOf,
): Promise<StoredRun[]> {
  const deploying = await deployRuns(session, keys, settingsOf);
  return deploying ? session.select(workflowRuns, runColumns, deploying) : [];
}

/** A commit that was deployed, as the repository’s deployments or the runs that stand for one say. */
type DeployedCommit = Pick<StoredDeployment, 'repository_key' | 'sha'>;

const isLive = ({ is_production, status }: StoredDeployment): boolean => is_production === true && status === 'success';

/** A run of this batch has no deployment that is stored yet. */
const deployedBy = ({ repository_key, head_sha }: StoredRun): DeployedCommit => ({ repository_key, sha: head_sha });

/** Few repositories have reverts, so what reverts call pull requests by is read apart. */
async function readNames(
  session: AttributionReader,
  prs: readonly StoredPullRequest[],
): Promise<Map<string, PullRequestNames>> {
  const reverting = new Set(prs.flatMap((pr) => (pr.revert_marks === null ? [] : (pr.repository_key ?? []))));
  if (reverting.size === 0) return new Map();
  const rows = await session.select(pullRequests, ['pr_id', ...pullRequestNames], inRepositories(reverting));
  return new Map(rows.map(({ pr_id, pr_number, pr_title }) => [pr_id ?? '', { pr_number, pr_title }]));
}

/** Commits that were deployed without being a merge, and commits that a revert names. There are too many to read all. */
async function readCommits(
  session: AttributionReader,
  prs: readonly StoredPullRequest[],
  deployed: readonly DeployedCommit[],
): Promise<RepositoryFacts['commits']> {
  // Apart for each repository: the merge of one may be any commit in another.
  const unmerged = new Map<string | null, Map<string, string>>();
  for (const { repository_key, sha } of deployed) {
    if (sha === null) continue;
    const some = unmerged.get(repository_key) ?? new Map<string, string>();
    unmerged.set(repository_key, some.set(shaKey(sha), sha));
  }
  const shas = new Set<string>();
  for (const { repository_key, merge_commit_sha: sha, revert_marks } of prs) {
    if (sha !== null) unmerged.get(repository_key)?.delete(shaKey(sha));
    const named = parseRevertMarks(revert_marks)?.sha;
    if (named !== undefined) shas.add(named);
  }
  for (const some of unmerged.values()) for (const sha of some.values()) shas.add(sha);
  if (shas.size === 0) return [];
  const rows = await session.select(pullRequestCommits, commitColumns, withSha('sha', shas));
  return rows.flatMap(({ sha, pr_id }) => (sha !== null && pr_id !== null ? [{ sha, pr_id }] : []));
}
