import { completed, hidden, inherited } from '../column.ts';
import { integer, text, timestamp } from '../record.ts';
import { reviewRoundsBuckets } from './pull-requests.ts';

/** What the parts of a pull request know of it. */
export const pullRequestColumns = {
  pr_id: text('Pull request it belongs to.'),
  source: completed(text('Code host; that of the pull request when the record names none.')),
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
  review_rounds_bucket: hidden(inherited(text('Review rounds of the pull request in buckets.', reviewRoundsBuckets))),
} as const;

/** Dates of the pull request that its parts can be windowed by. */
export const pullRequestDates = {
  pr_created_at: 'pr_created_at',
  created_at: 'pr_created_at',
  pr_merged_at: 'pr_merged_at',
  merged_at: 'pr_merged_at',
  pr_closed_at: 'pr_closed_at',
  closed_at: 'pr_closed_at',
} as const;

export const pullRequestParent = { table: 'pull_requests', key: ['pr_id'] } as const;
