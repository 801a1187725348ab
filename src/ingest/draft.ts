import { keptColumns, type Row, type RowOf, type Table, type Value } from '../catalogue/table.ts';
import type { Condition, Reading, Writing } from '../warehouse/warehouse.ts';

export type Mutable<R> = { -readonly [C in keyof R]: R[C] };

/** A row on its way from one state to the next. Absent before: it is new; absent after: it goes. */
export interface Entry<R> {
  readonly key: string;
  readonly before: R | undefined;
  after: Mutable<R> | undefined;
  /** The columns that were read, where it was not all of them: only these can change. */
  readonly part?: readonly string[];
}

/**
 * The rows of one table that a batch touches, in memory: read once, changed by one stage after another, and written
 * once, where anything came of it.
 */
export class Draft<T extends Table, R extends Row = RowOf<T> & Row> {
  readonly table: T;
  readonly entries = new Map<string, Entry<R>>();

  constructor(table: T) {
    this.table = table;
  }

  keyOf(row: Row): string {
    const [first, ...more] = this.table.key;
    if (first !== undefined && more.length === 0) return String(row[first]);
    return JSON.stringify(this.table.key.map((column) => row[column] ?? null));
  }

  /** Whole rows, so that records can be laid over them. */
  async loadWhole(session: Reading, keys: readonly Row[]): Promise<void> {
    const wanted = new Map(keys.map((row) => [this.keyOf(row), row]));
    for (const key of this.entries.keys()) wanted.delete(key);
    if (wanted.size === 0) return;
    await this.load(session, keyed(this.table, [...wanted.values()]));
  }

  /** Rows by a condition: all their columns, or a part. Rows that are here already stay as they are. */
  async load(session: Reading, where: Condition, part?: readonly (keyof R & string)[]): Promise<Entry<R>[]> {
    const columns = part ?? [...keptColumns(this.table).keys()];
    const rows = (await session.select(this.table, columns as never, where)) as unknown as R[];
    return rows.map((row) => {
      const key = this.keyOf(row);
      const known = this.entries.get(key);
      if (known) return known;
      const entry: Entry<R> = { key, before: row, after: { ...row }, ...(part ? { part } : {}) };
      this.entries.set(key, entry);
      return entry;
    });
  }

  /** The row with this key, made if there is none. Only after the rows that there are have been loaded. */
  make(key: Row): Mutable<R> {
    const name = this.keyOf(key);
    const entry = this.entries.get(name);
    if (entry?.after) return entry.after;
    const row: Record<string, Value> = {};
    for (const column of keptColumns(this.table).keys()) row[column] = key[column] ?? null;
    const after = row as Mutable<R>;
    if (entry) entry.after = after;
    else this.entries.set(name, { key: name, before: undefined, after });
    return after;
  }

  remove(entry: Entry<R>): void {
    entry.after = undefined;
  }

  /** Entries in which something is different now. */
  changed(): Entry<R>[] {
    return [...this.entries.values()].filter(differs);
  }

  async write(session: Writing): Promise<void> {
    const whole: R[] = [];
    const gone: R[] = [];
    const parts = new Map<readonly string[], Entry<R>[]>();
    for (const entry of this.changed()) {
      if (!entry.after) gone.push(entry.before as R);
      else if (!entry.part) whole.push(entry.after as R);
      else {
        const group = parts.get(entry.part) ?? [];
        if (group.length === 0) parts.set(entry.part, group);
        group.push(entry);
      }
    }
    if (gone.length > 0) await session.remove(this.table, keyed(this.table, gone));
    await session.put(this.table, whole as never);
    for (const [columns, entries] of parts) {
      const moved = columns.filter((column) =>
        entries.some(({ before, after }) => before?.[column] !== after?.[column]),
      );
      await session.patch(
        this.table,
        moved as never,
        entries.map(({ after }) => after as R),
      );
    }
  }
}

export function keyed(table: Table, rows: readonly Row[]): Condition {
  const [first, ...more] = table.key;
  if (first !== undefined && more.length === 0) return { column: first, in: rows.map((row) => row[first] ?? null) };
  return { columns: table.key, among: rows.map((row) => table.key.map((column) => row[column] ?? null)) };
}

function differs<R extends Row>({ before, after }: Entry<R>): boolean {
  if (!before || !after) return before !== after;
  for (const column in after) if (after[column as keyof R] !== before[column as keyof R]) return true;
  return false;
}
