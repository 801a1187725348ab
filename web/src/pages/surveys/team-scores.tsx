import { useState } from 'react';
import { useAnswers } from '../../ask/use-answer.ts';
import type { View } from '../../ask/use-view.ts';
import { Table } from '../../view/data-table.tsx';
import { counted, grouped, shown } from '../../view/format.ts';
import { RequestText } from '../../view/shown-request.tsx';
import { State } from '../../view/states.tsx';
import {
  averageRating,
  countedAnswers,
  groupsToShow,
  hiddenWords,
  respondentsOfTeams,
  type SurveyQuestion,
} from './answers.ts';
import { respondentsByTeams, teamQuestion } from './questions.ts';
import { teamScoresWords } from './words.ts';

interface TeamScoresProps {
  readonly view: View;
  readonly survey: string;
  readonly questions: readonly SurveyQuestion[];
  readonly least: number;
}

/** The filter of teams finds the rest. */
const maxTeams = 40;

/** Ratings by team, in the order of names. Of teams with too few answers only the number is shown. */
export function TeamScores({ view, survey, questions, least }: TeamScoresProps) {
  const [team, setTeam] = useState<string>();
  const ratings = questions.filter(({ type }) => type === 'rating');
  const [sizes] = useAnswers([respondentsByTeams(view, survey)]);
  const respondents = respondentsOfTeams(sizes?.data?.rows ?? []);
  const { shown: all, hidden } = groupsToShow(respondents, least);
  const teams = all.slice(0, maxTeams);
  const answers = useAnswers(teams.map((one) => teamQuestion(view, survey, one)));
  if (ratings.length === 0) return null;
  const score = (at: number, question: string): number | null => {
    const rows = (answers[at]?.data?.rows ?? []).filter((row) => row.survey_template_question_id === question);
    return rows.length === 0 ? null : averageRating({ answers: countedAnswers(rows, 'rating') });
  };
  return (
    <section className="card chart-card" aria-label={teamScoresWords.ratingsByTeam}>
      <header>
        <div>
          <h2>{teamScoresWords.ratingsByTeam}</h2>
          <p className="subtitle">{teamScoresWords.averageTeamsByName}</p>
        </div>
      </header>
      {teams.length > 0 && (
        <Table
          caption={teamScoresWords.ratingsByTeam}
          rows={teams.map((name, at) => ({ name, at }))}
          keyOf={({ name }) => name}
          onOpen={({ name }) => setTeam(name === team ? undefined : name)}
          columns={[
            { name: teamScoresWords.team, cell: ({ name }) => name },
            {
              name: 'n',
              isNumber: true,
              meaning: teamScoresWords.peopleWhoAnswered,
              cell: ({ name }) => grouped(respondents.get(name) ?? 0),
            },
            ...ratings.map(({ id, text }) => ({
              name: text,
              isNumber: true,
              cell: ({ at }: { readonly at: number }) => shown(score(at, id), 'number'),
            })),
          ]}
        />
      )}
      {all.length > teams.length && (
        <p className="small secondary">{teamScoresWords.chooseThemWithFilter(all.length - teams.length)}</p>
      )}
      {hidden.length > 0 && (
        <State kind="hidden" title={teamScoresWords.hiddenToProtectAnonymity}>
          {hiddenWords(counted(hidden.length, teamScoresWords.team2, teamScoresWords.teams), hidden, least)}
        </State>
      )}
      {team && teams.includes(team) && (
        <>
          <h3>{teamScoresWords.request(team)}</h3>
          <RequestText question={teamQuestion(view, survey, team)} />
        </>
      )}
    </section>
  );
}
