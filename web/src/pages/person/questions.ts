import type { FigureSpec } from '../../ask/figure.ts';
import { ask, type Question } from '../../ask/question.ts';
import type { View } from '../../ask/use-view.ts';

/** The figures of one person's work. They serve no comparison of people. */
export interface OwnFigure extends FigureSpec {
  /** What n counts. */
  readonly of: string;
}

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
