import { lazy, type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import type { ChartDescription } from '../../../src/charts/chart-description.ts';
import type { PanelOfMark } from '../ask/lit-mark.ts';
import type { Question } from '../ask/question.ts';
import type { AskError } from '../ask/send.ts';
import { CardSwitch, moreViews } from './card-views.tsx';
import { Chart } from './chart.tsx';
import { chartCardWords } from './chart-card-words.ts';
import { chartTable } from './chart-words.ts';
import { CutNote } from './cut-note.tsx';
import { Table } from './data-table.tsx';
import type { Drawing } from './draw-chart.ts';
import { ExportMenu } from './export-menu.tsx';
import { capitalised } from './format.ts';
import { usePartOfPage } from './part-of-page.ts';
import { Answered } from './states.tsx';
import { useChartMarks } from './use-chart-marks.ts';

const RequestText = lazy(() => import('./shown-request.tsx').then(({ RequestText: shown }) => ({ default: shown })));
const HowComputed = lazy(() => import('./how-computed.tsx'));

interface ChartCardProps {
  /** Undefined until the answer is there. */
  readonly chart: ChartDescription | undefined;
  readonly title: string;
  readonly subtitle?: string;
  /** The request whose answer is drawn. */
  readonly question: Question;
  /** Further requests whose answers are drawn into the chart, such as a line above bars, each with its purpose. */
  readonly also?: Readonly<Record<string, Question>>;
  readonly answer?: {
    readonly error: AskError | undefined;
    readonly isOld: boolean;
    readonly retry: () => void;
    /** The rows, where they come from one answer: if that is cut, the card says so. */
    readonly data?: unknown;
  };
  readonly height?: number;
  /** The records behind a mark, which a click opens. */
  readonly panelOf?: PanelOfMark;
  /** The text in place of the chart where there is nothing to draw. */
  readonly empty?: ReactNode;
  readonly needs?: string;
  /** A switch or the like, beside the export. */
  readonly actions?: ReactNode;
  /** Several drawings that would not share a scale: a tab each, in place of `Chart`. */
  readonly views?: ChartViews | undefined;
}

export interface ChartViews {
  readonly names: readonly string[];
  /** The one that `chart` describes. */
  readonly shown: string;
  readonly onShow: (name: string) => void;
}

type Side = 'chart' | 'table' | 'request' | 'how';
const sides = { chart: chartCardWords.chart, table: chartCardWords.table } as const satisfies Partial<
  Record<Side, string>
>;

/** A chart with its table, its request, how it is computed, and its export. */
export function ChartCard(props: ChartCardProps) {
  const { title, question, also = {}, answer, height = 280, needs, actions, views } = props;
  const { chart: plain, subtitle, empty, panelOf } = useUntilAnswered(props, answer?.isOld ?? false);
  const chart = useChartMarks(plain, question);
  const [side, setSide] = useState<Side>('chart');
  const { id, element } = usePartOfPage<HTMLElement>(title);
  const drawing = useRef<Drawing>(undefined);
  const keepDrawing = useCallback((drawn: Drawing) => {
    drawing.current = drawn;
  }, []);
  const state = {
    data: chart,
    error: answer?.error,
    isOld: answer?.isOld ?? false,
    retry: answer?.retry ?? (() => {}),
  };
  return (
    <section id={id} ref={element} className="card chart-card" aria-label={title}>
      <header>
        <div>
          <h2>{title}</h2>
          {subtitle && <p className="subtitle">{subtitle}</p>}
        </div>
        <div className="row">
          {actions}
          <CardSwitch
            title={title}
            sides={
              views
                ? { ...Object.fromEntries(views.names.map((name) => [name, name])), table: chartCardWords.table }
                : sides
            }
            side={views && side === 'chart' ? views.shown : side}
            onSide={(chosen) => {
              const isView = views?.names.includes(chosen) ?? false;
              if (isView) views?.onShow(chosen);
              setSide(isView ? 'chart' : (chosen as Side));
            }}
          />
          <ExportMenu
            question={question}
            name={title}
            subtitle={subtitle}
            part={id}
            views={moreViews(setSide)}
            drawn={{ chart, also }}
            png={side === 'chart' && chart ? (head) => drawing.current?.png(head) : undefined}
          />
        </div>
      </header>
      <Answered answer={state} height={height} what={title} {...(needs ? { needs } : {})}>
        {(described) =>
          side === 'chart' ? (
            (empty ?? (
              <Chart chart={described} height={height} onDrawn={keepDrawing} {...(panelOf ? { panelOf } : {})} />
            ))
          ) : side === 'table' ? (
            <ChartTable chart={described} />
          ) : null
        }
      </Answered>
      <div hidden={side !== 'request'}>
        <Requests question={question} also={also} />
      </div>
      <CutNote data={answer?.data} />
      {side === 'how' && (
        <Suspense fallback={<div className="skeleton" style={{ height }} />}>
          <HowComputed question={question} />
        </Suspense>
      )}
    </section>
  );
}

/** The earlier chart, until the answer to the new question arrives: drawn from the old answer it would be empty. */
function useUntilAnswered(now: ChartCardProps, isOld: boolean): ChartCardProps {
  const answered = useRef<ChartCardProps>(undefined);
  useEffect(() => {
    if (!isOld) answered.current = now;
  });
  return (isOld && answered.current) || now;
}

/** The request of the chart, and those that are drawn into the same picture, each under its purpose. */
export function Requests({
  question,
  also = {},
}: {
  readonly question: Question;
  readonly also?: Readonly<Record<string, Question>>;
}) {
  return (
    <Suspense>
      <RequestText question={question} />
      {Object.entries(also).map(([name, one]) => (
        <div key={name}>
          <h3>{name}</h3>
          <RequestText question={one} />
        </div>
      ))}
    </Suspense>
  );
}

interface ChartRow {
  readonly row: readonly string[];
  /** Its place in the chart: periods come in their own order. */
  readonly at: number;
}

/** A number of the table of a chart, before it is written for people. */
function valueIn(chart: ChartDescription, column: number, row: number): number | null {
  if (chart.kind === 'heat-map') return chart.cells[row]?.[column]?.value ?? null;
  if (chart.kind === 'scatter') return chart.dots[row]?.[column === 0 ? 'x' : 'y'] ?? null;
  return chart.series[column]?.points[row]?.value ?? null;
}

/** Every chart also as a table, for people who read rather than look. */
function ChartTable({ chart }: { readonly chart: ChartDescription }) {
  const [heading = [], ...cells] = chartTable(chart);
  const rows = cells.map((row, at) => ({ row, at }));
  return (
    <Table
      caption={chart.title}
      rows={rows}
      keyOf={({ at }) => String(at)}
      columns={heading.map((name, at) => ({
        // Names of series stay as they are: a tool is `github-copilot`.
        name: at === 0 ? capitalised(name || chartCardWords.period) : name,
        isNumber: at > 0,
        cell: ({ row }: ChartRow) => row[at] ?? '',
        sortBy: (row: ChartRow) => (at === 0 ? row.at : valueIn(chart, at - 1, row.at)),
      }))}
    />
  );
}
