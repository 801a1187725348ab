import { longestWindow } from '../../ask/deployment.ts';
import { askSeveral, type Question } from '../../ask/question.ts';

/** The times of the pull requests that a deployment carried, as far as the reader may see them. */
export const carriedPullRequests = (ids: readonly string[], today: string): Question => {
  const { start, end } = longestWindow(today);
  return askSeveral(['pull-requests-count'], {
    filters: { start_date: start, end_date: end, pr_ids: ids },
    group_by: [
      'pr_id',
      'repository_name',
      'pr_merged_at',
      'merge_to_deploy',
      'lead_time',
      'deployment_attribution_status',
    ],
  });
};
