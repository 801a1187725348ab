import { amount, text } from '../record.ts';
import { table } from '../table.ts';
import { partsEngineer, sessionColumns, sessionParent } from './posthook-session-columns.ts';

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
