import { completed } from '../column.ts';
import { integer, longText, number, text, timestamp } from '../record.ts';
import { type RowOf, table } from '../table.ts';
import { partsEngineer, sessionColumns, sessionParent } from './posthook-session-columns.ts';

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
    tool_calls: integer('Calls of tools it made; null unless sent.'),
    turn_minutes: completed(number('Minutes from a prompt to the last message before the next one.')),
  },
});
export type SessionMessageRow = RowOf<typeof posthookSessionMessages>;
