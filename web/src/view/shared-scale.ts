import type { ChartSeries } from '../../../src/charts/chart-description.ts';

/** Further apart than this, the lower of two courses is pressed flat by the higher one. */
const maxTimes = 4;

const highest = ({ points }: ChartSeries): number => Math.max(0, ...points.map(({ value }) => value ?? 0));

/** Whether two courses can be read on one scale. */
export function shareScale(one: ChartSeries, other: ChartSeries): boolean {
  const [low = 0, high = 0] = [highest(one), highest(other)].toSorted((a, b) => a - b);
  return low === 0 || high <= maxTimes * low;
}
