import { inheritedColumns, type Row, type Value } from '../../catalogue/table.ts';
import { rowComparison } from '../../warehouse/row-shapes.ts';
import { type Batch, tableOf } from '../apply/batch.ts';
import type { Family } from '../resolve/family-columns.ts';
import { patchDifferent } from './intake-session.ts';

/** Writes what has changed of a family. */
export async function writeFamily(batch: Batch, family: Family): Promise<void> {
  for (const { name } of [family, ...family.parts]) await tableOf(batch, name).write(batch.session);
  await propagateInherited(batch, family);
}

/**
 * Stored parts inherit what has changed of their parents. Those that were recomputed, and those that are looked up, are
 * in the batch and have done so already.
 */
async function propagateInherited({ session, isRecomputed, tables }: Batch, family: Family): Promise<void> {
  if (isRecomputed) return;
  const heirs = family.parts.filter(({ isLookedUp }) => !isLookedUp);
  // Most changed parents have only other counts and times. They are sorted out once for all tables.
  const isOfAny = rowComparison([...new Set(heirs.flatMap(({ table }) => inheritedColumns(table)))]);
  const changed: { readonly before: Row; readonly after: Row }[] = [];
  for (const { before, after } of tableOf({ tables }, family.name).changed()) {
    if (before && after && isOfAny(before, after)) changed.push({ before, after });
  }
  if (changed.length === 0) return;
  for (const { table, link } of heirs) {
    const columns = new Set<string>();
    const passing = new Map<Value, Row>();
    const isOther = rowComparison(inheritedColumns(table));
    for (const { before, after } of changed) {
      if (!isOther(before, after)) continue;
      passing.set(after[link] ?? null, after);
      for (const column of inheritedColumns(table)) if (before[column] !== after[column]) columns.add(column);
    }
    if (passing.size === 0) continue;
    const wanted = [...new Set([...table.key, link, ...columns])];
    const where = { column: link, in: [...passing.keys()] };
    const parts = (await session.select(table, wanted as never, where)) as unknown as Row[];
    const now = parts.map((part) => [part, passing.get(part[link] ?? null)] as const);
    await patchDifferent(session, table, [...columns], now);
  }
}
