import { useMemo } from 'react';
import type { CategoryChart } from '../../../../src/charts/chart-description.ts';
import { type Figure, figureQuestion } from '../../ask/figure.ts';
import type { View } from '../../ask/use-view.ts';
import { ChartCard } from '../../view/chart-card.tsx';
import { bucketCategory } from '../../view/format.ts';
import { beforeName } from '../../view/range-words.ts';
import { NothingInWindow } from '../../view/states.tsx';
import { useMedianAndSlowest } from '../../view/use-median-and-slowest.ts';
import { courseChartWords } from './words.ts';

interface CourseChartProps {
  readonly view: View;
  readonly median: Figure;
  readonly slowest: Figure;
}

const [usual, worst] = [courseChartWords.median, courseChartWords.slowestTenth];

/** How long pull requests take: usually, and at worst. */
export function CourseChart({ view, median, slowest }: CourseChartProps) {
  const { buckets, level } = median;
  const title = courseChartWords.cycleTimePer(level);
  const before = median.seriesBefore;
  const { series, views } = useMedianAndSlowest(
    { name: usual, colour: 1, points: median.series },
    { name: worst, colour: 6, points: slowest.series },
    before ? [{ name: beforeName(view), role: 'before', points: before }] : [],
  );
  const drawn = series.map(({ name }) => name).join();
  const chart = useMemo<CategoryChart>(
    () => ({
      kind: 'line',
      title,
      measure: 'duration',
      better: 'lower',
      of: courseChartWords.pullRequests,
      categories: buckets.map((bucket) => bucketCategory(bucket, level)),
      series,
    }),
    [title, buckets, level, median.series, slowest.series, before, drawn],
  );
  const question = figureQuestion(view, median.spec, view.window, level);
  return (
    <ChartCard
      chart={median.isFirst || slowest.isFirst ? undefined : chart}
      title={title}
      subtitle={courseChartWords.firstCommitToMerge(level)}
      question={question}
      views={views}
      also={{
        [worst]: figureQuestion(view, slowest.spec, view.window, level),
        ...(view.before ? { 'Median before': figureQuestion(view, median.spec, view.before, level) } : {}),
      }}
      answer={{ ...median, isOld: median.isOld || slowest.isOld }}
      height={340}
      empty={
        median.series.every(({ value }) => value === null) ? (
          <NothingInWindow what={courseChartWords.mergedPullRequests} window={view.window} question={question} />
        ) : undefined
      }
      panelOf={({ series: at, category }) => {
        const bucket = buckets[category];
        const { metric, aggregation } = (chart.series[at]?.name === worst ? slowest : median).spec;
        return (
          bucket && {
            metric,
            ...(aggregation ? { aggregation } : {}),
            window: { start: bucket.start, end: bucket.end },
          }
        );
      }}
    />
  );
}
