import { type ReactNode, useMemo } from 'react';
import { filterLabels } from '../../../src/catalogue/labels/filter-labels.ts';
import { columnLabel } from '../../../src/catalogue/labels/shown-names.ts';
import { type Exploration, hasDates } from '../ask/exploration.ts';
import { numberIn } from '../ask/figure.ts';
import { aboutMetric, measureOf, valueColumn, wordFor } from '../ask/metric-facts.ts';
import type { Question } from '../ask/question.ts';
import { recordLists } from '../ask/record-lists.ts';
import { filterInWhere } from '../ask/rows-behind.ts';
import type { Row } from '../ask/send.ts';
import { openPanel, type View } from '../ask/use-view.ts';
import type { PanelState } from '../ask/view-state.ts';
import { type DayWindow, timeBuckets } from '../ask/windows.ts';
import { AnswerRows } from './answer-rows.tsx';
import { answerTableWords } from './answer-words.ts';
import { Chart } from './chart.tsx';
import type { Drawing } from './draw-chart.ts';
import { type DrawnAs, drawnAnswer, type GroupWhere, inFairOrder } from './drawn-answer.ts';
import { changesOf, groupsBefore, pointsBefore } from './earlier-values.ts';
import { counted, grouped } from './format.ts';
import { beforeName, windowName } from './range-words.ts';
import { uncapitalised } from './record-cells.ts';
import { HiddenForPrivacy, NothingInWindow } from './states.tsx';
import { useChartMarks } from './use-chart-marks.ts';
import type { Explored } from './use-explored.ts';
import './tile.css';
import type { ShownChange } from '../../../src/conclusions/verdict-words.ts';
import { ChangeText, Value } from './value.tsx';

interface ShownAnswerProps {
  readonly view: View;
  readonly asked: Exploration;
  readonly question: Question;
  readonly data: Explored;
  /** How many rows of a survey too few people stand behind. */
  readonly hidden: number;
  readonly title: string;
  readonly as: 'chart' | 'table';
  /** As fits otherwise. */
  readonly drawnAs?: DrawnAs | undefined;
  readonly height?: number;
  readonly onDrawn: (drawing: Drawing) => void;
  /** What stands in place of the drawing: the records behind it. */
  readonly instead?: ReactNode;
}

/** The answer to one question, whichever it was: a chart, a table or one number, each of which opens its records. */
export function ShownAnswer(props: ShownAnswerProps) {
  const { view, asked, question, data, hidden, instead } = props;
  return (
    <div className="stack">
      {hidden > 0 && <HiddenForPrivacy />}
      {data.suppressed > 0 && <HiddenForPrivacy answers={data.suppressed} />}
      <Unmatched unmatched={data.unmatched} />
      {data.rows.length === 0 && hidden === 0 ? (
        <NothingInWindow what={countedIn(asked)} window={view.windowFor(asked.metric)} question={question} />
      ) : (
        (instead ?? <Drawn {...props} />)
      )}
    </div>
  );
}

/** `First review wait, median per week`. */
export const titleOf = ({ metric, aggregation, level }: Exploration): string =>
  answerTableWords.title(
    aboutMetric(metric).label,
    aggregation ? wordFor(aggregation, measureOf(metric)) : undefined,
    level,
  );

/** What is counted, and how it is split: `… · by team and repository`. */
export const subtitleOf = ({ metric, by }: Exploration): string =>
  `${aboutMetric(metric).meaning.replace(/\.$/, '')}${answerTableWords.splitBy(
    by.map((column) => uncapitalised(columnLabel(column))),
  )}`;

/** What an answer without rows has none of. */
function countedIn({ metric }: Exploration): string {
  const lists: Readonly<Record<string, { readonly many: string }>> = recordLists;
  return lists[aboutMetric(metric).table]?.many ?? answerTableWords.rows;
}

