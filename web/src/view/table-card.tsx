import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { Question } from '../ask/question.ts';
import type { Answer } from '../ask/use-answer.ts';
import { CardSwitch, moreViews } from './card-views.tsx';
import { Requests } from './chart-card.tsx';
import { tableCardWords } from './chart-card-words.ts';
import { CutNote } from './cut-note.tsx';
import { ExportMenu } from './export-menu.tsx';
import { usePartOfPage } from './part-of-page.ts';
import { Answered } from './states.tsx';

const HowComputed = lazy(() => import('./how-computed.tsx'));

interface TableCardProps<T> {
  readonly title: string;
  readonly subtitle?: ReactNode;
  readonly question: Question;
  /** Further requests whose answers the table holds, each with its purpose. */
  readonly also?: Readonly<Record<string, Question>>;
  readonly answer: Pick<Answer<T>, 'data' | 'error' | 'isOld' | 'retry'>;
  readonly height?: number;
  readonly needs?: string;
  /** A switch or the like, beside the export. */
  readonly actions?: ReactNode;
  readonly children: (data: T) => ReactNode;
}

type Side = 'table' | 'request' | 'how';

/** A table or list of answers with its request, explanation and export, as a chart has them. */
export function TableCard<T>(props: TableCardProps<T>) {
  const { title, subtitle, question, also = {}, answer, height = 240, needs, actions, children } = props;
  const [side, setSide] = useState<Side>('table');
  const { id, element } = usePartOfPage<HTMLElement>(title);
  return (
    <section id={id} ref={element} className="card chart-card" aria-label={title}>
      <header>
        <div>
          <h2>{title}</h2>
          {subtitle && <p className="subtitle">{subtitle}</p>}
        </div>
        <div className="row">
          {actions}
          {side !== 'table' && (
            <CardSwitch<Side> title={title} sides={{ table: tableCardWords.table }} side={side} onSide={setSide} />
          )}
          <ExportMenu
            question={question}
            name={title}
            part={id}
            views={moreViews(setSide)}
            drawn={{ isTable: true, also }}
          />
        </div>
      </header>
      {side === 'table' && (
        <Answered answer={answer} height={height} what={title} {...(needs ? { needs } : {})}>
          {children}
        </Answered>
      )}
      {/* A table that wants only some rows says so itself. */}
      {question.body.limit === undefined && <CutNote data={answer.data} />}
      <div hidden={side !== 'request'}>
        <Requests question={question} also={also} />
      </div>
      {side === 'how' && (
        <Suspense fallback={<div className="skeleton" style={{ height }} />}>
          <HowComputed question={question} />
        </Suspense>
      )}
    </section>
  );
}
