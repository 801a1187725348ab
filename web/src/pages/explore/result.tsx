import { lazy, Suspense, useCallback, useMemo, useRef, useState } from 'react';
import { filterLabels } from '../../../../src/catalogue/labels/filter-labels.ts';
import { columnLabel } from '../../../../src/catalogue/labels/shown-names.ts';
import type { ShownChange } from '../../../../src/conclusions/verdict-words.ts';
import { numberIn } from '../../ask/figure.ts';
import { aboutMetric, measureOf, valueColumn, wordFor } from '../../ask/metric-facts.ts';
import type { Question } from '../../ask/question.ts';
import { recordLists } from '../../ask/record-lists.ts';
import { filterInWhere } from '../../ask/rows-behind.ts';
import type { Row } from '../../ask/send.ts';
import type { Answer } from '../../ask/use-answer.ts';
import { openPanel, type View } from '../../ask/use-view.ts';
import { timeBuckets } from '../../ask/windows.ts';
import { CardSwitch, moreViews } from '../../view/card-views.tsx';
import { Chart } from '../../view/chart.tsx';
import { Requests } from '../../view/chart-card.tsx';
import type { Drawing } from '../../view/draw-chart.ts';
import { ExportMenu } from '../../view/export-menu.tsx';
import { counted, grouped } from '../../view/format.ts';
import { beforeName, windowName } from '../../view/range-menu.tsx';
import { uncapitalised } from '../../view/record-cells.ts';
import { Answered, HiddenForPrivacy, NothingInWindow } from '../../view/states.tsx';
import { ChangeText, Value } from '../../view/value.tsx';
import { AnswerTable } from './answer-table.tsx';
import { drawnAnswer, type GroupWhere, inFairOrder } from './drawn.ts';
import { changesOf, pointsBefore } from './earlier-values.ts';
import { type Exploration, hasDates } from './exploration.ts';
import { RequestEditor } from './request-editor.tsx';
import { RowsBehindAnswer } from './rows-behind-answer.tsx';
import type { Explored } from './use-explored.ts';

const HowComputed = lazy(() => import('../../view/how-computed.tsx'));

type ShownAs = 'chart' | 'table' | 'rows';

type Side = ShownAs | 'request' | 'how';

interface ResultProps {
  readonly view: View;
  readonly asked: Exploration;
  readonly question: Question;
  readonly earlier: Question | undefined;
  readonly explored: Answer<Explored> & { readonly hidden: number };
  readonly as: ShownAs;
  readonly onAs: (as: ShownAs) => void;
}

/** The answer as a chart, as a table, or as the records behind it; its request and how it is computed in its menu. */
export function Result({ view, asked, question, earlier, explored, as, onAs }: ResultProps) {
  const [aside, setAside] = useState<'request' | 'how'>();
  const about = aboutMetric(asked.metric);
  const title = titleOf(asked);
  const drawing = useRef<Drawing>(undefined);
  const keepDrawing = useCallback((drawn: Drawing) => {
    drawing.current = drawn;
  }, []);
  const isSurvey = about.gate === 'survey';
  const side: Side = aside ?? as;
  const subtitle = `${about.meaning.replace(/\.$/, '')}${splitWords(asked)}`;
  return (
    <section className="card chart-card" aria-label={title}>
      <header>
        <div>
          <h2>{title}</h2>
          <p className="subtitle">{subtitle}</p>
        </div>
        <div className="row">
          <CardSwitch<Side>
            title={title}
            sides={{ chart: 'Chart', table: 'Table', ...(isSurvey ? {} : { rows: 'Records' }) }}
            side={side}
            onSide={(next) => {
              setAside(undefined);
              onAs(next as ShownAs);
            }}
          />
          {explored.hidden === 0 && (
            <ExportMenu
              question={question}
              name={title}
              subtitle={subtitle}
              views={moreViews(setAside)}
              png={side === 'chart' ? (head) => drawing.current?.png(head) : undefined}
            />
          )}
        </div>
      </header>
      {aside === undefined && (
        <Answered
          answer={explored}
          height={360}
          what="The answer"
          needs={isSurvey ? 'Survey results are for Owners and Managers.' : ''}
        >
          {(data) => (
            <div className="stack">
              {explored.hidden > 0 && <HiddenForPrivacy />}
              {data.suppressed > 0 && <HiddenForPrivacy answers={data.suppressed} />}
              <Unmatched unmatched={data.unmatched} />
              {data.rows.length === 0 && explored.hidden === 0 ? (
                <NothingInWindow what={countedIn(asked)} window={view.windowFor(asked.metric)} question={question} />
              ) : as === 'rows' && !isSurvey ? (
                <RowsBehindAnswer view={view} asked={asked} />
              ) : (
                <Shown view={view} asked={asked} data={data} title={title} as={as} onDrawn={keepDrawing} />
              )}
            </div>
          )}
        </Answered>
      )}
      {explored.hidden === 0 && (
        <div hidden={aside !== 'request'}>
          <Requests question={question} also={earlier ? { 'The period before': earlier } : {}} />
          <RequestEditor view={view} question={question} />
        </div>
      )}
      {aside === 'how' && (
        <Suspense fallback={<div className="skeleton" />}>
          <HowComputed question={question} />
        </Suspense>
      )}
    </section>
  );
}

/** `First review wait, median per week`. */
function titleOf({ metric, aggregation, level }: Exploration): string {
  const statistic = aggregation ? `, ${wordFor(aggregation, measureOf(metric))}` : '';
  return `${aboutMetric(metric).label}${statistic}${level ? ` per ${level}` : ''}`;
}

