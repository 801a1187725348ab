import { useAnswers } from '../../ask/use-answer.ts';
import { openPanel, type View } from '../../ask/use-view.ts';
import { Table } from '../../view/data-table.tsx';
import { grouped } from '../../view/format.ts';
import { State } from '../../view/states.tsx';
import { TableCard } from '../../view/table-card.tsx';
import { failedQuestion, flakyCommits, repeatedQuestion } from './questions.ts';
import { flakyWords } from './words.ts';

/** Flaky commits: failed, then passed, from two requests that go out together. */
export function useFlaky(view: View) {
  const [repeated, failing] = useAnswers([repeatedQuestion(view, view.window), failedQuestion(view, view.window)]);
  const rows = repeated?.data?.rows ?? [];
  const commits = flakyCommits(rows, failing?.data?.rows ?? []);
  const both = [repeated, failing];
  return {
    commits,
    answer: {
      data: repeated?.data && failing?.data ? commits : undefined,
      repeated: rows.length,
      error: both.find((one) => one?.error)?.error,
      isFirst: both.some((one) => one?.isFirst ?? true),
      isOld: both.some((one) => one?.isOld ?? false),
      retry: () => {
        for (const one of both) if (one?.error) one.retry();
      },
    },
  };
}

/** Where the number of the tile leads: the commits themselves, each of which opens its runs. */
export const flakyId = 'flaky-commits';

export function FlakyCommits({ view }: { readonly view: View }) {
  const { answer } = useFlaky(view);
  return (
    <div id={flakyId}>
      <TableCard
        title={flakyWords.flakyFailedThenPassed}
        subtitle={flakyWords.failuresFirst}
        question={repeatedQuestion(view, view.window)}
        also={{ 'Those of them that failed': failedQuestion(view, view.window) }}
        answer={answer}
      >
        {(commits) =>
          commits.length === 0 ? (
            <State kind="empty" title={flakyWords.noneInThisWindow}>
              {answer.repeated === 0 ? flakyWords.noWorkflowRanTwice : flakyWords.workflowRanMore(answer.repeated)}
            </State>
          ) : (
            <Table
              caption={flakyWords.flakyCommitsFailedThen}
              rows={commits.toSorted((a, b) => b.failures - a.failures || a.sha.localeCompare(b.sha))}
              keyOf={({ workflow, repository, sha }) => `${repository} ${workflow} ${sha}`}
              onOpen={({ workflow, sha }) =>
                openPanel({ metric: 'workflow-runs-count', where: { workflow_name: workflow, head_sha: sha } })
              }
              columns={[
                { name: flakyWords.commit, cell: ({ sha }) => <code title={sha}>{sha.slice(0, 10)}</code> },
                { name: flakyWords.workflow, cell: ({ workflow }) => workflow },
                { name: flakyWords.repository, cell: ({ repository }) => repository },
                { name: flakyWords.failed, isNumber: true, cell: ({ failures }) => grouped(failures) },
                { name: flakyWords.runs, isNumber: true, cell: ({ runs }) => grouped(runs) },
              ]}
            />
          )
        }
      </TableCard>
    </div>
  );
}
