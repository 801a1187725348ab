import { useMemo } from 'react';
import { longNames } from '../../../../src/charts/heat-map-option.ts';
import { figureQuestion } from '../../ask/figure.ts';
import { useAnswer } from '../../ask/use-answer.ts';
import { openPanel, type View } from '../../ask/use-view.ts';
import { ChartCard } from '../../view/chart-card.tsx';
import { counted } from '../../view/format.ts';
import { NothingInWindow } from '../../view/states.tsx';
import { hourMap, teamMap } from './heat-maps.ts';
import { byHour, byTeam } from './questions.ts';

/** When reviews are given. */
export function HoursOfReviews({ view }: { readonly view: View }) {
  const question = byHour(view);
  const answer = useAnswer(question);
  const rows = answer.data?.rows;
  const chart = useMemo(() => rows && hourMap(rows, 'When reviews happen'), [rows]);
  return (
    <ChartCard
      chart={chart}
      title="When reviews happen"
      subtitle={`Reviews by hour and weekday, ${view.zone}`}
      question={question}
      answer={answer}
      height={300}
      empty={rows?.length === 0 ? <NoReviews view={view} /> : undefined}
      onOpen={({ series, category }) =>
        openPanel({
          metric: 'reviews-by-time-of-day',
          where: { review_hour_of_day: String(category), weekday: String(series) },
        })
      }
    />
  );
}

/** Which teams review in which repositories. */
export function TeamsInRepositories({ view }: { readonly view: View }) {
  const question = byTeam(view);
  const answer = useAnswer(question);
  const rows = answer.data?.rows;
  const map = useMemo(() => rows && teamMap(rows, 'Who reviews where'), [rows]);
  const others =
    map && map.others > 0 ? ` · ${counted(map.others, 'review', 'reviews')} of smaller ones not shown` : '';
  return (
    <ChartCard
      chart={map?.chart}
      title="Who reviews where"
      subtitle={`Reviews by the reviewer’s team and repository · people in two teams count in both${others}`}
      question={question}
      answer={answer}
      height={30 + longNames + 28 * Math.max(2, map?.teams.length ?? 0)}
      empty={map?.teams.length === 0 ? <NoReviews view={view} /> : undefined}
      onOpen={({ series, category }) => {
        const [team, repository] = [map?.teams[series], map?.repositories[category]];
        if (team === undefined || repository === undefined) return;
        openPanel({
          metric: 'review-interactions-count',
          where: { team_name: team, repository_name: repository },
        });
      }}
    />
  );
}

const NoReviews = ({ view }: { readonly view: View }) => (
  <NothingInWindow
    what="reviews"
    window={view.window}
    question={figureQuestion(view, { metric: 'review-interactions-count' }, view.window)}
  />
);
