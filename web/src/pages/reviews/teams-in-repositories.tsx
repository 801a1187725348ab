import { useMemo } from 'react';
import { longNames } from '../../../../src/charts/heat-map-option.ts';
import { useAnswer } from '../../ask/use-answer.ts';
import type { View } from '../../ask/use-view.ts';
import { ChartCard } from '../../view/chart-card.tsx';
import { teamMap } from './heat-maps.ts';
import { NoReviews } from './no-reviews.tsx';
import { byTeam } from './questions.ts';
import { teamsInRepositoriesWords } from './words.ts';

/** Which teams review in which repositories. */
export function TeamsInRepositories({ view }: { readonly view: View }) {
  const question = byTeam(view);
  const answer = useAnswer(question);
  const rows = answer.data?.rows;
  const map = useMemo(() => rows && teamMap(rows, teamsInRepositoriesWords.whoReviews), [rows]);
  const others = map && map.others > 0 ? teamsInRepositoriesWords.smallerOnesNotShown(map.others) : '';
  return (
    <ChartCard
      chart={map?.chart}
      title={teamsInRepositoriesWords.whoReviews}
      subtitle={teamsInRepositoriesWords.reviewsByReviewersTeam(others)}
      question={question}
      answer={answer}
      height={30 + longNames + 28 * Math.max(2, map?.teams.length ?? 0)}
      empty={map?.teams.length === 0 ? <NoReviews view={view} /> : undefined}
      panelOf={({ series, category }) => {
        const [team, repository] = [map?.teams[series], map?.repositories[category]];
        if (team === undefined || repository === undefined) return undefined;
        return { metric: 'review-interactions-count', where: { team_name: team, repository_name: repository } };
      }}
    />
  );
}
