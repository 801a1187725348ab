import { orderColumn, storedColumns } from '../../../src/catalogue/table.ts';
import type { ClickHouseEngine } from '../../../src/warehouse/clickhouse/engine.ts';
import { createChanges, createLayout, createTable, isSharedText } from '../../../src/warehouse/clickhouse/layout.ts';
import { storedTables } from '../../../src/warehouse/schema.ts';

/** Makes tables of the first layout: rows have no numbers there, and ends no table. */
export async function makeEarlierTables(engine: ClickHouseEngine): Promise<void> {
  const run = (sql: string) => engine.run({ sql, values: {} });
  for (const sql of [...createLayout(), ...createChanges()]) await run(sql);
  await engine.insert('layout', ['version'], [[1]]);
  for (const table of storedTables) {
    for (const sql of createTable(table)) await run(sql.replace(', non_replicated_deduplication_window = 1000', ''));
    if (orderColumn(table) === undefined) continue;
    const shared = [...storedColumns(table).keys()].filter((column) => isSharedText(table, column));
    const changes = shared.map((column) => `MODIFY COLUMN "${column}" Nullable(String)`);
    await run(`ALTER TABLE "${table.name}" ${['DROP COLUMN _n', ...changes].join(', ')}`);
  }
}
