import { useMemo, useState } from 'react';
import { fewRows } from '../../../../src/charts/chart-description.ts';
import type { Point } from '../../ask/figure-question.ts';
import { useAnswers } from '../../ask/use-answer.ts';
import { openPanel, type View } from '../../ask/use-view.ts';
import { firstWhole, timeBuckets, wholeBuckets } from '../../ask/windows.ts';
import { Table } from '../../view/data-table.tsx';
import { grouped, shown } from '../../view/format.ts';
import { Sparkline } from '../../view/sparkline.tsx';
import { NothingInWindow } from '../../view/states.tsx';
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
import { workflowsWords } from './words.ts';

const shownFirst = 12;

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
  const [isLong, setLong] = useState(false);
  const buckets = useMemo(
    () => timeBuckets(view.windowFor('workflow-runs-count'), view.level, view.reachFor('workflow-runs-count')),
    [view],
  );
  const first = firstWhole(buckets);
  const whole = wholeBuckets(buckets, view.level, view.zone, view.wholeUntilFor('workflow-runs-count'));
  if (!all) return null;
  const rowsOf = (answer: typeof trends) => answer?.data?.rows ?? [];
  const workflows = workflowsOf(
    {
      all: rowsOf(all),
      trends: rowsOf(trends),
      cancelled: rowsOf(cancelled),
      attempts: rowsOf(attempts),
      flaky: commits,
    },
    buckets,
    view.level,
  );
  return (
    <TableCard
      title={workflowsWords.workflows}
      subtitle={workflowsWords.runsFirst(view.level)}
      question={question}
      also={{
        [workflowsWords.medianDurationPer(view.level)]: workflowTrendsQuestion(view),
        'Time of cancelled runs': cancelledQuestion(view),
        'Passed runs by attempt': attemptsQuestion(view),
      }}
      answer={all}
      height={320}
    >
      {() =>
        workflows.length === 0 ? (
          <NothingInWindow what={workflowsWords.runs} window={view.window} question={question} />
        ) : (
          <>
            <Table
              caption={workflowsWords.workflows}
              rows={isLong ? workflows : workflows.slice(0, shownFirst)}
              keyOf={({ key }) => key}
              onOpen={({ name, repository }) =>
                openPanel({
                  metric: 'workflow-runs-count',
                  where: { workflow_name: name, repository_name: repository },
                })
              }
              columns={[
                {
                  name: workflowsWords.workflow,
                  cell: ({ name, repository }) => (
                    <>
                      {name}
                      <span className="small secondary under">{repository}</span>
                    </>
                  ),
                },
                {
                  name: workflowsWords.runsName,
                  isNumber: true,
                  cell: ({ runs }) => <Value value={runs} measure="count" />,
                },
                {
                  name: workflowsWords.succeeded,
                  isNumber: true,
                  cell: (workflow) => <WithN workflow={workflow} of="success" />,
                },
                {
                  name: workflowsWords.slowRuns,
                  isNumber: true,
                  meaning: workflowsWords.n95thPercentileDuration,
                  cell: (workflow) => <WithN workflow={workflow} of="p95" />,
                },
                {
                  name: workflowsWords.duration,
                  isNumber: true,
                  meaning: workflowsWords.median,
                  cell: (workflow) => <WithN workflow={workflow} of="duration" />,
                },
                {
                  name: workflowsWords.trend,
                  meaning: workflowsWords.medianDurationPer(view.level),
                  cell: ({ trend }) => <Trend trend={trend.slice(first, whole)} />,
                },
                { name: workflowsWords.cost, isNumber: true, cell: ({ cost }) => <Value value={cost} measure="usd" /> },
                {
                  name: workflowsWords.cancelled,
                  isNumber: true,
                  meaning: workflowsWords.timeThatCancelledRuns,
                  cell: ({ cancelledSeconds }) =>
                    cancelledSeconds === 0 ? none : <Value value={cancelledSeconds} measure="duration" />,
                },
                {
                  name: workflowsWords.flaky,
                  isNumber: true,
                  meaning: workflowsWords.failedThenPassed,
                  cell: ({ flaky }) => (flaky === 0 ? none : grouped(flaky)),
                },
                {
                  name: workflowsWords.passedLater,
                  isNumber: true,
                  meaning: workflowsWords.runsThatPassed,
                  cell: ({ passedLater }) => (passedLater === 0 ? none : grouped(passedLater)),
                },
              ]}
            />
            {!isLong && workflows.length > shownFirst && (
              <button type="button" className="link" onClick={() => setLong(true)}>
                {workflowsWords.show(workflows.length)}
              </button>
            )}
          </>
        )
      }
    </TableCard>
  );
}

const none = <span className="secondary">0</span>;

function WithN({ workflow, of }: { readonly workflow: Workflow; readonly of: 'success' | 'duration' | 'p95' }) {
  const { value, n } = workflow[of];
  return (
    <>
      <Value value={value} measure={of === 'success' ? 'percent' : 'duration'} />
      {n !== null && n < fewRows && <span className="small secondary"> {workflowsWords.n(n)}</span>}
    </>
  );
}

/** The course in a line over the buckets that have runs, and its ends in words for readers who do not see the line. */
function Trend({ trend }: { readonly trend: readonly Point[] }) {
  const known = trend.flatMap(({ value }) => (value === null ? [] : value));
  if (known.length < 3)
    return <span className="secondary">{known.map((value) => shown(value, 'duration')).join(' → ')}</span>;
  return (
    <span
      className="ci-trend"
      title={workflowsWords.from(shown(known[0], 'duration'), shown(known.at(-1), 'duration'))}
    >
      <Sparkline points={trend.filter(({ value }) => value !== null)} before={undefined} />
      <span className="unseen">
        {workflowsWords.from(shown(known[0], 'duration'), shown(known.at(-1), 'duration'))}
      </span>
    </span>
  );
}
