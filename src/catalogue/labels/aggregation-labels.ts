import type { Aggregation } from '../../expression/expression.ts';

/** What an aggregation gives, behind the name of what it is taken of: `Cycle time, median`. */
const aggregationLabels: Readonly<Record<Aggregation, string>> = {
  sum: 'total',
  avg: 'average',
  min: 'smallest',
  max: 'largest',
  median: 'median',
  p75: '75th percentile',
  p90: '90th percentile',
  p95: '95th percentile',
};

/** The slowest tenth of durations begins at their 90th percentile. */
export const aggregationLabel = (aggregation: Aggregation, isOfDurations: boolean): string =>
  isOfDurations && aggregation === 'p90' ? 'slowest tenth' : aggregationLabels[aggregation];
