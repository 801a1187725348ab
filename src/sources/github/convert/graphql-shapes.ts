import type { Payload } from '../../payload.ts';
import type { PullRequestFamily } from './pull-request.ts';
import type { KeptEvent } from './timeline-events.ts';

/** A pull request as GraphQL answers it, every list of it complete. */
export interface GraphqlPullRequest {
  readonly pull: Payload;
  readonly labels: readonly Payload[];
  readonly timelineItems: readonly Payload[];
  readonly reviews: readonly Payload[];
  readonly reviewComments: readonly Payload[];
  readonly comments: readonly Payload[];
  readonly commits: readonly Payload[];
  readonly files: readonly Payload[];
}

/** Puts it into the shape of REST, so that one conversion makes the same records of both. */
export const restShapeOf = (
  { pull, labels, timelineItems, reviews, reviewComments, comments, commits, files }: GraphqlPullRequest,
  eventOf: ReadonlyMap<string, KeptEvent>,
): PullRequestFamily => ({
  pull: {
    number: pull.integer('number'),
    html_url: pull.text('url'),
    title: pull.textOrNull('title'),
    body: pull.textOrNull('body'),
    state: pull.text('state') === 'OPEN' ? 'open' : 'closed',
    draft: pull.isTrue('isDraft'),
    created_at: pull.time('createdAt'),
    closed_at: pull.timeOrNull('closedAt'),
    merged_at: pull.timeOrNull('mergedAt'),
    additions: pull.integerOrNull('additions'),
    deletions: pull.integerOrNull('deletions'),
    changed_files: pull.integerOrNull('changedFiles'),
    base: { ref: pull.textOrNull('baseRefName') },
    head: { ref: pull.textOrNull('headRefName') },
    merge_commit_sha: pull.objectOrNull('mergeCommit')?.text('oid') ?? null,
    labels: labels.map((label) => ({ name: label.text('name') })),
    user: account(pull.objectOrNull('author')),
  },
  timeline: timelineItems.map((item) => event(item, eventOf)),
  reviews: reviews.map((review) => ({
    id: review.id('fullDatabaseId'),
    user: account(review.objectOrNull('author')),
    state: review.text('state'),
    submitted_at: review.timeOrNull('submittedAt'),
    html_url: review.textOrNull('url'),
    body: review.textOrNull('body'),
  })),
  comments: comments.map(comment),
  reviewComments: reviewComments.map((item) => ({
    ...comment(item),
    path: item.textOrNull('path'),
    in_reply_to_id: item.objectOrNull('replyTo')?.id('fullDatabaseId') ?? null,
  })),
  commits: commits.map((item) => commit(item.object('commit'))),
  files: files.map((file) => ({
    filename: file.text('path'),
    additions: file.integer('additions'),
    deletions: file.integer('deletions'),
  })),
});

/** An app's login has `[bot]` at its end in REST only. */
function account(actor: Payload | null) {
  if (actor === null) return null;
  const [type, login] = [actor.text('__typename'), actor.text('login')];
  return { login: type === 'Bot' && !login.endsWith('[bot]') ? `${login}[bot]` : login, type };
}

const comment = (item: Payload) => ({
  id: item.id('fullDatabaseId'),
  user: account(item.objectOrNull('author')),
  body: item.textOrNull('body'),
  created_at: item.time('createdAt'),
  html_url: item.textOrNull('url'),
});

function commit(item: Payload) {
  const author = item.objectOrNull('author');
  const user = author?.objectOrNull('user') ?? null;
  return {
    sha: item.text('oid'),
    html_url: item.textOrNull('url'),
    author: user && { login: user.text('login'), type: 'User' },
    commit: {
      message: item.textOrNull('message'),
      author: {
        name: author?.textOrNull('name') ?? null,
        email: author?.textOrNull('email') ?? null,
        date: item.timeOrNull('authoredDate'),
      },
      committer: { date: item.timeOrNull('committedDate') },
    },
    stats: { additions: item.integer('additions'), deletions: item.integer('deletions') },
  };
}

function event(item: Payload, eventOf: ReadonlyMap<string, KeptEvent>) {
  const reviewer = item.objectOrNull('requestedReviewer');
  const isTeam = reviewer?.textOrNull('__typename') === 'Team';
  return {
    event: eventOf.get(item.text('__typename')) ?? null,
    node_id: item.text('id'),
    created_at: item.time('createdAt'),
    actor: account(item.objectOrNull('actor')),
    label: item.has('label') ? { name: item.object('label').text('name') } : null,
    milestone: item.has('milestoneTitle') ? { title: item.text('milestoneTitle') } : null,
    assignee: account(item.objectOrNull('assignee')),
    requested_team: isTeam ? { name: reviewer?.text('name') } : null,
    requested_reviewer: isTeam ? null : account(reviewer),
    rename: { from: item.textOrNull('previousTitle'), to: item.textOrNull('currentTitle') },
    dismissed_review: {
      state: item.textOrNull('previousReviewState'),
      dismissal_message: item.textOrNull('dismissalMessage'),
    },
    commit_id: item.objectOrNull('commit')?.text('oid') ?? null,
  };
}
