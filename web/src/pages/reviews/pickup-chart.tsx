import { useMemo } from 'react';
import type { CategoryChart } from '../../../../src/charts/chart-description.ts';
import { type Figure, figureQuestion, pointsOf } from '../../ask/figure.ts';
import { valueColumn } from '../../ask/metric-facts.ts';
import { useAnswer } from '../../ask/use-answer.ts';
import type { View } from '../../ask/use-view.ts';
import { ChartCard } from '../../view/chart-card.tsx';
import { bucketCategory } from '../../view/format.ts';
import { beforeName } from '../../view/range-words.ts';
import { NothingInWindow } from '../../view/states.tsx';
import { useMedianAndSlowest } from '../../view/use-median-and-slowest.ts';
import { longPickups } from './questions.ts';
import { pickupChartWords } from './words.ts';

const [usual, slowest] = [pickupChartWords.median, pickupChartWords.slowestTenth];

interface PickupChartProps {
  readonly view: View;
  readonly median: Figure;
}

/** How long pull requests wait for their first review: usually, and at worst. */
export function PickupChart({ view, median }: PickupChartProps) {
  const { buckets, level, series, seriesBefore } = median;
  const title = pickupChartWords.firstReviewWaitPer(level);
  const longQuestion = figureQuestion(view, longPickups, undefined, level);
  const long = useAnswer(longQuestion);
  const longSeries = pointsOf(
    long.data?.rows,
    buckets,
    level,
    valueColumn(longPickups.metric, longPickups.aggregation),
  );
  const { series: drawn, views } = useMedianAndSlowest(
    { name: usual, colour: 2, points: series },
    { name: slowest, colour: 6, points: longSeries },
    seriesBefore ? [{ name: beforeName(view), role: 'before', points: seriesBefore }] : [],
  );
  const key = JSON.stringify(drawn);
  const chart = useMemo<CategoryChart>(
    () => ({
      kind: 'line',
      title,
      measure: 'duration',
      better: 'lower',
      categories: buckets.map((bucket) => bucketCategory(bucket, level)),
      of: pickupChartWords.pullRequests,
      series: drawn,
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
      subtitle={pickupChartWords.fromOpenedToFirst(level)}
      question={question}
      views={views}
      also={{
        [slowest]: longQuestion,
        ...(before ? { 'Median before': figureQuestion(view, median.spec, before, level) } : {}),
      }}
      answer={{ ...(median.error ? median : long), isOld: median.isOld || long.isOld }}
      height={300}
      empty={
        isEmpty ? (
          <NothingInWindow what={pickupChartWords.reviewedPullRequests} window={view.window} question={question} />
        ) : undefined
      }
      panelOf={({ series: at, category }) => {
        const bucket = buckets[category];
        const spec = chart.series[at]?.name === slowest ? longPickups : median.spec;
        return (
          bucket && {
            metric: spec.metric,
            ...(spec.aggregation ? { aggregation: spec.aggregation } : {}),
            window: { start: bucket.start, end: bucket.end },
          }
        );
      }}
    />
  );
}
