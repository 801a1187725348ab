import type { DeploymentRow } from '../../../catalogue/tables/deployments.ts';
import type { PullRequestRow } from '../../../catalogue/tables/pull-requests.ts';
import type { ReleaseRow } from '../../../catalogue/tables/release-details.ts';
import type { WorkflowRunRow } from '../../../catalogue/tables/workflow-runs.ts';
import type { Placed } from './deployment-order.ts';
import type { ChosenSource } from './deployment-source.ts';
import { pullRequestAttributionColumns } from './pull-request-attribution.ts';
import { releaseContentsColumns } from './release-contents.ts';
import type { RepositorySettings } from './repository-settings.ts';

/** What attribution says about a deployment, apart from whether it failed. */
export const deploymentAttributionColumns = [
  'is_rollback',
  'prs_included',
  'is_remediation',
] as const satisfies readonly (keyof DeploymentRow)[];
export type DeploymentAttribution = Pick<DeploymentRow, (typeof deploymentAttributionColumns)[number]>;

/** What is read of every deployment of a repository. */
export const deploymentColumns = [
  'deployment_id',
  'repository_key',
  'origin',
  'deployed_at',
  'status',
  'environment',
  'is_production',
  'version',
  'sha',
  ...deploymentAttributionColumns,
] as const satisfies readonly (keyof DeploymentRow)[];
export type StoredDeployment = Pick<DeploymentRow, (typeof deploymentColumns)[number]>;

/** What attribution needs to know of a deployment, reported or inferred. */
export type InferredDeployment = Pick<
  StoredDeployment,
  'deployment_id' | 'deployed_at' | 'status' | 'environment' | 'version' | 'sha' | 'is_production'
>;

/** What is read of every pull request of a repository. The last ones are compared with what attribution says now. */
export const pullRequestColumns = [
  'pr_id',
  'repository_key',
  'is_bot',
  'pr_state',
  'pr_created_at',
  'pr_merged_at',
  'opened_at',
  'first_commit_at',
  'base_branch',
  'head_branch',
  'merge_commit_sha',
  'is_hotfix',
  'revert_marks',
  ...pullRequestAttributionColumns,
] as const satisfies readonly (keyof PullRequestRow)[];
export type StoredPullRequest = Pick<PullRequestRow, (typeof pullRequestColumns)[number]> & { readonly pr_id: string };

/** What reverts may call a pull request by. */
export type PullRequestNames = Pick<PullRequestRow, 'pr_number' | 'pr_title'>;

/** What is read of every release of a repository. */
export const releaseColumns = [
  'release_id',
  'repository_key',
  'release_date',
  'is_prerelease',
  'version',
  ...releaseContentsColumns,
] as const satisfies readonly (keyof ReleaseRow)[];
export type StoredRelease = Pick<ReleaseRow, (typeof releaseColumns)[number]>;

/** What is read of every run that deploys to production. */
export const runColumns = [
  'workflow_run_id',
  'repository_key',
  'workflow_name',
  'environment',
  'run_conclusion',
  'run_created_at',
  'run_started_at',
  'run_updated_at',
  'head_sha',
] as const satisfies readonly (keyof WorkflowRunRow)[];
export type StoredRun = Pick<WorkflowRunRow, (typeof runColumns)[number]>;

/** Everything that the attribution of one repository follows from. */
export interface RepositoryFacts {
  readonly key: string;
  readonly settings: RepositorySettings;
  readonly source: ChosenSource;
  readonly pullRequests: readonly StoredPullRequest[];
  /** By pull request. Empty where none of them says that it reverts anything. */
  readonly names: ReadonlyMap<string, PullRequestNames>;
  readonly deployments: readonly StoredDeployment[];
  /** Reported deployments that name the pull requests they carried. */
  readonly naming: ReadonlySet<string>;
  readonly releases: readonly StoredRelease[];
  readonly runs: readonly StoredRun[];
  /** Commits of pull requests, as far as a deployment or a revert names them. */
  readonly commits: readonly { readonly sha: string; readonly pr_id: string }[];
  /** By pull request, the first deployment of any repository that names it. */
  readonly namedBy: ReadonlyMap<string, Placed>;
}
