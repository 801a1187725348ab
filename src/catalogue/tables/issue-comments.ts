import { completed, hidden, inherited } from '../column.ts';
import { longText, text, timestamp } from '../record.ts';
import { table } from '../table.ts';
import { personColumns, personNaming } from './person-columns.ts';

export const issueComments = table({
  name: 'issue_comments',
  one: 'a comment on an issue',
  meaning: 'Comments on issues.',
  key: ['issue_comment_id'],
  person: 'commenter',
  naming: personNaming,
  activity: { at: ['created_at'] },
  parent: { table: 'issues', key: ['issue_id'] },
  dates: { created_at: 'created_at' },
  columns: {
    issue_comment_id: text('Identifier of the comment.'),
    issue_id: text('Issue it belongs to.'),
    source: completed(text('Tracker; that of the issue when the record names none.')),
    issue_key: inherited(text('Key of the issue.')),
    issue_title: inherited(text('Title of the issue.')),
    project_id: inherited(text('Project of the issue.')),
    project_name: inherited(text('Name of the project of the issue.')),
    ticket_status: hidden(inherited(text('State of the issue.'))),
    ...personColumns,
    comment: longText('The comment, in full.'),
    created_at: timestamp('When it was written.'),
  },
});
