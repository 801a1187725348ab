import { closedSpan } from '../../../calendar.ts';
import type { attributionStatuses, branchingModels, PullRequestRow } from '../../../catalogue/tables/pull-requests.ts';
import type { OrderedDeployment } from './deployment-contents.ts';
import type { PullRequestReleases } from './release-contents.ts';
import type { DeploymentSource } from './repository-settings.ts';

type BranchingModel = (typeof branchingModels)[number];
type AttributionStatus = (typeof attributionStatuses)[number];

/** What attribution says about a pull request. */
export const pullRequestAttributionColumns = [
  'reverts_pr_id',
  'is_revert',
  'is_promotion_pr',
  'is_promotion_step',
  'is_production_merge',
  'branching_model',
  'production_merged_at',
  'release_id',
  'prerelease_id',
  'deployment_source',
  'deployment_id',
  'deployed_at',
  'deployment_attribution_status',
  'coding_time',
  'cycle_time',
  'lead_time',
  'merge_to_deploy',
  'open_to_deploy',
] as const satisfies readonly (keyof PullRequestRow)[];
export type PullRequestAttribution = Pick<PullRequestRow, (typeof pullRequestAttributionColumns)[number]>;

const noAttribution = Object.fromEntries(
  pullRequestAttributionColumns.map((column) => [column, null]),
) as PullRequestAttribution;

/** A pull request that is in no repository is part of nothing. Its own clocks run all the same. */
export const attributedAlone = (pr: AttributedPullRequest): PullRequestAttribution => ({
  ...noAttribution,
  ...firstCommitClocks(pr, false),
});

/** What the attribution of a pull request reads of it. */
type AttributedPullRequest = Pick<
  PullRequestRow,
  'is_bot' | 'pr_state' | 'pr_created_at' | 'pr_merged_at' | 'opened_at' | 'first_commit_at' | 'base_branch'
>;

/** What holds for every pull request of a repository. */
interface RepositoryContext {
  readonly productionBranch: string;
  readonly model: BranchingModel;
  readonly source: DeploymentSource;
  readonly isActive: boolean;
  /** Everything up to here was live before the first known deployment; null while there is none. */
  readonly firstDeployedThrough: number | null;
}

/** What was found out about one pull request. */
interface PullRequestFindings {
  readonly productionMergedAt: number | null;
  readonly releases: PullRequestReleases;
  readonly deployment: OrderedDeployment | undefined;
  readonly revertsId: string | null;
  readonly isRevert: boolean;
  /** Whether it passes on the changes of others: a promotion, or a step towards one. */
  readonly isStep: boolean;
}

/**
 * A bot’s pull request counts in what a deployment carried and has no lead time. Nothing of a repository that is switched
 * off is carried. Promotions are carried like any other pull request, and have no change of their own to time.
 */
export function attributePullRequest(
  pr: AttributedPullRequest,
  context: RepositoryContext,
  findings: PullRequestFindings,
): PullRequestAttribution {
  const { productionBranch, model, source, isActive } = context;
  const deployment = isActive && pr.pr_merged_at !== null ? findings.deployment : undefined;
  const deployedAt = deployment?.at ?? null;
  const clockEnd = pr.is_bot === true || findings.isStep ? null : deployedAt;
  return {
    reverts_pr_id: findings.revertsId,
    is_revert: findings.isRevert,
    is_promotion_pr: findings.isStep && pr.base_branch === productionBranch,
    is_promotion_step: findings.isStep,
    is_production_merge: pr.pr_merged_at !== null && pr.base_branch === productionBranch,
    branching_model: model,
    production_merged_at: findings.productionMergedAt,
    release_id: findings.releases.release_id,
    prerelease_id: findings.releases.prerelease_id,
    deployment_source: source,
    deployment_id: deployment?.id ?? null,
    deployed_at: deployedAt,
    deployment_attribution_status: statusOf(pr, context, findings.productionMergedAt, deployment),
    ...firstCommitClocks(pr, findings.isStep),
    lead_time: closedSpan(pr.first_commit_at ?? pr.pr_created_at, clockEnd),
    merge_to_deploy: closedSpan(pr.pr_merged_at, clockEnd),
    open_to_deploy: closedSpan(pr.opened_at ?? pr.pr_created_at, clockEnd),
  };
}

/**
 * The clocks that the first commit starts. A bot’s pull request has none. The first commit of a promotion, or of a step
 * towards one, is the work of those that it brings.
 */
export function firstCommitClocks(
  pr: Omit<AttributedPullRequest, 'pr_state' | 'base_branch'>,
  isStep: boolean,
): Pick<PullRequestRow, 'coding_time' | 'cycle_time'> {
  if (pr.is_bot === true || isStep) return { coding_time: null, cycle_time: null };
  return {
    coding_time: closedSpan(pr.first_commit_at, pr.opened_at),
    cycle_time: closedSpan(pr.first_commit_at ?? pr.pr_created_at, pr.pr_merged_at),
  };
}

function statusOf(
  pr: AttributedPullRequest,
  { isActive, firstDeployedThrough }: RepositoryContext,
  productionMergedAt: number | null,
  deployment: OrderedDeployment | undefined,
): AttributionStatus | null {
  if (pr.pr_merged_at === null) return pr.pr_state === 'closed' ? 'ignored' : null;
  if (!isActive || pr.is_bot === true) return 'ignored';
  if (deployment) return 'deployed';
  if (productionMergedAt === null) return 'non_production_branch';
  const isBeforeFirst = firstDeployedThrough === null || productionMergedAt <= firstDeployedThrough;
  return isBeforeFirst ? 'before_first_signal' : 'awaiting_deploy';
}
