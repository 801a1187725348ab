import {
  add,
  and,
  average,
  coalesce,
  countDistinct,
  isAnyOf,
  isMoreThan,
  isPresent,
  isTrue,
  literal,
  not,
  oneOrZero,
  or,
  ratio,
  count as rowCount,
  when,
} from '../../expression/expression.ts';
import { aggregated, aggregatedTogether, count, fixed, type MetricDescription, metricsOf, rate } from '../metric.ts';
import {
  pullRequestComments,
  pullRequestCommits,
  pullRequestEvents,
  pullRequestReviews,
} from '../tables/pull-request-parts.ts';
import { pullRequests } from '../tables/pull-requests.ts';

const dates = ['pr_created_at', 'pr_merged_at', 'pr_closed_at', 'first_review_at'];

export const pullRequestMetrics = metricsOf(pullRequests, { dates }, (pr) => {
  const isReviewed = or(isMoreThan(pr.reviews_count, 0), isPresent(pr.first_review_at));
  // A source that knows one side of a diff knows that the other is empty.
  const additions = coalesce(pr.additions, when(isPresent(pr.deletions), literal<'integer'>(0)));
  const deletions = coalesce(pr.deletions, when(isPresent(pr.additions), literal<'integer'>(0)));

  return {
    'pull-requests-count': count(countDistinct(pr.pr_id), {
      meaning: 'Number of pull requests.',
      column: 'pr_count',
    }),
    'pull-requests-size': aggregatedTogether(
      { additions, deletions, total_changes: add(additions, deletions) },
      {
        meaning: 'Lines added, lines deleted, and both together. A missing side is 0 when the other is known.',
        unit: 'lines',
        better: 'lower',
      },
    ),
    'review-rate': rate(ratio(rowCount(isReviewed), rowCount()), {
      denominator: 'things',
      meaning: 'Pull requests reviewed by someone other than their author, divided by all. Bots do not review.',
      better: 'higher',
    }),
    'complexity-score': aggregated(pr.complexity_score, {
      meaning:
        'Complexity of merged pull requests, 0 to 100: the size and spread of the diff against what is usual in its repository.',
    }),
    'contributors-count': count(countDistinct(pr.actor, not(isTrue(pr.is_bot))), {
      meaning: 'Distinct authors of pull requests. Bots are left out. An unknown human login counts as one.',
    }),
    'review-rounds': fixed(average(pr.review_rounds), {
      meaning:
        'Average number of review rounds: times that reviews by others were followed by new commits or by the merge. Never reviewed is 0.',
      better: 'lower',
    }),
    'reviewers-per-pr': fixed(average(pr.reviewers_count), {
      meaning: 'Average number of distinct people, other than the author, who reviewed a pull request.',
    }),
    'comments-per-pr': fixed(average(pr.comments_count), {
      meaning: 'Average number of comments of people on a pull request, the author’s included.',
    }),
  };
});

const mergedFirst = ['pr_merged_at', 'pr_created_at', 'first_review_at', 'pr_closed_at'];

const clock = (meaning: string): MetricDescription => ({ meaning, unit: 'seconds', better: 'lower' });

/** Clocks of pull requests. They are derived once, when records arrive; pull requests of bots have none. */
export const developmentMetrics = metricsOf(pullRequests, { dates: mergedFirst }, (pr) => ({
  'coding-time': aggregated(pr.coding_time, clock('First commit to pull request opened. Promotions have none.')),
  'commit-to-open': aggregated(pr.coding_time, clock('First commit to pull request opened. Promotions have none.')),
  'pickup-time': aggregated(pr.pickup_time, clock('Opened to the first review by someone other than the author.')),
  'open-to-review': aggregated(pr.pickup_time, clock('Opened to the first review by someone other than the author.')),
  'review-time': aggregated(pr.review_time, clock('First review by someone other than the author to merged.')),
  'review-to-merge': aggregated(pr.review_time, clock('First review by someone other than the author to merged.')),
  'rework-time': aggregated(
    pr.rework_time,
    clock(
      'First review to the last commit after it and before the merge. 0 if no commit followed, nothing if never reviewed.',
    ),
  ),
  'cycle-time': aggregated(pr.cycle_time, clock('First commit (else creation) to merged. Promotions have none.')),
  'time-to-first-comment': aggregated(
    pr.time_to_first_comment,
    clock('Creation to the first comment or review by someone other than the author.'),
  ),
  'rework-rate': aggregated(oneOrZero(pr.is_reworked), {
    meaning:
      '1 for a reviewed pull request of a person with a commit after its first review, 0 for one without. AVG is the share.',
    better: 'lower',
  }),
}));

/** A review by the author or by a bot is no review; its row is present and counts 0. */
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
