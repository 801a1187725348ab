import { useAnswers } from '../../ask/use-answer.ts';
import { openPanel, useOwnChoice, type View } from '../../ask/use-view.ts';
import { grouped } from '../../view/format.ts';
import { NothingInWindow } from '../../view/states.tsx';
import { Table, type TableColumn } from '../../view/table.tsx';
import { TableCard } from '../../view/table-card.tsx';
import { Value } from '../../view/value.tsx';
import {
  idleOf,
  seatsIn,
  seatsQuestion,
  toolsByCost,
  type Usage,
  unknownCostWords,
  usageQuestion,
  usageRows,
} from './questions.ts';

/** What each tool, or each model in it, is used for and costs. */
export function UsageTable({ view }: { readonly view: View }) {
  const [by, setBy] = useOwnChoice('usage', 'tool', ['tool', 'model']);
  const question = usageQuestion(view, by);
  const [answer, seats, tools] = useAnswers([question, seatsQuestion(view, view.window), usageQuestion(view, 'tool')]);
  if (!answer) return null;
  const { byTool } = seatsIn(seats?.data?.rows ?? []);
  return (
    <TableCard
      title={by === 'tool' ? 'By tool' : 'By tool and model'}
      subtitle={[
        by === 'tool' ? 'seats, use and cost of each' : 'by the model used most on a day',
        unknownCostWords(toolsByCost(tools?.data?.rows ?? []).unknown),
      ]
        .filter(Boolean)
        .join(' · ')}
      question={question}
      {...(by === 'tool' ? { also: { Seats: seatsQuestion(view, view.window) } } : {})}
      answer={answer}
      actions={
        <fieldset className="switch" aria-label="Group by">
          {(['tool', 'model'] as const).map((one) => (
            <button key={one} type="button" aria-pressed={one === by} onClick={() => setBy(one)}>
              {one}
            </button>
          ))}
        </fieldset>
      }
    >
      {({ rows }) => {
        const shownRows = usageRows(rows, by);
        return shownRows.length === 0 ? (
          <NothingInWindow what="AI use" window={view.window} question={question} />
        ) : (
          <Table
            caption={by === 'tool' ? 'AI use by tool' : 'AI use by tool and model'}
            rows={shownRows}
            keyOf={({ tool, model }) => `${tool} ${model}`}
            columns={
              by === 'tool'
                ? [toolColumn, ...seatColumns(byTool), ...useColumns]
                : [toolColumn, modelColumn, ...useColumns]
            }
            onOpen={({ tool, model }) =>
              openPanel({
                metric: 'adopted-users',
                where: { source: tool, ...(model === null ? {} : { model: model === 'not said' ? null : model }) },
              })
            }
          />
        );
      }}
    </TableCard>
  );
}

type Column = TableColumn<Usage>;
const toolColumn: Column = { name: 'Tool', cell: ({ tool }) => tool };
const modelColumn: Column = { name: 'Model', cell: ({ model }) => model };

const seatColumns = (seats: ReturnType<typeof seatsIn>['byTool']): Column[] => [
  { name: 'Seats', isNumber: true, cell: ({ tool }) => grouped(seats.get(tool)?.seats ?? 0) },
  {
    name: 'Idle',
    isNumber: true,
    meaning: 'Seats that nobody used in the window',
    cell: ({ tool }) => grouped(idleOf(seats.get(tool) ?? { seats: 0, active: 0 })),
  },
];

const useColumns: readonly Column[] = [
  {
    name: 'Active',
    isNumber: true,
    meaning: 'Distinct people',
    cell: ({ people }) => <Value value={people} measure="count" />,
  },
  { name: 'Cost', isNumber: true, cell: ({ cost }) => <Value value={cost} measure="usd" /> },
  {
    name: 'Per person',
    isNumber: true,
    meaning: 'Cost divided by the people who used it',
    cell: ({ cost, people }) => <Value value={cost === null || people === 0 ? null : cost / people} measure="usd" />,
  },
  { name: 'Tokens', isNumber: true, cell: ({ tokens }) => <Value value={tokens} measure="count" /> },
  { name: 'AI lines', isNumber: true, cell: ({ lines }) => <Value value={lines} measure="count" /> },
  {
    name: 'Accepted',
    isNumber: true,
    meaning: 'Accepted lines divided by suggested lines',
    cell: ({ acceptance }) => <Value value={acceptance} measure="percent" />,
  },
];
