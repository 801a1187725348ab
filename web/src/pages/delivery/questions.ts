import type { FigureSpec } from '../../ask/figure-question.ts';
import { groupedQuestion } from '../../ask/grouped-series.ts';
import { ask, askSeveral, type Question } from '../../ask/question.ts';
import type { View } from '../../ask/view.ts';
import { deliveryFigureWords } from './words.ts';

/** A DORA figure, and what its n counts. */
export interface DeliveryFigure extends FigureSpec {
  readonly of: string;
}

/** DORA's five. The time to restore is what DORA calls failed deployment recovery time: its meaning says so. */
export const throughput = [
  {
    metric: 'lead-time-for-changes-p50',
    label: deliveryFigureWords.leadTimeForChanges,
    of: deliveryFigureWords.pullRequests,
  },
  { metric: 'deployment-frequency', label: deliveryFigureWords.deploymentFrequency, of: 'deployments' },
  { metric: 'time-to-restore-p50', label: deliveryFigureWords.timeToRestoreMedian, of: 'restored' },
] as const satisfies readonly DeliveryFigure[];
export const instability = [
  { metric: 'change-failure-rate', label: deliveryFigureWords.changeFailureRate, of: 'changes' },
  { metric: 'deployment-rework-rate', label: deliveryFigureWords.deploymentReworkRate, of: 'runs' },
] as const satisfies readonly DeliveryFigure[];
export const keyFigures = [...throughput, ...instability] as const;

/** What is known of each repository's deployments, and where they are known from. */
export const byRepository = (view: View): Question =>
  askSeveral(['deployment-frequency', 'change-failure-rate', 'time-to-restore-p50', 'deployment-success-rate'], {
    filters: view.filtersFor('deployment-frequency'),
    group_by: ['repository', 'deployment_source'],
  });

/** Lead time is a property of pull requests, so it has a request of its own. */
export const leadTimeByRepository = (view: View): Question =>
  askSeveral(['lead-time-for-changes-p50'], {
    filters: view.filtersFor('lead-time-for-changes-p50'),
    group_by: ['repository'],
  });

/** n of the failure rate of a reason is the number of deployments that failed for it. */
export const failuresByReason = (view: View): Question =>
  groupedQuestion(view, { metric: 'change-failure-rate', by: 'failure_reason' });

export const maxFailed = 20;

/** The latest deployments that failed: of one deployment the failure rate is 1 or 0. */
export const failedDeployments = (view: View): Question =>
  ask('change-failure-rate', {
    filters: view.filtersFor('change-failure-rate'),
    group_by: [
      'deployment_id',
      'repository_name',
      'version',
      'deployed_at',
      'failure_reason',
      'restored_at',
      'time_to_restore',
    ],
    metric_min_value: 1,
    order_by: 'deployed_at',
    order_direction: 'DESC',
    limit: maxFailed,
  });

/** What became of the pull requests that were merged. */
export const attribution = (view: View): Question =>
  ask('pull-requests-count', {
    filters: view.filtersFor('pull-requests-count'),
    group_by: ['deployment_attribution_status'],
    date_field: 'pr_merged_at',
  });
