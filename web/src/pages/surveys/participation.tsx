import type { ReactNode } from 'react';
import { valueLabel } from '../../../../src/catalogue/labels/shown-names.ts';
import { useAnswers } from '../../ask/use-answer.ts';
import { changeOwn, type View } from '../../ask/use-view.ts';
import { ComputedTile } from '../../view/computed-tile.tsx';
import { Table } from '../../view/data-table.tsx';
import { shown } from '../../view/format.ts';
import { State } from '../../view/states.tsx';
import { TableCard } from '../../view/table-card.tsx';
import { Value } from '../../view/value.tsx';
import { groupsToShow, hiddenWords } from './answers.ts';
import { isOpen, participationOf, participationQuestion, type Survey, surveysQuestion } from './questions.ts';
import { participationWords } from './words.ts';

interface ParticipationProps {
  readonly view: View;
  readonly surveys: readonly Survey[];
  readonly chosen: Survey | undefined;
  readonly least: number;
}

/** How many took part: in all, and in each survey. Rows behind these numbers would be people, so that none open. */
export function Participation(props: ParticipationProps) {
  const { view, surveys, least } = props;
  const [now, before] = useAnswers([
    participationQuestion(view, view.window),
    surveys.some(isOpen) ? undefined : view.before && participationQuestion(view, view.before),
  ]);
  if (!now) return null;
  const { recipients, completed, share } = participationOf(now.data?.rows[0]);
  const open = surveys.filter(isOpen);
  const earlier = open.length === 0 && view.before ? participationOf(before?.data?.rows[0]) : undefined;
  const wasEnough = earlier !== undefined && earlier.recipients >= least;
  const tiles = [
    {
      label: participationWords.participation,
      value: share,
      earlier: earlier?.share,
      measure: 'percent',
      of: participationWords.of(recipients),
    },
    {
      label: participationWords.recipients,
      value: recipients,
      earlier: earlier?.recipients,
      measure: 'count',
      of: participationWords.askedInThisWindow,
    },
    {
      label: participationWords.completed,
      value: completed,
      earlier: earlier?.completed,
      measure: 'count',
      of: participationWords.submittedTheirFinalAnswers,
    },
  ] as const;
  return (
    <>
      <div className="tiles">
        {tiles.map(({ label, value, earlier: was, measure, of }) => (
          <ComputedTile
            key={label}
            label={label}
            meaning={participationWords.recipientsByDay}
            measure={measure}
            value={value}
            {...(earlier ? { before: wasEnough ? (was ?? null) : null } : {})}
            isComparable={view.isComparable('survey-recipients-count')}
            of={of}
            answer={now}
            questions={[participationQuestion(view, view.window)]}
          />
        ))}
      </div>
      {open.length > 0 && (
        <p className="small secondary">
          {participationWords.stillOpen} {open.map(({ name }) => name).join(', ')}
          {participationWords.answersComeInUntil}
        </p>
      )}
      <ListOfSurveys {...props} isOld={now.isOld} />
    </>
  );
}

/** Surveys of few people have no numbers, nor a request that would reveal them. */
function ListOfSurveys({ view, surveys, chosen, least, isOld }: ParticipationProps & { readonly isOld: boolean }) {
  const { shown: open, hidden } = groupsToShow(new Map(surveys.map(({ id, recipients }) => [id, recipients])), least);
  const unlessHidden = ({ id }: Survey, number: ReactNode): ReactNode => (open.includes(id) ? number : 'hidden');
  const table = (
    <>
      <Table
        caption={participationWords.surveysInThisWindow}
        rows={surveys}
        keyOf={({ id }) => id}
        onOpen={({ id }) => changeOwn({ survey: id })}
        columns={[
          {
            name: participationWords.survey,
            cell: ({ id, name }) => (id === chosen?.id ? <b>{participationWords.shownBelow(name)}</b> : name),
          },
          {
            name: participationWords.state,
            cell: ({ status }) => (status ? valueLabel('survey_status', status) : '–'),
          },
          {
            name: participationWords.recipients,
            isNumber: true,
            cell: (survey) => unlessHidden(survey, shown(survey.recipients, 'count')),
          },
          {
            name: participationWords.completed,
            isNumber: true,
            cell: (survey) => unlessHidden(survey, shown(survey.completed, 'count')),
          },
          {
            name: participationWords.participation,
            isNumber: true,
            cell: (survey) =>
              unlessHidden(survey, <Value value={survey.completed / survey.recipients} measure="percent" />),
          },
        ]}
      />
      {hidden.length > 0 && (
        <State kind="hidden" title={participationWords.hiddenToProtectAnonymity}>
          {hiddenWords(participationWords.numbers(hidden.length), hidden, least)}
        </State>
      )}
    </>
  );
  const title = participationWords.surveysInThisWindow;
  if (open.length === 0) {
    return (
      <section className="card" aria-label={title}>
        <h2>{title}</h2>
        {table}
      </section>
    );
  }
  return (
    <TableCard
      title={title}
      subtitle={participationWords.newestFirst}
      question={surveysQuestion(view, hidden.length > 0 ? open : undefined)}
      answer={{ data: surveys, error: undefined, isOld, retry: () => {} }}
    >
      {() => table}
    </TableCard>
  );
}
