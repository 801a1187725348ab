import type { ReactNode } from 'react';
import './table.css';

export interface TableColumn<R> {
  readonly name: string;
  readonly cell: (row: R) => ReactNode;
  /** Right-aligned, tabular. */
  readonly isNumber?: boolean;
  /** Buttons of the row: they stay in sight at the right edge where the table is wider than its box. */
  readonly isAction?: boolean;
  /** The meaning of the column, on hover. */
  readonly meaning?: string;
}

export interface TableProps<R> {
  readonly caption: string;
  readonly columns: readonly TableColumn<R>[];
  readonly rows: readonly R[];
  readonly keyOf: (row: R, at: number) => string;
  /** Makes rows open something. The first cell then holds a button, so that keys can open it. */
  readonly onOpen?: (row: R) => void;
  /** With more rows it has a box of its own, in which only the visible ones are drawn. Less than 200 where more follows below it. */
  readonly maxUnscrolled?: number;
}

export function TableHead<R>({ columns }: { readonly columns: readonly TableColumn<R>[] }) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column.name} scope="col" className={cellClass(column)} title={column.meaning}>
            {column.name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function cellClass<R>({ isNumber, isAction }: TableColumn<R>): string | undefined {
  if (isNumber) return 'number';
  return isAction ? 'action' : undefined;
}

interface RowProps<R> {
  readonly row: R;
  readonly columns: readonly TableColumn<R>[];
  readonly onOpen: ((row: R) => void) | undefined;
  /** Its place among all rows, where not all are on the page. */
  readonly at?: number;
}

export function TableRow<R>({ row, columns, onOpen, at }: RowProps<R>) {
  return (
    <tr aria-rowindex={at}>
      {columns.map((column, place) => (
        <td key={column.name} className={cellClass(column)}>
          {place === 0 && onOpen ? (
            <button type="button" className="link" onClick={() => onOpen(row)}>
              {column.cell(row)}
            </button>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
    </tr>
  );
}
