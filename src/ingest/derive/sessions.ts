import { inheritedColumns, type Row, type Table } from '../../catalogue/table.ts';
import type { SessionRow } from '../../catalogue/tables/posthook-sessions.ts';
import { type FactTable, factTables } from '../../catalogue/tables/tables.ts';
import { type Batch, tableOf } from '../apply/batch.ts';
import { type ChildEntry, loadParents, settleChild } from '../resolve/family.ts';
import { identify } from '../resolve/person-naming.ts';
import type { Mutable } from '../write/table-overlay.ts';
import { deriveSession, turnMinutes } from './session.ts';

/** What is read of the parts of a session that a batch does not bring itself, beside what they inherit. */
const ownColumns = {
  posthook_session_messages: [
    'message_id',
    'session_id',
    'message_seq',
    'message_ts',
    'role',
    'given_turn_minutes',
    'turn_minutes',
  ],
  posthook_session_files: ['session_id', 'file_path'],
  posthook_session_commits: ['session_id', 'commit_id', 'committed_lines'],
} as const satisfies Partial<Record<FactTable, readonly string[]>>;
type Part = keyof typeof ownColumns;
const parts = Object.keys(ownColumns) as Part[];
const partColumns = Object.fromEntries(
  parts.map((part) => [part, [...new Set([...ownColumns[part], ...inheritedColumns(factTables[part])])]]),
) as unknown as Readonly<Record<Part, readonly string[]>>;

const partOfSession = [
  'session_id',
  'engineer_email',
  'merged_user_id',
  'is_bot',
  'actor',
  'agent_slug',
  'model_slug',
  'repo_name',
  'started_at',
  'date',
  'given_active_minutes',
  'active_minutes',
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'cache_creation_tokens',
  'total_tokens',
  'files_edited',
  'commits_contributed',
] as const satisfies readonly (keyof SessionRow)[];

/** Sessions and their parts: whose they are, their totals, and the turns of their messages. */
export async function deriveSessions(batch: Batch): Promise<void> {
  const { tables, session } = batch;
  const own = tables.posthook_sessions;
  for (const { after, part } of own.entries.values()) if (after && !part) identify(after, batch);
  const touched = await loadParents(
    batch,
    tableOf({ tables }, 'posthook_sessions'),
    parts.map((part) => tableOf({ tables }, part)),
    partOfSession,
  );
  if (touched.size === 0) return;
  const groups = new Map<string, Record<Part, ChildEntry[]>>();
  for (const part of parts) {
    const overlay = tableOf({ tables }, part);
    await overlay.load(session, { column: 'session_id', in: [...touched] }, partColumns[part]);
    for (const entry of overlay.entries.values() as Iterable<ChildEntry>) {
      const id = entry.after?.session_id;
      if (typeof id !== 'string') continue;
      const group = groups.get(id) ?? noParts();
      groups.set(id, group);
      group[part].push(entry);
    }
  }
  for (const id of touched) {
    const row = own.entries.get(id)?.after;
    const group = groups.get(id) ?? noParts();
    if (row) deriveTotals(batch, row, group);
    for (const part of parts) {
      const table: Table = factTables[part];
      for (const entry of group[part]) settleChild(batch, table, entry, row);
    }
    deriveTurns(group.posthook_session_messages);
  }
}

const noParts = (): Record<Part, ChildEntry[]> => ({
  posthook_session_messages: [],
  posthook_session_files: [],
  posthook_session_commits: [],
});

function deriveTotals({ zone }: Batch, row: Mutable<SessionRow>, group: Record<Part, readonly ChildEntry[]>): void {
  const messages = present(group.posthook_session_messages).map((message) => ({
    message_ts: typeof message.message_ts === 'number' ? message.message_ts : null,
  }));
  const files = present(group.posthook_session_files).length;
  const commits = present(group.posthook_session_commits).length;
  Object.assign(row, deriveSession(row, messages, files, commits, zone));
}

function deriveTurns(messages: readonly ChildEntry[]): void {
  const turns = turnMinutes(present(messages) as never);
  for (const { after } of messages) if (after) after.turn_minutes = turns.get(String(after.message_id)) ?? null;
}

const present = (entries: readonly ChildEntry[]): Row[] => entries.flatMap(({ after }) => (after ? [after] : []));
