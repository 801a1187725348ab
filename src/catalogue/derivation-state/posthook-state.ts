import { amount, longText, text } from '../record.ts';
import { type Table, table } from '../table.ts';

/**
 * Every range of lines that the hook has reported, so that one that is delivered again adds nothing to the sums on
 * sessions and files.
 */
export const postedLineRanges = table({
  name: 'posthook_line_ranges',
  one: 'a range of lines',
  meaning: 'Ranges of lines that coding agents wrote.',
  key: ['session_id', 'range_id'],
  dates: {},
  columns: {
    // Both, since some agents number their ranges from one in each session.
    session_id: text('Session that wrote it.'),
    range_id: text('Identifier of the range.'),
    file_path: text('File it was written to.'),
    lines: amount('How many lines.'),
  },
});

/** What each commit holds of each file of a session, for the same reason. */
export const postedCommitFiles = table({
  name: 'posthook_commit_files',
  one: 'a file of a session in a commit',
  meaning: 'Lines of sessions in the files of commits.',
  key: ['session_id', 'commit_id', 'file_path'],
  dates: {},
  columns: {
    session_id: text('Session.'),
    commit_id: text('Commit.'),
    file_path: text('File.'),
    committed_lines: amount('Lines of the session in it.'),
  },
});

/**
 * Parts of sessions that are not known yet, each as its sender sent it. Whose a session is shows when the session itself
 * comes: then the parts of its engineer are taken in, and those of other senders fall away.
 */
export const heldParts = table({
  name: 'posthook_held_parts',
  one: 'a held part',
  meaning: 'Parts of sessions that have not come yet.',
  key: ['session_id', 'merged_user_id', 'posted_table', 'part_key'],
  dates: {},
  columns: {
    session_id: text('Session that it says it is part of.'),
    merged_user_id: text('Person whose key sent it.'),
    posted_table: text('Table of the payload.'),
    part_key: text('What tells it from other parts of the session, as JSON.'),
    record: longText('The part, as JSON.'),
  },
});

/** A person other than its engineer who sent a session with the same identifier. It was refused, and `plumb doctor` says so. */
export const disputedSessions = table({
  name: 'posthook_disputed_sessions',
  one: 'a disputed session',
  meaning: 'Sessions that a second person called theirs.',
  key: ['session_id'],
  dates: {},
  columns: { session_id: text('Session.'), merged_user_id: text('Person whose key sent it, though it is another’s.') },
});

export const posthookStateTables = [
  postedLineRanges,
  postedCommitFiles,
  heldParts,
  disputedSessions,
] as const satisfies readonly Table[];
