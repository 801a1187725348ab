import { inheritedColumns, type Row, type Table, type Value } from '../../catalogue/table.ts';
import { addToList } from '../../lists-by-key.ts';
import { columnCopier } from '../../warehouse/row-shapes.ts';
import { isTurnLong, nextTurn } from '../../yield-to-event-loop.ts';
import { type Batch, tableOf } from '../apply/batch.ts';
import type { Family, Member } from '../resolve/family-columns.ts';
import type { RowEntry, TouchedParent } from '../resolve/resolve-family.ts';
import type { ParentWithParts } from './derivation.ts';
import { deriveWithLookups, type LookupDerivation } from './lookup-derivation.ts';

/** Derives the touched parents of a family and their parts. */
export async function deriveFamily(batch: Batch, family: Family, touched: readonly TouchedParent[]): Promise<void> {
  for (const entry of tableOf(batch, family.name).entries.values() as Iterable<RowEntry>) {
    deriveRow(batch, family, entry);
    if (isTurnLong()) await nextTurn();
  }
  const noParts = rowsOf(family, undefined);
  const looking = new Map<LookupDerivation, ParentWithParts[]>();
  for (const parent of touched) {
    if (parent.parts) deriveParts(batch, family, parent);
    const row = parent.entry?.after;
    const { runs } = parent.changes;
    if (row && runs.size > 0) {
      const parts = parent.parts ? rowsOf(family, parent.parts) : noParts;
      for (const one of runs) {
        if (one.kind === 'parent') Object.assign(row, one.derive(row, parts, batch));
        else addToList(looking, one, { row, parts });
      }
    }
    if (parent.parts) passToParts(family, parent);
    if (isTurnLong()) await nextTurn();
  }
  for (const [one, items] of looking) await deriveWithLookups(one, items, batch);
}

/** Derivations of a row by itself, where all columns that they read and write are here. */
function deriveRow(batch: Batch, { rows }: Member, { after, part }: RowEntry): void {
  if (!after) return;
  for (const { reads, writes, derive } of rows) {
    if (part && !isWithin([...reads, ...writes], part)) continue;
    Object.assign(after, derive(after, batch));
  }
}

const isWithin = (some: readonly string[], all: readonly string[]): boolean =>
  some.every((column) => all.includes(column));

function deriveParts(batch: Batch, family: Family, { entry, parts }: TouchedParent): void {
  for (const part of family.parts) {
    for (const child of parts?.[part.name] ?? []) {
      deriveRow(batch, part, child);
      for (const { derive } of part.derivations) {
        if (child.after) Object.assign(child.after, derive(child.after, entry?.after, batch));
      }
    }
  }
}

function rowsOf(family: Family, parts: TouchedParent['parts']): ParentWithParts['parts'] {
  const rows: Record<string, Record<string, Value>[]> = {};
  for (const { name } of family.parts) rows[name] = afterOf(parts?.[name] ?? []);
  return rows;
}

/** Rows that stay. Asked for every parent, so nothing else is made on the way. */
function afterOf(entries: readonly RowEntry[]): Record<string, Value>[] {
  const rows: Record<string, Value>[] = [];
  for (const { after } of entries) if (after) rows.push(after);
  return rows;
}

/** What parts inherit of their parent, once all of that is derived, and what follows from parts together. */
function passToParts(family: Family, { entry, parts, complete }: TouchedParent): void {
  for (const { name, table, siblings } of family.parts) {
    const children = parts?.[name] ?? [];
    for (const { after, part } of children) if (after) inheritor(table, part)(entry?.after ?? noParent, after);
    if (!complete.includes(name)) continue;
    const rows = afterOf(children);
    for (const one of siblings) {
      for (const [i, values] of one.derive(rows).entries()) Object.assign(rows[i] ?? {}, values);
    }
  }
}

type Inherit = ReturnType<typeof columnCopier>;
const inheriting = new WeakMap<readonly string[], Inherit>();

/** Sets what rows of a table inherit, as far as it was read. */
function inheritor(table: Table, part: readonly string[] | undefined): Inherit {
  const columns = inheritedColumns(table);
  const known = inheriting.get(part ?? columns);
  if (known) return known;
  const copy = columnCopier(part ? columns.filter((column) => part.includes(column)) : columns);
  inheriting.set(part ?? columns, copy);
  return copy;
}

const noParent: Row = {};