/** ` · by team and repository`. */
const splitWords = ({ by }: Exploration): string =>
  by.length === 0 ? '' : ` · by ${by.map((column) => uncapitalised(columnLabel(column))).join(' and ')}`;

/** What an answer without rows has none of. */
function countedIn({ metric }: Exploration): string {
  const lists: Readonly<Record<string, { readonly many: string }>> = recordLists;
  return lists[aboutMetric(metric).table]?.many ?? 'rows';
}

function Unmatched({ unmatched }: { readonly unmatched: Explored['unmatched'] }) {
  const named = Object.entries(unmatched);
  if (named.length === 0) return null;
  return (
    <p className="small bad" role="status">
      Nothing matches {named.map(([filter, values]) => `${filterWords(filter)} ${values.join(', ')}`).join(', ')}.
    </p>
  );
}

const filterWords = (filter: string): string =>
  uncapitalised((filterLabels as Readonly<Record<string, string>>)[filter] ?? filter);

interface ShownProps {
  readonly view: View;
  readonly asked: Exploration;
  readonly data: Explored;
  readonly title: string;
  readonly as: ShownAs;
  readonly onDrawn: (drawing: Drawing) => void;
}

function Shown({ view, asked, data, title, as, onDrawn }: ShownProps) {
  const rows = useMemo(() => inFairOrder(data.rows, asked), [data.rows, asked]);
  const buckets = useMemo(
    () =>
      asked.level && hasDates(asked.metric)
        ? timeBuckets(view.windowFor(asked.metric), asked.level, view.reachFor(asked.metric))
        : [],
    [view, asked.level, asked.metric],
  );
  const before = useMemo(
    () => pointsBefore(view, asked, data.earlier, buckets.length),
    [view, asked, data.earlier, buckets.length],
  );
  const drawn = useMemo(() => {
    const course = before && { now: windowName(view), before: beforeName(view), points: before };
    return drawnAnswer(rows, asked, buckets, title, course);
  }, [rows, asked, buckets, title, before, view]);
  const changeOf = useMemo(() => changesOf(view, asked, data.earlier), [view, asked, data.earlier]);
  const isSurvey = aboutMetric(asked.metric).gate === 'survey';
  const open = (where: GroupWhere, window?: { readonly start: string; readonly end: string }) =>
    openPanel({
      metric: asked.metric,
      ...(asked.aggregation ? { aggregation: asked.aggregation } : {}),
      ...(window ? { window } : {}),
      where: { ...whereOf(asked), ...where },
    });
  const only = rows.length === 1 && !asked.level && asked.by.length === 0 ? rows[0] : undefined;
  if (only && as !== 'table')
    return (
      <OneNumber row={only} asked={asked} change={changeOf?.(only)} onOpen={isSurvey ? undefined : () => open({})} />
    );
  const cut =
    data.total > data.rows.length
      ? `The first ${grouped(data.rows.length)} of ${counted(data.total, 'row', 'rows')}. `
      : '';
  if (as === 'chart' && drawn)
    return (
      <>
        {(cut !== '' || drawn.left > 0) && (
          <p className="small secondary">
            {cut}
            {drawn.left > 0 && `${counted(drawn.left, 'group is', 'groups are')} not drawn. The table has them.`}
          </p>
        )}
        <Chart
          chart={drawn.chart}
          height={drawn.chart.isHorizontal ? Math.max(160, drawn.chart.categories.length * 28 + 48) : 360}
          onDrawn={onDrawn}
          {...(isSurvey
            ? {}
            : {
                onOpen: (mark) => {
                  const behind = drawn.behind(mark);
                  if (behind)
                    open(behind.where, behind.bucket && { start: behind.bucket.start, end: behind.bucket.end });
                },
              })}
        />
      </>
    );
  return (
    <>
      {cut !== '' && <p className="small secondary">{cut}</p>}
      <AnswerTable
        rows={rows}
        asked={asked}
        view={view}
        changeOf={changeOf}
        before={before}
        {...(isSurvey ? {} : { onOpen: open })}
      />
    </>
  );
}

/** Filters of the form, as the panel takes them. */
const whereOf = ({ filters, dateField }: Exploration): GroupWhere => ({
  ...Object.assign({}, ...Object.entries(filters).map(([name, values]) => filterInWhere(name, values.map(String)))),
  ...(dateField ? { date_field: dateField } : {}),
});

function OneNumber({
  row,
  asked,
  change,
  onOpen,
}: {
  readonly row: Row;
  readonly asked: Exploration;
  readonly change: ShownChange | undefined;
  readonly onOpen: (() => void) | undefined;
}) {
  const column = valueColumn(asked.metric, asked.aggregation);
  const [value, n] = [numberIn(row, column), numberIn(row, 'n')];
  const text = row[column];
  const number =
    typeof text === 'string' ? text : <Value value={value} measure={measureOf(asked.metric, asked.aggregation)} />;
  return (
    <div className="explore-number">
      {onOpen ? (
        <button type="button" className="tile-value" onClick={onOpen}>
          {number}
          <span className="unseen">: show the rows</span>
        </button>
      ) : (
        <span className="tile-value">{number}</span>
      )}
      {change && value !== null && <ChangeText change={change} of={countedIn(asked)} />}
      {n !== null && <span className="small secondary">{counted(n, 'value', 'values')}</span>}
    </div>
  );
}
