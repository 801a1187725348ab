import type { KnownGroup } from '../../../../src/charts/metric-chart.ts';
import type { FigureSpec } from '../../ask/figure.ts';
import { useAnswer } from '../../ask/use-answer.ts';
import type { View } from '../../ask/use-view.ts';
import { GroupedChart } from '../../view/grouped-chart.tsx';
import { toolsByCost, unknownCostWords, usageQuestion } from './questions.ts';
import { byToolChartsWords } from './words.ts';

const people = { metric: 'adopted-users', by: 'source' } as const satisfies FigureSpec & { by: string };
const cost = { metric: 'ai-total-cost', aggregation: 'SUM', by: 'source' } as const satisfies FigureSpec & {
  by: string;
};

const sessions = { metric: 'posthook-sessions-count', by: 'agent_slug' } as const satisfies FigureSpec & { by: string };

/** One tool keeps its colour in all charts. */
const tools: readonly KnownGroup[] = [
  { key: 'github-copilot', colour: 1 },
  { key: 'cursor', colour: 2 },
  { key: 'claude-code', colour: 3 },
  { key: 'codex', colour: 4 },
];

/** Lines, not a stack: one person can use several tools. */
export function PeopleByTool({ view }: { readonly view: View }) {
  return (
    <GroupedChart
      view={view}
      spec={people}
      kind="line"
      title={byToolChartsWords.peopleUsingAiPer(view.level)}
      subtitle={byToolChartsWords.someoneWhoUsesTwo}
      what={byToolChartsWords.aiUse}
      height={320}
      known={tools}
    />
  );
}

export function CostByTool({ view }: { readonly view: View }) {
  const { data } = useAnswer(usageQuestion(view, 'tool'));
  const unknown = unknownCostWords(toolsByCost(data?.rows ?? []).unknown);
  return (
    <GroupedChart
      view={view}
      spec={cost}
      kind="stacked-bar"
      title={byToolChartsWords.costPerByTool(view.level)}
      subtitle={[byToolChartsWords.usDollarsAsTools, unknown].filter(Boolean).join(' · ')}
      what={byToolChartsWords.aiCost}
      height={320}
      known={tools}
    />
  );
}

/** The tools that record coding sessions are others than those that record days of assistants. */
export function SessionsByAgent({ view }: { readonly view: View }) {
  return (
    <GroupedChart
      view={view}
      spec={sessions}
      kind="stacked-bar"
      title={byToolChartsWords.codingSessionsPer(view.level)}
      subtitle={byToolChartsWords.thoseThatGenerated}
      what={byToolChartsWords.codingSessions}
      height={280}
      known={tools}
    />
  );
}
