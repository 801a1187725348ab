import type { FieldType } from '../../catalogue/record.ts';
import { dateColumns, orderColumn, type Table, type Value } from '../../catalogue/table.ts';
import { type ColumnMeasure, type Condition, type ConditionOnSpan, isSpanEnd, type SpanEnd } from '../intake-port.ts';
import { isLong } from '../long-texts.ts';
import { type RowId, rangesOf, uncommittedFrom } from './row-ids.ts';
import {
  BoundValues,
  type EngineStatement,
  leaving,
  maxWrittenOut,
  quoted,
  tableIn,
  typeOf,
  valuesTable,
} from './statement.ts';

/** Rows by a condition, or by where they were found to lie. */
export type Selection = { readonly where: Condition | undefined } | { readonly places: readonly RowId[] };

export function selected(
  table: Table,
  selection: Selection,
  alias: string,
  values: BoundValues,
  schema: string,
): string {
  if ('places' in selection) return within(selection.places, alias, values);
  return selection.where === undefined ? 'true' : condition(table, selection.where, alias, values, schema);
}

/** Exactly these rows, and ranges that let the engine skip everything else. */
export function within(places: readonly RowId[], alias: string, values: BoundValues): string {
  const ranges = rangesOf(places).map(({ from, to }) => {
    // Uncommitted rows have ids from `uncommittedFrom` on; from which one exactly is not known.
    if (to >= uncommittedFrom) return `${alias}.rowid >= ${Math.min(from, uncommittedFrom)}`;
    return `${alias}.rowid BETWEEN ${from} AND ${to}`;
  });
  return `(${ranges.join(' OR ')}) AND ${alias}.rowid IN (SELECT ${values.numbers(places)})`;
}

/** Lists up to this are read row by row: grouping them costs more than it saves. */
const fewRows = 500;
/** With the longest usual texts in every column these stay below half of what a JavaScript text may hold. */
const rowsAtOnce = 256;

/**
 * Rows leave as JSON: a text longer than twelve bytes costs a native call of its own otherwise. Several short rows share
 * one text (300,000 of them: 0.25 s against 0.9 with a text for each), and it is one aggregate, since a list for each
 * column takes longer to plan than a few rows take to read. Rows with long texts do not: putting those together would
 * take several times their size in memory.
 */
export function selectRows(
  table: Table,
  columns: readonly string[],
  selection: Selection,
  schema: string,
): EngineStatement {
  const values = new BoundValues();
  const row = jsonRow(columns.map((column) => leaving(typeOf(table, column), `t.${quoted(column)}`)));
  const from = `${tableIn(schema, table)} t WHERE ${selected(table, selection, 't', values, schema)}`;
  const expected = 'places' in selection ? selection.places.length : maxRows(table, selection.where);
  if (expected <= fewRows || columns.some((column) => isLong(table, column))) {
    return { sql: `SELECT ${row} FROM ${from}`, values: values.list };
  }
  return { sql: `SELECT string_agg(${row}, ',') FROM ${from} GROUP BY t.rowid // ${rowsAtOnce}`, values: values.list };
}

const jsonRow = (values: readonly string[]): string => `json_array(${values.join(', ')})`;

/** Beyond this number of row ids, reading the whole table is quicker. */
export const maxPlaces = 200_000;

export function findPlaces(table: Table, where: Condition, schema: string): EngineStatement {
  const values = new BoundValues();
  const isMeant = condition(table, where, 't', values, schema);
  const found = `SELECT t.rowid AS place FROM ${tableIn(schema, table)} t WHERE ${isMeant}`;
  return { sql: listPlaces(`${found} LIMIT ${maxPlaces + 1}`), values: values.list };
}

/** Some thousand places to a text. */
const listPlaces = (found: string): string =>
  `SELECT string_agg(json_array(place::VARCHAR), ',') FROM (${found}) GROUP BY place // 8192`;

export const countRows = (table: Table, schema: string): EngineStatement => ({
  sql: `SELECT json_array(count(*)) FROM ${tableIn(schema, table)}`,
  values: [],
});

