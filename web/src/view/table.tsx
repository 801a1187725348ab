import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import './table.css';

export interface TableColumn<R> {
  readonly name: string;
  readonly cell: (row: R) => ReactNode;
  /** Right-aligned, tabular. */
  readonly isNumber?: boolean;
  /** What can be done with the row: stays in sight at the right edge where the table is wider than its box. */
  readonly isAction?: boolean;
  /** The meaning of the column, on hover. */
  readonly meaning?: string;
}

interface TableProps<R> {
  readonly caption: string;
  readonly columns: readonly TableColumn<R>[];
  readonly rows: readonly R[];
  readonly keyOf: (row: R, at: number) => string;
  /** Makes rows open something. The first cell then holds a button, so that keys reach it. */
  readonly onOpen?: (row: R) => void;
  /** With more rows it has a box of its own, in which only the visible ones are drawn. Less than 200 where more follows below it. */
  readonly wholeMost?: number;
}

const rowHeight = 33;

export function Table<R>(props: TableProps<R>) {
  return props.rows.length > (props.wholeMost ?? 200) ? <LongTable {...props} /> : <ShortTable {...props} />;
}

function ShortTable<R>({ caption, columns, rows, keyOf, onOpen }: TableProps<R>) {
  const scroller = useRef<HTMLElement>(null);
  const isWide = useIsWider(scroller);
  return (
    <section className="table-scroll" ref={scroller} {...(isWide ? { tabIndex: 0, 'aria-label': caption } : {})}>
      <table className="table">
        <caption className="unseen">{caption}</caption>
        <TableHead columns={columns} />
        <tbody>
          {rows.map((row, at) => (
            <TableRow key={keyOf(row, at)} row={row} columns={columns} onOpen={onOpen} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Whether what is inside is wider than the box: then keys must reach it, so that they can scroll it. */
function useIsWider(box: React.RefObject<HTMLElement | null>): boolean {
  const [isWider, setWider] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWider(element.scrollWidth > element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return isWider;
}

/** The same table in a box of its own, where the rows that cannot be seen are one empty row above and one below. */
function LongTable<R>({ caption, columns, rows, keyOf, onOpen }: TableProps<R>) {
  const scroller = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const items = virtual.getVirtualItems();
  const above = items[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="table-scroll table-long" ref={scroller} tabIndex={0} aria-label={caption}>
      <table className="table" aria-rowcount={rows.length + 1}>
        <caption className="unseen">{caption}</caption>
        <TableHead columns={columns} />
        <tbody>
          {above > 0 && <TableGap height={above} columns={columns.length} />}
          {items.map(({ index }) => {
            const row = rows[index] as R;
            return <TableRow key={keyOf(row, index)} row={row} columns={columns} onOpen={onOpen} at={index + 2} />;
          })}
          {below > 0 && <TableGap height={below} columns={columns.length} />}
        </tbody>
      </table>
    </section>
  );
}

const TableGap = ({ height, columns }: { readonly height: number; readonly columns: number }) => (
  <tr>
    <td colSpan={columns} style={{ height }} />
  </tr>
);

function TableHead<R>({ columns }: { readonly columns: readonly TableColumn<R>[] }) {
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

function TableRow<R>({ row, columns, onOpen, at }: RowProps<R>) {
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
