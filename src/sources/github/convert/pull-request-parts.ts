import { commitId } from '../../../catalogue/record-ids.ts';
import { reviewStates } from '../../../catalogue/tables/pull-request-parts.ts';
import { Payload, UnknownShape } from '../../payload.ts';
import { authorOf, personOf } from './account.ts';
import { partId } from './ids.ts';

/** Null for a review that is being written: nobody but its author sees it yet. */
export function convertReview(prId: string, payload: unknown) {
  const review = Payload.of(payload, 'review');
  const state = review.text('state').toLowerCase();
  if (state === 'pending') return null;
  if (!reviewStates.some((known) => known === state)) throw new UnknownShape('review: state is none of the known ones');
  return {
    pr_review_id: partId(prId, 'review', review.id('id')),
    pr_id: prId,
    ...personOf(review.objectOrNull('user')),
    review_state: state,
    reviewed_at: review.time('submitted_at'),
    review_url: review.textOrNull('html_url'),
    review_body: review.textOrNull('body'),
  };
}

/** A comment in the conversation. */
export function convertComment(prId: string, payload: unknown) {
  const comment = Payload.of(payload, 'comment');
  return {
    comment_id: partId(prId, 'comment', comment.id('id')),
    pr_id: prId,
    ...personOf(comment.objectOrNull('user')),
    comment: comment.textOrNull('body'),
    comment_url: comment.textOrNull('html_url'),
    commented_at: comment.time('created_at'),
    in_reply_to: null,
    file_path: null,
  };
}

/** A comment at a line of the change. */
export function convertReviewComment(prId: string, payload: unknown) {
  const comment = Payload.of(payload, 'review comment');
  return {
    comment_id: partId(prId, 'review_comment', comment.id('id')),
    pr_id: prId,
    ...personOf(comment.objectOrNull('user')),
    comment: comment.textOrNull('body'),
    comment_url: comment.textOrNull('html_url'),
    commented_at: comment.time('created_at'),
    in_reply_to: comment.has('in_reply_to_id') ? partId(prId, 'review_comment', comment.id('in_reply_to_id')) : null,
    file_path: comment.textOrNull('path'),
  };
}

/** Its person is the author: the committer of what is merged or edited on the page is GitHub itself. */
export function convertCommit(prId: string, payload: unknown) {
  const item = Payload.of(payload, 'commit');
  const commit = item.object('commit');
  const author = commit.objectOrNull('author');
  const stats = item.objectOrNull('stats');
  const sha = item.text('sha');
  return {
    commit_id: commitId(prId, sha),
    pr_id: prId,
    ...authorOf(item.objectOrNull('author'), author),
    sha,
    commit_message: commit.textOrNull('message'),
    committed_at: commit.objectOrNull('committer')?.timeOrNull('date') ?? null,
    authored_at: author?.timeOrNull('date') ?? null,
    commit_url: item.textOrNull('html_url'),
    ...(stats && { additions: stats.integer('additions'), deletions: stats.integer('deletions') }),
  };
}
