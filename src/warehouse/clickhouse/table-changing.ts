import type { Readable } from 'node:stream';
import { type Row, storedColumns, storedNames, type Table, type Value } from '../../catalogue/table.ts';
import type { RowsLayout } from '../../store/writer-turns.ts';
import type { TableChanges, TableWriter } from '../intake-port.ts';
import { type Moment, stampOf } from './as-of.ts';
import { arriving, quotedName } from './kept-types.ts';
import type { LeasedStatements } from './leased-statements.ts';
import { insertFromInput } from './moved-rows.ts';
import { endsApart } from './row-ends.ts';
import { EndingRows, type WriterMoment } from './superseded-rows.ts';
import { MomentReader } from './table-reading.ts';

/**
 * Changes an organisation's tables without changing a row: what it puts begins with its stamp, and what was there before
 * ends with it. Nothing of it is seen by others until the change is published.
 */
export class ChangeWriter extends MomentReader implements TableWriter {
  readonly leaveCopies: () => Promise<void>;
  readonly #statements: LeasedStatements;
  readonly #moment: WriterMoment;
  readonly #ends: EndingRows;
  readonly #said: { directory?: number; derivation?: number } = {};
  #layout: RowsLayout | undefined;
  #step = 0;

  constructor(statements: LeasedStatements, moment: WriterMoment, leaveCopies: () => Promise<void>) {
    super((statement) => statements.lines(statement), moment);
    this.leaveCopies = leaveCopies;
    this.#statements = statements;
    this.#moment = moment;
    this.#ends = new EndingRows(statements, moment);
  }

  /** The changes before it that were never published. */
  get dead(): readonly number[] {
    return this.#moment.dead;
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
      const { table, put, added } = change;
      const patched = await this.#patched(change);
      // A row is one of these at most, but for what is put or patched twice: the last one counts.
      const replacing = lastOfEach(table, [...put, ...patched]);
      const removed = lastOfEach(table, change.removed).map((row) => keyOnly(table, row));
      if (removed.length + replacing.length + added.length === 0) continue;
      const stamp = stampOf(this.#moment.change, ++this.#step);
      await this.#begin(table, [...replacing, ...added], stamp);
      if (endsApart(table, this.#moment.layout)) {
        await this.#ends.endApart(table, [...replacing, ...removed], stamp);
        continue;
      }
      // Removing leaves a row that ends as it begins: its key says which row ended.
      await this.#begin(table, removed, stamp, stamp);
      if (removed.length + replacing.length > 0) await this.#ends.endByCopies(table, stamp);
    }
  }

  /** Adds rows under keys that are not stored, from a Parquet file. */
  async addParquet(table: Table, parquet: Readable): Promise<void> {
    const stamp = stampOf(this.#moment.change, ++this.#step);
    const token = [this.#moment.organisationId, stamp].join();
    await this.#statements.insertParquet(insertFromInput(table, this.#moment, stamp), parquet, token);
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

  /** How rows are kept once this change is published. */
  get layout(): RowsLayout {
    return this.#layout ?? this.#moment.layout;
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

  async #begin(table: Table, rows: readonly Row[], since: number, ended?: number): Promise<void> {
    const columns = [...storedColumns(table)];
    const isNumbered = endsApart(table, this.#moment.layout);
    const { organisationId } = this.#moment;
    const names = ['organisation', ...columns.map(([name]) => name), '_since', ...(isNumbered ? ['_n'] : ['_ended'])];
    for (let at = 0; at < rows.length; at += rowsAtOnce) {
      const values = rows
        .slice(at, at + rowsAtOnce)
        .map((row, i): Value[] => [
          organisationId,
          ...columns.map(([name, type]) => arriving(type, row[name] ?? null)),
          since,
          isNumbered ? at + i : (ended ?? 0),
        ]);
      const token = [organisationId, since, at].join();
      await this.#statements.insert(quotedName(table.name), names, values, token);
    }
  }

  /**
   * Brings rows of an earlier layout into another one. Nothing of it is seen by others before it is published, and it may be
   * done again where it was cut off.
   */
  async changeLayout(next: (statements: LeasedStatements, moment: Moment) => Promise<RowsLayout>): Promise<void> {
    this.#step += 1;
    this.#layout = await next(this.#statements, this.#moment);
  }
}

/** Each insert makes a part of a table, and takes memory here and in the engine. */
const rowsAtOnce = 20_000;

const keyOf = (table: Table, row: Row): string => JSON.stringify(table.key.map((column) => row[column] ?? null));

const keyOnly = (table: Table, row: Row): Row =>
  Object.fromEntries(table.key.map((column) => [column, row[column] ?? null]));

const lastOfEach = (table: Table, rows: readonly Row[]): Row[] => [
  ...new Map(rows.map((row) => [keyOf(table, row), row])).values(),
];
