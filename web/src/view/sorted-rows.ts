/** What a row is sorted by in a column; undefined where its cell shows nothing that has an order. */
export type SortKey = string | number | null | undefined;

interface SortableColumn<R> {
  readonly name: string;
  /** What React draws. */
  readonly cell: (row: R) => unknown;
  readonly isAction?: boolean;
  /** Where the cell does not show it: by default the number of the cell, else its words. */
  readonly sortBy?: (row: R) => string | number | null;
}

export interface SortOrder {
  readonly column: string;
  readonly direction: 'ascending' | 'descending';
}

/** Whether any row shows something in a column that has an order: columns of buttons and pictures have none. */
export const isSortable = <R>(column: SortableColumn<R>, rows: readonly R[]): boolean =>
  !column.isAction && rows.some((row) => (sortKey(column, row) ?? null) !== null);

export const sortKey = <R>({ cell, sortBy }: SortableColumn<R>, row: R): SortKey =>
  sortBy ? sortBy(row) : keyOfCell(cell(row));

/** Numbers written for people: with spaces or commas between thousands, as dollars or percent. */
const writtenNumber = /^[+−-]?\$?\d[\d\u202f, ]*(?:\.\d+)?\u202f?%?$/;

function keyOfCell(cell: unknown): SortKey {
  if (typeof cell === 'number') return cell;
  if (typeof cell === 'string') {
    if (cell === '–' || cell === '') return null;
    return writtenNumber.test(cell) ? Number(cell.replace('−', '-').replace(/[^\d.-]/g, '')) : cell;
  }
  // React draws nothing for these.
  if (cell === null || cell === false) return null;
  if (Array.isArray(cell)) return keyOfAll(cell);
  if (typeof cell !== 'object' || !('props' in cell)) return undefined;
  const { value, children } = cell.props as { readonly value?: unknown; readonly children?: unknown };
  return typeof value === 'number' || value === null ? value : keyOfCell(children);
}

/** A name with what belongs to it below: the first that has words decides. */
const keyOfAll = (cells: readonly unknown[]): SortKey =>
  cells.map(keyOfCell).find((key) => key !== undefined && key !== null);

/** Names with numbers in them are in the order that people count in. */
const { compare } = new Intl.Collator(undefined, { numeric: true });

/** The rows by one column. What has no value comes last, whichever way. */
export function sortedRows<R>(rows: readonly R[], column: SortableColumn<R>, { direction }: SortOrder): readonly R[] {
  const sign = direction === 'ascending' ? 1 : -1;
  const keyed = rows.map((row) => ({ row, key: sortKey(column, row) ?? null }));
  const order = (one: string | number, other: string | number): number =>
    typeof one === 'number' && typeof other === 'number' ? one - other : compare(String(one), String(other));
  return keyed
    .toSorted((a, b) => {
      if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null);
      return sign * order(a.key, b.key);
    })
    .map(({ row }) => row);
}

/** A click sorts by a column, numbers from the highest and names from the first; a second one turns it, a third gives it up. */
export function nextOrder(now: SortOrder | undefined, column: string, isNumber: boolean): SortOrder | undefined {
  const [first, second] = isNumber ? (['descending', 'ascending'] as const) : (['ascending', 'descending'] as const);
  if (now?.column !== column) return { column, direction: first };
  return now.direction === first ? { column, direction: second } : undefined;
}
