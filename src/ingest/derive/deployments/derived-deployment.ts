import type { DeploymentRow, deploymentOrigins, deploymentStatuses } from '../../../catalogue/tables/deployments.ts';
import type { PullRequestRow } from '../../../catalogue/tables/pull-requests.ts';
import type { ReleaseRow } from '../../../catalogue/tables/release-details.ts';
import type { WorkflowRunRow } from '../../../catalogue/tables/workflow-runs.ts';
import { isProductionDeploy } from './production.ts';
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

/** The columns that a deployment made from a row of each table needs of it. */
export const madeFrom = {
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

export type ReleasePart = Pick<ReleaseRow, (typeof madeFrom.release)[number]>;
export type RunPart = Pick<WorkflowRunRow, (typeof madeFrom.run)[number]>;
export type MergePart = Pick<PullRequestRow, (typeof madeFrom.merge)[number]>;

export const releaseDeploymentId = (release: string): string => `release:${release}`;
export const runDeploymentId = (run: string): string => `run:${run}`;
export const mergeDeploymentId = (pullRequest: string): string => `merge:${pullRequest}`;

type Origin = (typeof deploymentOrigins)[number];
type Status = (typeof deploymentStatuses)[number];
type Own = Pick<DeploymentRow, 'deployment_id' | 'deployed_at' | 'status' | 'deployment_source'> &
  Partial<Pick<DeploymentRow, 'started_at' | 'environment' | 'workflow_name' | 'version' | 'sha' | 'run_url'>>;

/** The deployer is the person of the row it is made from. What it carried and whether it failed is told later. */
function made(origin: Origin, from: Pick<DeploymentRow, (typeof ofPerson)[number]>, own: Own): DeploymentRow {
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
    carried_until: null,
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
export const isReleased = (release: Pick<ReleaseRow, 'release_date' | 'is_prerelease'>): boolean =>
  release.release_date !== null && release.is_prerelease !== true;

export function fromRelease(release: ReleasePart): DeploymentRow | undefined {
  if (!isReleased(release) || release.release_id === null) return undefined;
  return made('release', release, {
    deployment_id: releaseDeploymentId(release.release_id),
    deployment_source: 'github_release',
    deployed_at: release.release_date,
    started_at: release.created_at,
    status: 'success',
    version: release.version,
    run_url: release.release_url,
  });
}

/** How a run ended, for a deployment. Anything else, and a run still under way, is none. */
const endings: Readonly<Record<string, Status>> = {
  success: 'success',
  failure: 'failure',
  timed_out: 'failure',
  startup_failure: 'failure',
  cancelled: 'cancelled',
};
export const conclusionsOfDeployments: readonly string[] = Object.keys(endings);

const endedAt = (run: Pick<WorkflowRunRow, 'run_updated_at' | 'run_started_at' | 'run_created_at'>): number | null =>
  run.run_updated_at ?? run.run_started_at ?? run.run_created_at;

/** Whether a run makes a deployment. */
export const isDeployRun = (
  run: Pick<WorkflowRunRow, 'workflow_name' | 'environment' | 'run_conclusion'>,
  settings: RepositorySettings,
): boolean => endings[run.run_conclusion ?? ''] !== undefined && isProductionDeploy(run, settings);

export function fromRun(run: RunPart, settings: RepositorySettings): DeploymentRow | undefined {
  const status = endings[run.run_conclusion ?? ''];
  if (status === undefined || run.workflow_run_id === null || !isProductionDeploy(run, settings)) return undefined;
  return made('run', run, {
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

/** Where nothing else is known, every merge into the production branch is one. Its deployer is the author. */
export function fromMerge(merge: MergePart, productionBranch: string): DeploymentRow | undefined {
  if (merge.pr_id === null || merge.pr_merged_at === null || merge.base_branch !== productionBranch) return undefined;
  return made('merge', merge, {
    deployment_id: mergeDeploymentId(merge.pr_id),
    deployment_source: 'merge_to_default',
    deployed_at: merge.pr_merged_at,
    status: 'success',
    sha: merge.merge_commit_sha,
    run_url: merge.pr_url,
  });
}
