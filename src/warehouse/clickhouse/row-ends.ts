import { orderColumn, type Table } from '../../catalogue/table.ts';
import type { RowsLayout } from '../../store/writer-turns.ts';

/** Every table ends rows by copies of them. */
export const firstLayout: RowsLayout = { version: 1, ends: {} };

/** Tables that are sorted by time have their ends apart. */
export const newestLayout: RowsLayout = { version: 2, ends: {} };

/**
 * Whether rows of a table end in a table of their own, which the engine need not merge rows for. The others are small, and
 * merging them costs a question nothing.
 */
export const endsApart = (table: Table, { version }: Pick<RowsLayout, 'version'>): boolean =>
  version >= newestLayout.version && hasEndsApart(table);

export const hasEndsApart = (table: Table): boolean => orderColumn(table) !== undefined;
