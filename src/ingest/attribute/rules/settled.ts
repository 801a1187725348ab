import { theEnd } from '../spans.ts';
import type { RepositoryAttribution } from './attribute-repository.ts';
import type { RepositoryFacts } from './repository-facts.ts';
import { noRepository } from './repository-settings.ts';

/**
 * Whether a repository is, at the end of a span, as its stored rows say: the same pull requests wait, for production or
 * for a deployment. Then what comes after the span stands. Of what was touched nothing may wait any more.
 */
export function isSettled(
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
    if (hasArrived !== isDone(before.production_merged_at) || isDeployed !== isDone(before.deployed_at)) return false;
    const isOver = hasArrived
      ? isDeployed || now.deployment_attribution_status === 'before_first_signal'
      : !branches.isLongLived(before.base_branch ?? '');
    if (!isOver && before.production_merged_at !== now.production_merged_at) return false;
    // A step decides when others reach production.
    return !isTouched(before.pr_id) || (isOver && !before.is_promotion_step && !now.is_promotion_step);
  });
}
