import { fewRows } from '../../../../src/charts/chart-description.ts';
import { useAnswer } from '../../ask/use-answer.ts';
import { openPanel, type View } from '../../ask/use-view.ts';
import { Table } from '../../view/data-table.tsx';
import { NothingInWindow } from '../../view/states.tsx';
import { TableCard } from '../../view/table-card.tsx';
import { Value } from '../../view/value.tsx';
import { projectsOf, projectsQuestion } from './questions.ts';
import { projectsWords } from './words.ts';

export function Projects({ view }: { readonly view: View }) {
  const question = projectsQuestion(view);
  const answer = useAnswer(question);
  return (
    <TableCard
      title={projectsWords.byProject}
      subtitle={projectsWords.completedInThisRange}
      question={question}
      answer={answer}
    >
      {({ rows }) =>
        rows.length === 0 ? (
          <NothingInWindow what={projectsWords.completedIssues} window={view.window} question={question} />
        ) : (
          <Table
            caption={projectsWords.completedIssuesByProject}
            rows={projectsOf(rows)}
            keyOf={({ id, name }) => `${id} ${name}`}
            onOpen={({ id }) =>
              openPanel({ metric: 'completed-issues-count', where: { project_id: id, ticket_status: 'completed' } })
            }
            columns={[
              { name: projectsWords.project, cell: ({ name }) => name },
              {
                name: projectsWords.completed,
                isNumber: true,
                cell: ({ completed }) => <Value value={completed} measure="count" />,
              },
              {
                name: projectsWords.creationToCompletion,
                isNumber: true,
                meaning: projectsWords.median,
                cell: ({ cycleTime: { value, n } }) => (
                  <>
                    <Value value={value} measure="duration" />
                    {n !== null && n < fewRows && <span className="small secondary"> {projectsWords.n(n)}</span>}
                  </>
                ),
              },
              {
                name: projectsWords.storyPoints,
                isNumber: true,
                cell: ({ points }) => <Value value={points} measure="number" />,
              },
            ]}
          />
        )
      }
    </TableCard>
  );
}
