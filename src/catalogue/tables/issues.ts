import { duration, longText, number, text, textList, timestamp } from '../record.ts';
import { fieldsOfIssue, idOfIssue } from '../record-ids.ts';
import { completed, derived, hidden, inherited, type RowOf, table } from '../table.ts';
import { personColumns, personNaming } from './person-columns.ts';

export const ticketStatuses = ['triage', 'backlog', 'unstarted', 'started', 'completed', 'canceled'] as const;

export const issues = table({
  name: 'issues',
  one: 'an issue',
  meaning: 'Issues and tickets.',
  key: ['issue_id'],
  composedKey: {
    field: 'issue_id',
    from: 'source and an issue_key such as acme/web#7',
    example: 'github:acme/web#7',
    make: idOfIssue,
    fieldsOfShort: fieldsOfIssue,
  },
  references: ['parent_issue_id'],
  person: 'assignee',
  naming: personNaming,
  // An issue is its assignee's from its start.
  activity: { at: ['started_at', 'completed_at'] },
  dates: {
    created_at: 'created_at',
    started_at: 'started_at',
    completed_at: 'completed_at',
    closed_at: 'closed_at',
  },
  needs: { issue_cycle_time: ['completed_at'] },
  columns: {
    issue_id: text('Identifier of the issue.'),
    issue_key: text('Key that people know it by, such as ABC-12.'),
    issue_title: text('Title.'),
    issue_url: text('Address of its page.'),
    issue_body: longText('Description, in full.'),
    issue_type: text('Type, such as Bug or Story.'),
    source: text('Tracker, such as jira, linear or github.'),
    project_id: text('Identifier of the project.'),
    project_name: text('Name of the project.'),
    ...personColumns,
    ticket_status: text('State.', ticketStatuses),
    status_name: text('State in the tracker’s own words.'),
    priority: text('Priority.'),
    story_points: number('Estimate.'),
    created_at: timestamp('When it was created.'),
    started_at: timestamp('When work on it started.'),
    completed_at: timestamp('When it was completed.'),
    closed_at: timestamp('When it was closed, completed or not.'),
    branch_name: text('Branch that the work is done on.'),
    labels: textList('Labels.'),
    creator_name: text('Who created it, by name.'),
    sprint_name: text('Sprint.'),
    parent_issue_id: text('Issue that it is part of. acme/web#7 is short for an id.'),
    link_key: hidden(derived(text('Key by which pull requests name it.'))),
    pr_ids: derived(textList('Stored pull requests that name it, sorted.')),
    issue_cycle_time: derived(duration('Creation to completion.')),
  },
});
export type IssueRow = RowOf<typeof issues>;

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
    source: completed(text('Tracker, by default that of the issue.')),
    issue_key: inherited(text('Key of the issue.')),
    issue_title: inherited(text('Title of the issue.')),
    project_id: inherited(text('Project of the issue.')),
    project_name: inherited(text('Name of the project of the issue.')),
    ticket_status: hidden(inherited(text('State of the issue.'))),
    pr_ids: hidden(inherited(textList('Pull requests that name the issue.'))),
    ...personColumns,
    comment: longText('The comment, in full.'),
    created_at: timestamp('When it was written.'),
  },
});
