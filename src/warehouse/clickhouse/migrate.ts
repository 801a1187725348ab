import { storedColumns } from '../../catalogue/table.ts';
import { Refusal } from '../../refusal.ts';
import { schemaVersion, storedTables } from '../schema.ts';
import type { ClickHouseEngine } from './engine.ts';
import {
  addColumn,
  addIndexes,
  createChanges,
  createLayout,
  createTable,
  holdingTable,
  type Place,
  spanIndexes,
} from './layout.ts';

const statementSeconds = 60;
const plain = (sql: string) => ({ sql, values: {} });

/**
 * Makes what is missing: tables, and columns and indexes of tables that are there. Every statement may be said twice and
 * at the same time, so that servers can start together, and older ones go on beside newer ones: they leave alone what they
 * do not know.
 */
export async function migrate(engine: ClickHouseEngine, place: Place): Promise<void> {
  for (const sql of createLayout(place)) await engine.run(plain(sql));
  const [newest] = await engine.lines(plain('SELECT max(version) FROM layout'), { seconds: statementSeconds });
  if (Number(newest) > schemaVersion) {
    throw new Refusal(
      'conflict',
      `The tables have layout ${newest}, but this Plumb knows layouts up to ${schemaVersion}. Start the newer Plumb that wrote them.`,
    );
  }
  const lines = await engine.lines(
    plain('SELECT toJSONString(tuple(table, name)) FROM system.columns WHERE database = currentDatabase()'),
    { seconds: statementSeconds },
  );
  const known = new Set(lines);
  const isKnown = (table: string, column: string) => known.has(JSON.stringify([table, column]));
  const made = await statementsOfTables(engine);
  if (!isKnown('changes', 'change')) for (const sql of createChanges(place)) await engine.run(plain(sql));
  for (const table of storedTables) {
    if (!isKnown(table.name, 'organisation')) {
      for (const sql of createTable(table, place)) await engine.run(plain(sql));
      continue;
    }
    for (const [column, type] of storedColumns(table)) {
      if (isKnown(table.name, column)) continue;
      for (const sql of addColumn(table, column, type, place)) await engine.run(plain(sql));
    }
    const statement = made.get(holdingTable(table.name, place));
    const missing = statement === undefined ? [] : spanIndexes(table).filter(({ name }) => !statement.includes(name));
    if (missing.length > 0) for (const sql of addIndexes(table, missing, place)) await engine.run(plain(sql));
  }
  if (Number(newest) < schemaVersion) await engine.insert('layout', ['version'], [[schemaVersion]]);
}

/** How each table was made, with its indexes: their own list is not for every user to read. */
async function statementsOfTables(engine: ClickHouseEngine): Promise<ReadonlyMap<string, string>> {
  const lines = await engine.lines(
    plain('SELECT toJSONString(tuple(name, create_table_query)) FROM system.tables WHERE database = currentDatabase()'),
    { seconds: statementSeconds },
  );
  return new Map(lines.map((line) => JSON.parse(line) as [string, string]));
}
