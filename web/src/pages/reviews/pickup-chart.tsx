import { useMemo } from 'react';
import type { CategoryChart } from '../../../../src/charts/chart-description.ts';
import { type Figure, figureQuestion, pointsOf } from '../../ask/figure.ts';
import { valueColumn } from '../../ask/metric-facts.ts';
import { useAnswer } from '../../ask/use-answer.ts';
import { openPanel, type View } from '../../ask/use-view.ts';
import { ChartCard } from '../../view/chart-card.tsx';
import { bucketCategory } from '../../view/format.ts';
import { NothingInWindow } from '../../view/states.tsx';
import { longPickups } from './questions.ts';

const slowest = 'slowest tenth';

interface PickupChartProps {
  readonly view: View;
  readonly median: Figure;
}

/** How long pull requests wait for their first review: usually, and at worst. */
export function PickupChart({ view, median }: PickupChartProps) {
  const { buckets, level, series, seriesBefore } = median;
  const title = 'Wait for the first review';
  const longQuestion = figureQuestion(view, longPickups, undefined, level);
  const long = useAnswer(longQuestion);
  const longSeries = pointsOf(
    long.data?.rows,
    buckets,
    level,
    valueColumn(longPickups.metric, longPickups.aggregation),
  );
  const key = JSON.stringify([series, seriesBefore, longSeries]);
  const chart = useMemo<CategoryChart>(
    () => ({
      kind: 'line',
      title,
      measure: 'duration',
      better: 'lower',
      categories: buckets.map((bucket) => bucketCategory(bucket, level)),
      series: [
        { name: 'median', colour: 2, points: series },
        ...(seriesBefore
          ? [{ name: 'median before', role: 'before' as const, colour: 2 as const, points: seriesBefore }]
          : []),
        { name: slowest, colour: 6, points: longSeries },
      ],
    }),
    [key, level],
  );
  const before = view.beforeFor(median.spec.metric);
  const question = figureQuestion(view, median.spec, undefined, level);
  const isEmpty = series.every(({ value }) => value === null);
  return (
    <ChartCard
      chart={median.isFirst || long.isFirst ? undefined : chart}
      title={title}
      subtitle={`opened to the first review of another person, by ${level} of merge · dashed: before · hollow: fewer than five or an incomplete ${level}`}
      question={question}
      also={{
        [slowest]: longQuestion,
        ...(before ? { 'Median before': figureQuestion(view, median.spec, before, level) } : {}),
      }}
      answer={{ ...(median.error ? median : long), isOld: median.isOld || long.isOld }}
      height={300}
      empty={
        isEmpty ? <NothingInWindow what="reviewed pull requests" window={view.window} question={question} /> : undefined
      }
      onOpen={({ series: at, category }) => {
        const bucket = buckets[category];
        const spec = chart.series[at]?.name === slowest ? longPickups : median.spec;
        if (bucket && chart.series[at]?.role !== 'before') {
          openPanel({
            metric: spec.metric,
            ...(spec.aggregation ? { aggregation: spec.aggregation } : {}),
            window: { start: bucket.start, end: bucket.end },
          });
        }
      }}
    />
  );
}
