import { lazy, type ReactNode, Suspense, useCallback, useMemo, useRef, useState } from 'react';
import { type AskedPanel, askedPanel, type BoardDocument } from '../../ask/board-document.ts';
import { aboutMetric } from '../../ask/metric-facts.ts';
import type { Panel } from '../../ask/panel-of.ts';
import type { View } from '../../ask/use-view.ts';
import { answerTableWords } from '../../view/answer-words.ts';
import { boardWords } from '../../view/board-words.ts';
import { CardSwitch, moreViews } from '../../view/card-views.tsx';
import { Requests } from '../../view/chart-card.tsx';
import type { Drawing } from '../../view/draw-chart.ts';
import { ExportMenu } from '../../view/export-menu.tsx';
import { usePartOfPage } from '../../view/part-of-page.ts';
import { ShownAnswer, subtitleOf, titleOf } from '../../view/shown-answer.tsx';
import { Answered, State } from '../../view/states.tsx';
import { useExplored } from '../../view/use-explored.ts';

const HowComputed = lazy(() => import('../../view/how-computed.tsx'));

interface PanelCardProps {
  readonly view: View;
  readonly board: Pick<BoardDocument, 'filters'>;
  readonly panel: Panel;
  /** What the panel can be changed by, while the board is edited. */
  readonly tools?: ReactNode;
}

/** A panel of a board: its chart, table, records, request and explanation, as every chart has them. */
export function PanelCard({ view, board, panel, tools }: PanelCardProps) {
  const asked = useMemo(() => askedPanel(view, board, panel), [view, board, panel]);
  if (asked) return <Asked view={view} panel={panel} {...asked} tools={tools} />;
  return (
    <section className={`card board-panel ${panel.wide ? 'is-wide' : ''}`} aria-label={panel.title ?? panel.metric}>
      {tools}
      <State kind="empty" title={boardWords.unknownMetric(panel.metric)}>
        <p>{boardWords.unknownMetricMore}</p>
      </State>
    </section>
  );
}

/** The name of a panel: its own, or that of its question. */
export function panelTitle(view: View, panel: Panel): string {
  const asked = panel.title === undefined ? askedPanel(view, {}, panel)?.asked : undefined;
  return panel.title ?? (asked ? titleOf(asked) : panel.metric);
}

type Side = 'chart' | 'table' | 'request' | 'how';

interface AskedProps extends AskedPanel {
  readonly view: View;
  readonly panel: Panel;
  readonly tools: ReactNode;
}

function Asked({ view, panel, asked, question, earlier, tools }: AskedProps) {
  const usual: Side = panel.view === 'table' ? 'table' : 'chart';
  const [chosen, setSide] = useState<Side>();
  const side = chosen ?? usual;
  const explored = useExplored(question, earlier, asked);
  const drawing = useRef<Drawing>(undefined);
  const keepDrawing = useCallback((drawn: Drawing) => {
    drawing.current = drawn;
  }, []);
  const title = panel.title ?? titleOf(asked);
  const subtitle = subtitleOf(asked);
  const { id, element } = usePartOfPage<HTMLElement>(title);
  const isNumber = panel.view === 'number';
  const height = isNumber ? 96 : 280;
  const drawnAs = panel.view === 'number' || panel.view === 'table' ? undefined : panel.view;
  const sides =
    panel.view === 'table' || isNumber
      ? { [usual]: isNumber ? boardWords.number : answerTableWords.table }
      : { chart: answerTableWords.chart, table: answerTableWords.table };
  const hasSwitch = Object.keys(sides).length > 1 || side !== usual;
  return (
    <section
      id={id}
      ref={element}
      className={`card chart-card board-panel is-${panel.view} ${panel.wide ? 'is-wide' : ''} ${side === usual ? '' : 'is-opened'}`}
      aria-label={title}
    >
      {tools}
      <header>
        <div>
          <h2 {...(isNumber ? { title: subtitle } : {})}>{title}</h2>
          {!isNumber && <p className="subtitle">{subtitle}</p>}
        </div>
        <div className="row">
          {hasSwitch && <CardSwitch<Side> title={title} sides={sides} side={side} onSide={setSide} />}
          {explored.hidden === 0 && (
            <ExportMenu
              question={question}
              name={title}
              subtitle={subtitle}
              part={id}
              views={moreViews(setSide)}
              drawn={{ panel }}
              png={side === 'chart' && !isNumber ? (head) => drawing.current?.png(head) : undefined}
            />
          )}
        </div>
      </header>
      {(side === 'chart' || side === 'table') && (
        <Answered
          answer={explored}
          height={height}
          what={title}
          needs={aboutMetric(asked.metric).gate === 'survey' ? answerTableWords.surveysAreFor : ''}
        >
          {(data) => (
            <ShownAnswer
              view={view}
              asked={asked}
              question={question}
              data={data}
              hidden={explored.hidden}
              title={title}
              as={side}
              drawnAs={drawnAs}
              height={height}
              onDrawn={keepDrawing}
            />
          )}
        </Answered>
      )}
      {explored.hidden === 0 && (
        <div hidden={side !== 'request'}>
          <Requests question={question} also={earlier ? { [answerTableWords.periodBefore]: earlier } : {}} />
        </div>
      )}
      {side === 'how' && (
        <Suspense fallback={<div className="skeleton" style={{ height }} />}>
          <HowComputed question={question} />
        </Suspense>
      )}
    </section>
  );
}
