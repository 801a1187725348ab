import type { DeploymentRow } from '../../../catalogue/tables/deployments.ts';
import type { IncidentRow } from '../../../catalogue/tables/incidents.ts';
import type { CommitRow } from '../../../catalogue/tables/pull-request-parts.ts';
import type { PullRequestRow } from '../../../catalogue/tables/pull-requests.ts';
import type { ReleaseRow } from '../../../catalogue/tables/release-details.ts';
import type { WorkflowRunRow } from '../../../catalogue/tables/workflow-runs.ts';
import type { TimeSpan } from '../spans.ts';
import type { Branches } from './branches.ts';
import type { OrderedDeployment } from './deployment-contents.ts';
import type { ChosenSource } from './deployment-source.ts';
import { pullRequestAttributionColumns } from './pull-request-attribution.ts';
import { type EarlierReleases, releaseContentsColumns } from './release-contents.ts';
import type { RepositorySettings } from './repository-settings.ts';

/** What attribution says about a deployment, apart from whether it failed. */
export const deploymentAttributionColumns = [
  'is_rollback',
  'prs_included',
  'is_remediation',
] as const satisfies readonly (keyof DeploymentRow)[];
export type DeploymentAttribution = Pick<DeploymentRow, (typeof deploymentAttributionColumns)[number]>;

/** What attribution follows from in a deployment. */
export const deploymentFacts = [
  'deployment_id',
  'repository_key',
  'origin',
  'deployed_at',
  'status',
  'environment',
  'is_production',
  'version',
  'sha',
] as const satisfies readonly (keyof DeploymentRow)[];
/** What decides whether a reported deployment counts as one to production. */
export const reportColumns = [
  'repository_key',
  'given_deployment_source',
  'production',
  'environment',
  'is_production',
] as const satisfies readonly (keyof DeploymentRow)[];
/** What is read of every deployment of a repository. The last ones are compared with what attribution says now. */
export const deploymentColumns = [...deploymentFacts, ...deploymentAttributionColumns] as const;
export type StoredDeployment = Pick<DeploymentRow, (typeof deploymentColumns)[number]>;

/** What was deployed, as a deployment says or a row that stands for one. */
export interface BuiltFrom {
  readonly repository_key: string | null;
  readonly sha: string | null;
  readonly version: string | null;
}

/** What attribution needs to know of a deployment, reported or inferred. */
export type InferredDeployment = Pick<
  StoredDeployment,
  'deployment_id' | 'deployed_at' | 'status' | 'environment' | 'version' | 'sha' | 'is_production'
>;

/** What attribution follows from in a pull request. */
export const pullRequestFacts = [
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
] as const satisfies readonly (keyof PullRequestRow)[];
/** What is read of every pull request of a repository. The last ones are compared with what attribution says now. */
export const storedPullRequestColumns = [...pullRequestFacts, 'pr_number', ...pullRequestAttributionColumns] as const;
export type StoredPullRequest = Pick<PullRequestRow, (typeof storedPullRequestColumns)[number]> & {
  readonly pr_id: string;
};

/** Columns that are read of pull requests which a naming deployment carried. */
export const carriedColumns = [
  'pr_id',
  'deployment_id',
  'is_promotion_step',
  'is_revert',
  'is_hotfix',
] as const satisfies readonly (keyof PullRequestRow)[];

/** What is read of a commit that a deployment or a revert names. */
export const commitColumns = ['pr_id', 'sha'] as const satisfies readonly (keyof CommitRow)[];

/** What is read of an incident. */
export const incidentColumns = [
  'incident_id',
  'repository_key',
  'opened_at',
  'resolved_at',
  'deployment_id',
] as const satisfies readonly (keyof IncidentRow)[];

/** What attribution follows from in a release. */
export const releaseFacts = [
  'release_id',
  'repository_key',
  'release_date',
  'is_prerelease',
  'version',
] as const satisfies readonly (keyof ReleaseRow)[];
/** What is read of every release of a repository. The last ones are compared with what attribution says now. */
export const releaseColumns = [...releaseFacts, ...releaseContentsColumns] as const;
type StoredRelease = Pick<ReleaseRow, (typeof releaseColumns)[number]>;

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
type StoredRun = Pick<WorkflowRunRow, (typeof runColumns)[number]>;

/** What is read of merged pull requests that others may take back. */
export const revertTargetColumns = [
  'pr_id',
  'repository_key',
  'pr_number',
  'pr_title',
  'pr_merged_at',
  'merge_commit_sha',
  'is_revert',
] as const satisfies readonly (keyof PullRequestRow)[];
export type RevertTarget = Pick<PullRequestRow, (typeof revertTargetColumns)[number]>;

/** What is read of merged pull requests whose commits were deployed. */
export const placedColumns = [
  'pr_id',
  'repository_key',
  'pr_merged_at',
  'production_merged_at',
  'base_branch',
  'merge_commit_sha',
] as const satisfies readonly (keyof PullRequestRow)[];
export type PlacedPullRequest = Pick<PullRequestRow, (typeof placedColumns)[number]>;

/** What lies before a span, as far as what comes after it follows from it. Nothing where all of a repository is known. */
export interface EarlierFacts extends EarlierReleases {
  readonly isPromoted: boolean;
  /** The first success in production. */
  readonly first?: StoredDeployment | undefined;
  /** Successes in production that were live last, or that deployed what is deployed again. */
  readonly live: readonly StoredDeployment[];
  readonly placed: readonly PlacedPullRequest[];
}

/**
 * Everything that the attribution of one repository in a span follows from: what happened in it, and the pull requests
 * from before of which something is still to be decided.
 */
export interface RepositoryFacts {
  readonly key: string;
  readonly settings: RepositorySettings;
  readonly source: ChosenSource;
  readonly branches: Branches;
  readonly span: TimeSpan;
  readonly earlier: EarlierFacts;
  readonly pullRequests: readonly StoredPullRequest[];
  /** What they may take back. */
  readonly targets: readonly RevertTarget[];
  readonly deployments: readonly StoredDeployment[];
  /** Reported deployments that name the pull requests they carried. */
  readonly naming: ReadonlySet<string>;
  readonly releases: readonly StoredRelease[];
  readonly runs: readonly StoredRun[];
  /** Commits of pull requests, as far as a deployment or a revert names them. */
  readonly commits: readonly { readonly sha: string; readonly pr_id: string }[];
  /** By pull request, the first deployment of any repository that names it. */
  readonly namedBy: ReadonlyMap<string, OrderedDeployment>;
}
