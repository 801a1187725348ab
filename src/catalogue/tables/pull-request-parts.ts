import { amount, boolean, integer, json, longText, text, textList, timestamp } from '../record.ts';
import { completed, derived, hidden, inherited, type RowOf, table } from '../table.ts';
import { personColumns, personNaming } from './person-columns.ts';
import { reviewRoundsBuckets } from './pull-requests.ts';

/** The columns that the parts of a pull request take from it. */
const pullRequestColumns = {
  pr_id: text('Pull request it belongs to.'),
  source: completed(text('Code host, by default that of the pull request.')),
  repository: inherited(text('Repository of the pull request, owner/name.')),
  repository_name: inherited(text('Repository without its owner.')),
  pr_number: inherited(integer('Number of the pull request.')),
  pr_title: inherited(text('Title of the pull request.')),
  pr_url: inherited(text('Address of the pull request.')),
  pr_state: inherited(text('State of the pull request.')),
  pr_category: inherited(text('Kind of work of the pull request.')),
  pr_created_at: inherited(timestamp('When the pull request was created.')),
  pr_merged_at: inherited(timestamp('When the pull request was merged.')),
  pr_closed_at: inherited(timestamp('When the pull request was closed.')),
  base_branch: inherited(text('Branch that the pull request is merged into.')),
  head_branch: inherited(text('Branch that the pull request comes from.')),
  issue_ids: hidden(inherited(textList('Issues that the pull request names.'))),
  review_rounds_bucket: hidden(inherited(text('Review rounds of the pull request in buckets.', reviewRoundsBuckets))),
} as const;

/** Dates of the pull request that its parts can be windowed by. */
const pullRequestDates = {
  pr_created_at: 'pr_created_at',
  created_at: 'pr_created_at',
  pr_merged_at: 'pr_merged_at',
  merged_at: 'pr_merged_at',
  pr_closed_at: 'pr_closed_at',
  closed_at: 'pr_closed_at',
} as const;

const pullRequestParent = { table: 'pull_requests', key: ['pr_id'] } as const;

export const reviewStates = ['approved', 'changes_requested', 'commented', 'dismissed'] as const;

export const pullRequestReviews = table({
  name: 'pull_request_reviews',
  one: 'a review',
  meaning: 'Reviews of pull requests.',
  key: ['pr_review_id'],
  person: 'reviewer',
  naming: personNaming,
  activity: { at: ['reviewed_at'] },
  parent: pullRequestParent,
  dates: { reviewed_at: 'reviewed_at', ...pullRequestDates },
  columns: {
    pr_review_id: text('Identifier of the review.'),
    ...pullRequestColumns,
    ...personColumns,
    review_state: text('What the reviewer decided.', reviewStates),
    reviewed_at: timestamp('When it was submitted.'),
    review_url: text('Address of the review.'),
    review_body: longText('What the reviewer wrote, in full.'),
    review_hour_of_day: derived(integer('Hour of the day, 0 to 23, in the organisation’s time zone.')),
    is_review: hidden(derived(boolean('Whether it is a review by another person than the author.'))),
  },
});

export const pullRequestComments = table({
  name: 'pull_request_comments',
  one: 'a comment on a pull request',
  meaning: 'Comments on pull requests, in the conversation and on lines alike.',
  key: ['comment_id'],
  person: 'commenter',
  naming: personNaming,
  activity: { at: ['commented_at'] },
  parent: pullRequestParent,
  dates: { commented_at: 'commented_at', ...pullRequestDates },
  columns: {
    comment_id: text('Identifier of the comment.'),
    ...pullRequestColumns,
    ...personColumns,
    comment: longText('The comment, in full.'),
    comment_url: text('Address of the comment.'),
    commented_at: timestamp('When it was written.'),
    in_reply_to: text('Comment that it answers.'),
    file_path: text('File that it stands at.'),
  },
});

export const pullRequestCommits = table({
  name: 'pull_request_commits',
  one: 'a commit of a pull request',
  meaning: 'Commits of pull requests. One commit can be in two pull requests, and is then two rows.',
  key: ['commit_id'],
  person: 'committer',
  naming: personNaming,
  activity: { at: ['authored_at', 'committed_at'] },
  parent: pullRequestParent,
  dates: { committed_at: 'committed_at', authored_at: 'authored_at', ...pullRequestDates },
  columns: {
    commit_id: text('Identifier of the commit in its pull request. Connectors write {pr_id}:{sha}.'),
    ...pullRequestColumns,
    ...personColumns,
    sha: text('Hash of the commit.'),
    commit_message: longText('Message, in full.'),
    committed_at: timestamp('Committer date: when it came to be as it is.'),
    authored_at: timestamp('Author date: when it was first written.'),
    commit_url: text('Address of the commit.'),
    additions: amount('Added lines.'),
    deletions: amount('Deleted lines.'),
  },
});
export type CommitRow = RowOf<typeof pullRequestCommits>;

export const pullRequestEvents = table({
  name: 'pull_request_events',
  one: 'an event of a pull request',
  meaning: 'What happened to pull requests: labels, requests for review, merges, force pushes and the like.',
  key: ['pr_id', 'event_type', 'event_at', 'event_url'],
  mayBeEmpty: ['event_url'],
  person: 'actor',
  naming: personNaming,
  parent: pullRequestParent,
  dates: { event_at: 'event_at', ...pullRequestDates },
  columns: {
    ...pullRequestColumns,
    event_type: text('What happened.'),
    event_at: timestamp('When it happened.'),
    event_url: text('Address of the event, empty where none is known.'),
    ...personColumns,
    details: json('What else the source says of it.'),
  },
});
