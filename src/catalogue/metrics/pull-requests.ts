import {
  add,
  average,
  coalesce,
  countDistinct,
  isMoreThan,
  isPresent,
  isTrue,
  literal,
  not,
  or,
  ratio,
  count as rowCount,
  when,
} from '../../expression/expression.ts';
import { aggregated, aggregatedTogether, count, fixed, metricsOf, rate } from '../metric.ts';
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
      meaning: 'Pull requests reviewed by somebody other than their author, divided by all. Bots do not review.',
      better: 'higher',
    }),
    'complexity-score': aggregated(pr.complexity_score, {
      meaning:
        'Complexity of merged pull requests, 0 to 100: the size and spread of the diff against what is usual in its repository.',
    }),
    'contributors-count': count(countDistinct(pr.actor, not(isTrue(pr.is_bot))), {
      meaning: 'Distinct authors of pull requests. Bots are left out; an unknown human login counts as one.',
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
