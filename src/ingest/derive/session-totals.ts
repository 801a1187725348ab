import { closedSpan, type TimeZone } from '../../calendar.ts';
import {
  posthookSessionMessages,
  posthookSessions,
  type SessionMessageRow,
  type SessionRow,
} from '../../catalogue/tables/posthook-sessions.ts';
import { ofParent, ofSiblings } from './derivation.ts';

type SessionGiven = Pick<
  SessionRow,
  | 'started_at'
  | 'input_tokens'
  | 'output_tokens'
  | 'cache_read_tokens'
  | 'cache_creation_tokens'
  | 'given_active_minutes'
>;

type SessionDerived = Pick<
  SessionRow,
  'date' | 'total_tokens' | 'files_edited' | 'commits_contributed' | 'active_minutes'
>;

/** A longer silence is a pause: the person left, or the agent was done. */
const pauseSeconds = 5 * 60;

/** Derives the columns of a session from the messages, files and commits that belong to it. */
export function deriveSession(
  session: SessionGiven,
  messages: readonly Pick<SessionMessageRow, 'message_ts'>[],
  files: number,
  commits: number,
  zone: TimeZone,
): SessionDerived {
  return {
    date: session.started_at === null ? null : zone.dayAt(session.started_at),
    total_tokens: sumOfKnown([
      session.input_tokens,
      session.output_tokens,
      session.cache_read_tokens,
      session.cache_creation_tokens,
    ]),
    files_edited: files,
    commits_contributed: commits,
    active_minutes:
      session.given_active_minutes ?? activeMinutes(messages.flatMap(({ message_ts }) => message_ts ?? [])),
  };
}

/** A kind of tokens that was not reported is taken as none, unless none was: then nothing is known. */
function sumOfKnown(amounts: readonly (number | null)[]): number | null {
  const known = amounts.flatMap((amount) => amount ?? []);
  return known.length === 0 ? null : known.reduce((sum, amount) => sum + amount, 0);
}

/** Minutes between messages that are not pauses. A single message took no time that is known of. */
function activeMinutes(times: readonly number[]): number | null {
  if (times.length === 0) return null;
  const inOrder = times.toSorted((a, b) => a - b);
  let seconds = 0;
  inOrder.forEach((at, i) => {
    const gap = at - (inOrder[i - 1] ?? at);
    if (gap <= pauseSeconds) seconds += gap;
  });
  return seconds / 60;
}

type Message = Pick<SessionMessageRow, 'message_id' | 'message_seq' | 'message_ts' | 'role' | 'given_turn_minutes'>;

/**
 * How long each prompt kept the agent busy: minutes to the last message before the next prompt. Null for other messages,
 * and for a prompt that nothing answered. What a source says itself wins.
 */
export function turnMinutes(messages: readonly Message[]): Map<string, number | null> {
  const minutes = new Map<string, number | null>();
  let lastReplyAt: number | null = null;
  // Backwards, so that the end of a turn is known when its prompt is met.
  for (const message of messages.toSorted(compareMessages).reverse()) {
    const isPrompt = message.role?.trim().toLowerCase() === 'user';
    const turn = isPrompt ? closedSpan(message.message_ts, lastReplyAt) : null;
    lastReplyAt = isPrompt ? null : (lastReplyAt ?? message.message_ts);
    if (message.message_id !== null) {
      minutes.set(message.message_id, message.given_turn_minutes ?? (turn === null ? null : turn / 60));
    }
  }
  return minutes;
}

/** By place, then time, then identifier; messages that lack one of these come after those that have it. */
function compareMessages(a: Message, b: Message): number {
  return (
    compareKnown(a.message_seq, b.message_seq) ||
    compareKnown(a.message_ts, b.message_ts) ||
    compareKnown(a.message_id, b.message_id)
  );
}

function compareKnown<T extends number | string>(a: T | null, b: T | null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b ? -1 : 1;
}

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
