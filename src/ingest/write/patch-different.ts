import type { Row, RowOf, Table } from '../../catalogue/table.ts';
import { columnCopier, columnPicker, rowComparison } from '../../warehouse/row-shapes.ts';
import type { IntakeSession } from './intake-session.ts';

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
