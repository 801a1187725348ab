import {
  type CommentMade,
  type CommitMade,
  deriveConversation,
  type PullRequestTimes,
  type ReviewMade,
} from '../../src/ingest/derive/pull-request-timings.ts';
import type { Voice } from '../../src/ingest/derive/record-author.ts';

export const ada: Voice = { actor: 'ada', isBot: false };
export const bo: Voice = { actor: 'bo', isBot: false };
export const chidi: Voice = { actor: 'chidi', isBot: false };
export const gone: Voice = { actor: null, isBot: false };
export const robot: Voice = { actor: 'robot', isBot: true };

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
export const review = (by: Voice, at: number | null): ReviewMade => ({ by, at });
export const comment = (by: Voice, at: number | null): CommentMade => ({ by, at });
export const commit = (by: Voice, committedAt: number | null, authoredAt = committedAt): CommitMade => ({
  by,
  authoredAt,
  committedAt,
  additions: 1,
});

export interface Parts {
  readonly reviews?: readonly ReviewMade[];
  readonly comments?: readonly CommentMade[];
  readonly commits?: readonly CommitMade[];
}
export const derive = (said: Partial<PullRequestTimes>, { reviews = [], comments = [], commits = [] }: Parts = {}) =>
  deriveConversation(pullRequest(said), reviews, comments, commits);
