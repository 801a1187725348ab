import type { organisationCopy } from '../../catalogue/directory-copies.ts';
import type { Row, RowOf, Table } from '../../catalogue/table.ts';
import { type FactTable, factTables } from '../../catalogue/tables/all-tables.ts';
import type { Condition } from '../../warehouse/intake-port.ts';
import { type Batch, tableOf } from '../apply/batch.ts';
import type { ChangedRow, Mutable } from '../write/table-overlay.ts';

/**
 * The context of every derivation beside rows. When the time zone changes, everything is recomputed; the key never
 * changes.
 */
export type DeriveContext = Pick<Batch, 'zone' | 'surveyKey'>;

/**
 * Settings of an organisation, each with its column, that a derivation sees only where it declares them. What declares a
 * setting is recomputed when the setting changes.
 */
export const derivationSettings = { runnerPrices: 'runner_prices' } as const satisfies {
  readonly [S in keyof Batch]?: keyof RowOf<typeof organisationCopy>;
};
export type DerivationSetting = keyof typeof derivationSettings;

type ColumnOf<T extends Table> = keyof RowOf<T> & string;
type FactColumn<N extends FactTable> = ColumnOf<(typeof factTables)[N]>;

/**
 * Columns of a table that follow from others. A derivation sees only the columns that it declares to read: any other does
 * not compile. What is loaded and what is derived again when rows change is built from these declarations.
 */
