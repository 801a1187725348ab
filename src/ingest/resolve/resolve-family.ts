import { inheritedColumns, orderColumn, type Value } from '../../catalogue/table.ts';
import type { FactTable } from '../../catalogue/tables/tables.ts';
import { addToList } from '../../lists-by-key.ts';
import type { Condition } from '../../warehouse/intake-port.ts';
import { isTurnLong, nextTurn } from '../../yield-to-event-loop.ts';
import { type Batch, tableOf } from '../apply/batch.ts';
import type { ParentDerivation } from '../derive/derivation.ts';
import { type LookupDerivation, touchedByLookups } from '../derive/lookup-derivation.ts';
import type { Mutable, OverlaidRow } from '../write/table-overlay.ts';
import type { Family, PartMember } from './family-columns.ts';
import { identify } from './person-naming.ts';

export type RowEntry = OverlaidRow<Record<string, Value>>;
type FamilyDerivation = ParentDerivation | LookupDerivation;

/** A parent that a batch touches, itself or through its parts, with the parts that the batch holds. */
export interface TouchedParent {
  readonly entry: RowEntry | undefined;
  /** None where it has none: most records have no parts with them, and each of them would have its own. */
  readonly parts: ReadonlyMap<FactTable, readonly RowEntry[]> | undefined;
  /** Derivations that have to run. */
  readonly runs: ReadonlySet<FamilyDerivation>;
  /** Tables of which the batch holds all parts. */
  readonly complete: readonly FactTable[];
}

/** Finds the people of the rows of a batch, and reads the parents and parts that their derivations need. */
export async function resolveFamily(batch: Batch, family: Family): Promise<TouchedParent[]> {
  const parents = tableOf(batch, family.name);
  if (family.table.naming) {
    for (const { after, part } of parents.entries.values()) {
      if (after && !part) identify(family.table, after, batch);
      if (isTurnLong()) await nextTurn();
    }
  }
  const changes = await changesOf(batch, family);
  const missing = [...changes.keys()].filter((id) => !parents.entries.has(id));
  const [column] = family.table.key;
  if (missing.length > 0 && column !== undefined) {
    await parents.load(batch.session, { column, in: missing }, family.columns as never);
  }
  const touched = new Map<string, LoadedParent>();
  const runs = new Map<ChangesOfParent, ReadonlySet<FamilyDerivation>>();
  for (const [id, changed] of changes) {
    const entry = parents.entries.get(id) as RowEntry | undefined;
    const known = runs.get(changed) ?? runsOf(family, changed);
    runs.set(changed, known);
    touched.set(id, { entry, runs: known, parts: undefined, complete: [] });
  }
  for (const part of family.parts) {
    await loadParts(batch, family, part, touched, changes);
    for (const entry of tableOf(batch, part.name).entries.values() as Iterable<RowEntry>) {
      const parent = touched.get(String(entry.after?.[part.link]));
      if (!parent) continue;
      parent.parts ??= new Map();
      addToList(parent.parts, part.name, entry);
      namePart(batch, part, entry, parent.entry?.after);
      if (isTurnLong()) await nextTurn();
    }
  }
  return [...touched.values()];
}

/** What has changed of a parent: itself, parts of a table, or what a derivation looks up. */
type ParentChange = 'self' | FactTable | FamilyDerivation;
type ChangesOfParent = ReadonlySet<ParentChange>;

/** What has changed of each parent. Of most of them one thing has: all those share one set. */
async function changesOf(batch: Batch, { name, parts, derivations }: Family): Promise<Map<string, ChangesOfParent>> {
  const changes = new Map<string, ChangesOfParent>();
  const alone = new Map<ParentChange, ChangesOfParent>();
  const add = (id: Value | undefined, change: ParentChange) => {
    if (typeof id !== 'string') return;
    const known = changes.get(id);
    if (known?.has(change)) return;
    const only = alone.get(change) ?? new Set([change]);
    alone.set(change, only);
    changes.set(id, known ? new Set([...known, change]) : only);
  };
  for (const id of tableOf(batch, name).entries.keys()) add(id, 'self');
  for (const part of parts) {
    for (const { before, after } of tableOf(batch, part.name).entries.values()) {
      add(before?.[part.link], part.name);
      add(after?.[part.link], part.name);
    }
  }
  for (const one of derivations) {
    if (one.kind === 'lookup') for (const id of await touchedByLookups(one, batch)) add(id, one);
  }
  return changes;
}

