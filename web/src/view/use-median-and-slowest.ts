import { useState } from 'react';
import type { ChartSeries } from '../../../src/charts/chart-description.ts';
import type { ChartViews } from './chart-card.tsx';
import { medianAndSlowestWords } from './chart-card-words.ts';
import { shareScale } from './one-scale.ts';

const names = { median: medianAndSlowestWords.median, slowest: medianAndSlowestWords.slowestTenth } as const;

interface MedianAndSlowest {
  /** The series that are drawn: all of them where they share a scale. */
  readonly series: readonly ChartSeries[];
  /** The tabs, where they do not. */
  readonly views: ChartViews | undefined;
}

/** What usually happens and what does at worst: in one chart where both can be read, else in a tab each. */
export function useMedianAndSlowest(
  median: ChartSeries,
  slowest: ChartSeries,
  before: readonly ChartSeries[] = [],
): MedianAndSlowest {
  const [shown, setShown] = useState<string>(names.median);
  if (shareScale(median, slowest)) return { series: [median, ...before, slowest], views: undefined };
  return {
    series: shown === names.median ? [median, ...before] : [slowest],
    views: { names: Object.values(names), shown, onShow: setShown },
  };
}