interface Derivation {
  readonly table: Table;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

/** Derives from a row alone. */
export interface RowDerivation extends Derivation {
  readonly kind: 'row';
  /** The settings that it reads, each with the column without which the setting changes nothing. */
  readonly settings?: { readonly [S in DerivationSetting]?: string };
  readonly derive: (row: Row, context: DeriveContext & Pick<Batch, DerivationSetting>) => Row;
}

/** Derives from a part and its parent, which may be unknown. */
export interface PartDerivation extends Derivation {
  readonly kind: 'part';
  readonly readsParent: readonly string[];
  readonly derive: (row: Row, parent: Row | undefined, context: DeriveContext) => Row;
}

/** Derives from all parts of one parent together. */
export interface SiblingDerivation extends Derivation {
  readonly kind: 'siblings';
  /** The derived values for each of the rows, in their order. */
  readonly derive: (rows: readonly Row[]) => readonly Row[];
}

/** Columns of some tables. */
type TableColumns = { readonly [N in FactTable]?: readonly FactColumn<N>[] };
export type PartRows = { readonly [N in FactTable]?: readonly Row[] };

/** Derives from a parent and its parts. */
export interface ParentDerivation extends Derivation {
  readonly kind: 'parent';
  readonly parts: { readonly [N in FactTable]?: readonly string[] };
  readonly derive: (row: Row, parts: PartRows, context: DeriveContext) => Row;
}

export interface ParentWithParts {
  readonly row: Mutable<Row>;
  readonly parts: PartRows;
}

export const ofRow = <
  T extends Table,
  const R extends ColumnOf<T>,
  const W extends ColumnOf<T>,
  const S extends DerivationSetting = never,
>(
  table: T,
  declaration: {
    readonly reads: readonly R[];
    readonly settings?: Readonly<Record<S, NoInfer<R>>>;
    readonly writes: readonly W[];
    readonly derive: (row: Pick<RowOf<T>, R>, context: DeriveContext & Pick<Batch, S>) => Pick<RowOf<T>, W>;
  },
): RowDerivation => ({ kind: 'row', table, ...declaration }) as unknown as RowDerivation;

export const ofPart = <
  T extends Table,
  P extends Table,
  const R extends ColumnOf<T>,
  const Q extends ColumnOf<P>,
  const W extends ColumnOf<T>,
>(
  table: T,
  declaration: {
    readonly parent: P;
    readonly reads: readonly R[];
    readonly readsParent: readonly Q[];
    readonly writes: readonly W[];
    readonly derive: (
      row: Pick<RowOf<T>, R>,
      parent: Pick<RowOf<P>, Q> | undefined,
      context: DeriveContext,
    ) => Pick<RowOf<T>, W>;
  },
): PartDerivation => ({ kind: 'part', table, ...declaration }) as unknown as PartDerivation;

export const ofSiblings = <T extends Table, const R extends ColumnOf<T>, const W extends ColumnOf<T>>(
  table: T,
  declaration: {
    readonly reads: readonly R[];
    readonly writes: readonly W[];
    readonly derive: (rows: readonly Pick<RowOf<T>, R>[]) => readonly Pick<RowOf<T>, W>[];
  },
): SiblingDerivation => ({ kind: 'siblings', table, ...declaration }) as unknown as SiblingDerivation;

type RowsOf<P extends TableColumns> = {
  readonly [N in keyof P & FactTable]: readonly Pick<
    RowOf<(typeof factTables)[N]>,
    NonNullable<P[N]>[number] & FactColumn<N>
  >[];
};

/** The declaration of a derivation of parents, whether or not it looks anything up. */
interface ParentColumns<R, P extends TableColumns, W> {
  readonly reads: readonly R[];
  readonly parts: P;
  readonly writes: readonly W[];
}

export const ofParent = <
  T extends Table,
  const R extends ColumnOf<T>,
  const P extends TableColumns,
  const W extends ColumnOf<T>,
>(
  table: T,
  declaration: ParentColumns<R, P, W> & {
    readonly derive: (row: Pick<RowOf<T>, R>, parts: RowsOf<P>, context: DeriveContext) => Pick<RowOf<T>, W>;
  },
): ParentDerivation => ({ kind: 'parent', table, ...declaration }) as unknown as ParentDerivation;

/** Derives from a parent, its parts and rows of other tables, which are looked up for many parents at once. */
export interface LookupDerivation extends Derivation {
  readonly kind: 'lookup';
  readonly parts: { readonly [N in FactTable]?: readonly string[] };
  /** Columns that are looked up, by table. These tables are derived before. */
  readonly lookups: { readonly [N in FactTable]?: readonly string[] };
  /** Ids of parents that changed rows of looked-up tables may concern. */
  readonly touched: (
    changed: Readonly<Record<string, readonly ChangedRow<Row>[]>>,
    reader: unknown,
    context: DeriveContext,
  ) => Promise<ReadonlySet<string>>;
  readonly derive: (items: readonly ParentWithParts[], reader: unknown, context: DeriveContext) => Promise<void>;
}

type DeclaredIn<D extends TableColumns, N extends keyof D & FactTable> = NonNullable<D[N]>[number] & FactColumn<N>;

/** Reads tables, of each only the columns that are declared: any other does not compile, nor in a condition. */
export interface LookupReader<D extends TableColumns> {
  select<N extends keyof D & FactTable, const C extends DeclaredIn<D, N>>(
    table: N,
    columns: readonly C[],
    where: Condition<DeclaredIn<D, N>>,
  ): Promise<Pick<RowOf<(typeof factTables)[N]>, C>[]>;
}

/** Rows of looked-up tables in which a declared column has changed. */
export type ChangedLookups<L extends TableColumns> = {
  readonly [N in keyof L & FactTable]: readonly ChangedRow<Pick<RowOf<(typeof factTables)[N]>, DeclaredIn<L, N>>>[];
};

/** A parent as a derivation with look-ups sees it. */
export interface LookupItem<
  N extends FactTable,
  R extends FactColumn<N>,
  P extends TableColumns,
  W extends FactColumn<N>,
> {
  readonly row: Pick<RowOf<(typeof factTables)[N]>, R> & Mutable<Pick<RowOf<(typeof factTables)[N]>, W>>;
  readonly parts: RowsOf<P>;
}

export const withLookups = <
  N extends FactTable,
  const R extends FactColumn<N>,
  const P extends TableColumns,
  const W extends FactColumn<N>,
  const L extends TableColumns,
>(
  table: N,
  declaration: ParentColumns<R, P, W> & {
    readonly lookups: L;
    readonly touched: (
      changed: ChangedLookups<L>,
      reader: LookupReader<P & { readonly [K in N]: readonly R[] }>,
      context: DeriveContext,
    ) => Promise<ReadonlySet<string>>;
    readonly derive: (
      items: readonly LookupItem<N, R, P, W>[],
      reader: LookupReader<L>,
      context: DeriveContext,
    ) => Promise<void>;
  },
): LookupDerivation => ({ kind: 'lookup', table: factTables[table], ...declaration }) as unknown as LookupDerivation;

/** Parents that a change of what is looked up for them may concern. */
export async function touchedByLookups(one: LookupDerivation, batch: Batch): Promise<ReadonlySet<string>> {
  const changed = Object.entries(one.lookups).map(
    ([name, columns]) => [name, tableOf(batch, name as FactTable).changedIn(columns)] as const,
  );
  if (changed.every(([, rows]) => rows.length === 0)) return new Set();
  return one.touched(Object.fromEntries(changed), readerOf(batch), batch);
}

export const deriveWithLookups = (
  one: LookupDerivation,
  items: readonly ParentWithParts[],
  batch: Batch,
): Promise<void> => one.derive(items, readerOf(batch), batch);

const readerOf = ({ session }: Batch): LookupReader<TableColumns> => ({
  select: (name, columns, where) => session.select(factTables[name], columns as never, where) as never,
});
