import { lazy, Suspense, useCallback, useMemo, useRef, useState } from 'react';
import { numberIn } from '../../ask/figure.ts';
import { aboutMetric, measureOf, valueColumn, wordFor } from '../../ask/metric-facts.ts';
import type { Question } from '../../ask/question.ts';
import { filterInWhere } from '../../ask/rows-behind.ts';
import type { Row } from '../../ask/send.ts';
import type { Answer } from '../../ask/use-answer.ts';
import { openPanel, type View } from '../../ask/use-view.ts';
import { timeBuckets } from '../../ask/windows.ts';
import { Chart } from '../../view/chart.tsx';
import type { Drawing } from '../../view/draw-chart.ts';
import { ExportMenu } from '../../view/export-menu.tsx';
import { counted, grouped } from '../../view/format.ts';
import { Answered, HiddenForPrivacy, NothingInWindow } from '../../view/states.tsx';
import { Value } from '../../view/value.tsx';
import { AnswerTable } from './answer-table.tsx';
import { drawnAnswer, type GroupWhere, inFairOrder } from './drawn.ts';
import { type Exploration, hasDates } from './exploration.ts';
import { RowsBehindAnswer } from './rows-behind-answer.tsx';
import type { Explored } from './use-explored.ts';

const HowComputed = lazy(() => import('../../view/how-computed.tsx'));

type ShownAs = 'chart' | 'table' | 'rows';

interface ResultProps {
  readonly view: View;
  readonly asked: Exploration;
  readonly question: Question;
  readonly explored: Answer<Explored> & { readonly hidden: number };
  readonly as: ShownAs;
  readonly onAs: (as: ShownAs) => void;
}

/** The answer as a chart, as a table, or as the records behind it. */
export function Result({ view, asked, question, explored, as, onAs }: ResultProps) {
  const [hasHow, setHow] = useState(false);
  const about = aboutMetric(asked.metric);
  const title = `${about.label}${asked.aggregation ? `, ${wordFor(asked.aggregation)}` : ''}`;
  const drawing = useRef<Drawing>(undefined);
  const keepDrawing = useCallback((drawn: Drawing) => {
    drawing.current = drawn;
  }, []);
  const isSurvey = about.gate === 'survey';
  return (
    <section className="card chart-card" aria-label={title}>
      <header>
        <div>
          <h2>{title}</h2>
          <p className="subtitle">{about.meaning}</p>
        </div>
        {explored.hidden === 0 && (
          <ExportMenu
            question={question}
            name={title}
            subtitle={about.meaning}
            png={as === 'chart' ? (head) => drawing.current?.png(head) : undefined}
          />
        )}
      </header>
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
              <NothingInWindow what="rows" window={view.windowFor(asked.metric)} question={question} />
            ) : as === 'rows' && !isSurvey ? (
              <RowsBehindAnswer view={view} asked={asked} />
            ) : (
              <Shown view={view} asked={asked} data={data} title={title} as={as} onDrawn={keepDrawing} />
            )}
          </div>
        )}
      </Answered>
      {hasHow && (
        <Suspense fallback={<div className="skeleton" />}>
          <HowComputed question={question} />
        </Suspense>
      )}
      <fieldset className="switch card-sides" aria-label="Show as">
        {(['chart', 'table', ...(isSurvey ? [] : (['rows'] as const))] as const).map((one) => (
          <button key={one} type="button" aria-pressed={one === as} onClick={() => onAs(one)}>
            {{ chart: 'Chart', table: 'Table', rows: 'Rows' }[one]}
          </button>
        ))}
        {explored.hidden === 0 && (
          <button type="button" aria-pressed={hasHow} onClick={() => setHow(!hasHow)}>
            How it’s calculated
          </button>
        )}
      </fieldset>
    </section>
  );
}

function Unmatched({ unmatched }: { readonly unmatched: Explored['unmatched'] }) {
  const named = Object.entries(unmatched);
  if (named.length === 0) return null;
  return (
    <p className="small bad" role="status">
      Nothing matches{' '}
      {named.map(([filter, values]) => `${filter.replaceAll('_', ' ')} ${values.join(', ')}`).join(', ')}.
    </p>
  );
}

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
  const drawn = useMemo(() => drawnAnswer(rows, asked, buckets, title), [rows, asked, buckets, title]);
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
    return <OneNumber row={only} asked={asked} onOpen={isSurvey ? undefined : () => open({})} />;
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
      <AnswerTable rows={rows} asked={asked} view={view} {...(isSurvey ? {} : { onOpen: open })} />
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
  onOpen,
}: {
  readonly row: Row;
  readonly asked: Exploration;
  readonly onOpen: (() => void) | undefined;
}) {
  const column = valueColumn(asked.metric, asked.aggregation);
  const [value, n] = [numberIn(row, column), numberIn(row, 'n')];
  const text = row[column];
  const number =
    typeof text === 'string' ? text : <Value value={value} measure={measureOf(asked.metric, asked.aggregation)} />;
  return (
    <p className="explore-number">
      {onOpen ? (
        <button type="button" className="tile-value" onClick={onOpen}>
          {number}
          <span className="unseen">: show the rows</span>
        </button>
      ) : (
        <span className="tile-value">{number}</span>
      )}
      {n !== null && <span className="secondary"> n {grouped(n)}</span>}
    </p>
  );
}
