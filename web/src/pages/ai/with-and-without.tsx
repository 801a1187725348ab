import { fewRows } from '../../../../src/charts/chart-description.ts';
import { aboutMetric, measureOf } from '../../ask/metric-facts.ts';
import { useAnswer } from '../../ask/use-answer.ts';
import { openPanel, type View } from '../../ask/use-view.ts';
import { Table } from '../../view/data-table.tsx';
import { grouped } from '../../view/format.ts';
import { NothingInWindow } from '../../view/states.tsx';
import { TableCard } from '../../view/table-card.tsx';
import { Value } from '../../view/value.tsx';
import { type ComparedRow, type ComparedValue, comparedQuestion, comparedRows } from './questions.ts';

/** Delivery figures of pull requests made with AI and without, side by side. */
export function WithAndWithout({ view }: { readonly view: View }) {
  const question = comparedQuestion(view);
  const answer = useAnswer(question);
  return (
    <TableCard
      title="Delivery with and without AI"
      subtitle="Pull requests merged in this range. They differ in more than AI: this says what is, not why."
      question={question}
      answer={answer}
      height={320}
    >
      {({ rows }) =>
        rows.length === 0 ? (
          <NothingInWindow what="merged pull requests" window={view.window} question={question} />
        ) : (
          <Table
            caption="Delivery figures with and without AI"
            rows={comparedRows(rows)}
            keyOf={({ figure }) => figure.metric}
            columns={[
              {
                name: 'Figure',
                cell: (row) => <span title={aboutMetric(row.figure.metric).meaning}>{row.figure.label}</span>,
              },
              { name: 'With AI', isNumber: true, cell: (row) => <Side row={row} side="with" /> },
              { name: 'Without', isNumber: true, cell: (row) => <Side row={row} side="without" /> },
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
        {n !== null && (
          <span className="small secondary">
            n {grouped(n)}
            {n < fewRows ? ', few' : ''}
          </span>
        )}
      </span>
      <span className="unseen">
        , {label}, {side} AI: show the rows
      </span>
      <span className={`ai-bar ${side}`} aria-hidden="true">
        <span style={{ width: `${most > 0 ? ((value ?? 0) / most) * 100 : 0}%` }} />
      </span>
    </button>
  );
}
