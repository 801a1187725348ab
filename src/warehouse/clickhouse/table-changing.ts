import type { Readable } from 'node:stream';
import { type Row, storedColumns, storedNames, type Table, type Value } from '../../catalogue/table.ts';
import type { TableChanges, TableWriter } from '../intake-port.ts';
import { integer, listed, raw, type Sql, sql } from '../sql/sql.ts';
import { isOfOrganisation, type Moment, stampOf, tableAsOf } from './as-of.ts';
import { clickhouseDialect } from './dialect.ts';
import { arriving, quotedName } from './kept-types.ts';
import type { LeasedStatements } from './leased-statements.ts';
import { insertFromInput } from './moved-rows.ts';
import { statementFor } from './statement.ts';
import { MomentReader } from './table-reading.ts';

/**
 * Changes an organisation's tables without changing a row: what it puts begins with its stamp, and what was there before
 * is written again with the stamp as its end. Nothing of it is seen by others until the change is published.
 */
export class ChangeWriter extends MomentReader implements TableWriter {
  readonly leaveCopies: () => Promise<void>;
  readonly #statements: LeasedStatements;
  readonly #moment: Moment;
  readonly #said: { directory?: number; derivation?: number } = {};
  #step = 0;

  constructor(statements: LeasedStatements, moment: Moment, leaveCopies: () => Promise<void>) {
    super((statement) => statements.lines(statement), moment);
    this.leaveCopies = leaveCopies;
    this.#statements = statements;
    this.#moment = moment;
  }

  /** Whether any row may have been written. */
  get hasWritten(): boolean {
    return this.#step > 0;
  }

  get hasChanged(): boolean {
    return this.hasWritten || this.#said.directory !== undefined || this.#said.derivation !== undefined;
  }

  async flush(changes: readonly TableChanges[]): Promise<void> {
    for (const change of changes) {
      const { table, removed, put, added } = change;
      const patched = await this.#patched(change);
      // A row is one of these at most, but for what is put or patched twice: the last one counts.
      const replacing = lastOfEach(table, [...put, ...patched]);
      if (removed.length + replacing.length + added.length === 0) continue;
      const stamp = stampOf(this.#moment.change, ++this.#step);
      await this.#begin(table, [...replacing, ...added], stamp, 0);
      // Removing leaves a row that ends as it begins: its key says which row ended.
      await this.#begin(
        table,
        lastOfEach(table, removed).map((row) => keyOnly(table, row)),
        stamp,
        stamp,
      );
      if (removed.length + replacing.length > 0) await this.#endOthers(table, stamp);
    }
  }

  /** Adds rows under keys that are not stored, from a Parquet file. */
  async addParquet(table: Table, parquet: Readable): Promise<void> {
    const stamp = stampOf(this.#moment.change, ++this.#step);
    await this.#statements.insertParquet(insertFromInput(table, this.#moment, stamp), parquet);
  }

  override async directoryVersion(): Promise<number> {
    return this.#said.directory ?? super.directoryVersion();
  }

  override async derivationVersion(): Promise<number> {
    return this.#said.derivation ?? super.derivationVersion();
  }

  async setDirectoryVersion(version: number): Promise<void> {
    this.#said.directory = version;
  }

  async setDerivationVersion(version: number): Promise<void> {
    this.#said.derivation = version;
  }

  /** What the tables say of themselves from this change on. The last thing before it is published. */
  async finish(changedAt: Date): Promise<void> {
    const { organisationId, change } = this.#moment;
    const versions = [await this.directoryVersion(), await this.derivationVersion()];
    const at = Math.floor(changedAt.getTime() / 1_000);
    const columns = ['organisation', 'change', 'changed_at', 'directory_version', 'derivation_version'];
    this.#step += 1;
    await this.#statements.insert('changes', columns, [[organisationId, change, at, ...versions]]);
  }

  async #patched({ table, patches }: TableChanges): Promise<Row[]> {
    const given = new Map<string, Row>();
    for (const { columns, rows } of patches) {
      for (const row of rows) {
        const patch = Object.fromEntries(columns.map((column) => [column, row[column] ?? null]));
        const key = keyOf(table, row);
        given.set(key, { ...given.get(key), ...keyOnly(table, row), ...patch });
      }
    }
    if (given.size === 0) return [];
    const among = [...given.values()].map((row) => table.key.map((column) => row[column] ?? null));
    const columns = storedNames(table);
    const stored: Row[] = await this.select(table, columns, { columns: table.key, among });
    return stored.map((row) => ({ ...row, ...given.get(keyOf(table, row)) }));
  }

  async #begin(table: Table, rows: readonly Row[], since: number, ended: number): Promise<void> {
    const columns = [...storedColumns(table)];
    const names = ['organisation', ...columns.map(([name]) => name), '_since', '_ended'];
    for (let at = 0; at < rows.length; at += rowsAtOnce) {
      const values = rows
        .slice(at, at + rowsAtOnce)
        .map((row): Value[] => [
          this.#moment.organisationId,
          ...columns.map(([name, type]) => arriving(type, row[name] ?? null)),
          since,
          ended,
        ]);
      await this.#statements.insert(quotedName(table.name), names, values);
    }
  }

  /**
   * Ends the rows whose keys begin again with a stamp. The server writes the ends itself, from rows that are still there, and
   * fails once the turn may be another writer's: an end that came after a row was cleaned away would bring it back, and one
   * that is left out would leave a row there twice.
   */
  async #endOthers(table: Table, stamp: number): Promise<void> {
    const key = listed(table.key.map((name) => clickhouseDialect.identifier(name)));
    const name = clickhouseDialect.identifier(table.name);
    const isOurs = isOfOrganisation(this.#moment);
    const begun = sql`SELECT ${key} FROM ${name} WHERE ${isOurs} AND _since = ${integer(stamp)}`;
    const before = sql`${tableAsOf(table, this.#moment, sql`(${key}) IN (${begun})`)} WHERE _since < ${integer(stamp)}${await this.#inTurn()}`;
    // Chosen first, stamped then: a condition on _ended would mean the new one.
    const ended = sql`SELECT * REPLACE (toUInt64(${integer(stamp)}) AS _ended) FROM (SELECT * FROM ${before})`;
    await this.#statements.run(statementFor(sql`INSERT INTO ${name} ${ended}`));
  }

  async #inTurn(): Promise<Sql> {
    const until = await this.#statements.leaseEndsThereAt();
    if (until === undefined) return raw('');
    return sql` AND NOT throwIf(toUnixTimestamp(now()) >= ${integer(Math.floor(until / 1_000))})`;
  }
}

/** One insert is one part of a table, and in memory here and there. */
const rowsAtOnce = 20_000;

const keyOf = (table: Table, row: Row): string => JSON.stringify(table.key.map((column) => row[column] ?? null));

const keyOnly = (table: Table, row: Row): Row =>
  Object.fromEntries(table.key.map((column) => [column, row[column] ?? null]));

const lastOfEach = (table: Table, rows: readonly Row[]): Row[] => [
  ...new Map(rows.map((row) => [keyOf(table, row), row])).values(),
];
