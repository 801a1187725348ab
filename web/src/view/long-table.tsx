import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { TableHead, type TableProps, TableRow } from './table-rows.tsx';

const rowHeight = 33;

/** A table in a box of its own. One empty row above and one below take the place of the rows out of sight. */
export default function LongTable<R>({ caption, columns, rows, keyOf, onOpen }: TableProps<R>) {
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
