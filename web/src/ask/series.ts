import type { DateLevel } from '../../../src/calendar.ts';
import type { FigureSpec, Point } from './figure.ts';
import { noPoint, pointOf } from './figure.ts';
import { type ColumnOf, type MetricName, valueColumn } from './metric.ts';
import { ask, type Question } from './question.ts';
import type { Json, Row } from './send.ts';
import type { View } from './use-view.ts';
import type { DayWindow, TimeBucket } from './windows.ts';

export interface GroupedSpec<M extends MetricName> extends FigureSpec<M> {
  readonly by: ColumnOf<M>;
}

/** The request for a metric by bucket and by one column. */
export function groupedQuestion<M extends MetricName>(
  view: View,
  { metric, aggregation, dateField, filters, by }: GroupedSpec<M>,
  { window = view.window, level }: { readonly window?: DayWindow; readonly level?: DateLevel } = {},
): Question {
  return ask<M>(metric, {
    filters: { ...view.filtersFor(metric, window), ...filters },
    group_by: [by],
    ...(aggregation ? { aggregation } : {}),
    ...(dateField ? { date_field: dateField } : {}),
    ...(level ? { date_level: level } : {}),
  });
}

/** The rows of a group: its value of the column, and a point for every bucket. */
export interface GroupSeries {
  readonly key: string | null;
  readonly points: readonly Point[];
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

/** More lines nobody can tell apart: the largest five, and the others added up. */
export function largestAndOthers(groups: readonly GroupSeries[], most = 6): readonly GroupSeries[] {
  if (groups.length <= most) return groups;
  const size = ({ points }: GroupSeries): number => points.reduce((sum, { value }) => sum + (value ?? 0), 0);
  const bySize = groups.toSorted((a, b) => size(b) - size(a));
  const rest = bySize.slice(most - 1);
  const added = (bySize[0]?.points ?? []).map((_, at) => ({
    value: rest.reduce((sum, { points }) => sum + (points[at]?.value ?? 0), 0),
    n: rest.reduce((sum, { points }) => sum + (points[at]?.n ?? 0), 0),
  }));
  return [...bySize.slice(0, most - 1), { key: 'others', points: added }];
}
