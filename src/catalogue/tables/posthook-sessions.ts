import { completed, derived } from '../column.ts';
import { amount, date, integer, number, text, timestamp } from '../record.ts';
import { type RowOf, table } from '../table.ts';
import { personColumns } from './person-columns.ts';

const { person_email: _, person_login: __, ...engineer } = personColumns;

export const posthookSessions = table({
  name: 'posthook_sessions',
  one: 'an AI coding session',
  meaning: 'AI coding sessions.',
  key: ['session_id'],
  person: 'engineer',
  naming: { email: 'engineer_email', onAnyCodeHost: true },
  activity: { at: ['started_at'] },
  dates: { date: 'date', started_at: 'started_at', ended_at: 'ended_at' },
  aliases: { person_email: 'engineer_email' },
  columns: {
    session_id: text('Identifier of the session.'),
    engineer_email: text('Email address of the engineer.'),
    person_login: text('Login of the engineer: on the source of the record, or on any code host where it names none.'),
    ...engineer,
    source: text('Where the login of the engineer is valid; any code host where it is left out.'),
    agent_slug: text('Coding agent.'),
    model_slug: text('Model.'),
    repo_name: text('Repository it worked in.'),
    branch: text('Branch it worked on.'),
    started_at: timestamp('When it started.'),
    ended_at: timestamp('When it ended.'),
    date: derived(date('Day it started, in the organisation’s time zone.')),
    active_minutes: completed(
      number('Minutes of activity; from gaps of at most five minutes between messages when no source says it.'),
    ),
    input_tokens: amount('Tokens read.'),
    output_tokens: amount('Tokens written.'),
    cache_read_tokens: amount('Tokens read from the cache.'),
    cache_creation_tokens: amount('Tokens written to the cache.'),
    total_tokens: derived(amount('All four kinds of tokens together.')),
    generated_lines: amount('Lines it wrote.'),
    committed_lines: amount('Lines it wrote that were committed.'),
    files_edited: derived(integer('Files it edited.')),
    commits_contributed: derived(integer('Commits it contributed to.')),
  },
});
export type SessionRow = RowOf<typeof posthookSessions>;
