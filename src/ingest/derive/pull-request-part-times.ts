import { pullRequestReviews } from '../../catalogue/tables/pull-request-parts.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import { approvedAt } from './approval.ts';
import { ofParent, ofPart } from './derivation.ts';
import {
  type CommitMade,
  deriveComments,
  deriveCommits,
  deriveReviews,
  isSomebodyElse,
  type RecordAuthor,
} from './pull-request-timings.ts';

const authorOf = ({ actor, is_bot }: { actor: string | null; is_bot: boolean | null }): RecordAuthor => ({
  actor,
  isBot: is_bot === true,
});

/** Derives whether a review is by a person other than the author of the pull request. */
export const reviewOfAnother = ofPart(pullRequestReviews, {
  parent: pullRequests,
  reads: ['actor', 'is_bot', 'reviewed_at'],
  readsParent: ['actor', 'is_bot'],
  writes: ['is_review', 'review_hour_of_day'],
  derive: (review, pr, { zone }) => {
    const by = authorOf(review);
    return {
      is_review: pr ? isSomebodyElse(by, authorOf(pr)) : !by.isBot,
      review_hour_of_day: review.reviewed_at === null ? null : zone.hourAt(review.reviewed_at),
    };
  },
});

const commitColumns = ['actor', 'is_bot', 'authored_at', 'committed_at'] as const;

const commitMade = (row: {
  readonly actor: string | null;
  readonly is_bot: boolean | null;
  readonly authored_at: number | null;
  readonly committed_at: number | null;
}): CommitMade => ({ by: authorOf(row), authoredAt: row.authored_at, committedAt: row.committed_at });

export const pullRequestCommitTimes = ofParent(pullRequests, {
  reads: ['actor', 'is_bot', 'given_first_commit_at', 'given_last_commit_at'],
  parts: { pull_request_commits: commitColumns },
  writes: ['first_commit_at', 'last_commit_at', 'commits_count'],
  derive: (pr, { pull_request_commits: commits }) =>
    deriveCommits(
      {
        author: authorOf(pr),
        given: { firstCommitAt: pr.given_first_commit_at, lastCommitAt: pr.given_last_commit_at },
      },
      commits.map(commitMade),
    ),
});

export const pullRequestReviewTimes = ofParent(pullRequests, {
  reads: [
    'actor',
    'is_bot',
    'pr_created_at',
    'ready_at',
    'pr_merged_at',
    'merge_queue_entered_at',
    'given_last_commit_at',
    'given_first_review_at',
  ],
  parts: {
    pull_request_reviews: ['actor', 'is_bot', 'review_state', 'reviewed_at', 'is_review', 'review_hour_of_day'],
    pull_request_commits: commitColumns,
  },
  writes: [
    'opened_at',
    'first_review_at',
    'pickup_time',
    'review_time',
    'rework_time',
    'queue_time',
    'is_reworked',
    'review_rounds',
    'review_rounds_bucket',
    'review_hours',
    'reviews_count',
    'reviewers_count',
    'approved_at',
  ],
  derive: (pr, { pull_request_reviews: reviews, pull_request_commits: commits }) => ({
    ...deriveReviews(
      {
        author: authorOf(pr),
        createdAt: pr.pr_created_at,
        readyAt: pr.ready_at,
        mergedAt: pr.pr_merged_at,
        queuedAt: pr.merge_queue_entered_at,
        given: { firstReviewAt: pr.given_first_review_at, lastCommitAt: pr.given_last_commit_at },
      },
      reviews.map((review) => ({ by: authorOf(review), at: review.reviewed_at })),
      commits.map(commitMade),
    ),
    review_hours: hoursOf(reviews),
    approved_at: approvedAt(
      authorOf(pr),
      reviews.map((review) => ({ by: authorOf(review), state: review.review_state, at: review.reviewed_at })),
    ),
  }),
});

/** Hours in which another person reviewed it, each once and in their order. JSON text, as lists are stored. */
function hoursOf(
  reviews: readonly { readonly is_review: boolean | null; readonly review_hour_of_day: number | null }[],
): string {
  const hours = new Set<number>();
  for (const { is_review, review_hour_of_day: hour } of reviews) if (is_review && hour !== null) hours.add(hour);
  return JSON.stringify([...hours].sort((a, b) => a - b).map(String));
}

/** Apart from reviews, because most comments come when nothing else of a pull request changes. */
export const pullRequestCommentTimes = ofParent(pullRequests, {
  reads: ['actor', 'is_bot', 'pr_created_at', 'given_first_comment_at', 'first_review_at'],
  parts: { pull_request_comments: ['actor', 'is_bot', 'commented_at'] },
  writes: ['first_comment_at', 'time_to_first_comment', 'comments_count'],
  derive: (pr, { pull_request_comments: comments }) =>
    deriveComments(
      {
        author: authorOf(pr),
        createdAt: pr.pr_created_at,
        given: { firstCommentAt: pr.given_first_comment_at },
        firstReviewAt: pr.first_review_at,
      },
      comments.map((comment) => ({ by: authorOf(comment), at: comment.commented_at })),
    ),
});
