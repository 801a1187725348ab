import { secondsOfDay } from '../../calendar.ts';
import { lastActivity } from '../../catalogue/derivation-state.ts';
import type { Row, RowOf, Table, Value } from '../../catalogue/table.ts';
import { factTableNames, factTables } from '../../catalogue/tables/all-tables.ts';
import type { Condition } from '../../warehouse/intake-port.ts';
import { type Batch, tableOf } from '../apply/batch.ts';
import type { IntakeSession } from '../write/intake-session.ts';

/** Tables whose rows count as activity of their person. */
const activeTables = factTableNames.flatMap((name) => {
  const { activity }: Table = factTables[name];
  return activity ? [{ name, ...activity }] : [];
});

/** A day counts from its beginning, UTC: more is not known of it. */
const seconds = (value: Value | undefined): number | null =>
  typeof value === 'number' ? value : typeof value === 'string' ? secondsOfDay(value) : null;

/**
 * When each person of a batch was last active. A later activity simply moves it on; where the last one known was taken
 * away or given to another person, it is recomputed from every table.
 */
export async function deriveLastActivity({ session, tables }: Batch): Promise<void> {
  const latest = new Map<string, number>();
  const lost = new Map<string, number>();
  for (const { name, at, when } of activeTables) {
    for (const { before, after } of tableOf({ tables }, name).changed()) {
      const was = activityOf(before, at, when);
      const is = activityOf(after, at, when);
      if (is && is.at > (latest.get(is.person) ?? -1)) latest.set(is.person, is.at);
      const isKept = was && is && is.person === was.person && is.at >= was.at;
      if (was && !isKept && was.at > (lost.get(was.person) ?? -1)) lost.set(was.person, was.at);
    }
  }
  const people = [...new Set([...latest.keys(), ...lost.keys()])];
  if (people.length === 0) return;
  const rows = await session.select(lastActivity, ['merged_user_id', 'last_active_at'], {
    column: 'merged_user_id',
    in: people,
  });
  const known = new Map(rows.map(({ merged_user_id, last_active_at }) => [merged_user_id, last_active_at]));
  const toRecompute = new Set([...lost].flatMap(([person, at]) => (at >= (known.get(person) ?? -1) ? [person] : [])));
  const recomputed =
    toRecompute.size === 0 ? new Map<string, number>() : await latestActivityOf(session, [...toRecompute]);
  const moved: RowOf<typeof lastActivity>[] = [];
  const gone: string[] = [];
  for (const person of people) {
    const at = toRecompute.has(person)
      ? recomputed.get(person)
      : Math.max(latest.get(person) ?? -1, known.get(person) ?? -1);
    if (at === undefined) gone.push(person);
    else if (at !== known.get(person)) moved.push({ merged_user_id: person, last_active_at: at });
  }
  if (gone.length > 0) await session.remove(lastActivity, { column: 'merged_user_id', in: gone });
  await session.put(lastActivity, moved);
}

function activityOf(
  row: Row | undefined,
  columns: readonly string[],
  when: string | undefined,
): { person: string; at: number } | undefined {
  if (!row || typeof row.merged_user_id !== 'string' || (when !== undefined && row[when] !== true)) return undefined;
  let latest: number | null = null;
  for (const column of columns) {
    const at = seconds(row[column]);
    if (at !== null && (latest === null || at > latest)) latest = at;
  }
  return latest === null ? undefined : { person: row.merged_user_id, at: latest };
}

/** Recomputes when every person was last active, from all tables and not from what is stored. */
export async function recomputeLastActivity(session: IntakeSession): Promise<void> {
  const latest = await latestActivityOf(session);
  await session.remove(lastActivity, { all: [] });
  await session.put(
    lastActivity,
    [...latest].map(([merged_user_id, last_active_at]) => ({ merged_user_id, last_active_at })),
  );
}

/** The latest activity of these people, or of everybody, by person. */
async function latestActivityOf(session: IntakeSession, people?: readonly string[]): Promise<Map<string, number>> {
  const latest = new Map<string, number>();
  const columns = activeTables.flatMap(({ at, ...one }) => at.map((column) => ({ ...one, column })));
  for (const { name, column, when } of columns) {
    const conditions: Condition[] = [];
    if (people) conditions.push({ column: 'merged_user_id', in: people });
    if (when !== undefined) conditions.push({ column: when, in: [true] });
    const rows = await session.summarise(
      factTables[name] as Table,
      ['merged_user_id' as never],
      { max: column as never },
      { all: conditions },
    );
    for (const { merged_user_id: person, value } of rows as unknown as Row[]) {
      const at = seconds(value);
      if (typeof person === 'string' && at !== null && at > (latest.get(person) ?? -1)) latest.set(person, at);
    }
  }
  return latest;
}
