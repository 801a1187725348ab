import { type HeldPart, heldParts } from '../../../catalogue/derivation-state/posthook-state.ts';
import { type PostedTableName, postedTableNames } from '../../../catalogue/posthook-payload.ts';
import type { Row, Table } from '../../../catalogue/table.ts';
import { posthookSessionMessages } from '../../../catalogue/tables/posthook-session-messages.ts';
import { posthookSessions } from '../../../catalogue/tables/posthook-sessions.ts';
import type { PostedRejection, PostedRow, PostedRows } from '../../read/posthook-payload.ts';
import { identify } from '../../resolve/person-naming.ts';
import type { TableOverlay } from '../../write/table-overlay.ts';
import { type Batch, tableOf } from '../batch.ts';
import { personOf } from './session-gate.ts';

type PartTable = Exclude<PostedTableName, 'sessions'>;

/** The key of a part among those of its session. */
const keys: Readonly<Record<PartTable, readonly string[]>> = {
  session_prompts: ['message_id'],
  event_line_ranges: ['range_id'],
  commit_sessions: ['commit_id'],
  commit_session_files: ['commit_id', 'file_path'],
};

/** Rows that are laid over the earlier one with their key, as records are. The others take its place. */
const areRecords: ReadonlySet<PartTable> = new Set(['session_prompts', 'commit_sessions']);

const partTables = postedTableNames.filter((name): name is PartTable => name !== 'sessions');

/** Parts that wait for one sender: what never becomes part of a session must not fill the disk. */
const heldMost = 100_000;
const tooMany = () =>
  `${heldMost.toLocaleString('en')} rows that your keys sent wait for their sessions already: the session must come first, then this row can be sent again`;

/**
 * Keeps parts of sessions that are not known yet, apart for each sender. The latest part with a key counts. Returns the
 * parts that there is no more room for.
 */
export async function holdParts(
  { session }: Batch,
  rows: PostedRows,
  senderId: string,
): Promise<readonly PostedRejection[]> {
  const held = new Map<string, HeldPart>();
  const sessions = new Set(partTables.flatMap((table) => (rows[table] ?? []).map((row) => row.session)));
  if (sessions.size === 0) return [];
  const ofSender = { column: 'merged_user_id', in: [senderId] };
  for (const part of await session.select(heldParts, heldColumns, {
    all: [{ column: 'session_id', in: [...sessions] }, ofSender],
  })) {
    held.set(nameOf(part), part);
  }
  let room = heldMost - ((await session.tally(heldParts, [], ofSender))[0]?.rows ?? 0);
  const rejected: PostedRejection[] = [];
  const changed = new Map<string, HeldPart>();
  for (const table of partTables) {
    for (const row of rows[table] ?? []) {
      const part_key = JSON.stringify(keys[table].map((column) => row.record[column] ?? null));
      const part = { session_id: row.session, merged_user_id: senderId, posted_table: table, part_key };
      const isNew = !held.has(nameOf(part));
      if (isNew && room <= 0) {
        rejected.push({ table, line: row.line, detail: tooMany() });
        continue;
      }
      if (isNew) room -= 1;
      const earlier = held.get(nameOf(part))?.record;
      const record = earlier != null && areRecords.has(table) ? { ...JSON.parse(earlier), ...row.record } : row.record;
      const kept: HeldPart = { ...part, record: JSON.stringify(record) };
      held.set(nameOf(part), kept);
      changed.set(nameOf(part), kept);
    }
  }
  await session.put(heldParts, [...changed.values()]);
  return rejected;
}

const heldColumns = ['session_id', 'merged_user_id', 'posted_table', 'part_key', 'record'] as const;

const nameOf = ({ session_id, posted_table, part_key }: Omit<HeldPart, 'record' | 'merged_user_id'>): string =>
  JSON.stringify([session_id, posted_table, part_key]);

/**
 * Takes out what was held for sessions that have just become known, or whose engineer has: the parts that the engineer
 * sent are returned, those of others are gone. A part that this batch brings again counts instead of the held one.
 */
export async function releaseParts(batch: Batch): Promise<PostedRows> {
  const { session, tables, resolver } = batch;
  const engineers = new Map<string, string>();
  for (const { before, after, part } of tables.posthook_sessions.entries.values()) {
    if (!after || part) continue;
    identify(posthookSessions, after, batch);
    const { session_id: id, merged_user_id: engineer } = after;
    if (id !== null && engineer !== null && before?.merged_user_id !== engineer) engineers.set(id, engineer);
  }
  if (engineers.size === 0) return {};
  const known = { column: 'session_id', in: [...engineers.keys()] };
  const parts = await session.select(heldParts, heldColumns, known);
  if (parts.length === 0) return {};
  await session.remove(heldParts, known);
  const released: { [N in PostedTableName]?: PostedRow[] } = {};
  const inOrder = parts.toSorted((a, b) => ((a.merged_user_id ?? '') < (b.merged_user_id ?? '') ? -1 : 1));
  for (const { session_id, merged_user_id, posted_table, record } of inOrder) {
    const isEngineers = personOf(resolver, { linked: merged_user_id }) === engineers.get(session_id ?? '');
    const table = partTables.find((name) => name === posted_table);
    if (!isEngineers || !table || session_id === null || record === null) continue;
    const row: PostedRow = { line: 0, session: session_id, record: JSON.parse(record) };
    const rows = released[table] ?? [];
    released[table] = rows;
    rows.push(row);
  }
  const { session_prompts: prompts = [], commit_sessions: commits = [] } = released;
  return {
    ...released,
    session_prompts: (await ownPrompts(batch, prompts, engineers)).filter(
      isNotIn(tableOf({ tables }, 'posthook_session_messages')),
    ),
    commit_sessions: commits.filter(isNotIn(tableOf({ tables }, 'posthook_session_commits'))),
  };
}

/** The key of a message does not hold its session, so one may turn out to be in a session of somebody else by now. */
async function ownPrompts(
  { session }: Batch,
  prompts: readonly PostedRow[],
  engineers: ReadonlyMap<string, string>,
): Promise<readonly PostedRow[]> {
  if (prompts.length === 0) return prompts;
  const ids = prompts.map(({ record }) => String(record.message_id));
  const there = await session.select(posthookSessionMessages, ['message_id', 'session_id', 'merged_user_id'], {
    column: 'message_id',
    in: ids,
  });
  const earlier = new Map(there.map((row) => [row.message_id, row]));
  return prompts.filter(({ session: id, record }) => {
    const known = earlier.get(String(record.message_id));
    return !known || known.session_id === id || known.merged_user_id === engineers.get(id);
  });
}

/** Whether a batch brings nothing for the row itself. */
function isNotIn(overlay: TableOverlay<Table>): (row: PostedRow) => boolean {
  const brought = new Set(overlay.changed().map(({ key }) => key));
  return ({ record }) => !brought.has(overlay.keyOf(record as Row));
}
