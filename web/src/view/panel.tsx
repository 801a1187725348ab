import { ChevronDown, ChevronUp, type LucideIcon, X } from 'lucide-react';
import { type KeyboardEvent, lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { columnLabel } from '../../../src/catalogue/labels/shown-names.ts';
import { exploreLink } from '../ask/explore-link.ts';
import { aboutMetric, measureOf, wordFor } from '../ask/metric-facts.ts';
import { countedInstead } from '../ask/record-lists.ts';
import { rowsBehind } from '../ask/rows-behind.ts';
import { useAnswer } from '../ask/use-answer.ts';
import { closePanel, openPanel, useView, type View } from '../ask/use-view.ts';
import type { PanelState } from '../ask/view-state.ts';
import { type DayWindow, timeBuckets } from '../ask/windows.ts';
import { CardSwitch } from './card-views.tsx';
import { ExportMenu } from './export-menu.tsx';
import { bucketInWords, capitalised, grouped, shownWindow } from './format.ts';
import { PanelDistribution } from './panel-distribution.tsx';
import { PanelNumber } from './panel-number.tsx';
import { PanelRows } from './panel-rows.tsx';
import { panelWords } from './panel-words.ts';
import { uncapitalised } from './record-cells.ts';
import { RequestText } from './shown-request.tsx';
import { Answered, State } from './states.tsx';
import { VisibilityNote } from './visibility-note.tsx';
import { whereWords } from './where-words.ts';

const HowComputed = lazy(() => import('./how-computed.tsx'));

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
    <aside className="panel" aria-label={panelWords.recordsBehindThisNumber}>
      <header>
        <h2>{panelWords.answersToSurveys}</h2>
        <button type="button" className="button quiet" onClick={closePanel}>
          {panelWords.close}
        </button>
      </header>
      <State kind="hidden" title={panelWords.hiddenToProtectAnonymity}>
        {panelWords.surveyAnswersAndRecipients}
      </State>
    </aside>
  );
}

type Side = 'records' | 'how' | 'api';

function OpenPanel({ view, panel }: { readonly view: View; readonly panel: PanelState }) {
  const { metric, aggregation, window = view.windowFor(metric), where = {} } = panel;
  const behind = rowsBehind(view, panel);
  const answer = useAnswer(behind.question);
  const about = aboutMetric(metric);
  const heading = useRef<HTMLHeadingElement>(null);
  const [side, setSide] = useState<Side>('records');
  const { name, earlier, later } = neighbours(view, panel);
  const walk = (to: DayWindow | undefined) => to && openPanel({ ...panel, window: to });
  const onWalk = (event: KeyboardEvent) => {
    const to = { ArrowUp: earlier, ArrowDown: later }[event.key];
    if (!to) return;
    event.preventDefault();
    walk(to);
  };

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
  const meant = answer.data?.rows.filter(behind.isMeant) ?? [];
  // A request whose answer holds only the wanted rows needs no conditions.
  const picked = meant.length === answer.data?.rows.length ? undefined : behind.conditions;
  const without = (answer.data?.rows.length ?? 0) - meant.length;
  const title = `${where.counted ? capitalised(behind.list.many) : about.label}${
    aggregation ? `, ${wordFor(aggregation, measureOf(metric))}` : ''
  }`;
  return (
    <aside className="panel" aria-label={panelWords.recordsBehindThisNumber}>
      <header>
        <ul className="row panel-context">
          {[name ?? shownWindow(window), ...of].map((part) => (
            <li key={part}>{part}</li>
          ))}
        </ul>
        <div className="row panel-controls">
          {(earlier || later) && (
            <>
              <PanelControl icon={ChevronUp} name={panelWords.periodBefore} onPick={earlier && (() => walk(earlier))} />
              <PanelControl icon={ChevronDown} name={panelWords.periodAfter} onPick={later && (() => walk(later))} />
            </>
          )}
          <PanelControl icon={X} name={panelWords.close} onPick={closePanel} />
        </div>
      </header>
      <h2 ref={heading} tabIndex={-1} onKeyDown={onWalk}>
        {title}
      </h2>
      <VisibilityNote hasLink={false} />
      <PanelNumber view={view} panel={panel} of={behind.list.many} isRequestShown={side === 'api'}>
        {(value) => {
          const isWhole = answer.data !== undefined && answer.data.total <= answer.data.rows.length;
          const column = behind.value;
          if (!isWhole || column === undefined) return null;
          const numbers = meant.flatMap((row) => (typeof row[column] === 'number' ? row[column] : []));
          const measure = measureOf(metric, aggregation);
          return (
            <PanelDistribution
              values={numbers}
              at={about.kind === 'aggregated' || about.kind === 'fixed' ? value : null}
              measure={measure === 'count' ? 'number' : measure}
              of={panelWords.by(meant.length, behind.list.one, behind.list.many, uncapitalised(columnLabel(column)))}
            />
          );
        }}
      </PanelNumber>
      <div className="row panel-sides">
        <CardSwitch<Side>
          title={title}
          sides={{
            records: answer.data ? `${capitalised(behind.list.many)} ${grouped(meant.length)}` : panelWords.records,
            how: panelWords.howItsCalculated,
            api: 'API',
          }}
          side={side}
          onSide={setSide}
        />
        <ExportMenu question={behind.question} name={panelWords.rows(about.label)} picked={picked} />
      </div>
      {side === 'records' && (
        <Answered answer={answer} what={panelWords.listRows}>
          {(rows) => <PanelRows rows={rows} meant={meant} behind={behind} view={view} panel={panel} />}
        </Answered>
      )}
      {side === 'how' && (
        <>
          <p>
            {where.counted && panelWords.counted(about.label.toLowerCase())}
            {about.meaning} {countedInstead[metric]}
          </p>
          <Suspense fallback={<div className="skeleton panel-waiting" />}>
            <HowComputed question={behind.question} />
          </Suspense>
        </>
      )}
      <div hidden={side !== 'api'}>
        <h3>{panelWords.apiRequest}</h3>
        <RequestText question={behind.question} picked={picked} />
      </div>
      {(without > 0 || explore) && (
        <footer className="row panel-foot small secondary">
          {without > 0 && <span>{panelWords.moreArentCounted(without)}</span>}
          {explore && (
            <Link className="link small" href={explore}>
              {panelWords.openInExplore}
            </Link>
          )}
        </footer>
      )}
    </aside>
  );
}

interface PanelControlProps {
  readonly icon: LucideIcon;
  readonly name: string;
  /** Undefined where there is nothing to go to. */
  readonly onPick: (() => void) | undefined;
}

const PanelControl = ({ icon: Icon, name, onPick }: PanelControlProps) => (
  <button type="button" className="icon-button" aria-label={name} title={name} disabled={!onPick} onClick={onPick}>
    <Icon className="icon" aria-hidden="true" />
  </button>
);

/** What the bucket that the panel is about is called, and those beside it, where it is about one. */
function neighbours(view: View, { metric, window }: PanelState) {
  if (!window) return {};
  const buckets = timeBuckets(view.windowFor(metric), view.level, view.reachFor(metric));
  const at = buckets.findIndex(({ start, end }) => start === window.start && end === window.end);
  const here = buckets[at];
  if (!here) return {};
  const windowAt = (place: number): DayWindow | undefined => {
    const bucket = buckets[place];
    return bucket && { start: bucket.start, end: bucket.end };
  };
  const name = capitalised(bucketInWords(here, view.level));
  return { name, earlier: windowAt(at - 1), later: windowAt(at + 1) };
}
