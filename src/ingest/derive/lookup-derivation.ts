import type { Row, RowOf } from '../../catalogue/table.ts';
import { type FactTable, factTables } from '../../catalogue/tables/all-tables.ts';
import type { Condition } from '../../warehouse/intake-port.ts';
import { type Batch, tableOf } from '../apply/batch.ts';
import type { ChangedRow, Mutable } from '../write/table-overlay.ts';
import type {
  Derivation,
  DeriveContext,
  FactColumn,
  ParentColumns,
  ParentWithParts,
  RowsOf,
  TableColumns,
} from './derivation.ts';

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
