import { fewRows } from '../../../../src/charts/chart-description.ts';
import { aboutMetric, measureOf } from '../../ask/metric-facts.ts';
import { useAnswer } from '../../ask/use-answer.ts';
import { openPanel, type View } from '../../ask/use-view.ts';
import { Table } from '../../view/data-table.tsx';
import { NothingInWindow } from '../../view/states.tsx';
import { TableCard } from '../../view/table-card.tsx';
import { Value } from '../../view/value.tsx';
import { type ComparedRow, type ComparedValue, comparedQuestion, comparedRows } from './questions.ts';
import { withAndWithoutWords } from './words.ts';

/** Delivery figures of pull requests made with AI and without, side by side. */
export function WithAndWithout({ view }: { readonly view: View }) {
  const question = comparedQuestion(view);
  const answer = useAnswer(question);
  return (
    <TableCard
      title={withAndWithoutWords.deliveryWithAndWithout}
      subtitle={withAndWithoutWords.pullRequestsMerged}
      question={question}
      answer={answer}
      height={320}
    >
      {({ rows }) =>
        rows.length === 0 ? (
          <NothingInWindow what={withAndWithoutWords.mergedPullRequests} window={view.window} question={question} />
        ) : (
          <Table
            caption={withAndWithoutWords.deliveryFigures}
            rows={comparedRows(rows)}
            keyOf={({ figure }) => figure.metric}
            columns={[
              {
                name: withAndWithoutWords.figure,
                cell: (row) => <span title={aboutMetric(row.figure.metric).meaning}>{row.figure.label}</span>,
              },
              { name: withAndWithoutWords.withAi, isNumber: true, cell: (row) => <Side row={row} side="with" /> },
              { name: withAndWithoutWords.without, isNumber: true, cell: (row) => <Side row={row} side="without" /> },
            ]}
          />
        )
      }
    </TableCard>
  );
}

function Side({ row, side }: { readonly row: ComparedRow; readonly side: 'with' | 'without' }) {
  const { metric, aggregation, label } = row.figure;
  const measure = measureOf(metric, aggregation);
  const { value, n }: ComparedValue = row[side];
  const most = Math.max(row.with.value ?? 0, row.without.value ?? 0);
  return (
    <button
      type="button"
      className="ai-side"
      onClick={() =>
        openPanel({
          metric,
          ...(aggregation ? { aggregation } : {}),
          where: { is_ai_assisted: String(side === 'with') },
        })
      }
    >
      <span>
        <Value value={value} measure={measure} />{' '}
        {n !== null && <span className="small secondary">{withAndWithoutWords.n(n, fewRows)}</span>}
      </span>
      <span className="unseen">{withAndWithoutWords.aiShowRows(label, side)}</span>
      <span className={`ai-bar ${side}`} aria-hidden="true">
        <span style={{ width: `${most > 0 ? ((value ?? 0) / most) * 100 : 0}%` }} />
      </span>
    </button>
  );
}
