import type { Row, Value } from '../../catalogue/table.ts';
import { type Condition, type ConditionOnSpan, conditionIn } from '../../warehouse/intake-port.ts';
import { rowMaker } from '../../warehouse/row-shapes.ts';

/** Whether a row meets a condition, as an engine decides it: a null is in no list, and neither before nor after anything. */
export function matcher(where: Condition | undefined): (row: Row) => boolean {
  if (!where) return () => true;
  if ('all' in where) {
    const parts = where.all.map(matcher);
    return (row) => parts.every((part) => part(row));
  }
  if ('any' in where) {
    const parts = where.any.map(matcher);
    return (row) => parts.some((part) => part(row));
  }
  if ('columns' in where) {
    const { columns } = where;
    const rowOf = rowMaker(columns);
    const tuples = new Set(where.among.map((tuple) => groupOf(rowOf(tuple), columns)));
    return (row) => tuples.has(groupOf(row, columns));
  }
  if ('spans' in where) {
    const { key, spans, holds } = where;
    const matchers = new Map(spans.map((span) => [span.key, matcher(conditionIn(holds, span))]));
    return (row) => matchers.get((row[key] ?? null) as string | null)?.(row) === true;
  }
  const { column } = where;
  if ('isNull' in where) return (row) => ((row[column] ?? null) === null) === where.isNull;
  if ('in' in where) {
    const values: ReadonlySet<Value | undefined> = new Set(where.in.filter((value) => value !== null));
    return (row) => values.has(row[column]);
  }
  if ('atLeast' in where) {
    const { atLeast } = where;
    return (row) => row[column] != null && atLeast !== null && (row[column] as Value & {}) >= atLeast;
  }
  if ('below' in where) {
    const { below } = where;
    return (row) => row[column] != null && below !== null && (row[column] as Value & {}) < below;
  }
  const { atMost } = where;
  return (row) => row[column] != null && atMost !== null && (row[column] as Value & {}) <= atMost;
}

/** The columns that a condition looks at. */
export function columnsIn(where: ConditionOnSpan | undefined): readonly string[] {
  if (!where) return [];
  if ('all' in where) return where.all.flatMap(columnsIn);
  if ('any' in where) return where.any.flatMap(columnsIn);
  if ('spans' in where) return [where.key, ...columnsIn(where.holds)];
  return 'columns' in where ? where.columns : [where.column];
}

/** The values of some columns as one text, different for each group: no stored text holds what ends a value. */
export function groupOf(row: Row, by: readonly string[]): string {
  let group = '';
  for (const column of by) {
    const value = row[column] ?? null;
    group += typeof value === 'string' ? `"${value}\0` : `${value}\0`;
  }
  return group;
}
