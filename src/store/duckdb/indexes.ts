import type { Writing } from '../store.ts';

/**
 * Leaves a store with its primary keys as its only indexes. When DuckDB opens a file after a crash and closes it before a
 * table is used, it loses what its log held for the other indexes of that table, and fails for ever when such a row is
 * deleted. A file that was damaged this way is whole again without them, and the tables are short enough to be read through.
 */
export async function dropIndexes(session: Writing): Promise<void> {
  const indexes = await session.rows<{ index_name: string }>('SELECT index_name FROM duckdb_indexes()');
  for (const { index_name } of indexes) await session.run(`DROP INDEX "${index_name}"`);
}
