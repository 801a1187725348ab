import { lazy, Suspense, useCallback, useRef, useState } from 'react';
import type { Exploration } from '../../ask/exploration.ts';
import { aboutMetric, addsUp } from '../../ask/metric-facts.ts';
import type { PanelView } from '../../ask/panel-of.ts';
import type { Question } from '../../ask/question.ts';
import type { Answer } from '../../ask/use-answer.ts';
import type { View } from '../../ask/use-view.ts';
import { answerTableWords } from '../../view/answer-words.ts';
import { CardSwitch, moreViews } from '../../view/card-views.tsx';
import { Requests } from '../../view/chart-card.tsx';
import type { Drawing } from '../../view/draw-chart.ts';
import { ExportMenu } from '../../view/export-menu.tsx';
import { ShownAnswer, subtitleOf, titleOf } from '../../view/shown-answer.tsx';
import { Answered } from '../../view/states.tsx';
import type { Explored } from '../../view/use-explored.ts';
import { resultWords } from './words.ts';

const RequestEditor = lazy(() => import('./request-editor.tsx'));
const RowsBehindAnswer = lazy(() => import('./rows-behind-answer.tsx'));
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
  const subtitle = subtitleOf(asked);
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
            sides={{
              chart: resultWords.chart,
              table: resultWords.table,
              ...(isSurvey ? {} : { rows: resultWords.records }),
            }}
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
              drawn={{ view: panelView(asked, as), compare: earlier !== undefined }}
              png={side === 'chart' ? (head) => drawing.current?.png(head) : undefined}
            />
          )}
        </div>
      </header>
      {aside === undefined && (
        <Answered
          answer={explored}
          height={360}
          what={resultWords.answer}
          needs={isSurvey ? answerTableWords.surveysAreFor : ''}
        >
          {(data) => (
            <ShownAnswer
              view={view}
              asked={asked}
              question={question}
              data={data}
              hidden={explored.hidden}
              title={title}
              as={as === 'table' ? 'table' : 'chart'}
              onDrawn={keepDrawing}
              instead={
                as === 'rows' && !isSurvey ? (
                  <Suspense fallback={<div className="skeleton" />}>
                    <RowsBehindAnswer view={view} asked={asked} />
                  </Suspense>
                ) : undefined
              }
            />
          )}
        </Answered>
      )}
      {explored.hidden === 0 && (
        <div hidden={aside !== 'request'}>
          <Requests question={question} also={earlier ? { [answerTableWords.periodBefore]: earlier } : {}} />
          {aside === 'request' && (
            <Suspense fallback={<div className="skeleton" />}>
              <RequestEditor view={view} question={question} />
            </Suspense>
          )}
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

/** How a board shows what Explore shows. */
function panelView({ metric, aggregation, level, by }: Exploration, as: ShownAs): PanelView {
  if (as !== 'chart') return 'table';
  if (!level) return by.length === 0 ? 'number' : 'bar';
  if (!addsUp(metric, aggregation)) return 'line';
  return by.length > 0 ? 'stacked' : 'bar';
}
