import type { Question } from '../../ask/question.ts';
import { useAnswers } from '../../ask/use-answer.ts';
import { changeOwn, type View } from '../../ask/use-view.ts';
import { ComputedTile } from '../../view/computed-tile.tsx';
import { counted, shown } from '../../view/format.ts';
import { Table } from '../../view/table.tsx';
import { TableCard } from '../../view/table-card.tsx';
import { Value } from '../../view/value.tsx';
import { isOpen, participationOf, participationQuestion, type Survey } from './questions.ts';

interface ParticipationProps {
  readonly view: View;
  readonly surveys: readonly Survey[];
  readonly chosen: Survey | undefined;
  readonly least: number;
  readonly question: Question;
}

/** How many took part: in all, and in each survey. Rows behind these numbers would be people, so that none open. */
export function Participation({ view, surveys, chosen, least, question }: ParticipationProps) {
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
      label: 'Participation',
      value: share,
      earlier: earlier?.share,
      measure: 'percent',
      better: 'higher',
      of: `n ${counted(recipients, 'recipient', 'recipients')}`,
    },
    {
      label: 'Recipients',
      value: recipients,
      earlier: earlier?.recipients,
      measure: 'count',
      better: null,
      of: 'asked in this window',
    },
    {
      label: 'Completed',
      value: completed,
      earlier: earlier?.completed,
      measure: 'count',
      better: 'higher',
      of: 'submitted their final answers',
    },
  ] as const;
  return (
    <>
      <div className="tiles">
        {tiles.map(({ label, value, earlier: was, measure, better, of }) => (
          <ComputedTile
            key={label}
            label={label}
            meaning="Recipients by the day they were added to a survey; completed are those who submitted a final response."
            measure={measure}
            better={better}
            value={value}
            {...(earlier ? { before: wasEnough ? (was ?? null) : null } : {})}
            of={of}
            answer={now}
            questions={[participationQuestion(view, view.window)]}
          />
        ))}
      </div>
      {open.length > 0 && (
        <p className="small secondary">
          Still open: {open.map(({ name }) => name).join(', ')}. Answers come in until it is closed; then it is compared
          with the window before.
        </p>
      )}
      <TableCard
        title="Surveys in this window"
        subtitle="newest first"
        question={question}
        answer={{ data: surveys, error: undefined, isOld: now.isOld, retry: now.retry }}
      >
        {(all) => (
          <Table
            caption="Surveys in this window"
            rows={all}
            keyOf={({ id }) => id}
            onOpen={({ id }) => changeOwn({ survey: id })}
            columns={[
              {
                name: 'Survey',
                cell: ({ id, name }) => (id === chosen?.id ? <b>{name}, shown below</b> : name),
              },
              { name: 'State', cell: ({ status }) => status ?? '–' },
              { name: 'Recipients', isNumber: true, cell: (survey) => hiddenBelow(survey, least, survey.recipients) },
              { name: 'Completed', isNumber: true, cell: (survey) => hiddenBelow(survey, least, survey.completed) },
              {
                name: 'Participation',
                isNumber: true,
                cell: ({ recipients: asked, completed: done }) =>
                  asked < least ? 'hidden' : <Value value={done / asked} measure="percent" />,
              },
            ]}
          />
        )}
      </TableCard>
    </>
  );
}

const hiddenBelow = ({ recipients }: Survey, least: number, value: number): string =>
  recipients < least ? `hidden, fewer than ${least}` : shown(value, 'count');
