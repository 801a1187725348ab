import { fewRows } from '../../../../src/charts/chart-description.ts';
import { useAnswer } from '../../ask/use-answer.ts';
import { openPanel, type View } from '../../ask/use-view.ts';
import { Table } from '../../view/data-table.tsx';
import { grouped } from '../../view/format.ts';
import { NothingInWindow } from '../../view/states.tsx';
import { TableCard } from '../../view/table-card.tsx';
import { Value } from '../../view/value.tsx';
import { projectsOf, projectsQuestion } from './questions.ts';

export function Projects({ view }: { readonly view: View }) {
  const question = projectsQuestion(view);
  const answer = useAnswer(question);
  return (
    <TableCard title="By project" subtitle="Completed in this range, most first" question={question} answer={answer}>
      {({ rows }) =>
        rows.length === 0 ? (
          <NothingInWindow what="completed issues" window={view.window} question={question} />
        ) : (
          <Table
            caption="Completed issues by project"
            rows={projectsOf(rows)}
            keyOf={({ id, name }) => `${id} ${name}`}
            onOpen={({ id }) =>
              openPanel({ metric: 'completed-issues-count', where: { project_id: id, ticket_status: 'completed' } })
            }
            columns={[
              { name: 'Project', cell: ({ name }) => name },
              {
                name: 'Completed',
                isNumber: true,
                cell: ({ completed }) => <Value value={completed} measure="count" />,
              },
              {
                name: 'Creation to completion',
                isNumber: true,
                meaning: 'Median',
                cell: ({ cycleTime: { value, n } }) => (
                  <>
                    <Value value={value} measure="duration" />
                    {n !== null && n < fewRows && <span className="small secondary"> n {grouped(n)}</span>}
                  </>
                ),
              },
              { name: 'Story points', isNumber: true, cell: ({ points }) => <Value value={points} measure="number" /> },
            ]}
          />
        )
      }
    </TableCard>
  );
}