export function summarise(
  table: Table,
  by: readonly string[],
  measure: ColumnMeasure | 'rows',
  where: Condition | undefined,
  schema: string,
): EngineStatement {
  const values = new BoundValues();
  const groups = by.map((column) => `t.${quoted(column)}`);
  const value = measure === 'rows' ? 'count(*)' : measured(table, measure);
  const row = jsonRow([...by.map((column) => leaving(typeOf(table, column), `t.${quoted(column)}`)), value]);
  const from = `${tableIn(schema, table)} t WHERE ${selected(table, { where }, 't', values, schema)}`;
  const grouped = groups.length > 0 ? ` GROUP BY ${groups.join(', ')}` : '';
  return { sql: `SELECT ${row} FROM ${from}${grouped}`, values: values.list };
}

function measured(table: Table, measure: ColumnMeasure): string {
  const value = (column: string) => leaving(typeOf(table, column), `t.${quoted(column)}`);
  if ('median' in measure) return `quantile_cont(${value(measure.median)}::DOUBLE, 0.5)`;
  return 'min' in measure ? `min(${value(measure.min)})` : `max(${value(measure.max)})`;
}

export function rowsByDay(table: Table, schema: string): EngineStatement {
  const column = orderColumn(table);
  const day = column === undefined ? 'NULL::BIGINT' : `epoch(date_trunc('day', t.${quoted(column)}))::BIGINT`;
  const from = `${tableIn(schema, table)} t`;
  return { sql: `SELECT json_array(${day}, count(*)) FROM ${from} GROUP BY ${day} ORDER BY ${day}`, values: [] };
}

/** Of the columns as they are kept: the engine knows those from its statistics. */
export function extremes(table: Table, schema: string): EngineStatement {
  const of = (aggregate: string, column: string) => leaving(typeOf(table, column), `${aggregate}(t.${quoted(column)})`);
  const [first] = dateColumns(table);
  const row = jsonRow([
    first === undefined ? 'NULL' : of('min', first),
    ...dateColumns(table).map((column) => of('max', column)),
  ]);
  return { sql: `SELECT ${row} FROM ${tableIn(schema, table)} t`, values: [] };
}

/** A condition in the engine's words. */
function condition(table: Table, where: ConditionOnSpan, alias: string, values: BoundValues, schema: string): string {
  const connected = (parts: readonly ConditionOnSpan[], word: string, none: string): string =>
    parts.length === 0 ? none : `(${parts.map((part) => condition(table, part, alias, values, schema)).join(word)})`;
  if ('all' in where) return connected(where.all, ' AND ', 'true');
  if ('any' in where) return connected(where.any, ' OR ', 'false');
  if ('spans' in where) {
    const listed = [
      `${values.rows(typeOf(table, where.key), () => where.spans.map(({ key }) => key))} AS key`,
      `${values.rows('timestamp', () => where.spans.map(({ from }) => from))} AS "from"`,
      `${values.rows('timestamp', () => where.spans.map(({ until }) => until))} AS until`,
    ];
    const isMeant = condition(table, where.holds, 'r', values, schema);
    const on = `r.${quoted(where.key)} IS NOT DISTINCT FROM span.key AND ${isMeant}`;
    // Written out one by one, a hundred spans take seconds to plan.
    const rows = `${tableIn(schema, table)} r SEMI JOIN (SELECT ${listed.join(', ')}) span ON ${on}`;
    return `${alias}.rowid IN (SELECT r.rowid FROM ${rows})`;
  }
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
    if (where.in.length > maxWrittenOut) return `${column} IN (SELECT ${values.rows(type, () => where.in)})`;
    return `${column} IN (${where.in.map((value) => values.one(type, value)).join(', ')})`;
  }
  if ('isNull' in where) return `${column} IS ${where.isNull ? '' : 'NOT '}NULL`;
  if ('atLeast' in where) return `${column} >= ${limit(type, where.atLeast, values)}`;
  if ('below' in where) return `${column} < ${limit(type, where.below, values)}`;
  return `${column} <= ${limit(type, where.atMost, values)}`;
}

const limit = (type: FieldType, value: Value | SpanEnd, values: BoundValues): string =>
  isSpanEnd(value) ? `span.${quoted(value.end)}` : values.one(type, value);

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
export function maxRows(table: Table, where: Condition | undefined): number {
  if (where === undefined) return Number.POSITIVE_INFINITY;
  if ('all' in where) return Math.min(Number.POSITIVE_INFINITY, ...where.all.map((part) => maxRows(table, part)));
  const columns = 'in' in where ? [where.column] : 'columns' in where ? where.columns : [];
  return table.key.every((column) => columns.includes(column)) ? listed(where) : Number.POSITIVE_INFINITY;
}
