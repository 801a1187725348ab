import { useMemo } from 'react';
import { drawnWindow } from '../../ask/drawn-window.ts';
import { type Figure, figureQuestion } from '../../ask/figure.ts';
import { useAnswer } from '../../ask/use-answer.ts';
import { useOwnChoice, type View } from '../../ask/use-view.ts';
import { ChartCard, type ChartViews } from '../../view/chart-card.tsx';
import { counted, grouped, shownWindow } from '../../view/format.ts';
import { NothingInWindow } from '../../view/states.tsx';
import { hourMap, waitMap } from './heat-maps.ts';
import { NoReviews } from './no-reviews.tsx';
import { byHour, waitsByOpening } from './questions.ts';
import { reviewHoursWords } from './words.ts';

interface ReviewHoursProps {
  readonly view: View;
  /** The usual wait of the window, by bucket. */
  readonly pickup: Figure;
}

/** When reviews are given, and how long what is opened then waits for one. */
export function ReviewHours({ view, pickup }: ReviewHoursProps) {
  const [shown, show] = useOwnChoice('hours', 'reviews', ['reviews', 'wait']);
  const names = [reviewHoursWords.reviews, reviewHoursWords.wait];
  const views: ChartViews = {
    names,
    shown: shown === 'wait' ? reviewHoursWords.wait : reviewHoursWords.reviews,
    onShow: (name) => show(name === reviewHoursWords.wait ? 'wait' : 'reviews'),
  };
  // Each asks for itself, and only what is shown is asked.
  return shown === 'wait' ? (
    <Waits view={view} pickup={pickup} views={views} />
  ) : (
    <HoursOfReviews view={view} views={views} />
  );
}

const height = 300;

function HoursOfReviews({ view, views }: { readonly view: View; readonly views: ChartViews }) {
  const question = byHour(view);
  const answer = useAnswer(question);
  const rows = answer.data?.rows;
  const chart = useMemo(() => rows && hourMap(rows, reviewHoursWords.title), [rows]);
  return (
    <ChartCard
      chart={chart}
      title={reviewHoursWords.title}
      subtitle={reviewHoursWords.byHour(view.zone)}
      question={question}
      answer={answer}
      height={height}
      views={views}
      empty={rows?.length === 0 ? <NoReviews view={view} /> : undefined}
      panelOf={({ series, category }) => ({
        metric: 'reviews-by-time-of-day',
        where: { review_hour_of_day: String(category), weekday: String(series) },
      })}
    />
  );
}

function Waits({ view, pickup, views }: ReviewHoursProps & { readonly views: ChartViews }) {
  const drawn = drawnWindow(pickup, view.window);
  const isCut = drawn.start !== view.window.start;
  const question = waitsByOpening(view, drawn);
  // The figure of this window decides which pull requests are drawn.
  const answer = useAnswer(pickup.isFirst || pickup.isOld ? undefined : question);
  const rows = answer.data?.rows;
  const chart = useMemo(() => rows && waitMap(rows, reviewHoursWords.waitTitle, view.zone), [rows, view.zone]);
  const count = chart?.cells.flat().reduce((sum, { n }) => sum + (n ?? 0), 0) ?? 0;
  const latest = isCut ? reviewHoursWords.latest(shownWindow(drawn), grouped(pickup.now.n ?? 0)) : '';
  return (
    <ChartCard
      chart={chart}
      title={reviewHoursWords.title}
      subtitle={reviewHoursWords.waitByHour(
        counted(count, reviewHoursWords.pullRequest, reviewHoursWords.pullRequests),
        view.zone,
        latest,
      )}
      question={question}
      answer={answer}
      height={height}
      views={views}
      empty={
        rows && count === 0 ? (
          <NothingInWindow
            what={reviewHoursWords.reviewedPullRequests}
            window={view.window}
            question={figureQuestion(view, pickup.spec, view.window)}
          />
        ) : undefined
      }
      panelOf={({ series, category }) => ({
        metric: 'pickup-time',
        aggregation: 'MEDIAN',
        ...(isCut ? { window: drawn } : {}),
        where: { moment: 'pr_created_at', weekday: String(series), hour: String(category) },
      })}
    />
  );
}
