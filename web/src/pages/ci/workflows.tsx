import { useMemo } from 'react';
import { useAnswers } from '../../ask/use-answer.ts';
import { openPanel, type View } from '../../ask/use-view.ts';
import { timeBuckets } from '../../ask/windows.ts';
import { fewRows } from '../../view/chart-description.ts';
import { grouped, shown } from '../../view/format.ts';
import { Sparkline } from '../../view/sparkline.tsx';
import { NothingInWindow } from '../../view/states.tsx';
import { Table } from '../../view/table.tsx';
import { TableCard } from '../../view/table-card.tsx';
import { Value } from '../../view/value.tsx';
import { useFlaky } from './flaky.tsx';
import {
  attemptsQuestion,
  cancelledQuestion,
  type Workflow,
  workflowsOf,
  workflowsQuestion,
  workflowTrendsQuestion,
} from './questions.ts';
import './ci.css';

/** Every workflow with how it went, how long it takes, and whether that grows. */
export function Workflows({ view }: { readonly view: View }) {
  const question = workflowsQuestion(view);
  const { commits } = useFlaky(view);
  const [all, trends, cancelled, attempts] = useAnswers([
    question,
    workflowTrendsQuestion(view),
    cancelledQuestion(view),
    attemptsQuestion(view),
  ]);
  const buckets = useMemo(() => timeBuckets(view.window, view.level, view.today), [view]);
  if (!all) return null;
  const rowsOf = (answer: typeof trends) => answer?.data?.rows ?? [];
  const workflows = workflowsOf(
    { all: rowsOf(all), trends: rowsOf(trends), cancelled: rowsOf(cancelled), attempts: rowsOf(attempts), flaky: commits },
    buckets,
    view.level,
  );
  return (
    <TableCard
      title="Workflows"
      subtitle={`those with most runs first · the line is the median duration per ${view.level}`}
      question={question}
      answer={all}
      height={320}
    >
      {() =>
        workflows.length === 0 ? (
          <NothingInWindow what="runs" window={view.window} question={question} />
        ) : (
          <Table
            caption="Workflows"
            rows={workflows}
            keyOf={({ key }) => key}
            onOpen={({ name, repository }) =>
              openPanel({
                metric: 'workflow-runs-count',
                where: { workflow_name: name, repository_name: repository },
              })
            }
            columns={[
              { name: 'Workflow', cell: ({ name }) => name },
              { name: 'Repository', cell: ({ repository }) => repository },
              { name: 'Runs', isNumber: true, cell: ({ runs }) => <Value value={runs} measure="count" /> },
              { name: 'Succeeded', isNumber: true, cell: (workflow) => <WithN workflow={workflow} of="success" /> },
              { name: 'p95', isNumber: true, meaning: '95th percentile of duration', cell: (workflow) => <WithN workflow={workflow} of="p95" /> },
              { name: 'Duration', cell: (workflow) => <Trend workflow={workflow} /> },
              { name: 'Cost', isNumber: true, cell: ({ cost }) => <Value value={cost} measure="usd" /> },
              {
                name: 'Cancelled',
                isNumber: true,
                meaning: 'Time that cancelled runs took',
                cell: ({ cancelledSeconds }) => (cancelledSeconds === 0 ? 'none' : <Value value={cancelledSeconds} measure="duration" />),
              },
              {
                name: 'Flaky',
                isNumber: true,
                meaning: 'Commits on which it failed and passed',
                cell: ({ flaky }) => (flaky === 0 ? 'none' : grouped(flaky)),
              },
              {
                name: 'Passed later',
                isNumber: true,
                meaning: 'Runs that passed at a second or later attempt',
                cell: ({ passedLater }) => (passedLater === 0 ? 'none' : grouped(passedLater)),
              },
            ]}
          />
        )
      }
    </TableCard>
  );
}

function WithN({ workflow, of }: { readonly workflow: Workflow; readonly of: 'success' | 'p95' }) {
  const { value, n } = workflow[of];
  return (
    <>
      <Value value={value} measure={of === 'p95' ? 'duration' : 'percent'} />
      {n !== null && n < fewRows && <span className="small secondary"> n {grouped(n)}</span>}
    </>
  );
}

/** The course in a line, and its ends in words for whoever does not see it. */
function Trend({ workflow: { trend } }: { readonly workflow: Workflow }) {
  const known = trend.flatMap(({ value }) => (value === null ? [] : value));
  if (known.length < 2) return <span className="secondary">{shown(known[0], 'duration')}</span>;
  return (
    <span className="ci-trend" title={`from ${shown(known[0], 'duration')} to ${shown(known.at(-1), 'duration')}`}>
      <Sparkline points={trend} before={undefined} />
      <span className="unseen">
        from {shown(known[0], 'duration')} to {shown(known.at(-1), 'duration')}
      </span>
    </span>
  );
}
