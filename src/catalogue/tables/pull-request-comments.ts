import { longText, text, timestamp } from '../record.ts';
import { table } from '../table.ts';
import { personColumns, personNaming } from './person-columns.ts';
import { pullRequestColumns, pullRequestDates, pullRequestParent } from './pull-request-columns.ts';

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
