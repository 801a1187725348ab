import { ClickHouseError } from '@clickhouse/client';
import { storedColumns, type Table } from '../../catalogue/table.ts';
import { listsByKey } from '../../lists-by-key.ts';
import { Refusal } from '../../refusal.ts';
import type { WriterTurns } from '../../store/writer-turns.ts';
import { storedTables } from '../schema.ts';
import { ClickHouseEngine, type QuestionTerms } from './engine.ts';
import {
  addColumn,
  addIndexes,
  bringUpToDate,
  createChanges,
  createEnds,
  createLayout,
  createTable,
  holdingTable,
  isSharedText,
  type Place,
  spanIndexes,
} from './layout.ts';
import { firstLayout, hasEndsApart, newestLayout } from './row-ends.ts';
import type { WatchTerms } from './statement-watch.ts';

export interface ClickHouseSettings extends Place {
  /** The address of the HTTP interface; its path names the database. */
  readonly url: string;
  readonly statementSeconds?: number | undefined;
  readonly questions?: QuestionTerms;
  readonly watch?: WatchTerms | undefined;
}

/** What the tables were found to be, and what they have become since. */
export interface TablesFound {
  /** No server works with them that knows only earlier ones. */
  layout: number;
}

export interface ClickHouseParts {
  readonly engine: ClickHouseEngine;
  readonly tables: TablesFound;
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
  let layout: number;
  try {
    layout = await migrate(engine, { cluster });
  } catch (error) {
    await engine.close();
    throw unusableAddress(error) ?? error;
  }
  return { engine, writerTurns, place: { cluster }, tables: { layout }, statementSeconds };
}

/** The problem of the address. The address is not repeated in the message: it may hold a password. */
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
 * do not know. Answers the layout that every server has to know: that of tables which were there rises later.
 */
export async function migrate(engine: ClickHouseEngine, place: Place): Promise<number> {
  const run = async (statements: readonly string[]) => {
    for (const sql of statements) await engine.run(plain(sql));
  };
  await run(createLayout(place));
  const [newest] = await engine.lines(plain('SELECT max(version) FROM layout'), { seconds: statementSeconds });
  if (Number(newest) > newestLayout.version) {
    throw new Refusal(
      'conflict',
      `The tables have layout ${newest}, but this Plumb knows layouts up to ${newestLayout.version}. Start the newer Plumb that wrote them.`,
    );
  }
  const columns = await columnsThere(engine);
  const isEmpty = Number(newest) === 0 && !columns.has('changes');
  const made = await statementsOfTables(engine);
  await run(createChanges(place));
  await run(createEnds(place));
  for (const table of storedTables) {
    const there = columns.get(table.name);
    await run(
      there ? changesOf(table, there, made.get(holdingTable(table.name, place)), place) : createTable(table, place),
    );
  }
  const layout = isEmpty ? newestLayout.version : Math.max(Number(newest), firstLayout.version);
  if (Number(newest) < layout) await raiseLayout(engine, layout);
  return layout;
}

/** From then on no server starts that does not know this layout. */
export const raiseLayout = (engine: ClickHouseEngine, layout: number): Promise<void> =>
  engine.insert('layout', ['version'], [[layout]]);

/** What a table lacks that an earlier server has made. `made` says how it did. */
function changesOf(table: Table, there: ReadonlySet<string>, made: string | undefined, place: Place): string[] {
  const columns = [...storedColumns(table)];
  const added = columns.filter(([column]) => !there.has(column));
  const isOutdated = hasEndsApart(table) && !there.has('_n');
  const shared = columns.flatMap(([column]) => (isSharedText(table, column) && there.has(column) ? [column] : []));
  const missing = made === undefined ? [] : spanIndexes(table).filter(({ name }) => !made.includes(name));
  return [
    ...added.flatMap(([column, type]) => addColumn(table, column, type, place)),
    ...(isOutdated ? bringUpToDate(table, shared, place) : []),
    ...(missing.length > 0 ? addIndexes(table, missing, place) : []),
  ];
}

/** The columns of each existing table. */
async function columnsThere(engine: ClickHouseEngine): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const lines = await engine.lines(
    plain('SELECT toJSONString(tuple(table, name)) FROM system.columns WHERE database = currentDatabase()'),
    { seconds: statementSeconds },
  );
  const found = lines.map((line) => JSON.parse(line) as [string, string]);
  const tables = listsByKey(found, ([table]) => table);
  return new Map([...tables].map(([table, columns]) => [table, new Set(columns.map(([, name]) => name))]));
}

/** How each table was made, with its indexes: their own list is not for every user to read. */
async function statementsOfTables(engine: ClickHouseEngine): Promise<ReadonlyMap<string, string>> {
  const lines = await engine.lines(
    plain('SELECT toJSONString(tuple(name, create_table_query)) FROM system.tables WHERE database = currentDatabase()'),
    { seconds: statementSeconds },
  );
  return new Map(lines.map((line) => JSON.parse(line) as [string, string]));
}