function Unmatched({ unmatched }: { readonly unmatched: Explored['unmatched'] }) {
  const named = Object.entries(unmatched);
  if (named.length === 0) return null;
  return (
    <p className="small bad" role="status">
      {answerTableWords.nothingMatches(named.map(([filter, values]) => `${filterWords(filter)} ${values.join(', ')}`))}
    </p>
  );
}

const filterWords = (filter: string): string =>
  uncapitalised((filterLabels as Readonly<Record<string, string>>)[filter] ?? filter);

function Drawn({ view, asked, question, data, title, as, drawnAs, height = 360, onDrawn }: ShownAnswerProps) {
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
  const groupBefore = useMemo(
    () => groupsBefore(view, asked, data.earlier, buckets.length),
    [view, asked, data.earlier, buckets.length],
  );
  const drawn = useMemo(() => {
    const points = before ?? groupBefore;
    const course = points && { now: windowName(view), before: beforeName(view), points };
    return drawnAnswer(rows, asked, buckets, title, course, drawnAs);
  }, [rows, asked, buckets, title, before, groupBefore, view, drawnAs]);
  const marked = useChartMarks(drawn?.chart, question);
  const changeOf = useMemo(() => changesOf(view, asked, data.earlier), [view, asked, data.earlier]);
  const isSurvey = aboutMetric(asked.metric).gate === 'survey';
  const panelAt = (where: GroupWhere, window?: DayWindow): PanelState => ({
    metric: asked.metric,
    ...(asked.aggregation ? { aggregation: asked.aggregation } : {}),
    ...(window ? { window } : {}),
    where: { ...whereOf(asked), ...where },
  });
  const open = (where: GroupWhere, window?: DayWindow) => openPanel(panelAt(where, window));
  const only = rows.length === 1 && !asked.level && asked.by.length === 0 ? rows[0] : undefined;
  if (only && as !== 'table')
    return (
      <OneNumber row={only} asked={asked} change={changeOf?.(only)} onOpen={isSurvey ? undefined : () => open({})} />
    );
  const cut =
    data.total > data.rows.length
      ? answerTableWords.firstOf(grouped(data.rows.length), counted(data.total, 'row', 'rows'))
      : '';
  if (as === 'chart' && drawn && marked)
    return (
      <>
        {(cut !== '' || drawn.left > 0) && (
          <p className="small secondary">
            {cut}
            {drawn.left > 0 && answerTableWords.notDrawn(counted(drawn.left, 'group', 'groups'), drawn.left === 1)}
          </p>
        )}
        <Chart
          chart={marked}
          height={heightOf(marked, height)}
          onDrawn={onDrawn}
          {...(isSurvey
            ? {}
            : {
                panelOf: (mark) => {
                  const behind = drawn.behind(mark);
                  const bucket = behind?.bucket;
                  return behind && panelAt(behind.where, bucket && { start: bucket.start, end: bucket.end });
                },
              })}
        />
      </>
    );
  return (
    <>
      {cut !== '' && <p className="small secondary">{cut}</p>}
      <AnswerRows
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

/** Bars and rows with names need the same room each, however many there are. */
function heightOf(chart: NonNullable<ReturnType<typeof drawnAnswer>>['chart'], height: number): number {
  if (chart.kind === 'heat-map') return Math.max(160, chart.rows.length * 28 + 72);
  return chart.isHorizontal ? Math.max(160, chart.categories.length * 28 + 48) : height;
}

/** Filters of the question, as the panel takes them. */
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
    <div className="one-number">
      {onOpen ? (
        <button type="button" className="tile-value" onClick={onOpen}>
          {number}
          <span className="unseen">{answerTableWords.showRows}</span>
        </button>
      ) : (
        <span className="tile-value">{number}</span>
      )}
      {change && value !== null && <ChangeText change={change} of={countedIn(asked)} />}
      {n !== null && (
        <span className="small secondary">{counted(n, answerTableWords.value, answerTableWords.values)}</span>
      )}
    </div>
  );
}
