import { disputedSessions, postedCommitFiles, postedLineRanges } from '../../../catalogue/derivation-state.ts';
import type { Row, Table, Value } from '../../../catalogue/table.ts';
import { listsByKey } from '../../../lists-by-key.ts';
import type { Condition } from '../../../warehouse/intake-port.ts';
import type { PostedRow } from '../../read/posted-rows.ts';
import type { IntakeSession } from '../../write/intake-session.ts';
import { TableOverlay } from '../../write/table-overlay.ts';
import type { Batch } from '../batch.ts';

interface SessionFile extends Row {
  readonly session_id: string;
  readonly file_path: string;
}

/**
 * Keeps the ranges of lines and the files of commits among some rows, and adds up again how many lines their sessions and
 * files wrote and committed, from everything that was reported of them. What nothing was reported of stays as it is.
 */
export async function addUpLines({ session, tables }: Batch, rows: readonly PostedRow[]): Promise<void> {
  const ids = [...new Set(rows.flatMap(({ table, session: id }) => (table === 'session_prompts' ? [] : [id])))];
  if (ids.length === 0) return;
  const ofSessions = { column: 'session_id', in: ids };
  const ranges = await reported(session, postedLineRanges, rowsOf(rows, 'event_line_ranges'), ofSessions);
  const commitFiles = await reported(session, postedCommitFiles, rowsOf(rows, 'commit_session_files'), ofSessions);
  await tables.posthook_session_commits.load(session, ofSessions);
  const written = afterOf(ranges);

  // A range that was put down to another file before leaves that file.
  const left = ranges.changed().flatMap(({ before }) => (before ? [before as SessionFile] : []));
  const touched = [...rowsOf(rows, 'event_line_ranges'), ...rowsOf(rows, 'commit_session_files'), ...left];
  const files = new Map(touched.map((row) => [fileKey(row), row as SessionFile]));
  const leftFiles = new Set(left.map(fileKey));
  const writtenTo = listsByKey(written, fileKey);
  const committedOf = listsByKey(afterOf(commitFiles), fileKey);
  const overlay = tables.posthook_session_files;
  await overlay.loadWhole(session, [...files.values()]);
  for (const [key, file] of files) {
    const [lines, kept] = [writtenTo.get(key), committedOf.get(key)];
    const entry = overlay.entries.get(overlay.keyOf(file));
    if (lines || kept) {
      const row = overlay.make(file);
      if (lines) Object.assign(row, { generated_lines: sum(lines, 'lines'), edits: lines.length });
      else if (leftFiles.has(key)) Object.assign(row, { generated_lines: null, edits: null });
      if (kept) row.committed_lines = sum(kept, 'committed_lines');
    } else if (entry) overlay.remove(entry);
  }

  const known = tables.posthook_sessions;
  await known.loadWhole(
    session,
    ids.map((session_id) => ({ session_id })),
  );
  const writtenIn = listsByKey(written, ({ session_id }) => session_id);
  const committedIn = listsByKey(afterOf(tables.posthook_session_commits), ({ session_id }) => session_id);
  for (const id of ids) {
    const row = known.entries.get(id)?.after;
    const [lines, kept] = [writtenIn.get(id), committedIn.get(id)];
    if (row && lines) row.generated_lines = sum(lines, 'lines');
    if (row && kept) row.committed_lines = sum(kept, 'committed_lines');
  }
}

/** Removes what was reported of sessions and files that are gone: it must not come back with the next report. */
export async function forgetReports({ session, tables }: Batch): Promise<void> {
  const gone = <R>(entries: Iterable<{ before: R | undefined; after: unknown }>): R[] =>
    [...entries].flatMap(({ before, after }) => (before && !after ? [before] : []));
  const sessions = gone(tables.posthook_sessions.entries.values()).map(({ session_id }) => session_id);
  const files = gone(tables.posthook_session_files.entries.values());
  const ofSessions = { column: 'session_id', in: sessions };
  const ofFiles = {
    columns: ['session_id', 'file_path'],
    among: files.map(({ session_id, file_path }) => [session_id, file_path]),
  };
  if (sessions.length > 0) await session.remove(disputedSessions, ofSessions);
  for (const table of [postedLineRanges, postedCommitFiles]) {
    if (sessions.length > 0) await session.remove(table, ofSessions);
    if (files.length > 0) await session.remove(table, ofFiles);
  }
}

/** The stored reports of some sessions, with new rows in place of earlier ones with the same keys. */
async function reported<T extends Table>(
  session: IntakeSession,
  table: T,
  rows: readonly Row[],
  ofSessions: Condition,
): Promise<TableOverlay<T>> {
  const overlay = new TableOverlay(table);
  await overlay.load(session, ofSessions);
  for (const row of rows) {
    const kept: Record<string, Value> = overlay.make(row);
    for (const column of Object.keys(table.columns)) kept[column] = row[column] ?? null;
  }
  await overlay.write(session);
  return overlay;
}

const rowsOf = (rows: readonly PostedRow[], wanted: PostedRow['table']): Row[] =>
  rows.flatMap(({ table, record }) => (table === wanted ? [record as Row] : []));

const afterOf = <R>({ entries }: { readonly entries: ReadonlyMap<string, { after: R | undefined }> }): R[] =>
  [...entries.values()].flatMap(({ after }) => after ?? []);

const fileKey = ({ session_id, file_path }: Row): string => JSON.stringify([session_id, file_path]);

const sum = <C extends string>(rows: readonly { readonly [K in C]: number | null }[], column: C): number =>
  rows.reduce((total, row) => total + (row[column] ?? 0), 0);
