import { postedTableNames, recordTableOf } from '../../../catalogue/posted-tables.ts';
import type { PostedRow } from '../../read/posted-rows.ts';
import type { PostedRejection } from '../../read/posthook-payload.ts';
import { applyRecords } from '../apply-records.ts';
import type { Batch } from '../batch.ts';
import { holdParts, releaseParts } from './held-parts.ts';
import { addUpLines, forgetReports } from './line-sums.ts';
import type { SessionGate } from './session-gate.ts';

/** Takes in rows that the hook sent, with the sums that follow from them. The latest row with a key is the one that counts. */
export async function applyPosted(
  batch: Batch,
  rows: readonly PostedRow[],
  gate: SessionGate,
): Promise<readonly PostedRejection[]> {
  const sessions = await gate.sessions(batch, rows.filter(isSession));
  await applyRows(batch, sessions.passed, false);
  // Parts that came before their session are older than parts that come with it.
  await takeHeldParts(batch);
  const parts = await gate.parts(
    batch,
    rows.filter((row) => !isSession(row)),
  );
  const tooMany = await holdParts(batch, parts.early, gate.sender.personId);
  await applyRows(batch, parts.passed, !gate.sender.isOwner);
  await addUpLines(batch, [...sessions.passed, ...parts.passed]);
  return [...sessions.rejected, ...parts.rejected, ...tooMany];
}

const isSession = ({ table }: PostedRow): boolean => table === 'sessions';

/** Applies the sessions of a batch, from any source: reports of gone sessions go, held parts of new ones come. */
export async function settlePosted(batch: Batch): Promise<void> {
  const { posthook_sessions, posthook_session_files } = batch.tables;
  if (posthook_sessions.entries.size + posthook_session_files.entries.size === 0) return;
  await forgetReports(batch);
  await takeHeldParts(batch);
}

async function takeHeldParts(batch: Batch): Promise<void> {
  const parts = await releaseParts(batch);
  await applyRows(batch, parts, true);
  await addUpLines(batch, parts);
}

/** Applies the rows that are records of a table of ours. */
async function applyRows(batch: Batch, rows: readonly PostedRow[], sentByEngineer: boolean): Promise<void> {
  for (const posted of postedTableNames) {
    const table = recordTableOf(posted);
    const own = rows.filter((row) => row.table === posted);
    if (!table || own.length === 0) continue;
    const lines = own.map(({ line, record }) => ({ line, value: record }));
    const [problem] = await applyRecords(batch, { table, lines, sentByEngineer });
    if (problem) throw new Error(`a row that was read is no record of ${table}: ${problem.detail}`);
  }
}
