import type { FigureSpec } from '../../ask/figure-question.ts';
import { groupedQuestion } from '../../ask/grouped-series.ts';
import { ask, askSeveral, type Question } from '../../ask/question.ts';
import type { View } from '../../ask/view.ts';
import type { DayWindow } from '../../ask/windows.ts';

/** The whole first, then its phases in their order. */
export const keyFigures = [
  { metric: 'cycle-time', aggregation: 'MEDIAN', label: 'Cycle time, median' },
  { metric: 'cycle-time', aggregation: 'P90', label: 'Cycle time, slowest tenth' },
  { metric: 'coding-time', aggregation: 'MEDIAN', label: 'Coding, median' },
  { metric: 'pickup-time', aggregation: 'MEDIAN', label: 'First review wait, median' },
  { metric: 'review-time', aggregation: 'MEDIAN', label: 'Review time, median' },
  { metric: 'merge-to-deploy-p50', label: 'Merge to production, median' },
] as const satisfies readonly FigureSpec[];

/** The median of each repository with that of the window before: it shows where the time changed. */
export const byRepository = (view: View, before: DayWindow): Question =>
  groupedQuestion(view, { metric: 'cycle-time', aggregation: 'MEDIAN', by: 'repository_name' }, { before });

/** Every merged pull request of a window with its size and its time. */
export const mergedPullRequests = (view: View, window: DayWindow): Question =>
  askSeveral(['pull-requests-count'], {
    filters: view.filtersFor('pull-requests-count', window),
    group_by: ['pr_id', 'pr_title', 'repository_name', 'additions', 'deletions', 'cycle_time'],
    date_fields: { 'pull-requests-count': 'pr_merged_at' },
  });

export const maxSlowest = 20;

export const slowest = (view: View): Question =>
  ask('cycle-time', {
    filters: view.filtersFor('cycle-time'),
    aggregation: 'MAX',
    group_by: ['pr_id', 'pr_title', 'pr_number', 'repository_name', 'coding_time', 'pickup_time', 'review_time'],
    order_by: 'max_cycle_time',
    order_direction: 'DESC',
    limit: maxSlowest,
  });
