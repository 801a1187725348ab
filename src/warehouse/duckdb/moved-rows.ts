import { createWriteStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FieldType } from '../../catalogue/record.ts';
import { storedColumns, storedNames, type Table } from '../../catalogue/table.ts';
import { isLong } from '../long-texts.ts';
import {
  defaultPortion,
  joinRanges,
  type MaxPortion,
  type MovingOptions,
  type MovingPort,
  noRows,
  type RowRange,
  type RowsDigest,
  type RowsPortion,
} from '../moving-port.ts';
import type { OrganisationTransactions } from './organisation-transactions.ts';
import { quoted, tableIn } from './statement.ts';
import type { Task } from './task.ts';
import { lowPriority } from './transaction-terms.ts';

/** Rows that are counted and measured as one. */
const rangeRows = 1_024;

/** Rows that lie together in the file: what a writer and a reader of it have in memory. */
const rowGroupRows = 20_480;

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** From the table into Parquet. */
function leaving(type: FieldType, value: string): string {
  if (type === 'timestamp') return `epoch(${value})::BIGINT`;
  return type === 'date' ? `(${value} - DATE '1970-01-01')::INTEGER` : value;
}

/** From Parquet into the table. */
function arriving(type: FieldType, value: string): string {
  if (type === 'timestamp') return `epoch_ms(${value} * 1000)`;
  return type === 'date' ? `DATE '1970-01-01' + ${value}` : value;
}

/** A value as the digest has it. */
function digested(type: FieldType, column: string): string {
  const value = type === 'number' ? `${column}::BIT::BIGINT` : leaving(type, column);
  return `coalesce((${value})::VARCHAR, chr(30))`;
}

/** Of all rows, or of some by their row ids. */
async function digestTable(task: Task, table: Table, schema: string, where = 'true'): Promise<RowsDigest> {
  const values = [...storedColumns(table)].map(([name, type]) => digested(type, `t.${quoted(name)}`));
  const row = `md5_number_lower(concat_ws(chr(31), ${values.join(', ')}))`;
  const [found] = await task.values<[number, string]>({
    sql: `SELECT json_array(count(*), coalesce(sum(${row}::HUGEINT), 0)::VARCHAR) FROM ${tableIn(schema, table)} t WHERE ${where}`,
    values: [],
  });
  return found ? { rows: found[0], digest: found[1] } : noRows;
}

/** Rows in the order that they lie in, which costs nothing. Each portion is a file of the folder until it is opened. */
async function* portionsOut(
  task: Task,
  table: Table,
  schema: string,
  folder: string,
  portion: MaxPortion = defaultPortion,
): AsyncGenerator<RowsPortion> {
  const columns = [...storedColumns(table)].map(
    ([name, type]) => `${leaving(type, `t.${quoted(name)}`)} AS ${quoted(name)}`,
  );
  for (const { from, to, rows } of joinRanges(await rangesOf(task, table, schema), portion)) {
    const path = join(folder, `${from}.parquet`);
    const where = `t.rowid BETWEEN ${from} AND ${to}`;
    const chosen = `SELECT ${columns.join(', ')} FROM ${tableIn(schema, table)} t WHERE ${where}`;
    const sql = `COPY (${chosen}) TO ${text(path)} (FORMAT parquet, COMPRESSION lz4_raw, ROW_GROUP_SIZE ${rowGroupRows})`;
    const written = await task.changed({ sql, values: [] });
    if (written !== rows) throw new Error(`${table.name} gave ${written} rows of ${rows}`);
    const digest = await digestTable(task, table, schema, where);
    const file = await open(path);
    // Gone from the folder, and from the disk once it was read.
    await rm(path);
    yield { ...digest, parquet: file.createReadStream() };
  }
}

async function rangesOf(task: Task, table: Table, schema: string): Promise<RowRange<number>[]> {
  const long = storedNames(table).filter((name) => isLong(table, name));
  const bytes = ['0', ...long.map((name) => `coalesce(sum(strlen(t.${quoted(name)})), 0)`)].join(' + ');
  const found = await task.values<[number, number, number, number]>({
    sql: `SELECT json_array(min(t.rowid), max(t.rowid), count(*), (${bytes})::BIGINT) FROM ${tableIn(schema, table)} t
      GROUP BY t.rowid // ${rangeRows} ORDER BY min(t.rowid)`,
    values: [],
  });
  return found.map(([from, to, rows, length]) => ({ from, to, rows, bytes: length }));
}

/** Adds rows portion by portion, each through a file of the folder. */
async function portionsIn(
  task: Task,
  table: Table,
  schema: string,
  folder: string,
  portions: AsyncIterable<RowsPortion>,
): Promise<void> {
  const columns = [...storedColumns(table)];
  const names = columns.map(([name]) => quoted(name)).join(', ');
  const values = columns.map(([name, type]) => arriving(type, `v.${quoted(name)}`)).join(', ');
  let before = 0;
  for await (const { rows, parquet } of portions) {
    // Another name each time: the engine may remember what a file of one name held.
    const path = join(folder, `${before}.parquet`);
    before += rows;
    await pipeline(parquet, createWriteStream(path));
    const added = await task.changed({
      sql: `INSERT INTO ${tableIn(schema, table)} (${names}) SELECT ${values} FROM read_parquet(${text(path)}) v`,
      values: [],
    });
    if (added !== rows) throw new Error(`${table.name} took ${added} rows of ${rows}`);
    await rm(path);
  }
}

/** Whole tables out of the files of this process, and into them. */
export class MovingFiles implements MovingPort {
  readonly #transactions: OrganisationTransactions;
  readonly #makeFolder: () => Promise<string>;

  /** `makeFolder` makes one that the engine can reach. */
  constructor(transactions: OrganisationTransactions, makeFolder: () => Promise<string>) {
    this.#transactions = transactions;
    this.#makeFolder = makeFolder;
  }

  digest(organisationId: string, table: Table, { signal }: MovingOptions = {}): Promise<RowsDigest> {
    return this.#transactions.visit(lowPriority(organisationId, signal), (task, schema) =>
      digestTable(task, table, schema),
    );
  }

  async *rowsOut(
    organisationId: string,
    table: Table,
    { signal, portion }: MovingOptions = {},
  ): AsyncGenerator<RowsPortion> {
    const folder = await this.#makeFolder();
    try {
      yield* this.#transactions.stream(lowPriority(organisationId, signal), (task, schema) =>
        portionsOut(task, table, schema, folder, portion),
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async rowsIn(organisationId: string, table: Table, portions: AsyncIterable<RowsPortion>): Promise<void> {
    const folder = await this.#makeFolder();
    try {
      await this.#transactions.change(organisationId, (task, schema) =>
        portionsIn(task, table, schema, folder, portions),
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}
