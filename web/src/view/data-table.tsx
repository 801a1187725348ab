import { lazy, Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { CardSwitch } from './card-views.tsx';
import { dataTableWords } from './chart-card-words.ts';
import { RowCards } from './row-cards.tsx';
import { isSortable, nextOrder, type SortOrder, sortedRows } from './sorted-rows.ts';
import { type HeadOrder, type SortedTableProps, TableHead, type TableProps, TableRow } from './table-rows.tsx';

export type { TableColumn } from './table-rows.tsx';

/** Few tables are that long. The component that draws them is loaded with the first one. */
const LongTable = lazy(() => import('./long-table.tsx')) as <R>(props: SortedTableProps<R>) => React.ReactNode;

/** Any table. It is sorted by any of its columns; lists of people stay by name, because nobody is ranked. */
export function Table<R>(props: TableProps<R>) {
  const { rows, columns, isOfPeople = false, maxUnscrolled = 200 } = props;
  const [order, setOrder] = useState<SortOrder>();
  const column = columns.find(({ name }) => name === order?.column);
  const head: HeadOrder | undefined = isOfPeople
    ? undefined
    : {
        now: order,
        sortable: new Set(columns.filter((one) => isSortable(one, rows)).map(({ name }) => name)),
        sort: ({ name, isNumber = false }) => setOrder(nextOrder(order, name, isNumber)),
      };
  const sorted = { ...props, rows: order && column ? sortedRows(rows, column, order) : rows, order: head };
  if (rows.length <= maxUnscrolled) return <ShortTable {...sorted} />;
  return (
    <Suspense fallback={<div className="table-scroll table-long skeleton" aria-busy="true" />}>
      <LongTable {...sorted} />
    </Suspense>
  );
}

const looks = { cards: dataTableWords.cards, table: dataTableWords.table } as const;

/** On a narrow screen the rows are cards, or a table that scrolls sideways, as the reader likes. */
function ShortTable<R>(props: SortedTableProps<R>) {
  const isNarrow = useIsNarrow();
  const [look, setLook] = useState<keyof typeof looks>('cards');
  // Two columns fit beside each other.
  if (!isNarrow || props.columns.length < 3) return <PlainTable {...props} />;
  return (
    <>
      <div className="look-switch">
        <CardSwitch title={props.caption} sides={looks} side={look} onSide={setLook} />
      </div>
      {look === 'cards' ? <RowCards {...props} /> : <PlainTable {...props} />}
    </>
  );
}

function PlainTable<R>({ caption, columns, rows, keyOf, onOpen, order }: SortedTableProps<R>) {
  const scroller = useRef<HTMLElement>(null);
  const isWide = useIsWider(scroller);
  return (
    <section
      className={`table-scroll ${isWide ? 'is-wide' : ''}`}
      ref={scroller}
      {...(isWide ? { tabIndex: 0, 'aria-label': caption } : {})}
    >
      <table className="table">
        <caption className="unseen">{caption}</caption>
        <TableHead columns={columns} order={order} />
        <tbody>
          {rows.map((row, at) => (
            <TableRow key={keyOf(row, at)} row={row} columns={columns} onOpen={onOpen} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

const narrow = '(max-width: 767px)';

const useIsNarrow = (): boolean =>
  useSyncExternalStore(
    (onChange) => {
      const media = matchMedia(narrow);
      media.addEventListener('change', onChange);
      return () => media.removeEventListener('change', onChange);
    },
    () => matchMedia(narrow).matches,
    () => false,
  );

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
