import type { KnownGroup } from '../../../../src/charts/metric-chart.ts';
import type { FigureSpec } from '../../ask/figure.ts';
import { useAnswer } from '../../ask/use-answer.ts';
import type { View } from '../../ask/use-view.ts';
import { GroupedChart } from '../../view/grouped-chart.tsx';
import { toolsByCost, unknownCostWords, usageQuestion } from './questions.ts';

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
      title={`People using AI per ${view.level}, by tool`}
      subtitle="Someone who uses two tools counts in both · by the days that assistants report"
      what="AI use"
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
      title={`Cost per ${view.level}, by tool`}
      subtitle={['US dollars, as the tools report it', unknown].filter(Boolean).join(' · ')}
      what="AI cost"
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
      title={`Coding sessions per ${view.level}, by agent`}
      subtitle="Those that generated or committed code"
      what="coding sessions"
      height={280}
      known={tools}
    />
  );
}
