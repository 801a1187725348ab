import { ArrowDown, ArrowUp } from 'lucide-react';
import type { MouseEvent, ReactNode } from 'react';
import type { SortOrder } from './sorted-rows.ts';
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
  /** What rows are sorted by in this column, where the cell does not show it as a number or in words. */
  readonly sortBy?: (row: R) => string | number | null;
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
  /** People are listed by name: no number puts them in an order. */
  readonly isOfPeople?: boolean;
}

/** The order that a reader has chosen, and how they choose another. */
export interface HeadOrder {
  readonly now: SortOrder | undefined;
  /** The names of the columns that have an order, whatever rows come first. */
  readonly sortable: ReadonlySet<string>;
  readonly sort: (column: { readonly name: string; readonly isNumber?: boolean }) => void;
}

export interface SortedTableProps<R> extends TableProps<R> {
  /** Undefined where the order is not the reader's to choose. */
  readonly order: HeadOrder | undefined;
}

interface HeadProps<R> {
  readonly columns: readonly TableColumn<R>[];
  readonly order: HeadOrder | undefined;
}

export function TableHead<R>({ columns, order }: HeadProps<R>) {
  return (
    <thead>
      <tr>
        {columns.map((column) => {
          const direction = order?.now?.column === column.name ? order.now.direction : undefined;
          return (
            <th
              key={column.name}
              scope="col"
              className={cellClass(column)}
              title={column.meaning}
              {...(direction ? { 'aria-sort': direction } : {})}
            >
              {order?.sortable.has(column.name) ? (
                <button type="button" className="sort" onClick={() => order.sort(column)}>
                  {column.name}
                  {direction === 'ascending' && <ArrowUp className="icon" aria-hidden="true" />}
                  {direction === 'descending' && <ArrowDown className="icon" aria-hidden="true" />}
                </button>
              ) : (
                column.name
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

function cellClass<R>({ isNumber, isAction }: TableColumn<R>): string | undefined {
  if (isNumber) return 'number';
  return isAction ? 'action' : undefined;
}

/** A click anywhere on a row does what its name does, but for what is a control itself, and while text is selected. */
export function openByRow({ target, currentTarget }: MouseEvent<HTMLElement>): void {
  if (!(target instanceof Element) || target.closest('a, button, input, select, label, summary')) return;
  if (getSelection()?.isCollapsed === false) return;
  currentTarget.querySelector<HTMLElement>(`${rowName} :is(a, button)`)?.click();
}

/** Where the name of a row is, in a table and in a card. */
const rowName = ':is(td:first-child, .row-card-name)';

interface RowProps<R> {
  readonly row: R;
  readonly columns: readonly TableColumn<R>[];
  readonly onOpen: ((row: R) => void) | undefined;
  /** Its place among all rows, where not all are on the page. */
  readonly at?: number;
}

export function TableRow<R>({ row, columns, onOpen, at }: RowProps<R>) {
  return (
    // Keys reach the link or button in the first cell.
    <tr aria-rowindex={at} onClick={openByRow}>
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
