import { and, countDistinct, isAnyOf, isTrue, ratio, count as rowCount } from '../../expression/expression.ts';
import { count, metricsOf, rate } from '../metric.ts';
import { pullRequestComments } from '../tables/pull-request-comments.ts';
import { pullRequestCommits } from '../tables/pull-request-commits.ts';
import { pullRequestEvents } from '../tables/pull-request-events.ts';
import { pullRequestReviews } from '../tables/pull-request-reviews.ts';

/** A review by the author or by a bot is none; its row is there, and counts 0. */
export const reviewMetrics = metricsOf(pullRequestReviews, {}, (review) => {
  const isReview = isTrue(review.is_review);

  return {
    'reviews-count': count(countDistinct(review.pr_id, isReview), {
      meaning: 'Distinct pull requests that were reviewed.',
    }),
    'review-interactions-count': count(rowCount(isReview), { meaning: 'Number of reviews.' }),
    'changes-requested-rate': rate(
      ratio(rowCount(and(isReview, isAnyOf(review.review_state, 'changes_requested'))), rowCount(isReview)),
      { denominator: 'things', meaning: 'Reviews that ask for changes, divided by all reviews.' },
    ),
    'active-reviewers': count(countDistinct(review.actor, isReview), {
      meaning: 'Distinct people who reviewed. An unknown human login counts as one.',
    }),
    'reviews-by-time-of-day': count(rowCount(isReview), {
      meaning: 'Number of reviews by hour of the day, in the organisation’s time zone.',
      alwaysBy: ['review_hour_of_day'],
    }),
  };
});

export const commentMetrics = metricsOf(pullRequestComments, {}, () => ({
  'comments-count': count(rowCount(), { meaning: 'Number of comments on pull requests, of bots too.' }),
  'comment-interactions-count': count(rowCount(), {
    meaning: 'Number of comments, to be grouped or filtered by who wrote them.',
  }),
}));

export const commitMetrics = metricsOf(pullRequestCommits, {}, () => ({
  'commits-count': count(rowCount(), { meaning: 'Number of commits of pull requests.' }),
  'commit-interactions-count': count(rowCount(), {
    meaning: 'Number of commits, to be grouped or filtered by who made them.',
  }),
}));

export const eventMetrics = metricsOf(pullRequestEvents, {}, () => ({
  'pull-request-events-count': count(rowCount(), { meaning: 'Number of events of pull requests.' }),
}));
