import { inheritedColumns, type Row, type Table, type Value } from '../../catalogue/table.ts';
import type { FactTable } from '../../catalogue/tables/all-tables.ts';
import { addToList } from '../../lists-by-key.ts';
import { columnCopier } from '../../warehouse/row-shapes.ts';
import { isTurnLong, nextTurn } from '../../yield-to-event-loop.ts';
import { type Batch, tableOf } from '../apply/batch.ts';
import type { Family, Member } from '../resolve/family-columns.ts';
import type { RowEntry, TouchedParent } from '../resolve/resolve-family.ts';
import {
  deriveWithLookups,
  type LookupDerivation,
  type ParentWithParts,
  type PartRows,
  type RowDerivation,
} from './derivation.ts';

/** Derives the touched parents of a family and their parts. */
export async function deriveFamily(batch: Batch, family: Family, touched: readonly TouchedParent[]): Promise<void> {
  for (const entry of tableOf(batch, family.name).entries.values() as Iterable<RowEntry>) {
    deriveRow(batch, family, entry);
    if (isTurnLong()) await nextTurn();
  }
  const noParts = noRowsOf(family);
  const looking = new Map<LookupDerivation, ParentWithParts[]>();
  for (const parent of touched) {
    if (parent.parts) deriveParts(batch, family, parent);
    const row = parent.entry?.after;
    const { runs } = parent.changes;
    if (row && runs.size > 0) {
      const parts = parent.parts ? rowsOf(parent.parts, noParts) : noParts;
      for (const one of runs) {
        if (one.kind === 'parent') columnCopier(one.writes)(one.derive(row, parts, batch), row);
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
  for (const { writes, derive } of part ? derivableOf(rows, part) : rows)
    columnCopier(writes)(derive(after, batch), after);
}

const derivable = new WeakMap<readonly RowDerivation[], WeakMap<readonly string[], readonly RowDerivation[]>>();

/** The derivations whose columns are all among these. Callers ask about the same few lists for every row. */
function derivableOf(rows: readonly RowDerivation[], part: readonly string[]): readonly RowDerivation[] {
  const ofRows = derivable.get(rows) ?? new WeakMap<readonly string[], readonly RowDerivation[]>();
  derivable.set(rows, ofRows);
  const known = ofRows.get(part);
  if (known) return known;
  const found = rows.filter(({ reads, writes }) => [...reads, ...writes].every((column) => part.includes(column)));
  ofRows.set(part, found);
  return found;
}

function deriveParts(batch: Batch, family: Family, { entry, parts }: TouchedParent): void {
  for (const part of family.parts) {
    for (const child of parts?.[part.name] ?? []) {
      deriveRow(batch, part, child);
      for (const { writes, derive } of part.derivations) {
        if (child.after) columnCopier(writes)(derive(child.after, entry?.after, batch), child.after);
      }
    }
  }
}

/** Shared by all parents without parts: there are many. */
const noRowsOf = (family: Family): PartRows => Object.fromEntries(family.parts.map(({ name }) => [name, []]));

function rowsOf(parts: NonNullable<TouchedParent['parts']>, noParts: PartRows): PartRows {
  const rows: { -readonly [N in keyof PartRows]: PartRows[N] } = { ...noParts };
  for (const name in parts) rows[name as FactTable] = afterOf(parts[name as FactTable] ?? []);
  return rows;
}

/** Rows that stay. Asked for every parent, so nothing else is made on the way. */
function afterOf(entries: readonly RowEntry[]): Record<string, Value>[] {
  const rows: Record<string, Value>[] = [];
  for (const { after } of entries) if (after) rows.push(after);
  return rows;
}

/**
 * Derives the columns that parts inherit, once their parent's are derived, and those that follow from parts together.
 */
function passToParts(family: Family, { entry, parts, complete }: TouchedParent): void {
  for (const { name, table, siblings } of family.parts) {
    const children = parts?.[name] ?? [];
    for (const { after, part } of children) if (after) inheritor(table, part)(entry?.after ?? noParent, after);
    if (!complete.includes(name)) continue;
    const rows = afterOf(children);
    for (const one of siblings) {
      const copy = columnCopier(one.writes);
      for (const [i, values] of one.derive(rows).entries()) copy(values, rows[i] ?? {});
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
