import { inheritedColumns } from '../../catalogue/table.ts';
import { type Batch, tableOf } from '../apply/batch.ts';
import type { Family } from '../resolve/family-columns.ts';

/** Writes what has changed of a family. */
export async function writeFamily(batch: Batch, family: Family): Promise<void> {
  for (const { name } of [family, ...family.parts]) await tableOf(batch, name).write(batch.session);
  await propagateInherited(batch, family);
}

/** Parts that are not in the batch inherit what their parents say now. */
async function propagateInherited(batch: Batch, family: Family): Promise<void> {
  const parents = tableOf(batch, family.name);
  const [column] = family.table.key;
  if (column === undefined || family.areLookedUp) return;
  for (const { table } of family.parts) {
    const inherited = inheritedColumns(table);
    // A column that was not stored before is missing in parts of a parent that has not changed.
    const passing = batch.isRecomputed
      ? [...parents.entries.values()].filter(({ before, after }) => before && after)
      : parents.changed().filter(({ before, after }) => {
          return before && after && inherited.some((one) => one in after && before[one] !== after[one]);
        });
    if (passing.length === 0) continue;
    await batch.session.inherit(table, family.table, { column, in: passing.map(({ key }) => key) });
  }
}
