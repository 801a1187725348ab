import { posthookSessionMessages, posthookSessions } from '../../catalogue/tables/posthook-sessions.ts';
import { ofParent, ofSiblings } from './derivation.ts';
import { deriveSession, turnMinutes } from './session.ts';

export const sessionTotals = ofParent(posthookSessions, {
  reads: [
    'started_at',
    'given_active_minutes',
    'input_tokens',
    'output_tokens',
    'cache_read_tokens',
    'cache_creation_tokens',
  ],
  parts: {
    posthook_session_messages: ['message_ts'],
    posthook_session_files: ['file_path'],
    posthook_session_commits: ['commit_id'],
  },
  writes: ['date', 'total_tokens', 'files_edited', 'commits_contributed', 'active_minutes'],
  derive: (row, parts, { zone }) =>
    deriveSession(
      row,
      parts.posthook_session_messages,
      parts.posthook_session_files.length,
      parts.posthook_session_commits.length,
      zone,
    ),
});

export const messageTurns = ofSiblings(posthookSessionMessages, {
  reads: ['message_id', 'message_seq', 'message_ts', 'role', 'given_turn_minutes'],
  writes: ['turn_minutes'],
  derive: (messages) => {
    const turns = turnMinutes(messages);
    return messages.map(({ message_id }) => ({ turn_minutes: turns.get(message_id ?? '') ?? null }));
  },
});
