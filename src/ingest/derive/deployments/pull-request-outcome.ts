import type { attributionStatuses, branchingModels, PullRequestRow } from '../../../catalogue/tables/pull-requests.ts';
import { closedSpan } from '../span.ts';
import { type Branches, isPromotion, passesOn } from './branches.ts';
import type { Placed } from './deployment-order.ts';
import type { DeploymentSource } from './repository-settings.ts';

export type BranchingModel = (typeof branchingModels)[number];
type AttributionStatus = (typeof attributionStatuses)[number];

/** Everything that the story of a repository says about one of its pull requests. */
export const outcomeColumns = [
  'reverts_pr_id',
  'is_revert',
  'is_promotion_pr',
  'is_production_merge',
  'branching_model',
  'production_merged_at',
  'deployment_source',
  'deployment_id',
  'deployed_at',
  'deployment_attribution_status',
  'lead_time',
  'merge_to_deploy',
  'open_to_deploy',
] as const satisfies readonly (keyof PullRequestRow)[];
export type PullRequestOutcome = Pick<PullRequestRow, (typeof outcomeColumns)[number]>;

/** What a pull request is by itself, as far as its way to production depends on it. */
export type TravellingPullRequest = Pick<
  PullRequestRow,
  | 'is_bot'
  | 'pr_state'
  | 'pr_created_at'
  | 'pr_merged_at'
  | 'opened_at'
  | 'first_commit_at'
  | 'base_branch'
  | 'head_branch'
>;

/** What holds for every pull request of a repository. */
export interface RepositoryStory {
  readonly branches: Branches;
  readonly model: BranchingModel;
  readonly source: DeploymentSource;
  readonly isActive: boolean;
  /** Everything up to here was live before anything is known; null while nothing was deployed. */
  readonly firstUntil: number | null;
}

export interface Journey {
  readonly productionMergedAt: number | null;
  readonly carrier: Placed | undefined;
  readonly revertsId: string | null;
  readonly isRevert: boolean;
}

/**
 * A bot’s pull request is counted in what a deployment carried and has no lead time. A switched-off repository takes no
 * part, so nothing of it is carried. Promotions are carried like any other, and bring no change of their own to time.
 */
export function tellOutcome(pr: TravellingPullRequest, story: RepositoryStory, journey: Journey): PullRequestOutcome {
  const { branches, model, source, isActive } = story;
  const carrier = isActive && pr.pr_merged_at !== null ? journey.carrier : undefined;
  const deployedAt = carrier?.at ?? null;
  const clockEnd = pr.is_bot === true || passesOn(pr, branches) ? null : deployedAt;
  return {
    reverts_pr_id: journey.revertsId,
    is_revert: journey.isRevert,
    is_promotion_pr: isPromotion(pr, branches),
    is_production_merge: pr.pr_merged_at !== null && pr.base_branch === branches.production,
    branching_model: model,
    production_merged_at: journey.productionMergedAt,
    deployment_source: source,
    deployment_id: carrier?.id ?? null,
    deployed_at: deployedAt,
    deployment_attribution_status: statusOf(pr, story, journey.productionMergedAt, carrier),
    lead_time: closedSpan(pr.first_commit_at ?? pr.pr_created_at, clockEnd),
    merge_to_deploy: closedSpan(pr.pr_merged_at, clockEnd),
    open_to_deploy: closedSpan(pr.opened_at ?? pr.pr_created_at, clockEnd),
  };
}

function statusOf(
  pr: TravellingPullRequest,
  { isActive, firstUntil }: RepositoryStory,
  productionMergedAt: number | null,
  carrier: Placed | undefined,
): AttributionStatus | null {
  if (pr.pr_merged_at === null) return pr.pr_state === 'closed' ? 'ignored' : null;
  if (!isActive || pr.is_bot === true) return 'ignored';
  if (carrier) return 'deployed';
  if (productionMergedAt === null) return 'non_production_branch';
  return firstUntil === null || productionMergedAt <= firstUntil ? 'before_first_signal' : 'awaiting_deploy';
}
