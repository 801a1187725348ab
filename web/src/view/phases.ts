import type { DateLevel } from '../../../src/calendar.ts';
import type { ChartPoint, ChartSeries } from '../../../src/charts/chart-description.ts';
import { numberIn } from '../ask/figure-question.ts';
import { valueColumn } from '../ask/metric.ts';
import { askSeveral, type Question } from '../ask/question.ts';
import type { Row } from '../ask/send.ts';
import type { View } from '../ask/view.ts';
import type { DayWindow, TimeBucket } from '../ask/windows.ts';

/** The phases from the first commit to production, in their order. */
export const phases = [
  { metric: 'coding-time', name: 'coding', colour: 1 },
  { metric: 'pickup-time', name: 'pickup', colour: 2 },
  { metric: 'review-time', name: 'review', colour: 3 },
  { metric: 'merge-to-deploy', name: 'merge to deploy', colour: 4 },
] as const;

type PhaseMetric = (typeof phases)[number]['metric'];

/** All phases in one request, as averages: medians of parts do not add up to anything. */
export const phaseQuestion = (
  view: View,
  { window = view.window, level }: { readonly window?: DayWindow | undefined; readonly level?: DateLevel } = {},
): Question =>
  askSeveral(
    phases.map(({ metric }) => metric),
    {
      filters: view.filtersFor('cycle-time', window),
      aggregations: Object.fromEntries(phases.map(({ metric }) => [metric, 'AVG' as const])),
      ...(level ? { date_level: level } : {}),
    },
  );

/** The average of a phase in a row of that request, and of how many pull requests it is. */
function phasePoint(row: Row | undefined, metric: PhaseMetric): ChartPoint {
  if (row === undefined) return { value: null, n: null };
  return { value: numberIn(row, valueColumn(metric, 'AVG')), n: numberIn(row, `n_${metric.replaceAll('-', '_')}`) };
}

/** One series a phase, with a point for every bucket. */
export function phaseSeries(rows: readonly Row[], buckets: readonly TimeBucket[], level: DateLevel): ChartSeries[] {
  const byBucket = new Map(rows.map((row) => [row[`${level}_date`], row]));
  return phases.map(({ metric, name, colour }) => ({
    name,
    colour,
    points: buckets.map((bucket) => phasePoint(byBucket.get(bucket.name), metric)),
  }));
}
