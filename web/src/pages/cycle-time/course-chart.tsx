import { useMemo } from 'react';
import type { CategoryChart } from '../../../../src/charts/chart-description.ts';
import { type Figure, figureQuestion } from '../../ask/figure.ts';
import { openPanel, type View } from '../../ask/use-view.ts';
import { ChartCard } from '../../view/chart-card.tsx';
import { bucketCategory } from '../../view/format.ts';
import { NothingInWindow } from '../../view/states.tsx';

interface CourseChartProps {
  readonly view: View;
  readonly median: Figure;
  readonly slowest: Figure;
}

/** How long pull requests take: usually, and at worst. */
export function CourseChart({ view, median, slowest }: CourseChartProps) {
  const { buckets, level } = median;
  const title = `Cycle time per ${level}`;
  const chart = useMemo<CategoryChart>(
    () => ({
      kind: 'line',
      title,
      measure: 'duration',
      better: 'lower',
      categories: buckets.map((bucket) => bucketCategory(bucket, level)),
      series: [
        { name: 'median', colour: 1, points: median.series },
        { name: 'slowest tenth', colour: 6, points: slowest.series },
      ],
    }),
    [title, buckets, level, median.series, slowest.series],
  );
  const question = figureQuestion(view, median.spec, view.window, level);
  return (
    <ChartCard
      chart={median.isFirst || slowest.isFirst ? undefined : chart}
      title={title}
      subtitle={`first commit to merge, by ${level} of merge · hollow: fewer than five or an incomplete ${level}`}
      question={question}
      also={{ 'Slowest tenth': figureQuestion(view, slowest.spec, view.window, level) }}
      answer={{ ...median, isOld: median.isOld || slowest.isOld }}
      height={340}
      empty={
        median.series.every(({ value }) => value === null) ? (
          <NothingInWindow what="merged pull requests" window={view.window} question={question} />
        ) : undefined
      }
      onOpen={({ series, category }) => {
        const bucket = buckets[category];
        const { metric, aggregation } = (series === 0 ? median : slowest).spec;
        if (bucket)
          openPanel({
            metric,
            ...(aggregation ? { aggregation } : {}),
            window: { start: bucket.start, end: bucket.end },
          });
      }}
    />
  );
}
