import type { DeploymentRow, deploymentOrigins, deploymentStatuses } from '../../../catalogue/tables/deployments.ts';
import type { PullRequestRow } from '../../../catalogue/tables/pull-requests.ts';
import type { ReleaseRow } from '../../../catalogue/tables/release-details.ts';
import type { WorkflowRunRow } from '../../../catalogue/tables/workflow-runs.ts';
import type { InferredFrom } from './deployment-source.ts';
import { isProductionDeploy } from './production.ts';
import type { InferredDeployment, RepositoryFacts } from './repository-facts.ts';
import type { RepositorySettings } from './repository-settings.ts';

const ofPerson = [
  'source',
  'repository',
  'repository_name',
  'repository_key',
  'person_login',
  'person_email',
  'person_name',
  'person_is_bot',
  'merged_user_id',
  'given_merged_user_id',
  'is_bot',
  'actor',
] as const;

/** What a deployment inferred from a row of each table takes from that row. */
export const inferredColumns = {
  release: ['release_id', 'version', 'release_url', 'created_at', 'release_date', 'is_prerelease', ...ofPerson],
  run: [
    'workflow_run_id',
    'workflow_name',
    'environment',
    'run_conclusion',
    'run_created_at',
    'run_started_at',
    'run_updated_at',
    'head_sha',
    'run_url',
    ...ofPerson,
  ],
  merge: ['pr_id', 'pr_url', 'pr_merged_at', 'base_branch', 'merge_commit_sha', ...ofPerson],
} as const satisfies {
  readonly release: readonly (keyof ReleaseRow)[];
  readonly run: readonly (keyof WorkflowRunRow)[];
  readonly merge: readonly (keyof PullRequestRow)[];
};

type InferringRelease = Pick<ReleaseRow, (typeof inferredColumns.release)[number]>;
type InferringRun = Pick<WorkflowRunRow, (typeof inferredColumns.run)[number]>;
type InferringMerge = Pick<PullRequestRow, (typeof inferredColumns.merge)[number]>;

export const releaseDeploymentId = (release: string): string => `release:${release}`;
export const runDeploymentId = (run: string): string => `run:${run}`;
export const mergeDeploymentId = (pullRequest: string): string => `merge:${pullRequest}`;

type DeploymentOrigin = (typeof deploymentOrigins)[number];
type DeploymentStatus = (typeof deploymentStatuses)[number];
type Own = Pick<DeploymentRow, 'deployment_id' | 'deployed_at' | 'status' | 'deployment_source'> &
  Partial<Pick<DeploymentRow, 'started_at' | 'environment' | 'workflow_name' | 'version' | 'sha' | 'run_url'>>;

/** The deployer is the person of the row it is inferred from. What it carried and whether it failed follows later. */
function inferred(
  origin: DeploymentOrigin,
  from: Pick<DeploymentRow, (typeof ofPerson)[number]>,
  own: Own,
): DeploymentRow {
  return {
    deployment_id: own.deployment_id,
    deployed_at: own.deployed_at,
    status: own.status,
    deployment_source: own.deployment_source,
    started_at: own.started_at ?? null,
    environment: own.environment ?? null,
    workflow_name: own.workflow_name ?? null,
    version: own.version ?? null,
    sha: own.sha ?? null,
    run_url: own.run_url ?? null,
    source: from.source,
    repository: from.repository,
    repository_name: from.repository_name,
    repository_key: from.repository_key,
    person_login: from.person_login,
    person_email: from.person_email,
    person_name: from.person_name,
    person_is_bot: from.person_is_bot,
    merged_user_id: from.merged_user_id,
    given_merged_user_id: from.given_merged_user_id,
    is_bot: from.is_bot,
    actor: from.actor,
    origin,
    pr_ids: null,
    is_production: true,
    given_is_production: null,
    given_deployment_source: null,
    is_rollback: null,
    prs_included: null,
    failure_reason: null,
    failure_detected_at: null,
    remediation_merged_at: null,
    restored_at: null,
    time_to_restore: null,
    is_remediation: null,
  };
}

/** A published release that is no prerelease is a deployment. */
const isReleased = (release: Pick<ReleaseRow, 'release_date' | 'is_prerelease'>): boolean =>
  release.release_date !== null && release.is_prerelease !== true;

