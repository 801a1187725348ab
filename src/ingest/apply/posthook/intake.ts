import {
  disputedSessions,
  type PostedCommitFile,
  type PostedLineRange,
  postedCommitFiles,
  postedLineRanges,
} from '../../../catalogue/derivation-state/posthook-state.ts';
import type { PostedTableName } from '../../../catalogue/posthook-payload.ts';
import type { FactTable } from '../../../catalogue/tables/tables.ts';
import type { PostedRejection, PostedRow, PostedRows } from '../../read/posthook-payload.ts';
import { applyRecords } from '../apply-records.ts';
import type { Batch } from '../batch.ts';
import { holdParts, releaseParts } from './held-parts.ts';
import { fileKey, type SessionFile, sumLines } from './line-sums.ts';
import type { SessionGate } from './session-gate.ts';

/** Tables whose rows are records of a table of ours. */
const asRecords = {
  sessions: 'posthook_sessions',
  session_prompts: 'posthook_session_messages',
  commit_sessions: 'posthook_session_commits',
} as const satisfies { readonly [N in PostedTableName]?: FactTable };

/** Takes in rows that the hook sent, with the sums that follow from them. The latest row with a key is the one that counts. */
export async function applyPosted(
  batch: Batch,
  rows: PostedRows,
  gate: SessionGate,
): Promise<readonly PostedRejection[]> {
  const { passed, held, rejected } = await gate.pass(batch, rows);
  const tooMany = await holdParts(batch, held, gate.sender.personId);
  await applyAs(batch, 'sessions', passed, false);
  // What came before its session is older than what comes with it.
  await takeHeldParts(batch);
  await applyParts(batch, passed, !gate.sender.isOwner);
  return [...rejected, ...tooMany];
}

/** Takes in the parts that engineers sent before their sessions, once a session has come from any source. */
async function takeHeldParts(batch: Batch): Promise<void> {
  await applyParts(batch, await releaseParts(batch), true);
}

async function applyParts(batch: Batch, rows: PostedRows, sentByEngineer: boolean): Promise<void> {
  await applyAs(batch, 'session_prompts', rows, sentByEngineer);
  await applyAs(batch, 'commit_sessions', rows, sentByEngineer);
  const files = new Map<string, SessionFile>();
  await noteRanges(batch, rows.event_line_ranges ?? [], files);
  await noteCommitFiles(batch, rows.commit_session_files ?? [], files);
  const sessions = new Set(
    [rows.sessions, rows.commit_sessions].flatMap((some = []) => some.map(({ session }) => session)),
  );
  await sumLines(batch, sessions, files);
}

async function applyAs(
  batch: Batch,
  posted: keyof typeof asRecords,
  rows: PostedRows,
  sentByEngineer: boolean,
): Promise<void> {
  const table = asRecords[posted];
  const lines = (rows[posted] ?? []).map(({ line, record }) => ({ line, value: record }));
  if (lines.length === 0) return;
  const [problem] = await applyRecords(batch, { table, lines, sentByEngineer });
  if (problem) throw new Error(`a row that was read is no record of ${table}: ${problem.detail}`);
}

async function noteRanges(
  { session }: Batch,
  rows: readonly PostedRow[],
  files: Map<string, SessionFile>,
): Promise<void> {
  if (rows.length === 0) return;
  const latest = new Map<string, PostedLineRange>();
  for (const { record } of rows) {
    const range = record as unknown as PostedLineRange;
    latest.set(JSON.stringify([range.session_id, range.range_id]), range);
  }
  const ranges = [...latest.values()];
  // A range that was put down to another file before leaves that file.
  const earlier = await session.select(postedLineRanges, ['session_id', 'file_path'], {
    columns: ['session_id', 'range_id'],
    among: ranges.map(({ session_id, range_id }) => [session_id, range_id]),
  });
  for (const row of earlier) noteFile(files, row as SessionFile, true);
  for (const row of ranges) noteFile(files, row as SessionFile);
  await session.put(postedLineRanges, ranges);
}

async function noteCommitFiles(
  { session }: Batch,
  rows: readonly PostedRow[],
  files: Map<string, SessionFile>,
): Promise<void> {
  const latest = new Map<string, PostedCommitFile>();
  for (const { record } of rows) {
    const { session_id, commit_id, file_path, committed_lines = null } = record as unknown as PostedCommitFile;
    noteFile(files, { session_id, file_path } as SessionFile);
    latest.set(JSON.stringify([session_id, commit_id, file_path]), {
      session_id,
      commit_id,
      file_path,
      committed_lines,
    });
  }
  await session.put(postedCommitFiles, [...latest.values()]);
}

function noteFile(files: Map<string, SessionFile>, { session_id, file_path }: SessionFile, hasLost = false): void {
  const file = { session_id, file_path };
  const key = fileKey(file);
  files.set(key, { ...file, hasLost: hasLost || files.get(key)?.hasLost === true });
}

/** What follows from the sessions of a batch, from any source: reports of gone ones go, held parts of new ones come. */
export async function settlePosted(batch: Batch): Promise<void> {
  await forgetPosted(batch);
  await takeHeldParts(batch);
}

/** Removes what was reported of sessions and files that are gone: it must not come back with the next report. */
async function forgetPosted({ session, tables }: Batch): Promise<void> {
  const gone = <R>(entries: Iterable<{ before: R | undefined; after: unknown }>): R[] =>
    [...entries].flatMap(({ before, after }) => (before && !after ? [before] : []));
  const sessions = gone(tables.posthook_sessions.entries.values()).map(({ session_id }) => session_id);
  const files = gone(tables.posthook_session_files.entries.values());
  if (sessions.length > 0) await session.remove(disputedSessions, { column: 'session_id', in: sessions });
  for (const reported of [postedLineRanges, postedCommitFiles]) {
    if (sessions.length > 0) await session.remove(reported, { column: 'session_id', in: sessions });
    if (files.length > 0) {
      await session.remove(reported, {
        columns: ['session_id', 'file_path'],
        among: files.map(({ session_id, file_path }) => [session_id, file_path]),
      });
    }
  }
}
