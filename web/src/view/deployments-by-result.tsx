import { useMemo } from 'react';
import type { CategoryChart } from '../../../src/charts/chart-description.ts';
import { type FigureSpec, figureQuestion, type Point, pointsOf } from '../ask/figure.ts';
import { useAnswer } from '../ask/use-answer.ts';
import { openPanel, type View } from '../ask/use-view.ts';
import { timeBuckets } from '../ask/windows.ts';
import { ChartCard } from './chart-card.tsx';
import { bucketLabel, bucketName } from './format.ts';
import { NothingInWindow } from './states.tsx';

/** n of the success rate is the number of runs that succeeded or failed; the rate says how many succeeded. */
const deploymentResults: FigureSpec<'deployment-success-rate'> = { metric: 'deployment-success-rate' };
const results = ['success', 'failure'] as const;

/** Deployments that succeeded and failed, one stack a bucket. */
export function DeploymentsByResult({ view }: { readonly view: View }) {
  const { level } = view;
  const question = figureQuestion(view, deploymentResults, view.window, level);
  const answer = useAnswer(question);
  const buckets = useMemo(() => timeBuckets(view.window, level, view.today), [view, level]);
  const series = useMemo(
    () => pointsOf(answer.data?.rows, buckets, level, 'deployment_success_rate'),
    [answer.data, buckets, level],
  );
  const title = `Deployments per ${level}`;
  const chart = useMemo<CategoryChart>(
    () => ({
      kind: 'stacked-bar',
      title,
      measure: 'count',
      isAddedUp: true,
      categories: buckets.map((bucket) => ({
        label: bucketLabel(bucket, level),
        name: bucketName(bucket, level),
        isPartial: bucket.isPartial,
      })),
      series: [
        { name: 'succeeded', colour: 1, points: series.map((point) => ({ value: succeeded(point) })) },
        { name: 'failed', colour: 5, points: series.map((point) => ({ value: failed(point) })) },
      ],
    }),
    [title, buckets, series, level],
  );
  const isEmpty = series.every(({ n }) => !n);
  return (
    <ChartCard
      chart={answer.isFirst ? undefined : chart}
      title={title}
      subtitle={`production, by result of the run · hatched: not a whole ${level}`}
      question={question}
      answer={answer}
      height={340}
      empty={isEmpty ? <NothingInWindow what="deployments" window={view.window} question={question} /> : undefined}
      onOpen={({ series: at, category }) => {
        const bucket = buckets[category];
        const status = results[at];
        if (bucket && status) {
          openPanel({
            metric: 'deployment-success-rate',
            window: { start: bucket.start, end: bucket.end },
            where: { status, counted: 'records' },
          });
        }
      }}
    />
  );
}

const succeeded = ({ value, n }: Point): number | null => (n === null ? null : Math.round((value ?? 0) * n));
const failed = (point: Point): number | null => (point.n === null ? null : point.n - (succeeded(point) ?? 0));
