import type { Row, RowOf, Table } from '../../catalogue/table.ts';
import { rowComparison } from '../../warehouse/row-shapes.ts';
import type { IntakeSession } from './intake-session.ts';
import { picked } from './row-groups.ts';

/** A stored row, with its key, and what some of its columns should hold. Undefined where they stay as they are. */
type StoredAndNow<V> = readonly [stored: Row, now: V | undefined];

/** Writes stored rows that should hold something else, and only the columns in which any of them differs. */
export async function patchDifferent<T extends Table, const C extends keyof RowOf<T> & string>(
  session: IntakeSession,
  table: T,
  columns: readonly C[],
  rows: Iterable<StoredAndNow<Pick<RowOf<T>, C>>>,
): Promise<void> {
  const isOther = rowComparison<string>(columns);
  const different = new Set<C>();
  const changed: Row[] = [];
  for (const [stored, now] of rows as Iterable<StoredAndNow<Row>>) {
    if (!now || !isOther(now, stored)) continue;
    for (const column of columns) if (now[column] !== stored[column]) different.add(column);
    changed.push({ ...picked(stored, table.key), ...now });
  }
  await session.patch(table, [...different], changed);
}
