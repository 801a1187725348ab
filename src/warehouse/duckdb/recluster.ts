import { firstIndexWhere } from '../../binary-search.ts';
import { orderColumn, storedNames, type Table, type Value } from '../../catalogue/table.ts';
import { storedTables } from '../schema.ts';
import type { Tuning } from './limits.ts';
import { countRows } from './reading-statements.ts';
import { uncommittedFrom } from './row-ids.ts';
import { BoundValues, leaving, quoted, tableIn, typeOf } from './statement.ts';
import type { Task } from './task.ts';

/** Row groups that are sorted in one transaction: a million wide rows take some 20 s, in which other writers wait. */
const groupsAtOnce = 8;

/** Tables that can be out of order at all. */
export const orderedTables: readonly Table[] = storedTables.filter((table) => orderColumn(table) !== undefined);

/**
 * Sorts some of the rows that are out of order: the earliest of them are written again at the end of the table. What the
 * table holds stays the same. Says whether there may be more to do.
 *
 * One transaction for a bounded number of rows, because an update of millions would keep every other writer waiting for
 * minutes and needs twice the disk. Row ids are good for one transaction, so each begins by looking again.
 */
export async function reclusterSome(task: Task, table: Table, schema: string, tuning: Tuning): Promise<boolean> {
  const before = await countOf(task, table, schema);
  if (before < tuning.reclusterFromRows) return false;
  const groups = unsortedGroups(await stretchesOf(task, table, schema, tuning.groupRows));
  if (groups.length === 0) return false;
  await sortRows(task, table, groups, schema, tuning.groupRows);
  const after = await countOf(task, table, schema);
  if (after !== before) throw new Error(`Sorting ${table.name} made ${after} rows of ${before}`);
  return true;
}

async function countOf(task: Task, table: Table, schema: string): Promise<number> {
  const [row] = await task.values<[number]>(countRows(table, schema));
  return row?.[0] ?? 0;
}

async function stretchesOf(task: Task, table: Table, schema: string, groupRows: number): Promise<Stretch[]> {
  const column = `t.${quoted(orderColumn(table) ?? '')}`;
  const times = ['min', 'median', 'max'].map((measure) => `floor(${measure}(epoch(${column})))`);
  const found = await task.values<[number, number | null, number | null, number | null]>({
    sql: `SELECT json_array(t.rowid // ${groupRows}, ${times.join(', ')}) FROM ${tableIn(schema, table)} t
      GROUP BY t.rowid // ${groupRows}`,
    values: [],
  });
  return found.map(([group, from, middle, to]) => ({ group, from, middle, to }));
}

async function sortRows(
  task: Task,
  table: Table,
  groups: readonly number[],
  schema: string,
  groupRows: number,
): Promise<void> {
  const name = orderColumn(table) ?? '';
  const column = `t.${quoted(name)}`;
  const within = rangesOf(groups)
    .map(({ from, to }) => `t.rowid BETWEEN ${from * groupRows} AND ${(to + 1) * groupRows - 1}`)
    .join(' OR ');
  const stray = `(${within}) AND t.rowid < ${uncommittedFrom}`;
  const inOrder = `ORDER BY ${column} NULLS LAST, t.rowid`;
  // Whole row groups: what is left over of one would be joined with the next, and that with the next, at a checkpoint.
  const [last] = await task.values<[Value, string]>({
    sql: `SELECT json_array(${leaving(typeOf(table, name), column)}, t.rowid::VARCHAR) FROM ${tableIn(schema, table)} t
      WHERE ${stray} ${inOrder} LIMIT 1 OFFSET ${groupsAtOnce * groupRows - 1}`,
    values: [],
  });
  const chosen = (values: BoundValues) => `${stray} AND ${last ? upTo(table, name, last, values) : 'true'}`;
  const inserted = new BoundValues();
  const columns = storedNames(table).map(quoted).join(', ');
  await task.run({
    sql: `INSERT INTO ${tableIn(schema, table)} (${columns})
      SELECT ${columns} FROM ${tableIn(schema, table)} t WHERE ${chosen(inserted)} ${inOrder}`,
    values: inserted.list,
  });
  const deleted = new BoundValues();
  await task.run({
    sql: `DELETE FROM ${tableIn(schema, table)} t WHERE ${chosen(deleted)}`,
    values: deleted.list,
  });
}

/** Rows up to this one, in order. */
function upTo(table: Table, name: string, [time, place]: readonly [Value, string], values: BoundValues): string {
  const column = `t.${quoted(name)}`;
  if (time === null) return `(${column} IS NOT NULL OR t.rowid <= ${values.number(place)})`;
  const given = values.one(typeOf(table, name), time);
  return `${column} <= ${given} AND (${column} < ${given} OR t.rowid <= ${values.number(place)})`;
}

