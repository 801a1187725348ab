import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { valueLabel } from '../../../../src/catalogue/labels/shown-names.ts';
import { type AttentionEntry, waited } from '../../../../src/conclusions/attention-words.ts';
import { textOf } from '../../ask/grouped-series.ts';
import type { Row } from '../../ask/send.ts';
import { changeOwn, useView, type View } from '../../ask/use-view.ts';
import { isOwner, useSession } from '../../page-session.ts';
import { Table, type TableColumn } from '../../view/data-table.tsx';
import { deploymentLink } from '../../view/deployment-link.ts';
import { grouped, shownTime } from '../../view/format.ts';
import { PageLink } from '../../view/page-link.tsx';
import { VisibilityNote } from '../../view/visibility-note.tsx';
import { attentionPanelWords } from './words.ts';

interface AttentionPanelProps {
  readonly entry: AttentionEntry;
  /** The moment at which it was looked at. */
  readonly at: string;
}

const close = (): void => void changeOwn({ now: '' });

/** The records of one entry of the strip, over the page, with an address of their own. */
export function AttentionPanel({ entry, at }: AttentionPanelProps) {
  const view = useView();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    heading.current?.focus();
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector('dialog[open]')) close();
    };
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('keydown', onKey);
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <aside className="panel" aria-label={entry.label}>
      <header>
        <h2 ref={heading} tabIndex={-1}>
          {entry.label}
        </h2>
        <button type="button" className="button quiet" onClick={close}>
          {attentionPanelWords.close}
        </button>
      </header>
      <p className="secondary">{attentionPanelWords.now(shownTime(at, view.zone))}</p>
      <VisibilityNote />
      <p className="panel-number">{grouped(entry.count)}</p>
      <p className="small secondary">{entry.meaning}</p>
      <Records entry={entry} at={at} view={view} />
      {entry.unlisted && <p className="small secondary">{entry.unlisted}</p>}
    </aside>
  );
}

function Records({ entry, at, view }: AttentionPanelProps & { readonly view: View }) {
  const mayConnect = isOwner(useSession());
  if (entry.records.length === 0) return null;
  const columns =
    entry.kind === 'failures'
      ? failureColumns(view, at)
      : entry.kind === 'goals'
        ? goalColumns
        : entry.kind === 'sources'
          ? sourceColumns(view)
          : pullRequestColumns(at);
  return (
    <>
      <Table caption={entry.label} rows={entry.records} keyOf={(row, i) => keyOf(row) ?? String(i)} columns={columns} />
      {entry.kind === 'sources' && mayConnect && (
        <PageLink to="/settings/connections">{attentionPanelWords.checkConnections}</PageLink>
      )}
    </>
  );
}

const keyOf = ({ pr_id, deployment_id, goal, source }: Row): string | null =>
  textOf(pr_id ?? deployment_id ?? goal ?? source);
const timeOf = (row: Row): number => Date.parse(String(row.since));
const waitedColumn = (name: string, at: string): TableColumn<Row> => ({
  name,
  isNumber: true,
  cell: (row) => <span className="whole">{waited(String(row.since), at)}</span>,
  sortBy: (row) => -timeOf(row),
});

const pullRequestColumns = (at: string): TableColumn<Row>[] => [
  {
    name: attentionPanelWords.pullRequest,
    cell: (row) => (
      <>
        <PageLink to={`/pull-requests/${encodeURIComponent(String(row.pr_id))}`}>
          {textOf(row.pr_title) ?? attentionPanelWords.pullRequestNumbered(String(row.pr_number ?? ''))}
        </PageLink>
        <span className="small secondary under">
          {[textOf(row.repository_name), textOf(row.name) ?? textOf(row.person_login)].filter(Boolean).join(' · ')}
        </span>
      </>
    ),
    sortBy: (row) => textOf(row.pr_title),
  },
  waitedColumn(attentionPanelWords.waiting, at),
];

const failureColumns = (view: View, at: string): TableColumn<Row>[] => [
  {
    name: attentionPanelWords.deployment,
    cell: (row) => (
      <>
        <Link href={deploymentLink(view, row)}>
          {[textOf(row.repository_name), textOf(row.version)].filter(Boolean).join(' ') ||
            attentionPanelWords.deployment}
        </Link>
        <span className="small secondary under">{valueLabel('failure_reason', String(row.failure_reason))}</span>
      </>
    ),
    sortBy: (row) => textOf(row.repository_name),
  },
  waitedColumn(attentionPanelWords.open, at),
];

const goalColumns: TableColumn<Row>[] = [
  {
    name: attentionPanelWords.goal,
    cell: (row) => (
      <>
        <PageLink to={`/goal/${encodeURIComponent(String(row.goal))}`}>{textOf(row.title)}</PageLink>
        <span className="small secondary under">{textOf(row.metric)}</span>
      </>
    ),
    sortBy: (row) => textOf(row.title),
  },
  { name: attentionPanelWords.lastValue, isNumber: true, cell: (row) => textOf(row.value) ?? '–' },
  { name: attentionPanelWords.target, isNumber: true, cell: (row) => textOf(row.target) },
];

const sourceColumns = (view: View): TableColumn<Row>[] => [
  { name: attentionPanelWords.source, cell: (row) => textOf(row.source) },
  { name: attentionPanelWords.nothingNewSince, cell: (row) => shownTime(textOf(row.since), view.zone), sortBy: timeOf },
];
