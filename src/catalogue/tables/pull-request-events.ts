import { json, text, timestamp } from '../record.ts';
import { table } from '../table.ts';
import { personColumns, personNaming } from './person-columns.ts';
import { pullRequestColumns, pullRequestDates, pullRequestParent } from './pull-request-columns.ts';

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
    event_url: text('Address of the event; empty where none is known.'),
    ...personColumns,
    details: json('What else the source says of it.'),
  },
});
