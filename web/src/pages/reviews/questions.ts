import type { FigureSpec } from '../../ask/figure-question.ts';
import { askSeveral, type Question } from '../../ask/question.ts';
import type { View } from '../../ask/view.ts';
import type { DayWindow } from '../../ask/windows.ts';
import { reviewsFigureWords } from './words.ts';

/** A figure of reviews, and what its n counts. */
interface ReviewFigure extends FigureSpec {
  readonly of: string;
}

export const keyFigures = [
  {
    metric: 'pickup-time',
    aggregation: 'MEDIAN',
    label: reviewsFigureWords.firstReviewWaitMedian,
    of: reviewsFigureWords.pullRequests,
  },
  {
    metric: 'review-time',
    aggregation: 'MEDIAN',
    label: reviewsFigureWords.reviewTimeMedian,
    of: reviewsFigureWords.pullRequests,
  },
  { metric: 'review-rounds', label: reviewsFigureWords.reviewRoundsAverage, of: reviewsFigureWords.pullRequests },
  { metric: 'changes-requested-rate', label: reviewsFigureWords.changesRequested, of: 'reviews' },
  { metric: 'review-rate', label: reviewsFigureWords.reviewedBeforeMerge, of: reviewsFigureWords.pullRequests },
] as const satisfies readonly ReviewFigure[];

/** The long waits beside the usual wait. */
export const longPickups: FigureSpec = { metric: 'pickup-time', aggregation: 'P90' };

/** Reviews given and pull requests opened, by person. */
export const loadByPerson = (view: View): Question =>
  askSeveral(['review-interactions-count', 'pull-requests-count'], {
    filters: view.filtersFor('review-interactions-count'),
    group_by: ['merged_user_id', 'name', 'person_login', 'is_bot'],
  });

/** Reviews by hour of each day; weekdays are put together from the days. */
export const byHour = (view: View): Question =>
  askSeveral(['reviews-by-time-of-day'], {
    filters: view.filtersFor('reviews-by-time-of-day'),
    group_by: ['review_hour_of_day'],
    date_level: 'day',
  });

/** How long each pull request of a window waited for its first review, and when it was opened. */
export const waitsByOpening = (view: View, window: DayWindow): Question =>
  askSeveral(['pickup-time'], {
    filters: view.filtersFor('pickup-time', window),
    aggregations: { 'pickup-time': 'MEDIAN' },
    group_by: ['pr_id', 'pr_created_at'],
  });

/** Which teams review where. */
export const byTeam = (view: View): Question =>
  askSeveral(['review-interactions-count'], {
    filters: view.filtersFor('review-interactions-count'),
    group_by: ['team_name', 'repository_name'],
  });
