import { ClickHouseError } from '@clickhouse/client';
import { storedColumns } from '../../catalogue/table.ts';
import { Refusal } from '../../refusal.ts';
import type { WriterTurns } from '../../store/writer-turns.ts';
import { schemaVersion, storedTables } from '../schema.ts';
import { ClickHouseEngine, type QuestionTerms } from './engine.ts';
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
import type { WatchTerms } from './statement-watch.ts';

export interface ClickHouseSettings extends Place {
  /** Of the HTTP interface; its path names the database. */
  readonly url: string;
  readonly statementSeconds?: number | undefined;
  readonly questions?: QuestionTerms;
  readonly watch?: WatchTerms | undefined;
}

export interface ClickHouseParts {
  readonly engine: ClickHouseEngine;
  readonly writerTurns: WriterTurns;
  readonly place: Place;
  readonly statementSeconds?: number | undefined;
}

/** Finds the server, and makes what is missing there. */
export async function connect(
  { url, cluster, statementSeconds, questions, watch }: ClickHouseSettings,
  writerTurns: WriterTurns,
): Promise<ClickHouseParts> {
  const isCluster = cluster !== undefined;
  const engine = new ClickHouseEngine(url, { isCluster, watch, ...(questions ? { questions } : {}) });
  try {
    await migrate(engine, { cluster });
  } catch (error) {
    await engine.close();
    throw unusableAddress(error) ?? error;
  }
  return { engine, writerTurns, place: { cluster }, statementSeconds };
}

/** What is wrong with the address. The address is not repeated in the message: it may hold a password. */
function unusableAddress(error: unknown): Refusal | undefined {
  const problem = error instanceof ClickHouseError ? addressProblems.get(error.code) : undefined;
  return problem === undefined ? undefined : new Refusal('bad-input', problem, { cause: error });
}

const addressProblems: ReadonlyMap<string, string> = new Map([
  ['81', 'ClickHouse has no database of the name in the address of the tables. Create it first, or name another one.'],
  [
    '701',
    'ClickHouse has no cluster of the name in the address of the tables. Name one of `system.clusters`, or none for a single server.',
  ],
  ['516', 'ClickHouse does not accept the user and the password in the address of the tables.'],
]);

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
