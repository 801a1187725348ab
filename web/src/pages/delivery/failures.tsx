import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { numberIn } from '../../ask/figure.ts';
import { textOf } from '../../ask/grouped-series.ts';
import type { Row } from '../../ask/send.ts';
import { useAnswer } from '../../ask/use-answer.ts';
import type { View } from '../../ask/use-view.ts';
import { ChartCard } from '../../view/chart-card.tsx';
import { Table, type TableColumn } from '../../view/data-table.tsx';
import { deploymentLink } from '../../view/deployment-link.ts';
import { failureOrder, failureWords } from '../../view/deployment-words.ts';
import { shownTime } from '../../view/format.ts';
import { State } from '../../view/states.tsx';
import { TableCard } from '../../view/table-card.tsx';
import { Value } from '../../view/value.tsx';
import { useWhoseWords } from '../../view/whose-words.ts';
import { failuresChart } from './failures-chart.ts';
import { failedDeployments, failuresByReason, maxFailed } from './questions.ts';
import { failuresWords } from './words.ts';

/** Why deployments failed. */
export function FailuresByReason({ view }: { readonly view: View }) {
  const question = failuresByReason(view);
  const answer = useAnswer(question);
  const rows = answer.data?.rows;
  const chart = useMemo(() => rows && failuresChart(rows), [rows]);
  const reasons = failureOrder;
  return (
    <ChartCard
      chart={chart}
      title={failuresWords.failuresByReason}
      subtitle={failuresWords.toProductionWithout(changesIn(rows ?? []))}
      question={question}
      answer={answer}
      empty={rows && chart?.series[0]?.points.every(({ value }) => !value) ? <NoneFailed rows={rows} /> : undefined}
      height={240}
      panelOf={({ category }) => {
        const reason = reasons[category];
        if (reason === undefined) return undefined;
        const where = { failure_reason: reason, is_remediation: 'false', is_production: 'true', counted: 'records' };
        return { metric: 'change-failure-rate', where };
      }}
    />
  );
}

const changesIn = (rows: readonly Row[]): number => rows.reduce((sum, row) => sum + (numberIn(row, 'n') ?? 0), 0);

/** That nothing failed is good news, not an empty page. */
function NoneFailed({ rows }: { readonly rows: readonly Row[] }) {
  const { ofWhom } = useWhoseWords();
  const changes = changesIn(rows);
  return (
    <State
      kind="empty"
      title={changes === 0 ? failuresWords.noDeployments(ofWhom) : failuresWords.noDeploymentFailed(ofWhom)}
    >
      {changes === 0 ? failuresWords.soNoneCan : failuresWords.allWentWellNo(changes)}
    </State>
  );
}

/** As many as stand beside the reasons without a gap below these. */
const shownFirst = 6;

/** The latest failed deployments, each with its own page. */
export function FailedDeployments({ view }: { readonly view: View }) {
  const question = failedDeployments(view);
  const answer = useAnswer(question);
  const { ofWhom } = useWhoseWords();
  const [isLong, setLong] = useState(false);
  return (
    <TableCard
      title={failuresWords.failedDeployments}
      subtitle={failuresWords.latest(maxFailed)}
      question={question}
      answer={answer}
      height={220}
    >
      {({ rows }) =>
        rows.length === 0 ? (
          <State kind="empty" title={failuresWords.noDeploymentFailedInThisWindow(ofWhom)}>
            {failuresWords.whatFailsAppearsHere}
          </State>
        ) : (
          <>
            <Table
              caption={failuresWords.failedDeployments}
              rows={isLong ? rows : rows.slice(0, shownFirst)}
              keyOf={(row) => String(row.deployment_id)}
              columns={columnsOf(view)}
            />
            {!isLong && rows.length > shownFirst && (
              <button type="button" className="link" onClick={() => setLong(true)}>
                {failuresWords.show(rows.length)}
              </button>
            )}
          </>
        )
      }
    </TableCard>
  );
}

const columnsOf = (view: View): readonly TableColumn<Row>[] => [
  {
    name: failuresWords.deployment,
    cell: (row) => (
      <Link href={deploymentLink(view, row)}>
        {[textOf(row.repository_name), textOf(row.version)].filter(Boolean).join(' ') || String(row.deployment_id)}
      </Link>
    ),
  },
  {
    name: failuresWords.deployed,
    cell: (row) => shownTime(textOf(row.deployed_at), view.zone),
    sortBy: (row) => textOf(row.deployed_at),
  },
  {
    name: failuresWords.reason,
    cell: ({ failure_reason }) => (
      <span title={failureWords(failure_reason).meaning}>{failureWords(failure_reason).name}</span>
    ),
  },
  {
    name: failuresWords.restoredAfter,
    isNumber: true,
    cell: (row) =>
      row.restored_at === null ? (
        failuresWords.notYet
      ) : (
        <Value value={numberIn(row, 'time_to_restore')} measure="duration" />
      ),
  },
];