/** The derivations that read anything that has changed, or that a derivation before them writes again. */
function runsOf({ derivations }: Family, changed: ChangesOfParent): Set<FamilyDerivation> {
  if (changed.has('self')) return new Set(derivations);
  const runs = new Set<FamilyDerivation>();
  const rewritten = new Set<string>();
  for (const one of derivations) {
    const isTouched = changed.has(one) || Object.keys(one.parts).some((part) => changed.has(part as FactTable));
    if (!isTouched && !one.reads.some((column) => rewritten.has(column))) continue;
    runs.add(one);
    for (const column of one.writes) rewritten.add(column);
  }
  return runs;
}

interface LoadedParent extends TouchedParent {
  parts: Map<FactTable, RowEntry[]> | undefined;
  readonly complete: FactTable[];
}

/**
 * Reads parts that are stored already. Orphans are parts that came before their parent: they have inherited nothing yet.
 * All parts of a parent with another source are named again. What other parents pass on, the engine copies by itself.
 */
async function loadParts(
  batch: Batch,
  family: Family,
  part: PartMember,
  touched: ReadonlyMap<string, LoadedParent>,
  changes: ReadonlyMap<string, ChangesOfParent>,
): Promise<void> {
  const { session, isRecomputed } = batch;
  const [orphaned, renamed, known]: [string[], string[], string[]] = [[], [], []];
  for (const [id, parent] of touched) {
    const { entry, runs } = parent;
    const changed = changes.get(id);
    const isRead =
      part.isLookedUp ||
      areRead(part.name, runs) ||
      (part.siblings.length > 0 && changed?.has(part.name)) ||
      (part.derivations.length > 0 && changed?.has('self'));
    const isRenamed = isRecomputed || (entry?.before && entry.before.source !== entry.after?.source);
    if (!entry?.before) orphaned.push(id);
    else if (isRenamed && (isRecomputed || isRead || part.table.naming)) renamed.push(id);
    else if (isRead) known.push(id);
    else continue;
    parent.complete.push(part.name);
  }
  const overlay = tableOf(batch, part.name);
  const { link, columns } = part;
  const hasNothing = inheritedColumns(part.table).map((column): Condition => ({ column, isNull: true }));
  if (orphaned.length > 0) {
    await overlay.load(session, { all: [{ column: link, in: orphaned }, ...hasNothing] }, columns.orphan as never);
  }
  if (renamed.length > 0) {
    const read = isRecomputed ? columns.orphan : columns.named;
    await overlay.load(session, { column: link, in: renamed }, read as never);
  }
  if (known.length > 0) {
    const dates = known.map((id) => touched.get(id)?.entry?.before?.[orderColumn(family.table) ?? ''] ?? null);
    const where: Condition = { all: [{ column: link, in: known }, ...aroundDates(family, part, dates)] };
    await overlay.load(session, where, columns.derived as never);
  }
}

/** Whether one of the derivations reads parts of this table. */
function areRead(part: FactTable, runs: ReadonlySet<FamilyDerivation>): boolean {
  for (const { parts } of runs) if (part in parts) return true;
  return false;
}

/**
 * A part carries the date by which its parents are kept in order. It keeps the engine from looking through all of history
 * for the parts of a few recent parents. Parts without a parent have none.
 */
function aroundDates({ table }: Family, part: PartMember, dates: readonly Value[]): Condition[] {
  const column = orderColumn(table);
  if (column === undefined || !inheritedColumns(part.table).includes(column)) return [];
  const given = dates.flatMap((date) => date ?? []);
  const [first] = given;
  const undated: Condition = { column, isNull: true };
  if (first === undefined) return [undated];
  const [least, most] = given.reduce<[Value & {}, Value & {}]>(
    ([low, high], date) => [date < low ? date : low, date > high ? date : high],
    [first, first],
  );
  const between: Condition = {
    all: [
      { column, atLeast: least },
      { column, atMost: most },
    ],
  };
  return [{ any: [undated, between] }];
}

/** Sets the source and the person of a part that names a person itself. */
function namePart(
  batch: Batch,
  { table }: PartMember,
  { after, part }: RowEntry,
  parent: Mutable<Record<string, Value>> | undefined,
): void {
  if (!after || !table.naming || (part && !part.includes('person_login'))) return;
  after.source = after.given_source ?? parent?.source ?? null;
  identify(table, after, batch);
}
