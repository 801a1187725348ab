import { figureQuestion } from '../../ask/figure.ts';
import type { Measure } from '../../ask/metric-facts.ts';
import { useAnswers } from '../../ask/use-answer.ts';
import { openPanel, type View } from '../../ask/use-view.ts';
import { Table, type TableColumn } from '../../view/data-table.tsx';
import { sourceWords } from '../../view/deployment-words.ts';
import { NothingInWindow } from '../../view/states.tsx';
import { TableCard } from '../../view/table-card.tsx';
import { Value } from '../../view/value.tsx';
import { byRepository, leadTimeByRepository } from './questions.ts';
import { type RepositoryLine, repositoryLines, shortNames } from './repositories.ts';
import { byRepositoryWords } from './words.ts';

/** The figures of each repository, and where its deployments are known from. */
export function ByRepository({ view }: { readonly view: View }) {
  const questions = [byRepository(view), leadTimeByRepository(view)] as const;
  const [deployments, leadTimes] = useAnswers(questions);
  const answer = {
    data: deployments?.data && leadTimes?.data && repositoryLines(deployments.data.rows, leadTimes.data.rows),
    error: deployments?.error ?? leadTimes?.error,
    isOld: [deployments, leadTimes].some((one) => one?.isOld),
    retry: () => {
      for (const one of [deployments, leadTimes]) if (one?.error) one.retry();
    },
  };
  return (
    <TableCard
      title={byRepositoryWords.byRepository}
      subtitle={byRepositoryWords.toProductionDeploymentSource}
      question={questions[0]}
      also={{ 'Lead time': questions[1] }}
      answer={answer}
    >
      {(lines) =>
        lines.length === 0 ? (
          <NothingInWindow
            what={byRepositoryWords.deployments}
            window={view.window}
            question={figureQuestion(view, { metric: 'deployment-frequency' }, view.window)}
          />
        ) : (
          <Table
            caption={byRepositoryWords.deliveryByRepository}
            maxUnscrolled={50}
            rows={lines}
            keyOf={({ repository, source }) => `${repository} ${source}`}
            columns={columnsOf(lines)}
            onOpen={({ repository, source, deployments: count }) =>
              openPanel(
                count === null
                  ? { metric: 'lead-time-for-changes-p50', where: { repository } }
                  : { metric: 'deployment-frequency', where: { repository, deployment_source: source } },
              )
            }
          />
        )
      }
    </TableCard>
  );
}

/** The owner is shown only where there are two. */
function columnsOf(lines: readonly RepositoryLine[]): readonly TableColumn<RepositoryLine>[] {
  const names = shortNames(lines);
  return [
    {
      name: byRepositoryWords.repository,
      cell: ({ repository }) => names.get(repository) ?? byRepositoryWords.unknown,
    },
    ...figureColumns,
  ];
}

const figureColumns: readonly TableColumn<RepositoryLine>[] = [
  {
    name: byRepositoryWords.deploymentSource,
    meaning: byRepositoryWords.whatCountsAsDeployment,
    cell: ({ source, deployments }) =>
      deployments === null ? (
        <span className="secondary">{byRepositoryWords.noDeployments}</span>
      ) : (
        <span title={sourceWords(source).meaning}>{sourceWords(source).name}</span>
      ),
  },
  {
    name: byRepositoryWords.deploymentsName,
    isNumber: true,
    cell: ({ deployments }) => <Value value={deployments} measure="count" />,
  },
  figure(byRepositoryWords.leadTimeMedian, 'duration', ({ leadTime, leadTimeN }) => [leadTime, leadTimeN]),
  figure(byRepositoryWords.changeFailureRate, 'percent', ({ failureRate, failureN }) => [failureRate, failureN]),
  figure(byRepositoryWords.toRestoreMedian, 'duration', ({ restore, restoreN }) => [restore, restoreN]),
  figure(byRepositoryWords.successfulRuns, 'percent', ({ successRate, successN }) => [successRate, successN]),
];

/** A figure with its n beside it. */
function figure(
  name: string,
  measure: Measure,
  figureIn: (line: RepositoryLine) => readonly [number | null, number | null],
): TableColumn<RepositoryLine> {
  return {
    name,
    isNumber: true,
    cell: (line) => {
      const [value, n] = figureIn(line);
      return (
        <>
          <Value value={value} measure={measure} />
          {value !== null && n !== null && <span className="small secondary"> {byRepositoryWords.n(n)}</span>}
        </>
      );
    },
  };
}
