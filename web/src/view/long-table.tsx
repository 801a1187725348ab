import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { usePrinting } from '../theme/printing.ts';
import { explanationWords } from './answer-words.ts';
import { grouped } from './format.ts';
import { type SortedTableProps, TableHead, TableRow } from './table-rows.tsx';

const rowHeight = 36;
/** Paper cannot be scrolled, and more rows are read in an export. */
const maxPrinted = 200;

/** A table in a box of its own, of which only the rows in sight are drawn. */
export default function LongTable<R>(props: SortedTableProps<R>) {
  return usePrinting() ? <PrintedTable {...props} /> : <ScrolledTable {...props} />;
}

/** On paper: the first rows, all of them drawn, and how many there are. */
function PrintedTable<R>({ caption, columns, rows, keyOf, onOpen }: SortedTableProps<R>) {
  return (
    <section className="table-scroll" aria-label={caption}>
      {rows.length > maxPrinted && (
        <p className="small secondary">{explanationWords.printedRows(grouped(maxPrinted), grouped(rows.length))}</p>
      )}
      <table className="table">
        <caption className="unseen">{caption}</caption>
        <TableHead columns={columns} order={undefined} />
        <tbody>
          {rows.slice(0, maxPrinted).map((row, at) => (
            <TableRow key={keyOf(row, at)} row={row} columns={columns} onOpen={onOpen} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function ScrolledTable<R>({ caption, columns, rows, keyOf, onOpen, order }: SortedTableProps<R>) {
  const scroller = useRef<HTMLElement>(null);
  // One empty row above and one below take the place of the rows out of sight.
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
        <TableHead columns={columns} order={order} />
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
