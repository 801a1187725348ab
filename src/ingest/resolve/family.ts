import { inheritedColumns, orderColumn, type Row, type Table } from '../../catalogue/table.ts';
import { childrenOf, type FactTable, factTables } from '../../catalogue/tables/tables.ts';
import type { Condition } from '../../warehouse/intake-port.ts';
import { type Batch, tableOf } from '../apply/batch.ts';
import type { Entry, Mutable, TableOverlay } from '../write/table-overlay.ts';
import { identify, namingColumns } from './person-naming.ts';

export type ChildRow = Record<string, Row[string]>;
export type ChildEntry = Entry<ChildRow>;

/** What tells isRecomputed who a child is of, once the source of its parent has become known or has changed. */
export const naming: readonly string[] = ['given_source', 'merged_user_id', 'is_bot', 'actor', ...namingColumns];

const namesItself = (table: Table): boolean => 'person_login' in table.columns;

/** What can be said isRecomputed of a row of which only a part was read. Asked for every row, so worked out once for each part. */
const settled = new WeakMap<readonly string[], { readonly inherited: readonly string[]; readonly isNamed: boolean }>();

function settledIn(part: readonly string[], table: Table) {
  const known = settled.get(part);
  if (known) return known;
  const inherited = inheritedColumns(table).filter((column) => part.includes(column));
  const some = { inherited, isNamed: part.includes('person_login') };
  settled.set(part, some);
  return some;
}

/** Says on a child what it takes from its parent, once all of that is known. */
export function inheritFrom(parent: Row | undefined, table: Table, { after, part }: ChildEntry): void {
  if (!after) return;
  const columns = part ? settledIn(part, table).inherited : inheritedColumns(table);
  for (const column of columns) after[column] = parent?.[column] ?? null;
}

/** Says on a child where it comes from, and whose it is. */
export function nameChild(batch: Batch, table: Table, { after, part }: ChildEntry, parent: Row | undefined): void {
  if (!after || !namesItself(table) || (part && !settledIn(part, table).isNamed)) return;
  after.source = after.given_source ?? parent?.source ?? null;
  identify(after as never, batch);
}

/** All of that, of a child whose parent is what it is without it. */
export function settleChild(batch: Batch, table: Table, entry: ChildEntry, parent: Row | undefined): void {
  inheritFrom(parent, table, entry);
  nameChild(batch, table, entry, parent);
}

/** The parents of a batch’s rows and those whose children are in it, with as much of them as their children need. */
export async function loadParents(
  { session }: Batch,
  parents: TableOverlay<Table>,
  children: readonly TableOverlay<Table>[],
  columns: readonly string[],
  besides: ReadonlySet<string> = new Set(),
): Promise<Set<string>> {
  const touched = new Set([...besides, ...parents.entries.keys()]);
  for (const child of children) {
    const column = child.table.parent?.key[0] ?? '';
    for (const { before, after } of child.entries.values()) {
      for (const row of [before, after]) if (typeof row?.[column] === 'string') touched.add(row[column]);
    }
  }
  const [column] = parents.table.key;
  const missing = [...touched].filter((key) => !parents.entries.has(key));
  if (missing.length > 0 && column !== undefined) await parents.load(session, { column, in: missing }, columns);
  return touched;
}

/**
 * Children that were here before their parent, and those that have to be told isRecomputed who they are. What a known parent
 * hands down is copied by the engine itself; only to a new one its few early children are brought.
 */
export function strayChildren(
  { isRecomputed }: Batch,
  parents: TableOverlay<Table>,
  touched: Iterable<string>,
): { readonly adopted: string[]; readonly renamed: string[] } {
  const adopted: string[] = [];
  const renamed: string[] = [];
  for (const key of touched) {
    const entry = parents.entries.get(key);
    if (!entry?.before) adopted.push(key);
    else if (isRecomputed || entry.before.source !== entry.after?.source) renamed.push(key);
  }
  return { adopted, renamed };
}

/** A parent and children of which nothing is derived but what they inherit. */
export async function settleFamily(batch: Batch, parent: FactTable, child: FactTable): Promise<void> {
  const table: Table = factTables[child];
  const parents = tableOf(batch, parent);
  const children = tableOf(batch, child);
  const link = table.parent?.key[0] ?? '';
  const needed = new Set([...parents.table.key, 'source', ...inheritedColumns(table)]);
  const touched = await loadParents(
    batch,
    parents,
    [children],
    [...needed].filter((name) => name in parents.table.columns),
  );
  const { adopted, renamed } = strayChildren(batch, parents, touched);
  // When it was belongs to it: a person who becomes known by it was active then.
  const names = [...table.key, link, orderColumn(table) ?? link, ...(namesItself(table) ? naming : [])];
  if (adopted.length > 0) {
    const columns = [...new Set([...names, ...inheritedColumns(table)])];
    // They have inherited nothing yet, and the engine looks no further than where there are such.
    const orphaned = inheritedColumns(table).map((column): Condition => ({ column, isNull: true }));
    await children.load(batch.session, { all: [{ column: link, in: adopted }, ...orphaned] }, columns);
  }
  if (renamed.length > 0 && namesItself(table)) {
    await children.load(batch.session, { column: link, in: renamed }, [...new Set(names)]);
  }
  for (const entry of children.entries.values()) {
    const key = entry.after?.[link];
    const parent = typeof key === 'string' ? parents.entries.get(key)?.after : undefined;
    settleChild(batch, table, entry as ChildEntry, parent);
  }
}

/** After everything is written: children that were not in the batch get what their parents say now. */
export async function propagateInherited({ session, tables, isRecomputed }: Batch, parent: FactTable): Promise<void> {
  const parents = tableOf({ tables }, parent);
  for (const name of childrenOf(parent)) {
    const table: Table = factTables[name];
    const columns = inheritedColumns(table);
    const differs = (before: Row | undefined, after: Mutable<Row>) =>
      columns.some((column) => column in after && before?.[column] !== after[column]);
    // Told isRecomputed, children may lack what a parent that is the same as ever says: a column that did not use to be kept.
    const heard = isRecomputed
      ? [...parents.entries.values()].filter(({ before, after }) => before && after)
      : parents.changed().filter(({ before, after }) => before && after && differs(before, after));
    const [column] = parents.table.key;
    if (heard.length === 0 || column === undefined) continue;
    await session.inherit(table, parents.table, { column, in: heard.map(({ key }) => key) });
  }
}
