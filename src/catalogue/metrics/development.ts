import { oneOrZero } from '../../expression/expression.ts';
import { aggregated, type MetricDescription, metricsOf } from '../metric.ts';
import { pullRequests } from '../tables/pull-requests.ts';

const dates = ['pr_merged_at', 'pr_created_at', 'first_review_at', 'pr_closed_at'];

const clock = (meaning: string): MetricDescription => ({ meaning, unit: 'seconds', better: 'lower' });

/** Clocks of pull requests. They are derived once, when records arrive; pull requests of bots have none. */
export const developmentMetrics = metricsOf(pullRequests, { dates }, (pr) => ({
  'coding-time': aggregated(pr.coding_time, clock('First commit to pull request opened; promotions have none.')),
  'commit-to-open': aggregated(pr.coding_time, clock('First commit to pull request opened; promotions have none.')),
  'pickup-time': aggregated(pr.pickup_time, clock('Opened to the first review by somebody other than the author.')),
  'open-to-review': aggregated(pr.pickup_time, clock('Opened to the first review by somebody other than the author.')),
  'review-time': aggregated(pr.review_time, clock('First review by somebody other than the author to merged.')),
  'review-to-merge': aggregated(pr.review_time, clock('First review by somebody other than the author to merged.')),
  'rework-time': aggregated(
    pr.rework_time,
    clock(
      'First review to the last commit after it and before the merge; 0 if no commit followed, nothing if never reviewed.',
    ),
  ),
  'cycle-time': aggregated(pr.cycle_time, clock('First commit (else creation) to merged; promotions have none.')),
  'time-to-first-comment': aggregated(
    pr.time_to_first_comment,
    clock('Creation to the first comment or review by somebody other than the author.'),
  ),
  'rework-rate': aggregated(oneOrZero(pr.is_reworked), {
    meaning:
      '1 for a reviewed pull request of a person with a commit after its first review, 0 for one without. AVG is the share.',
    better: 'lower',
  }),
}));
