import { useMemo } from 'react';
import { figureQuestion } from '../../ask/figure.ts';
import type { Rows } from '../../ask/send.ts';
import type { Answer } from '../../ask/use-answer.ts';
import type { View } from '../../ask/use-view.ts';
import { ChartCard } from '../../view/chart-card.tsx';
import { NothingInWindow } from '../../view/states.tsx';
import { fewReviewers, type LoadSpread, loadChart, type PersonLoad } from './load.ts';
import { loadByPerson } from './questions.ts';
import { loadChartWords } from './words.ts';

interface ReviewLoadProps {
  readonly view: View;
  readonly answer: Answer<Rows>;
  /** Undefined until the answer is there. */
  readonly people: readonly PersonLoad[] | undefined;
  readonly spread: LoadSpread | undefined;
}

const title = loadChartWords.howReviewsShared;

/** How evenly reviews are spread over people: a picture, not a rank. */
export function ReviewLoad({ view, answer, people, spread }: ReviewLoadProps) {
  const chart = useMemo(() => people && loadChart(people, title, spread), [people, spread]);
  const middle = spread && spread.reviewers >= fewReviewers ? loadChartWords.halfGave(spread.low, spread.high) : '';
  const said = spread
    ? loadChartWords.byReviewsGiven(spread.reviewers, spread.reviews, middle)
    : loadChartWords.peopleByReviewsGiven;
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
            what={loadChartWords.reviews}
            window={view.window}
            question={figureQuestion(view, { metric: 'review-interactions-count' }, view.window)}
          />
        ) : undefined
      }
    />
  );
}
