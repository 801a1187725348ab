import type { Row, RowOf, Table } from '../../src/catalogue/table.ts';
import type { Condition, TableChanges, TableWriter } from '../../src/warehouse/intake-port.ts';

/** Nothing done to a table, for changes that do one thing. */
const unchanged = (table: Table): TableChanges => ({ table, removed: [], put: [], added: [], patches: [] });

/** Whole rows, each in the place of the one with its key. */
export const putRows = <T extends Table>(writer: TableWriter, table: T, rows: readonly RowOf<T>[]): Promise<void> =>
  writer.flush([{ ...unchanged(table), put: rows as readonly Row[] }]);

/** Whole rows under keys that are not stored. */
export const addRows = <T extends Table>(writer: TableWriter, table: T, rows: readonly RowOf<T>[]): Promise<void> =>
  writer.flush([{ ...unchanged(table), added: rows as readonly Row[] }]);

/** Some columns of stored rows. A row gives its key and those columns. */
export const patchRows = <T extends Table>(
  writer: TableWriter,
  table: T,
  columns: readonly (keyof RowOf<T> & string)[],
  rows: readonly Row[],
): Promise<void> => writer.flush([{ ...unchanged(table), patches: [{ columns, rows }] }]);

/** The rows that a condition means. */
export async function removeRows(writer: TableWriter, table: Table, where: Condition): Promise<void> {
  const removed = await writer.select(table, table.key as never[], where);
  await writer.flush([{ ...unchanged(table), removed }]);
}
