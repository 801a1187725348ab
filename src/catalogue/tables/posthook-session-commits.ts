import { derived, hidden } from '../column.ts';
import { amount, boolean, text, timestamp } from '../record.ts';
import { table } from '../table.ts';
import { partsEngineer, sessionColumns, sessionParent } from './posthook-session-columns.ts';

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
      derived(boolean('Whether the key of its engineer brought it; an Owner’s key and an import are trusted.')),
    ),
  },
});
