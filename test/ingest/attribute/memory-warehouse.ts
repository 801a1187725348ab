import { type Row, storedColumns, type Table, type Value } from '../../../src/catalogue/table.ts';
import type { IntakeSession } from '../../../src/ingest/write/intake-session.ts';
import type { Condition, TableChanges, TableWriter } from '../../../src/warehouse/intake-port.ts';
import { storedTables } from '../../../src/warehouse/schema.ts';
import { cellOf, matcher } from '../../warehouse/memory/row-conditions.ts';

/** Tables in memory that answer as an engine does, and count what is written to them. */
export class MemoryTables {
  readonly #tables = new Map<string, Map<string, Row>>();
  written = 0;
  /** Does everything that is written here elsewhere, too. */
  mirror: Pick<IntakeSession, 'put' | 'remove'> | undefined;

  readonly session = this as unknown as TableWriter & IntakeSession;

  async select(table: Table, columns: readonly string[], where?: Condition): Promise<Row[]> {
    return this.#matching(table, where).map((row) =>
      Object.fromEntries(columns.map((column) => [column, cellOf(table, row, column)])),
    );
  }

  async tally(table: Table, by: readonly string[], where?: Condition): Promise<Row[]> {
    return this.#grouped(table, by, where).map(({ group, rows }) => ({ ...group, rows: rows.length }));
  }

  async summarise(
    table: Table,
    by: readonly string[],
    measure: { min: string } | { max: string },
    where?: Condition,
  ): Promise<Row[]> {
    const column = 'min' in measure ? measure.min : measure.max;
    return this.#grouped(table, by, where).map(({ group, rows }) => {
      const values = rows.flatMap((row) => (typeof row[column] === 'number' ? [Number(row[column])] : []));
      return { ...group, value: values.length > 0 ? ('min' in measure ? Math.min : Math.max)(...values) : null };
    });
  }

  /** Nothing here was derived by newer rules. */
  async derivationVersion(): Promise<number> {
    return 0;
  }

  async put(table: Table, rows: readonly Row[]): Promise<void> {
    this.written += rows.length;
    await this.mirror?.put(table, rows as never);
    const columns = [...storedColumns(table).keys()];
    for (const row of rows) {
      const missing = columns.filter((column) => row[column] === undefined);
      if (missing.length > 0) throw new Error(`${table.name} was put without ${missing.join(', ')}`);
      this.#rows(table).set(
        keyOf(table, row),
        Object.fromEntries(columns.map((column) => [column, row[column] ?? null])),
      );
    }
  }

  async patch(table: Table, columns: readonly string[], rows: readonly Row[]): Promise<void> {
    this.written += rows.length;
    for (const row of rows) {
      const known = this.#rows(table).get(keyOf(table, row));
      if (!known) continue;
      const values = Object.fromEntries(columns.map((column) => [column, cellOf(table, row, column)]));
      this.#rows(table).set(keyOf(table, row), { ...known, ...values });
    }
  }

  async remove(table: Table, where: Condition): Promise<void> {
    await this.mirror?.remove(table, where);
    for (const row of this.#matching(table, where)) {
      this.written += 1;
      this.#rows(table).delete(keyOf(table, row));
    }
  }

  async flush(changes: readonly TableChanges[]): Promise<void> {
    for (const { table, removed, put, added, patches } of changes) {
      for (const row of removed) await this.remove(table, { columns: table.key, among: [keyValues(table, row)] });
      await this.put(table, [...put, ...added]);
      for (const { columns, rows } of patches) await this.patch(table, columns, rows);
    }
  }

  async flushIfLarge(): Promise<void> {}

  find(table: Table, key: string): Row | undefined {
    return this.#rows(table).get(key);
  }

  rowsOf(table: Table): Row[] {
    return [...this.#rows(table).values()];
  }

  /** Everything, in an order of its own. */
  state(): Record<string, string[]> {
    return Object.fromEntries(
      storedTables.map((table) => [
        table.name,
        this.rowsOf(table)
          .map((row) => JSON.stringify(row))
          .sort(),
      ]),
    );
  }

  #rows(table: Table): Map<string, Row> {
    const known = this.#tables.get(table.name) ?? new Map<string, Row>();
    this.#tables.set(table.name, known);
    return known;
  }

  #matching(table: Table, where: Condition | undefined): Row[] {
    return this.rowsOf(table).filter(matcher(table, where));
  }

  #grouped(table: Table, by: readonly string[], where: Condition | undefined) {
    const groups = new Map<string, { group: Row; rows: Row[] }>();
    for (const row of this.#matching(table, where)) {
      const group = Object.fromEntries(by.map((column) => [column, cellOf(table, row, column)]));
      const key = JSON.stringify(group);
      const known = groups.get(key) ?? { group, rows: [] };
      groups.set(key, known);
      known.rows.push(row);
    }
    return [...groups.values()];
  }
}

const keyValues = (table: Table, row: Row): Value[] => table.key.map((column) => row[column] ?? null);

const keyOf = (table: Table, row: Row): string => table.key.map((column) => String(row[column])).join(' ');