function rangesOf(groups: readonly number[]): { readonly from: number; readonly to: number }[] {
  const ranges: { from: number; to: number }[] = [];
  for (const group of groups.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && group === last.to + 1) last.to = group;
    else ranges.push({ from: group, to: group });
  }
  return ranges;
}

/** A table with deleted rows that still take up space. */
interface Waste {
  readonly table: Table;
  readonly deleted: number;
}

/**
 * Tables in which more than a quarter of the rows are such deleted ones, beyond those that could not be got rid of last
 * time: some stay, because row groups are joined only when that makes fewer of them.
 */
export async function wasteOf(
  task: Task,
  schema: string,
  tuning: Tuning,
  left: ReadonlyMap<string, number>,
): Promise<Waste[]> {
  const waste: Waste[] = [];
  for (const table of storedTables) {
    const [row] = await task.values<[number, number]>({
      sql: `SELECT json_array(count(*), coalesce(max(t.rowid) + 1, 0)) FROM ${tableIn(schema, table)} t`,
      values: [],
    });
    const [rows, places] = row ?? [0, 0];
    const deleted = places - rows;
    if (deleted - (left.get(table.name) ?? 0) > Math.max(rows / 4, tuning.groupRows)) waste.push({ table, deleted });
  }
  return waste;
}

/**
 * Writes one row of a table again, as it is. A checkpoint gives space back only in tables that were changed since the
 * last one, and only when nobody is reading.
 */
export async function touchTable(task: Task, table: Table, schema: string): Promise<void> {
  const columns = storedNames(table).map(quoted).join(', ');
  const [row] = await task.values<[string | null]>({
    sql: `SELECT json_array(min(t.rowid)::VARCHAR) FROM ${tableIn(schema, table)} t`,
    values: [],
  });
  const place = row?.[0];
  if (place === null || place === undefined) return;
  const one = new BoundValues();
  const here = `t.rowid = ${one.number(place)}`;
  await task.run({
    sql: `INSERT INTO ${tableIn(schema, table)} (${columns}) SELECT ${columns} FROM ${tableIn(schema, table)} t WHERE ${here}`,
    values: one.list,
  });
  await task.run({ sql: `DELETE FROM ${tableIn(schema, table)} t WHERE ${here}`, values: one.list });
}

/** A stretch of a table as large as a row group: which times its rows have. Null where none has a time. */
export interface Stretch {
  readonly group: number;
  readonly from: number | null;
  readonly middle: number | null;
  readonly to: number | null;
}

/** A stretch that reaches over the middles of fewer others than this is as good as in order. */
const maxReach = 2;
/** Sorting is worth it when a moment in time is then looked for in more than this many stretches fewer, on average. */
const minGain = 1;

/**
 * The stretches whose rows are so mixed that sorting them makes a window of time cheaper to read; none where it would
 * not be worth the work. What reaches far is mixed; what merely lies elsewhere, such as older years that were loaded
 * later, is found just as quickly there. A few old rows at the end of the table make one stretch reach over everything,
 * and sorting that one stretch would not help: it is the number of such stretches that counts.
 */
export function unsortedGroups(stretches: readonly Stretch[]): number[] {
  const middles = stretches.flatMap(({ middle }) => middle ?? []).sort((a, b) => a - b);
  const reached = stretches.map((stretch) => ({ group: stretch.group, reach: reachOf(stretch, middles) }));
  const stray = reached.filter(({ reach }) => reach >= maxReach);
  const before = reached.reduce((sum, { reach }) => sum + reach, 0);
  const settled = before - stray.reduce((sum, { reach }) => sum + reach, 0);
  // Once sorted, the stray ones together reach over every other middle once.
  const after = settled + (stretches.length - stray.length);
  return (before - after) / stretches.length > minGain ? stray.map(({ group }) => group) : [];
}

/** How many middles of other stretches lie inside. */
function reachOf({ from, middle, to }: Stretch, middles: readonly number[]): number {
  if (from === null || to === null || middle === null || from === to) return 0;
  const inside = firstAtLeast(middles, to) - firstAtLeast(middles, from + 1);
  const isItselfInside = middle > from && middle < to;
  return Math.max(0, inside - (isItselfInside ? 1 : 0));
}

/** The position of the first value that is not smaller. */
function firstAtLeast(sorted: readonly number[], value: number): number {
  return firstIndexWhere(0, sorted.length, (i) => (sorted[i] ?? 0) >= value);
}
