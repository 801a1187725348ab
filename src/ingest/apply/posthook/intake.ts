import { heldParts } from '../../../catalogue/derivation-state.ts';
import { postedTableNames, postedTables, recordTableOf } from '../../../catalogue/posted-tables.ts';
import type { Row } from '../../../catalogue/table.ts';
import { posthookSessions } from '../../../catalogue/tables/posthook-sessions.ts';
import { listsByKey } from '../../../lists-by-key.ts';
import type { PostedRow } from '../../read/posted-rows.ts';
import type { PostedRejection } from '../../read/posthook-payload.ts';
import { identify } from '../../resolve/resolver.ts';
import { TableOverlay } from '../../write/table-overlay.ts';
import { applyRecords } from '../apply-records.ts';
import { type Batch, tableOf } from '../batch.ts';
import { addUpLines, forgetReports } from './line-sums.ts';
import { personOf, SessionGate } from './session-gate.ts';

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

/** Parts that wait for one sender: what never becomes part of a session must not fill the disk. */
const maxHeld = 100_000;
const tooMany = `${maxHeld.toLocaleString('en')} rows that your keys sent wait for their sessions already: the session must come first, then this row can be sent again`;

/**
 * Keeps parts of sessions that are not known yet, apart for each sender. The latest part with a key counts. Returns the
 * parts that there is no more room for.
 */
async function holdParts(
  { session }: Batch,
  rows: readonly PostedRow[],
  senderId: string,
): Promise<readonly PostedRejection[]> {
  if (rows.length === 0) return [];
  const ofSender = { column: 'merged_user_id', in: [senderId] };
  const ofSessions = { column: 'session_id', in: [...new Set(rows.map((row) => row.session))] };
  const held = new TableOverlay(heldParts);
  await held.load(session, { all: [ofSessions, ofSender] });
  let room = maxHeld - ((await session.tally(heldParts, [], ofSender))[0]?.rows ?? 0);
  const rejected: PostedRejection[] = [];
  for (const { table, line, session: session_id, record } of rows) {
    const { key } = postedTables[table].into;
    const values = key.flatMap((column) => (column === 'session_id' ? [] : [record[column]]));
    const part_key = JSON.stringify(values);
    const name = { session_id, merged_user_id: senderId, posted_table: table, part_key };
    if (!held.entries.has(held.keyOf(name))) {
      if (room <= 0) {
        rejected.push({ table, line, detail: tooMany });
        continue;
      }
      room -= 1;
    }
    const part = held.make(name);
    // Records are laid over earlier ones. Other rows take their place.
    const earlier = part.record !== null && recordTableOf(table) ? JSON.parse(part.record) : {};
    part.record = JSON.stringify({ ...earlier, ...record });
  }
  await held.write(session);
  return rejected;
}

/**
 * Takes out what was held for sessions that have just become known, or whose engineer has: the parts that the engineer
 * sent are returned, as far as that person may send them now; those of others are gone. A part that this batch brings
 * again counts instead of the held one.
 */
async function releaseParts(batch: Batch): Promise<PostedRow[]> {
  const { session, tables, resolver } = batch;
  const engineers = new Map<string, string>();
  for (const { before, after, part } of tables.posthook_sessions.entries.values()) {
    if (!after || part) continue;
    identify(posthookSessions, after, batch);
    const { session_id: id, merged_user_id: engineer } = after;
    if (id !== null && engineer !== null && before?.merged_user_id !== engineer) engineers.set(id, engineer);
  }
  if (engineers.size === 0) return [];
  const ofSessions = { column: 'session_id', in: [...engineers.keys()] };
  const columns = ['session_id', 'merged_user_id', 'posted_table', 'record'] as const;
  const parts = await session.select(heldParts, columns, ofSessions);
  if (parts.length === 0) return [];
  await session.remove(heldParts, ofSessions);

  const inOrder = parts.toSorted((a, b) => ((a.merged_user_id ?? '') < (b.merged_user_id ?? '') ? -1 : 1));
  const sent = inOrder.flatMap(({ session_id: id, merged_user_id, posted_table, record }): PostedRow[] => {
    const isEngineers = personOf(resolver, { linked: merged_user_id }) === engineers.get(id ?? '');
    const table = postedTableNames.find((name) => name === posted_table);
    if (!isEngineers || !table || id === null || record === null) return [];
    return [{ table, line: 0, session: id, record: JSON.parse(record) }];
  });
  const brought = new Set(
    recordTables.flatMap((name) =>
      tableOf(batch, name)
        .changed()
        .map(({ key }) => name + key),
    ),
  );
  const released: PostedRow[] = [];
  for (const [personId = '', rows] of listsByKey(sent, (row) => engineers.get(row.session))) {
    const { passed } = await new SessionGate({ personId, isOwner: false }).parts(batch, rows);
    for (const row of passed) {
      const name = recordTableOf(row.table);
      if (!name || !brought.has(name + tableOf(batch, name).keyOf(row.record as Row))) released.push(row);
    }
  }
  return released;
}

const recordTables = postedTableNames.flatMap((name) => recordTableOf(name) ?? []);
