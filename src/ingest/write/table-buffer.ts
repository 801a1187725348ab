import type { Row, Table, Value } from '../../catalogue/table.ts';
import { type Condition, type ConditionOnSpan, conditionIn, type TableChanges } from '../../warehouse/intake-port.ts';
import { rowMaker } from '../../warehouse/row-shapes.ts';
import type { PutOptions } from './intake-session.ts';
import { keyTextOf } from './table-overlay.ts';

/** A change of one row that has not reached the engine yet. */
export type RowChange = WholeRow | PatchedRow | RemovedRow;

interface WholeRow {
  readonly kind: 'whole';
  readonly row: Row;
  /** Whether nothing is stored under its key. */
  readonly isNew: boolean;
  /** The stored row, where it is known. */
  readonly stored?: Row | undefined;
  readonly own?: OwnRow;
}

/** The row itself, where it was made here: it is changed in place. A caller's row stays as it is. */
type OwnRow = Record<string, Value>;

interface PatchedRow {
  readonly kind: 'patch';
  /** The key and the patched columns. */
  readonly row: Row;
  readonly columns: ReadonlySet<string>;
  readonly own: OwnRow;
}

interface RemovedRow {
  readonly kind: 'removed';
  readonly row: Row;
}

/** The changes of one table, by the key of the row. */
export class TableBuffer {
  readonly table: Table;
  readonly #byKey = new Map<string, RowChange>();
  /**
   * The rows that were put first, in one go. Nobody asks for most of them before they are flushed: they need no place
   * by their key.
   */
  #first: (PutOptions & { readonly rows: readonly Row[] }) | undefined;

  constructor(table: Table) {
    this.table = table;
  }

  get size(): number {
    return this.#byKey.size + (this.#first?.rows.length ?? 0);
  }

  get changes(): ReadonlyMap<string, RowChange> {
    return this.#changes;
  }

  get #changes(): Map<string, RowChange> {
    const first = this.#first;
    this.#first = undefined;
    if (first) this.#putByKey(first.rows, first);
    return this.#byKey;
  }

  put(rows: readonly Row[], options: PutOptions = {}): void {
    if (rows.length === 0) return;
    if (this.size === 0) this.#first = { rows, ...options };
    else this.#putByKey(rows, options);
  }

  #putByKey(rows: readonly Row[], { areNew = false, stored }: PutOptions): void {
    const changes = this.#changes;
    for (const [i, row] of rows.entries()) {
      const key = keyTextOf(this.table, row);
      const before = changes.get(key);
      if (before?.kind === 'whole')
        changes.set(key, { kind: 'whole', row, isNew: before.isNew, stored: before.stored });
      else changes.set(key, { kind: 'whole', row, isNew: areNew && !before, stored: before ? undefined : stored?.[i] });
    }
  }

  patch(row: Row, columns: readonly string[]): void {
    const changes = this.#changes;
    const key = keyTextOf(this.table, row);
    const before = changes.get(key);
    if (before?.kind === 'removed') return;
    const own = before?.own ?? { ...before?.row };
    for (const column of before ? columns : [...this.table.key, ...columns]) own[column] = row[column] ?? null;
    if (before?.own && (before.kind === 'whole' || columns.every((column) => before.columns.has(column)))) return;
    if (before?.kind === 'whole') changes.set(key, { ...before, row: own, own });
    else changes.set(key, { kind: 'patch', row: own, own, columns: new Set([...(before?.columns ?? []), ...columns]) });
  }

  remove(row: Row): void {
    const changes = this.#changes;
    const key = keyTextOf(this.table, row);
    const before = changes.get(key);
    if (before?.kind === 'whole' && before.isNew) changes.delete(key);
    else changes.set(key, { kind: 'removed', row });
  }

  /** Changes of these columns, new rows and removed ones. */
  touching(columns: ReadonlySet<string>): [key: string, change: RowChange][] {
    return [...this.changes].filter(([, change]) => isTouching(change, columns));
  }

  /** All changes in the form that engines take. */
  toFlush(): TableChanges {
    if (this.#first) {
      const { rows, areNew } = this.#first;
      return { table: this.table, removed: [], put: areNew ? [] : rows, added: areNew ? rows : [], patches: [] };
    }
    const [removed, put, added]: [Row[], Row[], Row[]] = [[], [], []];
    const patches = new Map<string, { columns: readonly string[]; rows: Row[] }>();
    for (const change of this.#byKey.values()) {
      if (change.kind === 'removed') removed.push(change.row);
      else if (change.kind === 'whole') (change.isNew ? added : put).push(change.row);
      else {
        const columns = [...change.columns].sort();
        const name = columns.join();
        const group = patches.get(name) ?? { columns, rows: [] };
        patches.set(name, group);
        group.rows.push(change.row);
      }
    }
    return { table: this.table, removed, put, added, patches: [...patches.values()] };
  }
}

function isTouching(change: RowChange, columns: ReadonlySet<string>): boolean {
  if (change.kind === 'removed') return true;
  if (change.kind === 'whole' && !change.stored) return true;
  for (const column of columns) {
    const isChanged =
      change.kind === 'patch' ? change.columns.has(column) : change.row[column] !== change.stored?.[column];
    if (isChanged) return true;
  }
  return false;
}

/** Whether a row meets a condition, as an engine decides it: a null is in no list, and neither before nor after anything. */
export function matcher(where: Condition | undefined): (row: Row) => boolean {
  if (!where) return () => true;
  if ('all' in where) {
    const parts = where.all.map(matcher);
    return (row) => parts.every((part) => part(row));
  }
  if ('any' in where) {
    const parts = where.any.map(matcher);
    return (row) => parts.some((part) => part(row));
  }
  if ('columns' in where) {
    const { columns } = where;
    const rowOf = rowMaker(columns);
    const tuples = new Set(where.among.map((tuple) => groupOf(rowOf(tuple), columns)));
    return (row) => tuples.has(groupOf(row, columns));
  }
  if ('spans' in where) {
    const { key, spans, holds } = where;
    const matchers = new Map(spans.map((span) => [span.key, matcher(conditionIn(holds, span))]));
    return (row) => matchers.get((row[key] ?? null) as string | null)?.(row) === true;
  }
  const { column } = where;
  if ('isNull' in where) return (row) => ((row[column] ?? null) === null) === where.isNull;
  if ('in' in where) {
    const values: ReadonlySet<Value | undefined> = new Set(where.in.filter((value) => value !== null));
    return (row) => values.has(row[column]);
  }
  if ('atLeast' in where) {
    const { atLeast } = where;
    return (row) => row[column] != null && atLeast !== null && (row[column] as Value & {}) >= atLeast;
  }
  if ('below' in where) {
    const { below } = where;
    return (row) => row[column] != null && below !== null && (row[column] as Value & {}) < below;
  }
  const { atMost } = where;
  return (row) => row[column] != null && atMost !== null && (row[column] as Value & {}) <= atMost;
}

/** The columns that a condition looks at. */
export function columnsIn(where: ConditionOnSpan | undefined): readonly string[] {
  if (!where) return [];
  if ('all' in where) return where.all.flatMap(columnsIn);
  if ('any' in where) return where.any.flatMap(columnsIn);
  if ('spans' in where) return [where.key, ...columnsIn(where.holds)];
  return 'columns' in where ? where.columns : [where.column];
}

/** The values of some columns as one text, different for each group: no stored text holds what ends a value. */
export function groupOf(row: Row, by: readonly string[]): string {
  let group = '';
  for (const column of by) {
    const value = row[column] ?? null;
    group += typeof value === 'string' ? `"${value}\0` : `${value}\0`;
  }
  return group;
}
