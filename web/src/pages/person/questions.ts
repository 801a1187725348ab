import type { FigureSpec } from '../../ask/figure.ts';
import { ask, type Question } from '../../ask/question.ts';
import type { View } from '../../ask/use-view.ts';

/** The figures of one person's work. They serve no comparison of people. */
interface OwnFigure extends FigureSpec {
  /** What n counts. */
  readonly of: string;
}

export const ownFigures: readonly OwnFigure[] = [
  { metric: 'pull-requests-count', label: 'Pull requests opened', of: 'pull requests' },
  { metric: 'cycle-time', aggregation: 'MEDIAN', label: 'Cycle time, median', of: 'pull requests' },
  { metric: 'pickup-time', aggregation: 'MEDIAN', label: 'Pickup, median', of: 'pull requests' },
  { metric: 'review-rounds', label: 'Review rounds, average', of: 'pull requests' },
  { metric: 'reviews-count', label: 'Reviews given', of: 'reviews' },
  { metric: 'completed-issues-count', label: 'Issues completed', of: 'issues' },
];

export const maxRecent = 20;

/** The newest pull requests of a person in the window. */
export const recentPullRequests = (view: View): Question =>
  ask('pull-requests-count', {
    filters: view.filtersFor('pull-requests-count'),
    group_by: ['pr_id', 'pr_title', 'repository_name', 'pr_state', 'pr_created_at', 'cycle_time'],
    order_by: 'pr_created_at',
    order_direction: 'DESC',
    limit: maxRecent,
  });
