import type { FigureSpec } from '../../ask/figure-question.ts';
import { groupedQuestion } from '../../ask/grouped-series.ts';
import { ask, askSeveral, type Question } from '../../ask/question.ts';
import type { View } from '../../ask/view.ts';
import type { DayWindow } from '../../ask/windows.ts';
import { cycleTimeFigureWords } from './words.ts';

/** The whole first, then its phases in their order. */
export const keyFigures = [
  { metric: 'cycle-time', aggregation: 'MEDIAN', label: cycleTimeFigureWords.cycleTimeMedian },
  { metric: 'cycle-time', aggregation: 'P90', label: cycleTimeFigureWords.cycleTimeSlowestTenth },
  { metric: 'coding-time', aggregation: 'MEDIAN', label: cycleTimeFigureWords.codingMedian },
  { metric: 'pickup-time', aggregation: 'MEDIAN', label: cycleTimeFigureWords.firstReviewWaitMedian },
  { metric: 'review-time', aggregation: 'MEDIAN', label: cycleTimeFigureWords.reviewTimeMedian },
  { metric: 'merge-to-deploy-p50', label: cycleTimeFigureWords.mergeToProductionMedian },
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
