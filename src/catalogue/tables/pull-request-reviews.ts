import { derived, hidden } from '../column.ts';
import { boolean, integer, longText, text, timestamp } from '../record.ts';
import { table } from '../table.ts';
import { personColumns, personNaming } from './person-columns.ts';
import { pullRequestColumns, pullRequestDates, pullRequestParent } from './pull-request-columns.ts';

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
