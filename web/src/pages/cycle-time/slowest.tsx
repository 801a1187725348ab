import { figureQuestion, numberIn } from '../../ask/figure.ts';
import type { Row } from '../../ask/send.ts';
import { useAnswer } from '../../ask/use-answer.ts';
import type { View } from '../../ask/use-view.ts';
import { Table, type TableColumn } from '../../view/data-table.tsx';
import { PageLink } from '../../view/page-link.tsx';
import { NothingInWindow } from '../../view/states.tsx';
import { TableCard } from '../../view/table-card.tsx';
import { Value } from '../../view/value.tsx';
import { maxSlowest, slowest } from './questions.ts';
import { slowestWords } from './words.ts';

/** The pull requests that took longest, each with its own page. */
export function Slowest({ view }: { readonly view: View }) {
  const question = slowest(view);
  const answer = useAnswer(question);
  return (
    <TableCard
      title={slowestWords.slowestPullRequests}
      subtitle={slowestWords.mergedInThisRange(maxSlowest)}
      question={question}
      answer={answer}
    >
      {({ rows }) =>
        rows.length === 0 ? (
          <NothingInWindow
            what={slowestWords.mergedPullRequests}
            window={view.window}
            question={figureQuestion(view, { metric: 'cycle-time', aggregation: 'MAX' }, view.window)}
          />
        ) : (
          <Table
            caption={slowestWords.slowestPullRequests}
            rows={rows}
            keyOf={(row) => String(row.pr_id)}
            columns={columns}
          />
        )
      }
    </TableCard>
  );
}

const columns: readonly TableColumn<Row>[] = [
  {
    name: slowestWords.pullRequest,
    cell: (row) => (
      <>
        <PageLink to={`/pull-requests/${encodeURIComponent(String(row.pr_id))}`}>
          {String(row.pr_title ?? row.pr_id)}
        </PageLink>
        <span className="small secondary under">{String(row.repository_name ?? '')}</span>
      </>
    ),
  },
  time(slowestWords.cycleTime, 'max_cycle_time'),
  time(slowestWords.coding, 'coding_time'),
  time(slowestWords.firstReviewWait, 'pickup_time'),
  time(slowestWords.reviewTime, 'review_time'),
];

function time(name: string, column: string): TableColumn<Row> {
  return { name, isNumber: true, cell: (row) => <Value value={numberIn(row, column)} measure="duration" /> };
}
