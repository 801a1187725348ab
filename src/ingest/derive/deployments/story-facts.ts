import type { DeploymentRow } from '../../../catalogue/tables/deployments.ts';
import type { PullRequestRow } from '../../../catalogue/tables/pull-requests.ts';
import type { Branches } from './branches.ts';
import type { Placed } from './deployment-order.ts';
import { type BranchingModel, outcomeColumns, type PullRequestOutcome } from './pull-request-outcome.ts';
import type { DeploymentSource } from './repository-settings.ts';

/** What the story says about a deployment, apart from whether it failed. */
export const toldColumns = [
  'carried_until',
  'is_rollback',
  'prs_included',
  'is_remediation',
] as const satisfies readonly (keyof DeploymentRow)[];
export type ToldColumns = Pick<DeploymentRow, (typeof toldColumns)[number]>;

export const deploymentColumns = [
  'deployment_id',
  'repository_key',
  'deployed_at',
  'status',
  'environment',
  'is_production',
  'version',
  'sha',
  'pr_ids',
  ...toldColumns,
] as const satisfies readonly (keyof DeploymentRow)[];
export type StoryDeployment = Pick<DeploymentRow, (typeof deploymentColumns)[number]>;

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
  ...outcomeColumns,
] as const satisfies readonly (keyof PullRequestRow)[];
export type StoryPullRequest = Pick<PullRequestRow, (typeof pullRequestColumns)[number]> & { readonly pr_id: string };

/** The first known successful production deployment, and what was live with it. */
export interface FirstSignal extends Placed {
  readonly until: number;
}

/** A pull request whose merge, or one of whose commits, was deployed. */
export type AnchorRow = Pick<
  StoryPullRequest,
  'pr_id' | 'merge_commit_sha' | 'pr_merged_at' | 'base_branch' | 'production_merged_at'
>;

/**
 * Everything that the story of a repository is told from. What was before `since` has been told already and is taken as
 * it is; of it only that is needed which what came later is held against.
 */
export interface StoryFacts {
  readonly since: number;
  readonly branches: Branches;
  readonly source: DeploymentSource;
  /** Whether its deployments are stated, not made from releases, runs or merges. */
  readonly isStated: boolean;
  /** Whether every merge into the production branch is a deployment. */
  readonly isEveryMerge: boolean;
  readonly isActive: boolean;
  /** Absent: all pull requests are here, and it is found out. */
  readonly model: BranchingModel | undefined;
  /** As it was told. */
  readonly first: FirstSignal | undefined;
  readonly deployments: readonly StoryDeployment[];
  /** Earlier successes that deployed the same as later ones, and the last one in each environment. */
  readonly earlier: readonly StoryDeployment[];
  readonly pullRequests: readonly StoryPullRequest[];
  readonly anchors: {
    readonly merges: readonly AnchorRow[];
    readonly commits: readonly { readonly sha: string; readonly owner: AnchorRow }[];
  };
  /** The first deployment that names a pull request, of any repository. */
  readonly naming: ReadonlyMap<string, Placed>;
  readonly reverts: ReadonlyMap<string, { readonly revertsId: string | null; readonly isRevert: boolean }>;
}

export interface Story {
  readonly model: BranchingModel;
  readonly first: FirstSignal | undefined;
  readonly pullRequests: ReadonlyMap<string, PullRequestOutcome>;
  readonly deployments: ReadonlyMap<string, ToldColumns>;
}

export const isSuccess = (row: Pick<DeploymentRow, 'is_production' | 'status' | 'deployed_at'>): boolean =>
  row.is_production === true && row.status === 'success' && row.deployed_at !== null;

/** What was carried before stays where it is. */
export const isSettled = ({ deployed_at }: StoryPullRequest, since: number): boolean =>
  deployed_at !== null && deployed_at < since;
