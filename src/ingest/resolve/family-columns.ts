import { activityColumns, inheritedColumns, orderColumn, type Table } from '../../catalogue/table.ts';
import { childrenOf, type FactTable, factTableNames, factTables } from '../../catalogue/tables/all-tables.ts';
import { derivations } from '../derive/all-derivations.ts';
import type {
  LookupDerivation,
  ParentDerivation,
  PartDerivation,
  RowDerivation,
  SiblingDerivation,
} from '../derive/derivation.ts';
import { foundPersonColumns, namingColumns } from './resolver.ts';

/** A table that has no parent, or one of its parts, with what is derived of it. */
export interface Member {
  readonly name: FactTable;
  readonly table: Table;
  readonly rows: readonly RowDerivation[];
}

export interface PartMember extends Member {
  readonly link: string;
  readonly derivations: readonly PartDerivation[];
  readonly siblings: readonly SiblingDerivation[];
  /** Whether another family looks it up, with what it inherits: then a batch holds all parts of a touched parent. */
  readonly isLookedUp: boolean;
  /**
   * The columns that are read of a part that is not in the batch: for derivations, to name its person, and to inherit.
   */
  readonly columns: Readonly<Record<'derived' | 'named' | 'orphan', readonly string[]>>;
}

/** A table without a parent and its parts. */
export interface Family extends Member {
  readonly parts: readonly PartMember[];
  /** Parent derivations in the order in which they run, those with look-ups last. */
  readonly derivations: readonly (ParentDerivation | LookupDerivation)[];
  /** The columns that are read of a parent of which only parts are in the batch, whatever has changed of them. */
  readonly columns: readonly string[];
}

const unique = (...lists: readonly (readonly string[])[]): readonly string[] => [...new Set(lists.flat())];

/** The columns of a table that other families look up. */
const lookedUpColumns = (name: FactTable): readonly string[] =>
  unique(derivations.flatMap((one) => (one.kind === 'lookup' ? (one.lookups[name] ?? []) : [])));

function memberOf(name: FactTable): Member {
  const table: Table = factTables[name];
  const rows = derivations.filter((one): one is RowDerivation => one.kind === 'row' && one.table === table);
  return { name, table, rows };
}

function familyOf(name: FactTable): Family {
  const own = memberOf(name);
  const parents = derivations.filter(
    (one): one is ParentDerivation | LookupDerivation =>
      (one.kind === 'parent' || one.kind === 'lookup') && one.table === own.table,
  );
  const parts = childrenOf(name).map((part) => partOf(part, parents));
  return { ...own, parts, derivations: parents, columns: parentColumns(own.table, parts, parents) };
}

/** What is read of a parent of which only parts are in the batch, for some kinds of parts and some derivations. */
export function parentColumns(
  table: Table,
  parts: readonly PartMember[],
  runs: Iterable<ParentDerivation | LookupDerivation>,
): readonly string[] {
  const isNamed = parts.some((part) => part.table.naming);
  return unique(
    table.key,
    parts.flatMap((part) => inheritedColumns(part.table)),
    parts.flatMap((part) => part.derivations.flatMap(({ readsParent }) => readsParent)),
    [...runs].flatMap(({ reads, writes }) => [...reads, ...writes]),
    isNamed ? ['source'] : [],
    lookedUpColumns(table.name as FactTable),
    [orderColumn(table) ?? ''],
    // Attribution finds the repository of a pull request by it.
    table.repository ? ['repository_key'] : [],
  ).filter((column) => column !== '');
}

function partOf(name: FactTable, parents: readonly (ParentDerivation | LookupDerivation)[]): PartMember {
  const own = memberOf(name);
  const { table } = own;
  const of = derivations.filter((one): one is PartDerivation => one.kind === 'part' && one.table === table);
  const siblings = derivations.filter(
    (one): one is SiblingDerivation => one.kind === 'siblings' && one.table === table,
  );
  const link = table.parent?.key[0];
  if (link === undefined) throw new Error(`${name} is part of nothing`);
  const lookedUp = lookedUpColumns(name);
  const isLookedUp = lookedUp.length > 0;
  const derived = unique(
    table.key,
    [link],
    parents.flatMap(({ parts }) => parts[name] ?? []),
    [...of, ...siblings].flatMap(({ reads, writes }) => [...reads, ...writes]),
    lookedUp,
    isLookedUp ? inheritedColumns(table) : [],
  );
  const named = unique(
    derived,
    own.rows.flatMap(({ reads, writes }) => [...reads, ...writes]),
    // A person who becomes known by a part was active then.
    table.naming ? ['given_source', ...namingColumns(table), ...foundPersonColumns, ...activityColumns(table)] : [],
  );
  const columns = { derived, named, orphan: unique(named, inheritedColumns(table)) };
  return { ...own, link, derivations: of, siblings, isLookedUp, columns };
}

const isLookingUp = ({ derivations: own }: Family): boolean => own.some(({ kind }) => kind === 'lookup');

/** Every family, those whose derivations look up other tables last. */
export const families: readonly Family[] = factTableNames
  .filter((name) => (factTables[name] as Table).parent === undefined)
  .map(familyOf)
  .sort((a, b) => Number(isLookingUp(a)) - Number(isLookingUp(b)));
