import type { Table } from '../../catalogue/table.ts';
import type { Condition } from '../intake-port.ts';
import { type BoundValues, quoted, typeOf, valuesTable, writtenOutMost } from './statement.ts';

/** A condition in the engine's words. */
export function condition(table: Table, where: Condition, alias: string, values: BoundValues): string {
  if ('all' in where) return connected(table, where.all, ' AND ', 'true', alias, values);
  if ('any' in where) return connected(table, where.any, ' OR ', 'false', alias, values);
  if ('columns' in where) {
    const { columns, among } = where;
    if (among.length === 0) return 'false';
    const tuples = among.map((tuple) => Object.fromEntries(columns.map((column, i) => [column, tuple[i] ?? null])));
    const same = columns.map((column) => `${alias}.${quoted(column)} IS NOT DISTINCT FROM v.${quoted(column)}`);
    return `EXISTS (SELECT 1 FROM ${valuesTable(table, columns, tuples, values)} v WHERE ${same.join(' AND ')})`;
  }
  const column = `${alias}.${quoted(where.column)}`;
  const type = typeOf(table, where.column);
  if ('in' in where) {
    if (where.in.length === 0) return 'false';
    if (where.in.length > writtenOutMost) return `${column} IN (SELECT ${values.rows(type, () => where.in)})`;
    return `${column} IN (${where.in.map((value) => values.one(type, value)).join(', ')})`;
  }
  if ('isNull' in where) return `${column} IS ${where.isNull ? '' : 'NOT '}NULL`;
  if ('atLeast' in where) return `${column} >= ${values.one(type, where.atLeast)}`;
  return `${column} <= ${values.one(type, where.atMost)}`;
}

function connected(
  table: Table,
  parts: readonly Condition[],
  word: string,
  none: string,
  alias: string,
  values: BoundValues,
): string {
  if (parts.length === 0) return none;
  return `(${parts.map((part) => condition(table, part, alias, values)).join(word)})`;
}

/** Whether rows are looked for one by one: those may lie close together in a table of millions. */
export function isByList(where: Condition): boolean {
  if ('all' in where) return where.all.some(isByList);
  if ('any' in where) return where.any.length > 0 && where.any.every(isByList);
  return 'in' in where || 'columns' in where;
}

/** The length of the shortest list that a condition compares with. */
export function listed(where: Condition | undefined): number {
  if (where === undefined) return Number.POSITIVE_INFINITY;
  if ('in' in where) return where.in.length;
  if ('columns' in where) return where.among.length;
  if ('all' in where) return Math.min(Number.POSITIVE_INFINITY, ...where.all.map(listed));
  return Number.POSITIVE_INFINITY;
}

/** How many rows at most a condition can mean, where it lists keys. A list of anything else may mean the whole table. */
export function rowsMost(table: Table, where: Condition | undefined): number {
  if (where === undefined) return Number.POSITIVE_INFINITY;
  if ('all' in where) return Math.min(Number.POSITIVE_INFINITY, ...where.all.map((part) => rowsMost(table, part)));
  const columns = 'in' in where ? [where.column] : 'columns' in where ? where.columns : [];
  return table.key.every((column) => columns.includes(column)) ? listed(where) : Number.POSITIVE_INFINITY;
}
