import type { ChartSeries } from '../../../src/charts/chart-description.ts';

/** Further apart than this, the lower of two courses is pressed flat by the higher one. */
const maxTimes = 4;

const knownIn = ({ points }: ChartSeries): number[] =>
  points.flatMap(({ value }) => value ?? []).toSorted((a, b) => a - b);
const highest = (series: ChartSeries): number => knownIn(series).at(-1) ?? 0;
const usual = (series: ChartSeries): number => {
  const known = knownIn(series);
  return known[Math.floor((known.length - 1) / 2)] ?? 0;
};

/** Whether two courses can be read on one scale: by their highest points, and by what they usually are. */
export function shareScale(one: ChartSeries, other: ChartSeries): boolean {
  return [highest, usual].every((sizeOf) => {
    const [low = 0, high = 0] = [sizeOf(one), sizeOf(other)].toSorted((a, b) => a - b);
    return low === 0 || high <= maxTimes * low;
  });
}
