import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance, DuckDBTimestampValue } from '@duckdb/node-api';
import type { FieldType } from '../../src/catalogue/record.ts';
import { type Row, storedColumns, type Table } from '../../src/catalogue/table.ts';
import type { App } from '../../src/main.ts';
import { type Cost, timed } from './report.ts';
import { folder } from './world.ts';

/** The rows as they turned out, put into empty tables by the engine's own appender: as fast as it gets. */
export async function appendRaw(
  app: App,
  id: string,
  tables: readonly Table[],
): Promise<Cost & { readonly rows: number }> {
  const instance = await DuckDBInstance.create(join(folder, 'raw.duckdb'));
  const connection = await instance.connect();
  let rows = 0;
  let [seconds, processor] = [0, 0];
  for (const table of tables) {
    const columns = [...storedColumns(table)];
    const types = {
      text: 'VARCHAR',
      'text[]': 'VARCHAR',
      json: 'VARCHAR',
      integer: 'BIGINT',
      duration: 'BIGINT',
      number: 'DOUBLE',
      boolean: 'BOOLEAN',
      timestamp: 'TIMESTAMP',
      date: 'VARCHAR',
    } as const;
    await connection.run(
      `CREATE TABLE ${table.name} (${columns.map(([name, type]) => `"${name}" ${types[type]}`).join(', ')})`,
    );
    const kept = (await app.warehouse.read(id, (session) =>
      session.select(table, columns.map(([name]) => name) as never),
    )) as unknown as Row[];
    const cost = await timed(() => append(connection, table, columns, kept));
    seconds += cost.seconds;
    processor += cost.processor;
    rows += kept.length;
  }
  connection.closeSync();
  instance.closeSync();
  return { rows, seconds, processor };
}

async function append(
  connection: DuckDBConnection,
  table: Table,
  columns: Iterable<readonly [string, FieldType]>,
  rows: readonly Row[],
): Promise<void> {
  const appender = await connection.createAppender(table.name);
  for (const row of rows) {
    for (const [name, type] of columns) {
      const value = row[name] ?? null;
      if (value === null) appender.appendNull();
      else if (typeof value === 'boolean') appender.appendBoolean(value);
      else if (typeof value === 'string') appender.appendVarchar(value);
      else if (type === 'timestamp') appender.appendTimestamp(new DuckDBTimestampValue(BigInt(value) * 1_000_000n));
      else if (type === 'number') appender.appendDouble(value);
      else appender.appendBigInt(BigInt(value));
    }
    appender.endRow();
  }
  appender.closeSync();
}
