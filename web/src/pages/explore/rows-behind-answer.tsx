import { columnLabel } from '../../../../src/catalogue/labels/shown-names.ts';
import type { Exploration } from '../../ask/exploration.ts';
import { rowsBehind } from '../../ask/rows-behind.ts';
import type { Row } from '../../ask/send.ts';
import { useAnswer } from '../../ask/use-answer.ts';
import type { View } from '../../ask/use-view.ts';
import { Table } from '../../view/data-table.tsx';
import { counted } from '../../view/format.ts';
import { cellOrder, cellText } from '../../view/record-cells.ts';
import { RequestText } from '../../view/shown-request.tsx';
import { Answered, NothingInWindow } from '../../view/states.tsx';
import { rowsBehindAnswerWords } from './words.ts';

/** The records behind the whole answer, with the request that lists them. */
export default function RowsBehindAnswer({ view, asked }: { readonly view: View; readonly asked: Exploration }) {
  const filtered: View = {
    ...view,
    filtersFor: (metric, window) => ({ ...view.filtersFor(metric, window), ...asked.filters }),
  };
  const { question, list, key, value, isMeant } = rowsBehind(filtered, {
    metric: asked.metric,
    ...(asked.dateField ? { where: { date_field: asked.dateField } } : {}),
  });
  const answer = useAnswer(question);
  const columns = [list.name, ...list.columns, ...(value ? [value] : [])];
  return (
    <Answered answer={answer} what={rowsBehindAnswerWords.listRows}>
      {({ rows, total }) => {
        const meant = rows.filter(isMeant);
        return meant.length === 0 ? (
          <NothingInWindow what={list.many} window={view.window} question={question} />
        ) : (
          <>
            <p className="small secondary">
              {total > rows.length
                ? rowsBehindAnswerWords.firstNarrowRange(meant.length, total, list.one, list.many)
                : counted(meant.length, list.one, list.many)}
            </p>
            <Table
              caption={rowsBehindAnswerWords.behindThisAnswer(list.many)}
              rows={meant}
              keyOf={(row) => key.map((column) => String(row[column])).join(' ')}
              columns={columns.map((column) => ({
                name: columnLabel(column),
                cell: (row: Row) => cellText(row[column], column, view.zone),
                sortBy: (row: Row) => cellOrder(row[column]),
              }))}
            />
            <h3>{rowsBehindAnswerWords.requestForTheseRows}</h3>
            <RequestText question={question} />
          </>
        );
      }}
    </Answered>
  );
}
