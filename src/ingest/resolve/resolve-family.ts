import { inheritedColumns, orderColumn, type Value } from '../../catalogue/table.ts';
import type { FactTable } from '../../catalogue/tables/all-tables.ts';
import type { Condition } from '../../warehouse/intake-port.ts';
import { isTurnLong, nextTurn } from '../../yield-to-event-loop.ts';
import { type Batch, tableOf } from '../apply/batch.ts';
import { type LookupDerivation, type ParentDerivation, touchedByLookups } from '../derive/derivation.ts';
import type { Mutable, OverlaidRow } from '../write/table-overlay.ts';
import { type Family, type PartMember, parentColumns } from './family-columns.ts';
import { identify } from './resolver.ts';

export type RowEntry = OverlaidRow<Record<string, Value>>;

/** A parent that a batch touches, itself or through its parts, with the parts that the batch holds. */
export interface TouchedParent {
  readonly entry: RowEntry | undefined;
  readonly changes: ParentChanges;
  /**
   * Absent where the parent has none: most records come without parts, and an empty object for each would take memory.
   */
  readonly parts: { readonly [N in FactTable]?: readonly RowEntry[] } | undefined;
  /** Tables of which the batch holds all parts, as far as anything follows from them together. */
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
  const touched = await touchedParents(batch, family);
  const missing = [...touched].filter(([id]) => !parents.entries.has(id));
  const [column] = family.table.key;
  if (missing.length > 0 && column !== undefined) {
    const where = { column, in: missing.map(([id]) => id) };
    const changes = new Set(missing.map(([, parent]) => parent.changes));
    const loaded = await parents.load(batch.session, where, columnsToRead(batch, family, changes) as never);
    for (const entry of loaded as Iterable<RowEntry>) {
      const parent = touched.get(entry.key);
      if (parent) parent.entry = entry;
    }
  }
  for (const part of family.parts) {
    await loadParts(batch, family, part, touched);
    for (const entry of tableOf(batch, part.name).entries.values() as Iterable<RowEntry>) {
      const parent = touched.get(String(entry.after?.[part.link]));
      if (!parent) continue;
      parent.parts ??= {};
      parent.parts[part.name] ??= [];
      parent.parts[part.name]?.push(entry);
      namePart(batch, part, entry, parent.entry?.after);
      if (isTurnLong()) await nextTurn();
    }
  }
  return [...touched.values()];
}

const none: readonly FactTable[] = [];

/**
 * The columns to read of parents. Parts alone touch thousands of them, and most columns have nothing to do with those
 * parts.
 */
function columnsToRead(
  { isRecomputed }: Batch,
  { columns }: Family,
  changes: Iterable<ParentChanges>,
): readonly string[] {
  if (isRecomputed) return columns;
  const wanted = new Set([...changes].flatMap((one) => one.parentColumns));
  return columns.filter((column) => wanted.has(column));
}

/** The parents that a batch touches, by their ids. */
async function touchedParents(batch: Batch, family: Family): Promise<Map<string, LoadedParent>> {
  const touched = new Map<string, LoadedParent>();
  const unchanged = new ParentChanges(family);
  const itself = unchanged.and('self');
  for (const [id, entry] of tableOf(batch, family.name).entries as Map<string, RowEntry>) {
    touched.set(id, { entry, changes: itself, parts: undefined, complete: none });
  }
  const touch = (id: Value | undefined, change: FactTable | LookupDerivation) => {
    if (typeof id !== 'string') return;
    const known = touched.get(id);
    if (known) known.changes = known.changes.and(change);
    else touched.set(id, { entry: undefined, changes: unchanged.and(change), parts: undefined, complete: none });
  };
  for (const part of family.parts) {
    for (const { before, after } of tableOf(batch, part.name).entries.values()) {
      touch(before?.[part.link], part.name);
      touch(after?.[part.link], part.name);
    }
  }
  for (const one of family.derivations) {
    if (one.kind === 'lookup') for (const id of await touchedByLookups(one, batch)) touch(id, one);
  }
  return touched;
}

interface LoadedParent extends TouchedParent {
  entry: RowEntry | undefined;
  changes: ParentChanges;
  parts: { [N in FactTable]?: RowEntry[] } | undefined;
  complete: readonly FactTable[];
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
): Promise<void> {
  const { session, isRecomputed } = batch;
  const [orphaned, renamed, known]: [string[], string[], string[]] = [[], [], []];
  for (const [id, parent] of touched) {
    const { before, after } = parent.entry ?? {};
    const isRead = before && areRead(part, parent.changes);
    const isRenamed = isRecomputed || (before && before.source !== after?.source);
    if (!before) orphaned.push(id);
    else if (isRenamed && (isRecomputed || isRead || part.table.naming)) renamed.push(id);
    else if (isRead) known.push(id);
    else continue;
    if (part.siblings.length > 0) parent.complete = [...parent.complete, part.name];
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

/** Whether anything that has to be derived reads the parts of a table. */
function areRead({ name, isLookedUp, siblings, derivations }: PartMember, { changed, runs }: ParentChanges): boolean {
  if (isLookedUp) return true;
  if (siblings.length > 0 && changed.has(name)) return true;
  if (derivations.length > 0 && changed.has('self')) return true;
  for (const { parts } of runs) if (name in parts) return true;
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

type FamilyDerivation = ParentDerivation | LookupDerivation;
/** The changes of a parent: of itself, of parts in a table, or of rows that a derivation looks up. */
type ParentChange = 'self' | FactTable | LookupDerivation;

/**
 * The changes of a parent and the derivations that follow. Parents with the same changes share one object: there are
 * many.
 */
class ParentChanges {
  readonly changed: ReadonlySet<ParentChange>;
  /** Derivations that have to run. */
  readonly runs: ReadonlySet<FamilyDerivation>;
  readonly #family: Family;
  readonly #withOneMore = new Map<ParentChange, ParentChanges>();

  constructor(family: Family, changed: ReadonlySet<ParentChange> = new Set()) {
    this.#family = family;
    this.changed = changed;
    this.runs = runsOf(family, changed);
  }

  /** The columns to read of a parent that is not in the batch. */
  get parentColumns(): readonly string[] {
    const { table, parts } = this.#family;
    const read = parts.filter((part) => this.changed.has(part.name) || areRead(part, this));
    return parentColumns(table, read, this.runs);
  }

  and(change: ParentChange): ParentChanges {
    if (this.changed.has(change)) return this;
    const known = this.#withOneMore.get(change) ?? new ParentChanges(this.#family, new Set([...this.changed, change]));
    this.#withOneMore.set(change, known);
    return known;
  }
}

/** The derivations that read anything that has changed, or that a derivation before them writes again. */
function runsOf({ derivations }: Family, changed: ReadonlySet<ParentChange>): Set<FamilyDerivation> {
  if (changed.has('self')) return new Set(derivations);
  const runs = new Set<FamilyDerivation>();
  const rewritten = new Set<string>();
  for (const one of derivations) {
    const isLookedUp = one.kind === 'lookup' && changed.has(one);
    const isTouched = isLookedUp || Object.keys(one.parts).some((part) => changed.has(part as FactTable));
    if (!isTouched && !one.reads.some((column) => rewritten.has(column))) continue;
    runs.add(one);
    for (const column of one.writes) rewritten.add(column);
  }
  return runs;
}
