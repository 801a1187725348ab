import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { Question } from '../ask/question.ts';
import { Requests } from './chart-card.tsx';
import { ExportMenu } from './export-menu.tsx';
import { Answered, type AnsweredProps } from './states.tsx';

const HowComputed = lazy(() => import('./how-computed.tsx'));

interface TableCardProps<T> {
  readonly title: string;
  readonly subtitle?: ReactNode;
  /** The request whose answer the table holds. */
  readonly question: Question;
  /** Further requests whose answers are in it, by what they are for. */
  readonly also?: Readonly<Record<string, Question>>;
  readonly answer: AnsweredProps<T>['answer'];
  /** A switch or the like, beside the export. */
  readonly actions?: ReactNode;
  readonly needs?: string;
  readonly height?: number;
  readonly children: (data: T) => ReactNode;
}

/** A table or list with everything that belongs to it: its request, how it is computed, its export. */
export function TableCard<T>(props: TableCardProps<T>) {
  const { title, subtitle, question, also = {}, answer, actions, needs, height = 200, children } = props;
  const [side, setSide] = useState<'table' | 'request' | 'how'>('table');
  // Several metrics at once have no explanation.
  const hasHow = !question.path.endsWith('get-multiple-metrics') && !question.path.endsWith('benchmark');
  return (
    <section className="card chart-card" aria-label={title}>
      <header>
        <div>
          <h2>{title}</h2>
          {subtitle && <p className="subtitle">{subtitle}</p>}
        </div>
        <div className="row">
          {actions}
          <ExportMenu question={question} name={title} />
        </div>
      </header>
      {side === 'table' && (
        <Answered answer={answer} height={height} what={title} {...(needs ? { needs } : {})}>
          {children}
        </Answered>
      )}
      <div hidden={side !== 'request'}>
        <Requests question={question} also={also} />
      </div>
      {side === 'how' && (
        <Suspense fallback={<div className="skeleton" style={{ height }} />}>
          <HowComputed question={question} />
        </Suspense>
      )}
      <fieldset className="switch card-sides" aria-label={`${title}: what to show`}>
        {(['table', 'request', ...(hasHow ? (['how'] as const) : [])] as const).map((one) => (
          <button key={one} type="button" aria-pressed={one === side} onClick={() => setSide(one)}>
            {{ table: 'Table', request: 'Request', how: 'How computed' }[one]}
          </button>
        ))}
      </fieldset>
    </section>
  );
}
