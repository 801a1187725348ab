import { type Row, storedColumns, type Table, type Value } from '../../../src/catalogue/table.ts';
import { type Condition, conditionIn } from '../../../src/warehouse/intake-port.ts';
import { compareTexts } from '../../reference/order.ts';

/** Whether a row is meant by a condition. */
export function matcher(table: Table, where: Condition | undefined): (row: Row) => boolean {
  if (where === undefined) return () => true;
  if ('all' in where) {
    const parts = where.all.map((part) => matcher(table, part));
    return (row) => parts.every((part) => part(row));
  }
  if ('any' in where) {
    const parts = where.any.map((part) => matcher(table, part));
    return (row) => parts.some((part) => part(row));
  }
  if ('columns' in where) {
    const tuples = new Set(where.among.map((tuple) => JSON.stringify(tuple)));
    return (row) => tuples.has(JSON.stringify(where.columns.map((column) => cellOf(table, row, column))));
  }
  if ('spans' in where) {
    const { key, spans, holds } = where;
    const each = spans.map((span) => [span.key, matcher(table, conditionIn(holds, span))] as const);
    return (row) => each.some(([name, isMeant]) => cellOf(table, row, key) === name && isMeant(row));
  }
  const { column } = where;
  if ('in' in where) {
    // As in SQL, a null is among nothing.
    const values: ReadonlySet<Value> = new Set(where.in.filter((value) => value !== null));
    return (row) => values.has(cellOf(table, row, column));
  }
  if ('isNull' in where) return (row) => (cellOf(table, row, column) === null) === where.isNull;
  const [bound, sign, least] =
    'atLeast' in where ? [where.atLeast, 1, 0] : 'below' in where ? [where.below, -1, 1] : [where.atMost, -1, 0];
  if (typeof bound === 'number' && !Number.isFinite(bound)) throw new Error(`no engine knows ${bound}`);
  return (row) => {
    const cell = cellOf(table, row, column);
    return cell !== null && bound !== null && compare(cell, bound) * sign >= least;
  };
}

/** A column that is not stored is a mistake, not a null. */
export function cellOf(table: Table, row: Row, column: string): Value {
  if (!storedColumns(table).has(column)) throw new Error(`${table.name} stores no column ${column}`);
  return row[column] ?? null;
}

/** Nulls come last. */
export function compare(a: Value, b: Value): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return typeof a === 'string' && typeof b === 'string' ? compareTexts(a, b) : Number(a) - Number(b);
}
