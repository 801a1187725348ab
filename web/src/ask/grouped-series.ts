import type { DateLevel } from '../../../src/calendar.ts';
import type { GroupSeries } from '../../../src/charts/metric-chart.ts';
import { type FigureSpec, noPoint, type Point, pointOf } from './figure-question.ts';
import { type ColumnOf, type MetricName, valueColumn } from './metric-facts.ts';
import { ask, comparedWith, type Question } from './question.ts';
import type { Json, Row } from './send.ts';
import type { View } from './view.ts';
import type { DayWindow, TimeBucket } from './windows.ts';

export interface GroupedSpec<M extends MetricName> extends FigureSpec<M> {
  readonly by: ColumnOf<M>;
}

interface GroupedOver {
  readonly window?: DayWindow;
  readonly before?: DayWindow;
  readonly level?: DateLevel;
}

/** The request for a metric by bucket and by one column, or by one column beside another window. */
export function groupedQuestion<M extends MetricName>(
  view: View,
  { metric, aggregation, dateField, filters, by }: GroupedSpec<M>,
  { window = view.windowFor(metric), before, level }: GroupedOver = {},
): Question {
  return ask<M>(metric, {
    filters: { ...view.filtersFor(metric, window), ...filters },
    group_by: [by],
    ...(aggregation ? { aggregation } : {}),
    ...(dateField ? { date_field: dateField } : {}),
    ...(level ? { date_level: level } : {}),
    ...(before ? comparedWith(before) : {}),
  });
}

export const textOf = (cell: Json | undefined): string | null =>
  cell === null || cell === undefined ? null : Array.isArray(cell) ? cell.join(', ') : String(cell);

/** Rows by bucket and group as one series for each group, in the order in which groups first appear. */
export function seriesByGroup(
  rows: readonly Row[],
  { metric, aggregation, by }: GroupedSpec<MetricName>,
  buckets: readonly TimeBucket[],
  level: DateLevel,
): GroupSeries[] {
  const column = valueColumn(metric, aggregation);
  const places = new Map(buckets.map(({ name }, at) => [name, at]));
  const groups = new Map<string | null, Point[]>();
  for (const row of rows) {
    const key = textOf(row[by]);
    const points = groups.get(key) ?? buckets.map(() => noPoint);
    groups.set(key, points);
    const at = places.get(String(row[`${level}_date`]));
    if (at !== undefined) points[at] = pointOf(row, column);
  }
  return [...groups].map(([key, points]) => ({ key, points }));
}
