import type { Row, RowOf, Table } from '../../catalogue/table.ts';
import type { Condition, TableReader } from '../../warehouse/intake-port.ts';
import { columnCopier, columnPicker, rowComparison } from '../../warehouse/row-shapes.ts';

/** The session with which ingest reads and changes tables. */
export interface IntakeSession extends TableReader {
  /** Whole rows. Where it is known what is stored under their keys, nothing, or `stored`, that saves looking for it. */
  put<T extends Table>(table: T, rows: readonly RowOf<T>[], options?: PutOptions): Promise<void>;
  /** Some columns of rows that are there already. A row gives its key and those columns. */
  patch<T extends Table>(table: T, columns: readonly (keyof RowOf<T> & string)[], rows: readonly Row[]): Promise<void>;
  /** Rows by key, or by any other condition. Those that are not there are no mistake. */
  remove(table: Table, where: Condition): Promise<void>;
  setDirectoryVersion(version: number): Promise<void>;
  setDerivationVersion(version: number): Promise<void>;
  /** Hands changes to the engine before the end, where there are more than fit into memory. */
  flushIfLarge(): Promise<void>;
}

export interface PutOptions {
  /** Nothing is stored under their keys, and no two of them have the same. */
  readonly areNew?: boolean;
  /** The stored rows, in the order of the rows. */
  readonly stored?: readonly Row[];
}

/** A stored row, with its key, and what some of its columns should hold. Undefined where they stay as they are. */
type StoredAndNow<V> = readonly [stored: Row, now: V | undefined];

/** Writes stored rows that should hold something else, and only the columns in which any of them differs. */
export async function patchDifferent<T extends Table, const C extends keyof RowOf<T> & string>(
  session: Pick<IntakeSession, 'patch'>,
  table: T,
  columns: readonly C[],
  rows: Iterable<StoredAndNow<Pick<RowOf<T>, C>>>,
): Promise<void> {
  const isOther = rowComparison<string>(columns);
  const patchOf = columnPicker([...table.key, ...columns]);
  const copyKey = columnCopier(table.key);
  let same = columns;
  const changed: Row[] = [];
  for (const [stored, now] of rows as Iterable<StoredAndNow<Row>>) {
    if (!now || !isOther(now, stored)) continue;
    if (same.some((column) => now[column] !== stored[column]))
      same = same.filter((column) => now[column] === stored[column]);
    const patch = patchOf(now);
    copyKey(stored, patch);
    changed.push(patch);
  }
  const different = columns.filter((column) => !same.includes(column));
  await session.patch(table, different, changed);
}
