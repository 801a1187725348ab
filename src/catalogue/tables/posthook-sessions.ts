import { amount, boolean, date, integer, longText, number, text, timestamp } from '../record.ts';
import { completed, derived, hidden, inherited, type RowOf, table } from '../table.ts';
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
    source: text('Where the login of the engineer is valid. By default any code host.'),
    agent_slug: text('Coding agent.'),
    model_slug: text('Model.'),
    repo_name: text('Repository it worked in.'),
    branch: text('Branch it worked on.'),
    started_at: timestamp('When it started.'),
    ended_at: timestamp('When it ended.'),
    date: derived(date('Day it started, in the organisation’s time zone.')),
    active_minutes: completed(
      number(
        'Minutes of activity, worked out from gaps of at most five minutes between messages when no source says it.',
      ),
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

/** The columns that the parts of a session take from it, its engineer included. */
const sessionColumns = {
  session_id: text('Session it belongs to.'),
  engineer_email: inherited(text('Email address of the engineer of the session.')),
  merged_user_id: inherited(text('Identifier of the engineer in the directory.')),
  is_bot: inherited(boolean('Whether the engineer is a bot.')),
  actor: hidden(inherited(text('The engineer, or else the unknown account.'))),
  agent_slug: inherited(text('Coding agent of the session.')),
  model_slug: inherited(text('Model of the session.')),
  repo_name: inherited(text('Repository of the session.')),
  date: inherited(date('Day of the session.')),
} as const;

/**
 * The person of a part in the words of its source. A part belongs to the person of its session, so nothing is derived
 * from it.
 */
const partsEngineer = {
  engineer_email: text('Email address of the engineer. The session decides.'),
  person_email: text('The same as engineer_email.'),
  person_login: text('Login of the engineer on a code host. The session decides.'),
} as const;

const sessionParent = { table: 'posthook_sessions', key: ['session_id'] } as const;

export const posthookSessionMessages = table({
  name: 'posthook_session_messages',
  one: 'a message of a session',
  meaning: 'Messages of AI coding sessions.',
  key: ['message_id'],
  person: 'engineer',
  parent: sessionParent,
  ignoredFields: partsEngineer,
  dates: { date: 'date', message_ts: 'message_ts' },
  columns: {
    message_id: text('Identifier of the message.'),
    ...sessionColumns,
    message_seq: integer('Place in the session.'),
    message_ts: timestamp('When it was sent.'),
    role: text('Who wrote it, such as user or assistant.'),
    source: text('How it became known: transcript or hook.'),
    message_text: longText('The message, in full.'),
    tool_calls: integer('Calls of tools it made. Null unless sent.'),
    turn_minutes: completed(number('Minutes from a prompt to the last message before the next one.')),
  },
});
export type SessionMessageRow = RowOf<typeof posthookSessionMessages>;

export const posthookSessionFiles = table({
  name: 'posthook_session_files',
  one: 'a file of a session',
  meaning: 'Files that AI coding sessions edited.',
  key: ['session_id', 'file_path'],
  person: 'engineer',
  parent: sessionParent,
  ignoredFields: partsEngineer,
  dates: { date: 'date' },
  columns: {
    ...sessionColumns,
    file_path: text('Path of the file.'),
    generated_lines: amount('Lines the session wrote in it.'),
    committed_lines: amount('Of those, lines that were committed.'),
    edits: amount('Number of edits.'),
  },
});

export const posthookSessionCommits = table({
  name: 'posthook_session_commits',
  one: 'a commit of a session',
  meaning: 'Commits that AI coding sessions contributed to.',
  key: ['session_id', 'commit_id'],
  person: 'engineer',
  sentByEngineer: 'sent_by_engineer',
  parent: sessionParent,
  ignoredFields: partsEngineer,
  dates: { date: 'date', committed_at: 'committed_at' },
  columns: {
    ...sessionColumns,
    commit_id: text('Hash of the commit.'),
    committed_at: timestamp('When it was committed.'),
    committed_lines: amount('Lines of the session in it.'),
    commit_url: text('Address of the commit.'),
    sent_by_engineer: hidden(
      derived(boolean('Whether the key of its engineer brought it. An Owner’s key and an import are trusted.')),
    ),
  },
});
