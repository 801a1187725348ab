import { useMemo } from 'react';
import { figureQuestion } from '../../ask/figure.ts';
import type { Rows } from '../../ask/send.ts';
import type { Answer } from '../../ask/use-answer.ts';
import type { View } from '../../ask/use-view.ts';
import { ChartCard } from '../../view/chart-card.tsx';
import { counted, grouped } from '../../view/format.ts';
import { NothingInWindow } from '../../view/states.tsx';
import { fewReviewers, type LoadSpread, loadChart, type PersonLoad } from './load.ts';
import { loadByPerson } from './questions.ts';

interface ReviewLoadProps {
  readonly view: View;
  readonly answer: Answer<Rows>;
  /** Undefined until the answer is there. */
  readonly people: readonly PersonLoad[] | undefined;
  readonly spread: LoadSpread | undefined;
}

const title = 'How reviews are shared';

/** How evenly reviews are spread over people: a picture, not a rank. */
export function ReviewLoad({ view, answer, people, spread }: ReviewLoadProps) {
  const chart = useMemo(() => people && loadChart(people, title, spread), [people, spread]);
  const middle =
    spread && spread.reviewers >= fewReviewers ? ` · half gave ${grouped(spread.low)} to ${grouped(spread.high)}` : '';
  const said = spread
    ? `${counted(spread.reviewers, 'person', 'people')} by reviews given · ${counted(spread.reviews, 'review', 'reviews')}${middle}`
    : 'People by reviews given';
  return (
    <ChartCard
      chart={chart}
      title={title}
      subtitle={said}
      question={loadByPerson(view)}
      answer={answer}
      height={300}
      empty={
        people?.length === 0 ? (
          <NothingInWindow
            what="reviews"
            window={view.window}
            question={figureQuestion(view, { metric: 'review-interactions-count' }, view.window)}
          />
        ) : undefined
      }
    />
  );
}
