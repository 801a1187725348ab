import { valueLabel } from '../../../../src/catalogue/labels/shown-names.ts';
import { useAnswers } from '../../ask/use-answer.ts';
import { openPanel, useOwnChoice, type View } from '../../ask/use-view.ts';
import { Table, type TableColumn } from '../../view/data-table.tsx';
import { capitalised, counted } from '../../view/format.ts';
import { NothingInWindow } from '../../view/states.tsx';
import { TableCard } from '../../view/table-card.tsx';
import { Value } from '../../view/value.tsx';
import { type ToolLine, toolLines, toolsByCost, unknownCostWords, usageQuestion, usageRows } from './questions.ts';
import { idleOf, seatsIn, seatsQuestion, sessionsByAgent, sessionUseQuestion } from './seats.ts';

/** What each tool, or each model in it, is used for and costs. */
export function UsageTable({ view }: { readonly view: View }) {
  const [by, setBy] = useOwnChoice('usage', 'tool', ['tool', 'model']);
  const question = usageQuestion(view, by);
  const [answer, seats, used, tools] = useAnswers([
    question,
    seatsQuestion(view, view.window),
    sessionUseQuestion(view, view.window),
    by === 'tool' ? undefined : usageQuestion(view, 'tool'),
  ]);
  if (!answer) return null;
  const sessionRows = used?.data?.rows ?? [];
  const { byTool } = seatsIn(seats?.data?.rows ?? [], sessionRows);
  return (
    <TableCard
      title={by === 'tool' ? 'By tool' : 'By tool and model'}
      subtitle={[
        by === 'tool'
          ? 'seats, use and cost of each, and coding sessions that made code'
          : 'by the model used most on a day',
        unknownCostWords(toolsByCost((by === 'tool' ? answer : tools)?.data?.rows ?? []).unknown),
      ]
        .filter(Boolean)
        .join(' · ')}
      question={question}
      {...(by === 'tool'
        ? {
            also: { Seats: seatsQuestion(view, view.window), 'Coding sessions': sessionUseQuestion(view, view.window) },
          }
        : {})}
      answer={answer}
      actions={
        <fieldset className="switch" aria-label="Group by">
          {(['tool', 'model'] as const).map((one) => (
            <button key={one} type="button" aria-pressed={one === by} onClick={() => setBy(one)}>
              {capitalised(one)}
            </button>
          ))}
        </fieldset>
      }
    >
      {({ rows }) => {
        const shownRows = toolLines(usageRows(rows, by), by === 'tool' ? sessionsByAgent(sessionRows) : new Map());
        return shownRows.length === 0 ? (
          <NothingInWindow what="AI use" window={view.window} question={question} />
        ) : (
          <Table
            caption={by === 'tool' ? 'AI use by tool' : 'AI use by tool and model'}
            rows={shownRows}
            keyOf={({ tool, model }) => `${tool} ${model}`}
            columns={
              by === 'tool'
                ? [toolColumn, ...seatColumns(byTool), ...useColumns, sessionsColumn]
                : [toolColumn, modelColumn, ...useColumns]
            }
            onOpen={({ tool, model, people }) =>
              openPanel(
                people === null
                  ? { metric: 'posthook-sessions-count', where: { agent_slug: tool } }
                  : {
                      metric: 'adopted-users',
                      where: {
                        source: tool,
                        ...(model === null ? {} : { model: model === 'not said' ? null : model }),
                      },
                    },
              )
            }
          />
        );
      }}
    </TableCard>
  );
}

type Column = TableColumn<ToolLine>;
const toolColumn: Column = { name: 'Tool', cell: ({ tool }) => valueLabel('source', tool) };
const modelColumn: Column = { name: 'Model', cell: ({ model }) => model };

const seatColumns = (seats: ReturnType<typeof seatsIn>['byTool']): Column[] => [
  {
    name: 'Seats',
    isNumber: true,
    cell: ({ tool }) => <Value value={seats.get(tool)?.seats ?? null} measure="count" />,
  },
  {
    name: 'Idle',
    isNumber: true,
    meaning: 'Seats without an active day or a coding session in the window',
    cell: ({ tool }) => {
      const counts = seats.get(tool);
      return <Value value={counts ? idleOf(counts) : null} measure="count" />;
    },
  },
];

const sessionsColumn: Column = {
  name: 'Sessions',
  isNumber: true,
  meaning: 'Coding sessions that generated or committed code, and the people who had any',
  cell: ({ sessions }) => (
    <>
      <Value value={sessions?.sessions ?? null} measure="count" />
      {sessions && <span className="small secondary under">{counted(sessions.people, 'person', 'people')}</span>}
    </>
  ),
};

const useColumns: readonly Column[] = [
  {
    name: 'Active',
    isNumber: true,
    meaning: 'Distinct people with an active day',
    cell: ({ people }) => <Value value={people} measure="count" />,
  },
  { name: 'Cost', isNumber: true, cell: ({ cost }) => <Value value={cost} measure="usd" /> },
  {
    name: 'Per person',
    isNumber: true,
    meaning: 'Cost divided by the people who used it',
    cell: ({ cost, people }) => <Value value={cost === null || !people ? null : cost / people} measure="usd" />,
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
