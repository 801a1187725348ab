import { type ReactNode, useMemo } from 'react';
import type { CategoryChart } from '../../../src/charts/chart-description.ts';
import { type GroupedSpec, groupedQuestion, seriesByGroup } from '../ask/grouped-series.ts';
import { useAnswer } from '../ask/use-answer.ts';
import type { View } from '../ask/use-view.ts';
import { timeBuckets } from '../ask/windows.ts';
import { ChartCard } from './chart-card.tsx';
import { deploymentsByResultWords } from './deployments-by-result-words.ts';
import { bucketCategory } from './format.ts';
import { NothingInWindow } from './states.tsx';

/** n of the success rate is the number of runs that count: by status, those that succeeded and those that failed. */
const deploymentResults: GroupedSpec<'deployment-success-rate'> = { metric: 'deployment-success-rate', by: 'status' };
const results = ['success', 'failure'] as const;

/** Deployments that succeeded and failed, one stack a bucket. */
export function DeploymentsByResult({ view, actions }: { readonly view: View; readonly actions?: ReactNode }) {
  const { level } = view;
  const question = groupedQuestion(view, deploymentResults, { level });
  const answer = useAnswer(question);
  const buckets = useMemo(
    () => timeBuckets(view.windowFor(deploymentResults.metric), level, view.reachFor(deploymentResults.metric)),
    [view, level],
  );
  const [succeeded, failed] = useMemo(() => {
    const known = seriesByGroup(answer.data?.rows ?? [], deploymentResults, buckets, level);
    const runs = results.map((status) => known.find(({ key }) => key === status)?.points ?? []);
    const wereAny = (at: number): boolean => runs.some((points) => points[at]?.n != null);
    // A bucket with runs of which none failed has 0 failures; a bucket without runs has no number.
    return runs.map((points) => buckets.map((_, at) => ({ value: points[at]?.n ?? (wereAny(at) ? 0 : null) })));
  }, [answer.data, buckets, level]);
  const title = deploymentsByResultWords.deploymentsPer(level);
  const chart = useMemo<CategoryChart>(
    () => ({
      kind: 'stacked-bar',
      title,
      measure: 'count',
      of: 'deployments',
      categories: buckets.map((bucket) => bucketCategory(bucket, level)),
      series: [
        { name: deploymentsByResultWords.succeeded, colour: 1, points: succeeded ?? [] },
        { name: deploymentsByResultWords.failed, colour: 5, points: failed ?? [] },
      ],
    }),
    [title, buckets, succeeded, failed, level],
  );
  const isEmpty = [succeeded, failed].every((runs) => (runs ?? []).every(({ value }) => value === null));
  return (
    <ChartCard
      chart={answer.isFirst ? undefined : chart}
      title={title}
      subtitle={deploymentsByResultWords.toProductionByResult}
      question={question}
      answer={answer}
      height={340}
      actions={actions}
      empty={
        isEmpty ? (
          <NothingInWindow
            what={deploymentsByResultWords.deployments}
            window={view.windowFor(deploymentResults.metric)}
            question={question}
          />
        ) : undefined
      }
      panelOf={({ series: at, category }) => {
        const bucket = buckets[category];
        const status = results[at];
        if (!bucket || !status) return undefined;
        return {
          metric: 'deployment-success-rate',
          window: { start: bucket.start, end: bucket.end },
          where: { status, counted: 'records' },
        };
      }}
    />
  );
}
