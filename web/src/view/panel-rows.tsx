import { columnLabel } from '../../../src/catalogue/labels/shown-names.ts';
import { measureOf } from '../ask/metric-facts.ts';
import type { RowsBehind } from '../ask/rows-behind.ts';
import type { Row, Rows } from '../ask/send.ts';
import type { View } from '../ask/use-view.ts';
import type { PanelState } from '../ask/view-state.ts';
import { Table, type TableColumn } from './data-table.tsx';
import { shown } from './format.ts';
import { PageLink } from './page-link.tsx';
import { panelRowsWords } from './panel-words.ts';
import { cellOrder, cellText, uncapitalised } from './record-cells.ts';
import { NothingInWindow } from './states.tsx';

interface PanelRowsProps {
  readonly rows: Rows;
  readonly meant: readonly Row[];
  readonly behind: RowsBehind;
  readonly view: View;
  readonly panel: PanelState;
}

/** The records behind the number of a panel. */
export function PanelRows({ rows: { rows, total }, meant, behind, view, panel }: PanelRowsProps) {
  const { list, value, question } = behind;
  if (meant.length === 0)
    return (
      <NothingInWindow what={list.many} window={panel.window ?? view.windowFor(panel.metric)} question={question} />
    );
  return (
    <>
      {total > rows.length && <p className="small secondary">{panelRowsWords.firstRecords(rows.length, total)}</p>}
      <Table
        caption={panelRowsWords.behindThisNumber(list.many)}
        rows={meant}
        keyOf={(row) => behind.key.map((column) => String(row[column])).join(' ')}
        columns={columnsOf(behind, view, panel, value)}
        isOfPeople={list.many === 'people'}
      />
    </>
  );
}

/** A record is its name with the rest below it, and its value. Where it has none, its newest column stands there. */
function columnsOf({ list }: RowsBehind, view: View, panel: PanelState, value: string | undefined): TableColumn<Row>[] {
  const measure = measureOf(panel.metric, panel.aggregation);
  const beside = value === undefined ? list.columns.at(-1) : undefined;
  const below = list.columns.filter((column) => column !== beside);
  const text = (row: Row, column: string): string => cellText(row[column], column, view.zone);
  return [
    {
      name: columnLabel(list.name),
      cell: (row) => (
        <>
          <RecordName row={row} list={list} />
          {below.length > 0 && (
            <span className="small secondary under">
              {below.flatMap((column) => (row[column] == null ? [] : describedIn(row, column, view.zone))).join(' · ')}
            </span>
          )}
        </>
      ),
      sortBy: (row) => cellOrder(row[list.name]),
    },
    ...(beside === undefined
      ? []
      : [
          {
            name: columnLabel(beside),
            cell: (row: Row) => text(row, beside),
            sortBy: (row: Row) => cellOrder(row[beside]),
          },
        ]),
    ...(value === undefined
      ? []
      : [
          {
            name: columnLabel(value),
            isNumber: true,
            sortBy: (row: Row) => cellOrder(row[value]),
            cell: (row: Row) => {
              const number = row[value];
              return typeof number === 'number'
                ? shown(number, measure === 'count' ? 'number' : measure)
                : String(number);
            },
          },
        ]),
  ];
}

/** `merged 28 Aug, 14:13`: a time or a flag needs the name of its column, a word does not. */
function describedIn(row: Row, column: string, zone: string): string {
  const text = cellText(row[column], column, zone);
  return /_(at|ts)$|^is_/.test(column) || typeof row[column] === 'number'
    ? `${uncapitalised(columnLabel(column))} ${text}`
    : text;
}

function RecordName({ row, list }: { readonly row: Row; readonly list: RowsBehind['list'] }) {
  const name = <span data-record>{String(row[list.name] ?? panelRowsWords.noName).split('\n')[0]}</span>;
  const id = list.page && row[list.page.id];
  const url = list.url && row[list.url];
  if (list.page && id) return <PageLink to={`${list.page.path}/${encodeURIComponent(String(id))}`}>{name}</PageLink>;
  return typeof url === 'string' && /^https?:\/\//.test(url) ? (
    <a href={url} rel="noreferrer">
      {name}
    </a>
  ) : (
    name
  );
}
