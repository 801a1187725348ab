import { firstCommitClocks } from '../../../src/ingest/attribute/rules/pull-request-attribution.ts';
import {
  type CommentMade,
  type CommitMade,
  deriveComments,
  deriveCommits,
  deriveReviews,
  type PullRequestTimes,
  type RecordAuthor,
  type ReviewMade,
} from '../../../src/ingest/derive/pull-request-timings.ts';

export const ada: RecordAuthor = { actor: 'ada', isBot: false };
export const bo: RecordAuthor = { actor: 'bo', isBot: false };
export const chidi: RecordAuthor = { actor: 'chidi', isBot: false };
export const gone: RecordAuthor = { actor: null, isBot: false };
export const robot: RecordAuthor = { actor: 'robot', isBot: true };

export const nothingGiven = { firstCommitAt: null, lastCommitAt: null, firstReviewAt: null, firstCommentAt: null };

/** Written at 100, created at 1000, merged at 9000, unless a test says otherwise. */
export const pullRequest = (said: Partial<PullRequestTimes> = {}): PullRequestTimes => ({
  author: ada,
  createdAt: 1_000,
  readyAt: null,
  mergedAt: 9_000,
  queuedAt: null,
  given: nothingGiven,
  ...said,
});
export const review = (by: RecordAuthor, at: number | null): ReviewMade => ({ by, at });
export const comment = (by: RecordAuthor, at: number | null): CommentMade => ({ by, at });
export const commit = (by: RecordAuthor, committedAt: number | null, authoredAt = committedAt): CommitMade => ({
  by,
  authoredAt,
  committedAt,
});

export interface PartsMade {
  readonly reviews?: readonly ReviewMade[];
  readonly comments?: readonly CommentMade[];
  readonly commits?: readonly CommitMade[];
}
export const derive = (
  said: Partial<PullRequestTimes>,
  { reviews = [], comments = [], commits = [] }: PartsMade = {},
) => timingsOf(pullRequest(said), reviews, comments, commits);

/** Everything that follows from the parts of a pull request, in the order in which it is derived. */
export function timingsOf(
  pr: PullRequestTimes,
  reviews: readonly ReviewMade[],
  comments: readonly CommentMade[],
  commits: readonly CommitMade[],
) {
  const pushed = deriveCommits(pr, commits);
  const reviewed = deriveReviews(pr, reviews, commits);
  const commented = deriveComments({ ...pr, firstReviewAt: reviewed.first_review_at }, comments);
  const times = { is_bot: pr.author.isBot, pr_created_at: pr.createdAt, pr_merged_at: pr.mergedAt };
  const written = firstCommitClocks({ ...times, ...pushed, ...reviewed }, false);
  return { ...pushed, ...reviewed, ...commented, ...written };
}
export type Timings = ReturnType<typeof timingsOf>;
