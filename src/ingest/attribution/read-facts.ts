import { deployments } from '../../catalogue/tables/deployments.ts';
import { pullRequestCommits } from '../../catalogue/tables/pull-request-commits.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import { releaseDetails } from '../../catalogue/tables/release-details.ts';
import { workflowRuns } from '../../catalogue/tables/workflow-runs.ts';
import type { Reading } from '../../warehouse/warehouse.ts';
import { parseRevertMarks, type RevertMarks } from '../derive/reverts.ts';
import { deployRuns } from './choose-sources.ts';
import type { ChosenAttribution } from './chosen-attribution.ts';
import { shaKey } from './commit-positions.ts';
import { all, byRepository, inRepositories, noRepository, notNull, withSha } from './conditions.ts';
import type { KnownRepositories } from './known-repositories.ts';
import { firstNaming } from './named-pull-requests.ts';
import {
  deploymentColumns,
  pullRequestColumns,
  type RepositoryFacts,
  releaseColumns,
  runColumns,
  type StoredDeployment,
  type StoredPullRequest,
} from './repository-facts.ts';

/** Reads everything that the attribution of these repositories follows from. */
export async function readFacts(
  session: Reading,
  chosen: ReadonlyMap<string, ChosenAttribution>,
  repositories: KnownRepositories,
): Promise<Map<string, RepositoryFacts>> {
  const keys = [...chosen.keys()];
  // Pull requests and releases without a repository are attributed to nothing.
  const assigned = inRepositories(keys.filter((key) => key !== noRepository));
  const prs = (await session.select(pullRequests, pullRequestColumns, assigned)) as StoredPullRequest[];
  const marks = await readRevertMarks(session, keys);
  const stored = await session.select(deployments, deploymentColumns, inRepositories(keys));
  // Lists are long to read, and most deployments have none.
  const naming = await session.select(deployments, ['deployment_id'], all(inRepositories(keys), notNull('pr_ids')));
  const releases = await session.select(releaseDetails, releaseColumns, assigned);
  const running = keys.filter((key) => chosen.get(key)?.inferredFrom === 'run');
  const deploying = running.length === 0 ? undefined : await deployRuns(session, running, repositories);
  const runs = deploying ? await session.select(workflowRuns, runColumns, deploying) : [];
  const commits = await readCommits(session, prs, stored, marks);
  const merged = prs.filter(({ pr_merged_at }) => pr_merged_at !== null).map(({ pr_id }) => pr_id);
  const namedBy = await firstNaming(session, merged, repositories);
  const namingIds = new Set(naming.map(({ deployment_id }) => deployment_id ?? ''));
  const parts = {
    pullRequests: byRepository(prs),
    deployments: byRepository(stored),
    releases: byRepository(releases),
    runs: byRepository(runs),
  };
  return new Map(
    [...chosen].map(([key, choice]) => [
      key,
      {
        settings: repositories.settingsOf(key),
        chosen: choice,
        pullRequests: parts.pullRequests.get(key) ?? [],
        deployments: parts.deployments.get(key) ?? [],
        releases: parts.releases.get(key) ?? [],
        runs: parts.runs.get(key) ?? [],
        revertMarks: marks.get(key) ?? new Map(),
        naming: namingIds,
        commits,
        namedBy,
      },
    ]),
  );
}

/** Few pull requests revert anything, so what they say is read apart. */
async function readRevertMarks(
  session: Reading,
  keys: readonly string[],
): Promise<Map<string, Map<string, RevertMarks>>> {
  const marked = all(inRepositories(keys), notNull('revert_marks'));
  const rows = await session.select(pullRequests, ['pr_id', 'repository_key', 'revert_marks'], marked);
  return new Map(
    [...byRepository(rows)].map(([key, some]) => [
      key,
      new Map(
        some.flatMap(({ pr_id, revert_marks }) => {
          const marks = parseRevertMarks(revert_marks);
          return pr_id !== null && marks ? [[pr_id, marks]] : [];
        }),
      ),
    ]),
  );
}

/** Commits that were deployed without being a merge, and commits that a revert names. There are too many to read all. */
async function readCommits(
  session: Reading,
  prs: readonly StoredPullRequest[],
  stored: readonly StoredDeployment[],
  marks: ReadonlyMap<string, ReadonlyMap<string, RevertMarks>>,
): Promise<{ readonly sha: string; readonly pr_id: string }[]> {
  const place = (key: string | null, sha: string) => `${key ?? noRepository} ${shaKey(sha)}`;
  const merges = new Set(
    prs.flatMap(({ repository_key, merge_commit_sha: sha }) => (sha === null ? [] : [place(repository_key, sha)])),
  );
  const shas = new Set<string>();
  for (const { repository_key, sha, is_production, status } of stored) {
    if (sha === null || is_production !== true || status !== 'success') continue;
    if (!merges.has(place(repository_key, sha))) shas.add(sha);
  }
  for (const some of marks.values()) for (const { sha } of some.values()) if (sha !== undefined) shas.add(sha);
  if (shas.size === 0) return [];
  const rows = await session.select(pullRequestCommits, ['sha', 'pr_id'], withSha('sha', shas));
  return rows.flatMap(({ sha, pr_id }) => (sha !== null && pr_id !== null ? [{ sha, pr_id }] : []));
}
