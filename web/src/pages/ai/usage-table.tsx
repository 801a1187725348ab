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
import { aiFigureWords, usageTableWords } from './words.ts';

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
      title={by === 'tool' ? usageTableWords.byTool : usageTableWords.byToolAndModel}
      subtitle={[
        by === 'tool' ? usageTableWords.seatsUseAndCost : usageTableWords.byModelUsed,
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
        <fieldset className="switch" aria-label={usageTableWords.group}>
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
          <NothingInWindow what={usageTableWords.aiUse} window={view.window} question={question} />
        ) : (
          <Table
            caption={by === 'tool' ? usageTableWords.aiUseByTool : usageTableWords.aiUseByToolAndModel}
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
                        ...(model === null ? {} : { model: model === aiFigureWords.notSaid ? null : model }),
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
const toolColumn: Column = { name: usageTableWords.tool, cell: ({ tool }) => valueLabel('source', tool) };
const modelColumn: Column = { name: usageTableWords.model, cell: ({ model }) => model };

const seatColumns = (seats: ReturnType<typeof seatsIn>['byTool']): Column[] => [
  {
    name: usageTableWords.seats,
    isNumber: true,
    cell: ({ tool }) => <Value value={seats.get(tool)?.seats ?? null} measure="count" />,
  },
  {
    name: usageTableWords.idle,
    isNumber: true,
    meaning: usageTableWords.seatsWithoutActiveDay,
    cell: ({ tool }) => {
      const counts = seats.get(tool);
      return <Value value={counts ? idleOf(counts) : null} measure="count" />;
    },
  },
];

const sessionsColumn: Column = {
  name: usageTableWords.sessions,
  isNumber: true,
  meaning: usageTableWords.codingSessionsThatGenerated,
  cell: ({ sessions }) => (
    <>
      <Value value={sessions?.sessions ?? null} measure="count" />
      {sessions && <span className="small secondary under">{counted(sessions.people, 'person', 'people')}</span>}
    </>
  ),
};

const useColumns: readonly Column[] = [
  {
    name: usageTableWords.active,
    isNumber: true,
    meaning: usageTableWords.distinctPeopleWithActive,
    cell: ({ people }) => <Value value={people} measure="count" />,
  },
  { name: usageTableWords.cost, isNumber: true, cell: ({ cost }) => <Value value={cost} measure="usd" /> },
  {
    name: usageTableWords.perPerson,
    isNumber: true,
    meaning: usageTableWords.costDividedByPeople,
    cell: ({ cost, people }) => <Value value={cost === null || !people ? null : cost / people} measure="usd" />,
  },
  { name: usageTableWords.tokens, isNumber: true, cell: ({ tokens }) => <Value value={tokens} measure="count" /> },
  { name: usageTableWords.aiLines, isNumber: true, cell: ({ lines }) => <Value value={lines} measure="count" /> },
  {
    name: usageTableWords.accepted,
    isNumber: true,
    meaning: usageTableWords.acceptedLinesDivided,
    cell: ({ acceptance }) => <Value value={acceptance} measure="percent" />,
  },
];
