import { addDays } from '../../../../src/calendar.ts';
import { valueLabel } from '../../../../src/catalogue/labels/shown-names.ts';
import { textOf } from '../../ask/grouped-series.ts';
import { ask, askSeveral, type Question } from '../../ask/question.ts';
import type { Row } from '../../ask/send.ts';
import { aiSessionFigureWords } from './words.ts';

/** A session is looked for at any time: ten years is the longest window. */
const everDays = 3_650;

export const sessionQuestion = (id: string, today: string): Question =>
  ask('posthook-sessions-count', {
    filters: { session_id: id, start_date: addDays(today, -everDays), end_date: today },
    group_by: [
      'session_id',
      'date',
      'name',
      'agent_slug',
      'model_slug',
      'repo_name',
      'branch',
      'started_at',
      'ended_at',
      'active_minutes',
      'input_tokens',
      'output_tokens',
      'cache_read_tokens',
      'cache_creation_tokens',
      'total_tokens',
      'generated_lines',
      'committed_lines',
    ],
  });

/** Messages, files and commits are looked for on the day of their session. */
const ofSession = (session: Row) => {
  const day = String(session.date);
  return { session_id: String(session.session_id), start_date: day, end_date: day };
};

export const messagesQuestion = (session: Row): Question =>
  askSeveral(['posthook-session-message-counts'], {
    filters: ofSession(session),
    group_by: ['message_id', 'message_seq', 'message_ts', 'role', 'message_text', 'tool_calls', 'turn_minutes'],
  });

export const filesQuestion = (session: Row): Question =>
  askSeveral(['posthook-session-file-counts'], {
    filters: ofSession(session),
    group_by: ['session_id', 'file_path', 'generated_lines', 'committed_lines', 'edits'],
  });

export const commitsQuestion = (session: Row): Question =>
  askSeveral(['posthook-session-commit-counts'], {
    filters: ofSession(session),
    group_by: ['session_id', 'commit_id', 'committed_at', 'committed_lines', 'commit_url'],
  });

/** Messages in the order in which they were said: by number, else by time. */
export const inOrder = (messages: readonly Row[]): Row[] =>
  messages.toSorted(
    (a, b) =>
      Number(a.message_seq ?? 0) - Number(b.message_seq ?? 0) ||
      String(a.message_ts ?? '').localeCompare(String(b.message_ts ?? '')),
  );

/** Of the lines that were made, the share that ended up in a commit; null where none were made. */
export function keptShare({ generated_lines, committed_lines }: Row): number | null {
  if (typeof generated_lines !== 'number' || typeof committed_lines !== 'number' || generated_lines <= 0) return null;
  return Math.min(1, committed_lines / generated_lines);
}

/** Whether an address may be linked to: records come from elsewhere. */
export const isWebAddress = (url: string | null): url is string => url !== null && /^https?:\/\//.test(url);

/** `Claude Code with claude-sonnet-4 in ledger, on branch main`. */
export function sessionInWords(session: Row): string {
  const [agent, model, repository, branch] = [
    textOf(session.agent_slug),
    textOf(session.model_slug),
    textOf(session.repo_name),
    textOf(session.branch),
  ];
  return [
    agent === null ? aiSessionFigureWords.agent : valueLabel('agent_slug', agent),
    model && aiSessionFigureWords.with(model),
    repository && aiSessionFigureWords.in(repository),
    branch && aiSessionFigureWords.onBranch(branch),
  ]
    .filter((part) => part)
    .join(' ');
}
