import { commitId } from '../../../catalogue/record-ids.ts';
import { reviewStates } from '../../../catalogue/tables/pull-request-parts.ts';
import { type CountedFile, withinColumn } from '../../code-host/changed-files.ts';
import { type PullRequestRecords, recordsOfPullRequests } from '../../code-host/pull-request-records.ts';
import { convertEach, Payload, UnknownShape } from '../../payload.ts';
import type { ConvertedItems } from '../../streams/newest-first-stream.ts';
import { authorOf, personOf } from './account.ts';
import { numberedId, partId, type Repository } from './repository.ts';
import { convertTimeline, eventRecord, type TimelineEvent } from './timeline-events.ts';

/** A pull request with all that belongs to it, each in the shape of GitHub's REST interface. */
export interface PullRequestFamily {
  readonly pull: unknown;
  /** Beside events also comments in the conversation, reviews and commits, which are passed over. */
  readonly timeline: readonly unknown[];
  readonly reviews: readonly unknown[];
  readonly comments: readonly unknown[];
  readonly reviewComments: readonly unknown[];
  /** With `stats`, where they are known. */
  readonly commits: readonly unknown[];
  /** The host lists no more than 250 commits: those that are known stay, though they may be gone. */
  readonly areCommitsCut?: boolean;
  readonly files: readonly unknown[] | undefined;
}

export function convertFamilies(repository: Repository, families: readonly PullRequestFamily[]): ConvertedItems {
  const { records, problems } = convertEach(families, (family) => convertFamily(repository, family));
  return { records: recordsOfPullRequests(records), problems };
}

function convertFamily(repository: Repository, family: PullRequestFamily): PullRequestRecords {
  const number = Payload.of(family.pull, 'pull request').integer('number');
  try {
    const prId = numberedId(repository, number);
    const timeline = convertTimeline(family.timeline);
    const pull = convertPullRequest(repository, family.pull, timeline, family.files);
    return {
      pull,
      reviews: family.reviews.flatMap((review) => convertReview(prId, review) ?? []),
      comments: [
        ...family.comments.map((comment) => convertComment(prId, comment)),
        ...family.reviewComments.map((comment) => convertReviewComment(prId, comment)),
      ],
      commits: family.commits.map((commit) => convertCommit(prId, commit)),
      areCommitsCut: family.areCommitsCut ?? false,
      events: timeline.map((event) => eventRecord(prId, pull.pr_url, event)),
    };
  } catch (error) {
    // Half a pull request would look like one whose other children are gone.
    if (error instanceof UnknownShape) throw new UnknownShape(`${repository.name}#${number}: ${error.message}`);
    throw error;
  }
}

function convertPullRequest(
  repository: Repository,
  payload: unknown,
  timeline: readonly TimelineEvent[],
  /** Unknown where the host no longer has the commits. */
  files: readonly unknown[] | undefined,
) {
  const pull = Payload.of(payload, 'pull request');
  const mergedAt = pull.timeOrNull('merged_at');
  const number = pull.integer('number');
  return {
    pr_id: numberedId(repository, number),
    source: 'github',
    repository: repository.name,
    pr_number: number,
    pr_title: pull.textOrNull('title'),
    pr_url: pull.text('html_url'),
    pr_body: pull.textOrNull('body'),
    ...personOf(pull.objectOrNull('user')),
    pr_state: mergedAt === null ? pull.text('state') : 'merged',
    is_draft: pull.isTrue('draft'),
    pr_created_at: pull.time('created_at'),
    ready_at: readyAt(timeline),
    pr_merged_at: mergedAt,
    pr_closed_at: pull.timeOrNull('closed_at'),
    additions: pull.integerOrNull('additions'),
    deletions: pull.integerOrNull('deletions'),
    changed_files: pull.integerOrNull('changed_files'),
    ...(files && { files: withinColumn(files.map(convertFile)) }),
    base_branch: pull.object('base').textOrNull('ref'),
    head_branch: pull.object('head').textOrNull('ref'),
    // Before the merge this is a commit that GitHub made to try it.
    merge_commit_sha: mergedAt === null ? null : pull.textOrNull('merge_commit_sha'),
    labels: pull.list('labels').map((label) => label.text('name')),
    merge_queue_entered_at: timeline.findLast(({ type }) => type === 'added_to_merge_queue')?.at ?? null,
  };
}

/** A pull request that was turned into a draft before it first became ready was not opened as one. */
function readyAt(timeline: readonly TimelineEvent[]): string | null {
  const first = timeline.find(({ type }) => type === 'ready_for_review' || type === 'convert_to_draft');
  return first?.type === 'ready_for_review' ? first.at : null;
}

function convertFile(payload: unknown): CountedFile {
  const file = Payload.of(payload, 'changed file');
  return { path: file.text('filename'), additions: file.integer('additions'), deletions: file.integer('deletions') };
}

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

/** The person of a commit is its author: the committer of what is merged or edited on the page is GitHub itself. */
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
