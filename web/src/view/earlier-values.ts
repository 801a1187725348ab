import { comparedRow } from '../../../src/conclusions/compared.ts';
import type { ShownChange } from '../../../src/conclusions/verdict-words.ts';
import type { Exploration } from '../ask/exploration.ts';
import { type Point, pointOf } from '../ask/figure.ts';
import { measureOf, valueColumn } from '../ask/metric-facts.ts';
import type { Row } from '../ask/send.ts';
import type { View } from '../ask/view.ts';
import { timeBuckets } from '../ask/windows.ts';
import { type GroupWhere, groupColumns, groupWhere } from './drawn-answer.ts';

/** The same of each group of an answer with periods; undefined where nothing is compared. */
export function groupsBefore(
  view: View,
  asked: Exploration,
  earlier: readonly Row[] | undefined,
  length: number,
): ((group: GroupWhere) => readonly Point[]) | undefined {
  if (!earlier || !asked.level || asked.by.length === 0) return undefined;
  const columns = groupColumns(earlier, asked);
  const groups = new Map<string, Row[]>();
  for (const row of earlier) {
    const key = JSON.stringify(groupWhere(row, columns));
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return (group) => pointsBefore(view, { ...asked, by: [] }, groups.get(JSON.stringify(group)) ?? [], length) ?? [];
}

/** The course of the window before, period by period as many as there are now; those that it cuts have no value. */
export function pointsBefore(
  view: View,
  asked: Exploration,
  earlier: readonly Row[] | undefined,
  length: number,
): readonly Point[] | undefined {
  const { metric, level, aggregation, by } = asked;
  const before = view.beforeFor(metric);
  if (!earlier || !level || !before || by.length > 0) return undefined;
  const rows = new Map(earlier.map((row) => [String(row[`${level}_date`]), row]));
  const value = valueColumn(metric, aggregation);
  const points = timeBuckets(before, level, view.reachFor(metric)).map(({ name, isPartial }) =>
    pointOf(isPartial ? undefined : rows.get(name), value),
  );
  return Array.from({ length }, (_, at) => points[at] ?? pointOf(undefined, value));
}

/** The change of each row of an answer without periods, by its groups. */
export function changesOf(
  view: View,
  asked: Exploration,
  earlier: readonly Row[] | undefined,
): ((row: Row) => ShownChange | undefined) | undefined {
  const { metric, aggregation, by, level } = asked;
  if (!earlier || level) return undefined;
  const keyOf = (groups: unknown): string =>
    JSON.stringify(by.map((column) => (groups as Row | null | undefined)?.[column] ?? null));
  const results = earlier.filter(
    ({ metric_name }) => metric_name === metric || metric_name === `${metric}.total_changes`,
  );
  const known = new Map(results.map((result) => [keyOf(result.group_by), result]));
  return (row) => {
    const result = known.get(keyOf(row));
    return (
      result && {
        ...comparedRow(result),
        measure: measureOf(metric, aggregation),
        isComparable: view.isComparable(metric),
      }
    );
  };
}
