import { type Row, type RowOf, storedNames, type Table, type Value } from '../../catalogue/table.ts';
import { addToList } from '../../lists-by-key.ts';
import type { Condition, TableReader } from '../../warehouse/intake-port.ts';
import { rowComparison } from '../../warehouse/row-shapes.ts';
import { type IntakeSession, patchDifferent } from './intake-session.ts';

export type Mutable<R> = { -readonly [C in keyof R]: R[C] };

/** A row on its way from one state to the next. Absent before: it is new; absent after: it goes. */
export interface OverlaidRow<R> {
  readonly key: string;
  readonly before: R | undefined;
  after: Mutable<R> | undefined;
  /** The columns that were read, where it was not all of them: only these can change. */
  readonly part: readonly string[] | undefined;
}

export interface RowTally {
  readonly added: number;
  readonly changed: number;
}

/** A row as it was and as it is, as far as some columns of it matter. A column that was not read has not changed. */
export interface ChangedRow<R> {
  readonly before: R | undefined;
  readonly after: R | undefined;
}

/**
 * The rows of one table that a batch touches, in memory: read once, changed by one stage after another, and written
 * once, where anything came of it.
 */
export class TableOverlay<T extends Table, R extends Row = RowOf<T> & Row> {
  readonly table: T;
  readonly entries = new Map<string, OverlaidRow<R>>();
  /** The changes at the moment of writing: from then on nothing changes any more. */
  #written: readonly OverlaidRow<R>[] | undefined;

  constructor(table: T) {
    this.table = table;
  }

  keyOf(row: Row): string {
    return keyTextOf(this.table, row);
  }

  /** Whole rows, so that records can be laid over them. */
  async loadWhole(session: TableReader, keys: readonly Row[]): Promise<void> {
    const wanted = keys.filter((row) => !this.entries.has(this.keyOf(row)));
    if (wanted.length > 0) await this.load(session, keyed(this.table, wanted));
  }

  /** Rows by a condition: all their columns, or a part. Rows that are here already stay as they are. */
  async load(session: TableReader, where: Condition, part?: readonly (keyof R & string)[]): Promise<OverlaidRow<R>[]> {
    const columns = part ?? storedNames(this.table);
    const rows = (await session.select(this.table, columns as never, where)) as unknown as R[];
    if (rows.length > 0) this.#written = undefined;
    return rows.map((row) => {
      const key = this.keyOf(row);
      const known = this.entries.get(key);
      if (known) return known;
      const entry: OverlaidRow<R> = { key, before: row, after: { ...row }, part };
      this.entries.set(key, entry);
      return entry;
    });
  }

  /** The row with this key, made if there is none. Only after the rows that there are have been loaded. */
  make(key: Row): Mutable<R> {
    this.#written = undefined;
    const name = this.keyOf(key);
    const entry = this.entries.get(name);
    if (entry?.after) return entry.after;
    // Copying a row of nothing is several times as quick as building one, column by column.
    const row: Record<string, Value> = { ...emptyRow(this.table) };
    for (const column of this.table.key) row[column] = key[column] ?? null;
    const after = row as Mutable<R>;
    if (entry) entry.after = after;
    else this.entries.set(name, { key: name, before: undefined, after, part: undefined });
    return after;
  }

  remove(entry: OverlaidRow<R>): void {
    this.#written = undefined;
    entry.after = undefined;
  }

  /** Entries in which something is different now. */
  changed(): readonly OverlaidRow<R>[] {
    return this.#written ?? [...this.entries.values()].filter((entry) => this.#differs(entry));
  }

  /** How many rows are new, and in how many something is different now. Asked before rows are derived, of records alone. */
  tally(): RowTally {
    const kept = this.changed().filter(({ after }) => after !== undefined);
    const added = kept.filter(({ before }) => before === undefined).length;
    return { added, changed: kept.length - added };
  }

  /** Rows that are new or gone, and those in which one of these columns is different now. */
  changedIn<C extends keyof R>(columns: readonly C[]): readonly ChangedRow<Pick<R, C>>[] {
    return this.changed().filter(
      ({ before, after }) => !before || !after || columns.some((column) => before[column] !== after[column]),
    );
  }

  #differs({ before, after, part }: OverlaidRow<R>): boolean {
    if (!before || !after) return before !== after;
    return rowComparison(part ?? storedNames(this.table))(before, after as R);
  }

  async write(session: IntakeSession): Promise<void> {
    const made: R[] = [];
    const whole: R[] = [];
    const stored: R[] = [];
    const gone: R[] = [];
    const parts = new Map<readonly string[], (readonly [stored: R, now: R])[]>();
    const changed = this.changed();
    this.#written = changed;
    for (const entry of changed) {
      if (!entry.after) gone.push(entry.before as R);
      else if (!entry.before) made.push(entry.after as R);
      else if (!entry.part) {
        whole.push(entry.after as R);
        stored.push(entry.before);
      } else addToList(parts, entry.part, [entry.before, entry.after as R]);
    }
    if (gone.length > 0) await session.remove(this.table, keyed(this.table, gone));
    await session.put(this.table, whole as never, { stored });
    await session.put(this.table, made as never, { areNew: true });
    for (const [columns, rows] of parts) await patchDifferent<Table, string>(session, this.table, columns, rows);
  }
}

/** The key of a row as one text. */
export function keyTextOf({ key }: Table, row: Row): string {
  const [first] = key;
  if (first !== undefined && key.length === 1) return String(row[first]);
  return JSON.stringify(key.map((column) => row[column] ?? null));
}

const emptyRows = new WeakMap<Table, Row>();

function emptyRow(table: Table): Row {
  const known = emptyRows.get(table);
  if (known) return known;
  const row = Object.fromEntries(storedNames(table).map((column) => [column, null]));
  emptyRows.set(table, row);
  return row;
}

export function keyed(table: Table, rows: readonly Row[]): Condition {
  const [first, ...more] = table.key;
  if (first !== undefined && more.length === 0) return { column: first, in: rows.map((row) => row[first] ?? null) };
  return { columns: table.key, among: rows.map((row) => table.key.map((column) => row[column] ?? null)) };
}
