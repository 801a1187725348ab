import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { TableHead, type TableProps, TableRow } from './table-rows.tsx';

export type { TableColumn } from './table-rows.tsx';

/** Few tables are that long. The component that draws them is loaded with the first one. */
const LongTable = lazy(() => import('./long-table.tsx')) as <R>(props: TableProps<R>) => React.ReactNode;

export function Table<R>(props: TableProps<R>) {
  if (props.rows.length <= (props.maxUnscrolled ?? 200)) return <ShortTable {...props} />;
  return (
    <Suspense fallback={<div className="table-scroll table-long skeleton" aria-busy="true" />}>
      <LongTable {...props} />
    </Suspense>
  );
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

/** Whether the content is wider than the box: then the box takes the focus, so that keys can scroll it. */
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
