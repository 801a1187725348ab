import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { columnLabel } from '../../../src/catalogue/labels/shown-names.ts';
import { exploreLink } from '../ask/explore-link.ts';
import { aboutMetric, addsUp, measureOf, wordFor } from '../ask/metric-facts.ts';
import { numberBehind } from '../ask/number-behind.ts';
import { countedInstead } from '../ask/record-lists.ts';
import { type RowsBehind, rowsBehind } from '../ask/rows-behind.ts';
import type { Row, Rows } from '../ask/send.ts';
import { useAnswer } from '../ask/use-answer.ts';
import { closePanel, useView, type View } from '../ask/use-view.ts';
import type { PanelState } from '../ask/view-state.ts';
import { Table, type TableColumn } from './data-table.tsx';
import { ExportMenu } from './export-menu.tsx';
import { capitalised, counted, grouped, shown, shownWindow } from './format.ts';
import { PageLink } from './page-link.tsx';
import { cellOrder, cellText } from './record-cells.ts';
import { RequestText } from './shown-request.tsx';
import { Answered, NothingInWindow, State } from './states.tsx';
import { Value } from './value.tsx';
import { VisibilityNote } from './visibility-note.tsx';
import { whereWords } from './where-words.ts';

/**
 * The records behind one number, beside the page, with an address of their own. Loaded when the reader opens the first
 * one.
 */
export default function Panel() {
  const view = useView();
  const { panel } = view.state;
  if (!panel) return null;
  if (aboutMetric(panel.metric).gate === 'survey') return <AnswersPanel />;
  return <OpenPanel key={JSON.stringify(panel)} view={view} panel={panel} />;
}

/** A single answer to a survey, or a single recipient, is never listed, not even for an address made by hand. */
function AnswersPanel() {
  return (
    <aside className="panel" aria-label="Records behind this number">
      <header>
        <h2>Answers to surveys</h2>
        <button type="button" className="button quiet" onClick={closePanel}>
          Close
        </button>
      </header>
      <State kind="hidden" title="Hidden to protect anonymity">
        Survey answers and recipients are never listed one by one.
      </State>
    </aside>
  );
}

function OpenPanel({ view, panel }: { readonly view: View; readonly panel: PanelState }) {
  const { metric, aggregation, window = view.windowFor(metric), where = {} } = panel;
  const behind = rowsBehind(view, panel);
  const answer = useAnswer(behind.question);
  const about = aboutMetric(metric);
  const heading = useRef<HTMLHeadingElement>(null);

  // The focus moves into the panel, and returns when it is closed.
  useEffect(() => {
    const before = document.activeElement;
    heading.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);

  const of = whereWords(where, measureOf(metric, aggregation));
  const explore = exploreLink(view, panel);
  // A request whose answer holds only the wanted rows needs no conditions.
  const picked = answer.data?.rows.every(behind.isMeant) ? undefined : behind.conditions;
  return (
    <aside className="panel" aria-label="Records behind this number">
      <header>
        <h2 ref={heading} tabIndex={-1}>
          {where.counted ? capitalised(behind.list.many) : about.label}
          {aggregation ? `, ${wordFor(aggregation, measureOf(metric))}` : ''}
        </h2>
        <button type="button" className="button quiet" onClick={closePanel}>
          Close
        </button>
      </header>
      <p className="secondary">{[shownWindow(window), ...of].join(' · ')}</p>
      <VisibilityNote hasLink={false} />
      <NumberItself view={view} panel={panel} />
      <p className="small secondary">
        {where.counted && `Counted for the ${about.label.toLowerCase()}: `}
        {about.meaning} {countedInstead[metric]}
      </p>
      <Answered answer={answer} what="The list of rows">
        {(rows) => <PanelRows rows={rows} behind={behind} view={view} panel={panel} />}
      </Answered>
      <h3>API request for these rows</h3>
      <RequestText question={behind.question} picked={picked} />
      <div className="row">
        <ExportMenu question={behind.question} name={`${about.label} rows`} picked={picked} />
        {explore && (
          <Link className="link small" href={explore}>
            Open in Explore
          </Link>
        )}
      </div>
    </aside>
  );
}

/** The number that was opened, with the request whose answer it is. */
function NumberItself({ view, panel }: { readonly view: View; readonly panel: PanelState }) {
  const behind = numberBehind(view, panel);
  const { data, isOld } = useAnswer(behind?.question);
  const buckets = useAnswer(behind?.byBucket);
  if (!behind || !data || (behind.byBucket && buckets.isFirst)) return null;
  const { value, n } = behind.pointIn(data.rows, behind.byBucket && buckets.data?.rows);
  const measure = panel.where?.counted ? 'count' : measureOf(panel.metric, panel.aggregation);
  return (
    <div className={isOld || buckets.isOld ? 'is-old' : undefined} data-figure={panel.metric}>
      <p>
        <Value className="panel-number" value={value} measure={measure} />{' '}
        {n !== null && !addsUp(panel.metric, panel.aggregation) && (
          <span className="small secondary">n {grouped(n)}</span>
        )}
      </p>
      <details className="small">
        <summary>API request</summary>
        <RequestText question={behind.question} />
      </details>
    </div>
  );
}

interface PanelRowsProps {
  readonly rows: Rows;
  readonly behind: RowsBehind;
  readonly view: View;
  readonly panel: PanelState;
}

function PanelRows({ rows: { rows, total }, behind, view, panel }: PanelRowsProps) {
  const { list, value, question } = behind;
  const meant = rows.filter(behind.isMeant);
  if (meant.length === 0)
    return (
      <NothingInWindow what={list.many} window={panel.window ?? view.windowFor(panel.metric)} question={question} />
    );
  const without = rows.length - meant.length;
  return (
    <>
      <p className="small secondary">
        {counted(meant.length, list.one, list.many)}
        {total > rows.length && `, the first: ${grouped(total)} records are in this window. Choose a shorter one`}
        {without > 0 && ` · ${grouped(without)} more aren’t counted`}
      </p>
      <Table
        caption={`${list.many} behind this number`}
        rows={meant}
        keyOf={(row) => behind.key.map((column) => String(row[column])).join(' ')}
        columns={columnsOf(behind, view, panel, value)}
        isOfPeople={list.many === 'people'}
      />
    </>
  );
}

function columnsOf({ list }: RowsBehind, view: View, panel: PanelState, value: string | undefined): TableColumn<Row>[] {
  const measure = measureOf(panel.metric, panel.aggregation);
  return [
    {
      name: columnLabel(list.name),
      cell: (row) => <RecordName row={row} list={list} />,
      sortBy: (row) => cellOrder(row[list.name]),
    },
    ...list.columns.map((column) => ({
      name: columnLabel(column),
      cell: (row: Row) => cellText(row[column], column, view.zone),
      sortBy: (row: Row) => cellOrder(row[column]),
    })),
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

function RecordName({ row, list }: { readonly row: Row; readonly list: RowsBehind['list'] }) {
  const name = String(row[list.name] ?? '(no name)').split('\n')[0];
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
