import type { Row, Value } from '../../catalogue/table.ts';
import type { Condition } from '../../warehouse/intake-port.ts';

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
    const tuples = new Set(where.among.map((tuple) => JSON.stringify(tuple)));
    return (row) => tuples.has(JSON.stringify(columns.map((column) => row[column] ?? null)));
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
  const { atMost } = where;
  return (row) => row[column] != null && atMost !== null && (row[column] as Value & {}) <= atMost;
}

/** The columns that a condition looks at. */
export function columnsIn(where: Condition | undefined): readonly string[] {
  if (!where) return [];
  if ('all' in where) return where.all.flatMap(columnsIn);
  if ('any' in where) return where.any.flatMap(columnsIn);
  return 'columns' in where ? where.columns : [where.column];
}