export function fromRelease(release: InferringRelease): DeploymentRow | undefined {
  if (!isReleased(release) || release.release_id === null) return undefined;
  return inferred('release', release, {
    deployment_id: releaseDeploymentId(release.release_id),
    deployment_source: 'github_release',
    deployed_at: release.release_date,
    started_at: release.created_at,
    status: 'success',
    version: release.version,
    run_url: release.release_url,
  });
}

/** Conclusions of runs that are deployments, with the status of the deployment. */
const endings: Readonly<Record<string, DeploymentStatus>> = {
  success: 'success',
  failure: 'failure',
  timed_out: 'failure',
  startup_failure: 'failure',
  cancelled: 'cancelled',
};
export const conclusionsOfDeployments: readonly string[] = Object.keys(endings);

const endedAt = (run: Pick<WorkflowRunRow, 'run_updated_at' | 'run_started_at' | 'run_created_at'>): number | null =>
  run.run_updated_at ?? run.run_started_at ?? run.run_created_at;

export function fromRun(run: InferringRun, settings: RepositorySettings): DeploymentRow | undefined {
  const status = endings[run.run_conclusion ?? ''];
  if (status === undefined || run.workflow_run_id === null || !isProductionDeploy(run, settings)) return undefined;
  return inferred('run', run, {
    deployment_id: runDeploymentId(run.workflow_run_id),
    deployment_source: 'workflow_run',
    deployed_at: endedAt(run),
    started_at: run.run_started_at ?? run.run_created_at,
    status,
    environment: run.environment,
    workflow_name: run.workflow_name,
    sha: run.head_sha,
    run_url: run.run_url,
  });
}

/** Where no other source is known, every merge into the production branch is a deployment. Its deployer is the author. */
export function fromMerge(merge: InferringMerge, productionBranch: string): DeploymentRow | undefined {
  if (merge.pr_id === null || merge.pr_merged_at === null || merge.base_branch !== productionBranch) return undefined;
  return inferred('merge', merge, {
    deployment_id: mergeDeploymentId(merge.pr_id),
    deployment_source: 'merge_to_default',
    deployed_at: merge.pr_merged_at,
    status: 'success',
    sha: merge.merge_commit_sha,
    run_url: merge.pr_url,
  });
}

/**
 * The deployments that a repository’s releases, runs or merges stand for, as far as attribution needs them. A deployment
 * that was reported under the same id wins.
 */
export function inferDeployments(
  { settings, releases, runs, pullRequests }: RepositoryFacts,
  from: InferredFrom | undefined,
  productionBranch: string,
  reported: ReadonlySet<string | null>,
): Map<string, InferredDeployment> {
  const found: InferredDeployment[] = [];
  if (from === 'release') {
    for (const row of releases) {
      if (!isReleased(row) || row.release_id === null) continue;
      const { release_id, release_date: deployed_at, version } = row;
      found.push({ ...plainSuccess, deployment_id: releaseDeploymentId(release_id), deployed_at, version });
    }
  } else if (from === 'run') {
    for (const row of runs) {
      const status = endings[row.run_conclusion ?? ''];
      if (status === undefined || row.workflow_run_id === null || !isProductionDeploy(row, settings)) continue;
      const deployment_id = runDeploymentId(row.workflow_run_id);
      const { environment, head_sha: sha } = row;
      found.push({ ...plainSuccess, deployment_id, deployed_at: endedAt(row), status, environment, sha });
    }
  } else if (from === 'merge') {
    for (const row of pullRequests) {
      if (row.pr_merged_at === null || row.base_branch !== productionBranch) continue;
      const deployment_id = mergeDeploymentId(row.pr_id);
      found.push({ ...plainSuccess, deployment_id, deployed_at: row.pr_merged_at, sha: row.merge_commit_sha });
    }
  }
  const inferred = new Map<string, InferredDeployment>();
  for (const one of found) {
    if (one.deployment_id && !reported.has(one.deployment_id)) inferred.set(one.deployment_id, one);
  }
  return inferred;
}

const plainSuccess = { status: 'success', environment: null, version: null, sha: null, is_production: true } as const;
