import { dateColumns, orderColumn, type Row, storedColumns, type Table } from '../../../src/catalogue/table.ts';
import type {
  ColumnExtremes,
  ColumnMeasure,
  Condition,
  TableChanges,
  TableWriter,
} from '../../../src/warehouse/intake-port.ts';
import { cellOf, compare, matcher } from './row-conditions.ts';

type RowsByKey = ReadonlyMap<string, Row>;

/** All tables of an organisation at one moment. Never changed: a change makes another one. */
export interface MemoryState {
  readonly tables: ReadonlyMap<string, RowsByKey>;
  readonly directoryVersion: number;
  readonly derivationVersion: number;
}

export const emptyState: MemoryState = { tables: new Map(), directoryVersion: 0, derivationVersion: 0 };

export const rowsIn = ({ tables }: MemoryState, table: Table): Row[] => [...(tables.get(table.name)?.values() ?? [])];

const keyOf = (table: Table, row: Row): string => JSON.stringify(table.key.map((column) => row[column] ?? null));

/** Reads and writes a state of its own, which is nobody else's until it is taken from here. */
export class MemorySession {
  state: MemoryState;
  /** The same, as ports call it: rows are typed by the table that is asked for. */
  readonly writer = this as unknown as TableWriter;

  constructor(state: MemoryState) {
    this.state = state;
  }

  async select(table: Table, columns: readonly string[], where?: Condition): Promise<Row[]> {
    return this.#matching(table, where).map((row) => pick(table, row, columns));
  }

  async tally(table: Table, by: readonly string[], where?: Condition): Promise<Row[]> {
    return this.#grouped(table, by, where).map(({ group, rows }) => ({ ...group, rows: rows.length }));
  }

  async summarise(table: Table, by: readonly string[], measure: ColumnMeasure, where?: Condition): Promise<Row[]> {
    const column = 'median' in measure ? measure.median : 'min' in measure ? measure.min : measure.max;
    return this.#grouped(table, by, where).map(({ group, rows }) => {
      const values = rows.flatMap((row) => cellOf(table, row, column) ?? []).map(Number);
      const sorted = values.toSorted((a, b) => a - b);
      return { ...group, value: ('median' in measure ? median(sorted) : sorted.at('min' in measure ? 0 : -1)) ?? null };
    });
  }

  async rowsByDay(table: Table): Promise<{ readonly from: number | null; readonly rows: number }[]> {
    const column = orderColumn(table);
    const days = new Map<number | null, number>();
    for (const row of rowsIn(this.state, table)) {
      const at = column === undefined ? null : cellOf(table, row, column);
      const seconds = typeof at === 'string' ? Date.parse(at) / 1_000 : at === null ? null : Number(at);
      const day = seconds === null ? null : Math.floor(seconds / 86_400) * 86_400;
      days.set(day, (days.get(day) ?? 0) + 1);
    }
    return [...days].map(([from, rows]) => ({ from, rows })).toSorted((a, b) => compare(a.from, b.from));
  }

  async extremes(table: Table): Promise<ColumnExtremes> {
    const [first, ...last] = [orderColumn(table), ...dateColumns(table)].map((column) =>
      rowsIn(this.state, table)
        .flatMap((row) => (column === undefined ? [] : (cellOf(table, row, column) ?? [])))
        .toSorted(compare),
    );
    return { first: first?.[0] ?? null, last: last.map((values) => values.at(-1) ?? null) };
  }

  async directoryVersion(): Promise<number> {
    return this.state.directoryVersion;
  }

  async derivationVersion(): Promise<number> {
    return this.state.derivationVersion;
  }

  async flush(changes: readonly TableChanges[]): Promise<void> {
    for (const { table, removed, put, added, patches } of changes) {
      const columns = [...storedColumns(table).keys()];
      this.#edit(table, (stored) => {
        for (const row of removed) stored.delete(keyOf(table, row));
        for (const row of [...put, ...added]) stored.set(keyOf(table, row), pick(table, row, columns));
        for (const patch of patches) {
          for (const row of patch.rows) {
            const known = stored.get(keyOf(table, row));
            if (known) stored.set(keyOf(table, row), { ...known, ...pick(table, row, patch.columns) });
          }
        }
      });
    }
  }

  async setDirectoryVersion(version: number): Promise<void> {
    this.state = { ...this.state, directoryVersion: version };
  }

  async setDerivationVersion(version: number): Promise<void> {
    this.state = { ...this.state, derivationVersion: version };
  }

  #edit(table: Table, edit: (stored: Map<string, Row>) => void): void {
    const stored = new Map(this.state.tables.get(table.name));
    edit(stored);
    this.state = { ...this.state, tables: new Map(this.state.tables).set(table.name, stored) };
  }

  #matching(table: Table, where: Condition | undefined): Row[] {
    return rowsIn(this.state, table).filter(matcher(table, where));
  }

  /** Without columns to group by there is one group, be it empty. */
  #grouped(table: Table, by: readonly string[], where: Condition | undefined) {
    const groups = new Map<string, { readonly group: Row; readonly rows: Row[] }>();
    if (by.length === 0) groups.set('{}', { group: {}, rows: [] });
    for (const row of this.#matching(table, where)) {
      const group = pick(table, row, by);
      const known = groups.get(JSON.stringify(group)) ?? { group, rows: [] };
      groups.set(JSON.stringify(group), known);
      known.rows.push(row);
    }
    return [...groups.values()];
  }
}

const pick = (table: Table, row: Row, columns: readonly string[]): Row =>
  Object.fromEntries(columns.map((column) => [column, cellOf(table, row, column)]));

/** Linear between the two in the middle. */
function median(sorted: readonly number[]): number | undefined {
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return low === undefined || high === undefined ? undefined : low + (high - low) / 2;
}
