import { dayOfNumber, secondsPerDay } from '../../calendar.ts';
import { inheritedColumns, orderColumn, type Row, type Table } from '../../catalogue/table.ts';
import { type FactTable, factTableNames, factTables } from '../../catalogue/tables/all-tables.ts';
import type { Condition, TableReader } from '../../warehouse/intake-port.ts';
import { keyed } from '../write/table-overlay.ts';

/** Rows that are held in memory at once; with their parts it is several times as many. */
export const maxStoredRows = 20_000;

/** How all stored rows are read. */
export interface StoredReading {
  /** Rows at once. */
  readonly maxRows: number;
  /** Looked at between portions. */
  readonly signal?: AbortSignal | undefined;
}

/** All rows of a table, as many at once as fit into memory. A day with too many rows is divided by keys. */
export async function* storedPortions(session: TableReader, table: Table, maxRows: number): AsyncGenerator<Condition> {
  for (const { where, rows } of await timeWindows(session, table, maxRows)) {
    if (rows <= 2 * maxRows) yield where;
    else yield* await keyPortions(session, table, where, maxRows);
  }
}

/** The rows that meet a condition, divided by their keys. */
export async function keyPortions(
  session: TableReader,
  table: Table,
  where: Condition,
  maxRows = maxStoredRows,
): Promise<Condition[]> {
  const keys = (await session.select(table, table.key as never, where)) as unknown as Row[];
  return portioned(keys, maxRows).map((some) => keyed(table, some));
}

/** Items in portions of at most so many rows. An item with more than that is a portion by itself. */
export function portioned<T>(items: readonly T[], maxRows: number, rowsOf: (item: T) => number = () => 1): T[][] {
  const portions: T[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const rows = rowsOf(item);
    if (size + rows > maxRows) {
      portions.push([]);
      size = 0;
    }
    portions.at(-1)?.push(item);
    size += rows;
  }
  return portions;
}

interface TimeWindow {
  readonly where: Condition;
  readonly rows: number;
}

/** Spans of days that hold about as many rows as fit into memory at once, and the rows without a time. */
async function timeWindows(session: TableReader, table: Table, maxRows: number): Promise<TimeWindow[]> {
  const column = orderColumn(table);
  if (column === undefined) throw new Error(`${table.name} has no order to go by`);
  const isDate = table.columns[column]?.type === 'date';
  const bound = (seconds: number) => (isDate ? dayOfNumber(seconds / secondsPerDay) : seconds);
  const windows: TimeWindow[] = [];
  let rows = 0;
  let from: number | undefined;
  let until = 0;
  const close = () => {
    if (from === undefined) return;
    const last = isDate ? until : until + secondsPerDay - 1;
    const where: Condition = {
      all: [
        { column, atLeast: bound(from) },
        { column, atMost: bound(last) },
      ],
    };
    windows.push({ where, rows });
    from = undefined;
    rows = 0;
  };
  for (const day of await session.rowsByDay(table)) {
    if (day.from === null) {
      windows.push({ where: { column, isNull: true }, rows: day.rows });
      continue;
    }
    // A day that is too much by itself leaves those before it alone.
    if (rows + day.rows > 2 * maxRows) close();
    from ??= day.from;
    until = day.from;
    rows += day.rows;
    if (rows >= maxRows) close();
  }
  close();
  return windows;
}

interface Orphans {
  readonly name: FactTable;
  readonly link: string;
  /** Parents that parts name and that are not stored. */
  readonly parents: readonly string[];
}

/** Parts without a parent. */
export async function orphanParents(session: TableReader): Promise<Orphans[]> {
  const orphans: Orphans[] = [];
  for (const name of factTableNames) {
    const table: Table = factTables[name];
    const [link] = table.parent?.key ?? [];
    if (link === undefined) continue;
    // A parent whose inherited columns are all empty is taken for a missing one, which does no harm.
    const empty = inheritedColumns(table).map((column): Condition => ({ column, isNull: true }));
    const rows = (await session.tally(table, [link as never], { all: empty })) as unknown as Row[];
    const parents = rows.flatMap((row) => (typeof row[link] === 'string' ? [row[link]] : []));
    orphans.push({ name, link, parents });
  }
  return orphans;
}
