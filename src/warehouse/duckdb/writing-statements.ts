import { orderColumn, type Row, storedColumns, storedNames, type Table, type Value } from '../../catalogue/table.ts';
import type { Condition } from '../intake-port.ts';
import { isLong } from '../long-texts.ts';
import { type Selection, selected, within } from './reading-statements.ts';
import type { ChangeCosts, RowId } from './row-ids.ts';
import { BoundValues, type EngineStatement, quoted, tableIn, typeOf, valuesTable } from './statement.ts';

export const keyed = (table: Table, rows: readonly Row[]): Condition => {
  const [first, ...more] = table.key;
  if (first !== undefined && more.length === 0) return { column: first, in: rows.map((row) => row[first] ?? null) };
  return { columns: table.key, among: rows.map((row) => table.key.map((column) => row[column] ?? null)) };
};

const listed = (table: Table): string => storedNames(table).map(quoted).join(', ');

/** Rows of one write are written in the order of their table. */
const inOrder = (table: Table, alias: string): string => {
  const column = orderColumn(table);
  return column === undefined ? '' : ` ORDER BY ${alias}.${quoted(column)}`;
};

/** Sorting here is cheaper than there, and the engine keeps the order that rows arrive in. */
function sorted(table: Table, rows: readonly Row[]): readonly Row[] {
  const column = orderColumn(table);
  if (column === undefined) return rows;
  return rows.toSorted((a, b) => compared(a[column] ?? null, b[column] ?? null));
}

function compared(a: Value, b: Value): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b ? -1 : 1;
}

export function insertRows(table: Table, rows: readonly Row[], schema: string): EngineStatement {
  const values = new BoundValues();
  const source = valuesTable(table, storedNames(table), sorted(table, rows), values);
  const sql = `INSERT INTO ${tableIn(schema, table)} (${listed(table)}) SELECT ${listed(table)} FROM ${source} v`;
  return { sql, values: values.list };
}

export function deleteRows(table: Table, selection: Selection, schema: string): EngineStatement {
  const values = new BoundValues();
  const chosen = selected(table, selection, 't', values, schema);
  return { sql: `DELETE FROM ${tableIn(schema, table)} t WHERE ${chosen}`, values: values.list };
}

const sameKey = (table: Table): string =>
  table.key.map((column) => `t.${quoted(column)} = v.${quoted(column)}`).join(' AND ');

/** A change of rows that are found by their key, in a table so small that it does not matter where they lie. */
export function patchRows(
  table: Table,
  columns: readonly string[],
  rows: readonly Row[],
  schema: string,
): EngineStatement {
  const values = new BoundValues();
  const source = valuesTable(table, [...table.key, ...columns], rows, values);
  const set = columns.map((column) => `${quoted(column)} = v.${quoted(column)}`);
  const sql = `UPDATE ${tableIn(schema, table)} t SET ${set.join(', ')} FROM ${source} v WHERE ${sameKey(table)}`;
  return { sql, values: values.list };
}

/** Which rows are there, and where each of them lies: pairs of a place and a number in the list. */
export function findKeyed(table: Table, rows: readonly Row[], schema: string): EngineStatement {
  const values = new BoundValues();
  const source = valuesTable(table, table.key, rows, values, { number: rows.map((_, i) => String(i)) });
  const found = `SELECT t.rowid AS place, v.number FROM ${tableIn(schema, table)} t JOIN ${source} v ON ${sameKey(table)}`;
  return {
    sql: `SELECT string_agg(json_array(place::VARCHAR, number), ',') FROM (${found}) GROUP BY place // 8192`,
    values: values.list,
  };
}

export interface IdentifiedRow {
  readonly place: RowId;
  readonly row: Row;
}

const placedTable = (
  table: Table,
  columns: readonly string[],
  rows: readonly IdentifiedRow[],
  values: BoundValues,
): string => {
  const given = rows.map(({ row }) => row);
  return valuesTable(table, columns, given, values, { place: placesOf(rows) });
};

const placesOf = (rows: readonly IdentifiedRow[]): RowId[] => rows.map(({ place }) => place);

export function updatePlaced(
  table: Table,
  columns: readonly string[],
  rows: readonly IdentifiedRow[],
  schema: string,
): EngineStatement {
  const values = new BoundValues();
  const source = placedTable(table, columns, rows, values);
  const set = columns.map((column) => `${quoted(column)} = v.${quoted(column)}`);
  const sql = `UPDATE ${tableIn(schema, table)} t SET ${set.join(', ')} FROM ${source} v
    WHERE t.rowid = v.place AND ${within(placesOf(rows), 't', values)}`;
  return { sql, values: values.list };
}

/** First the new rows, then the old ones go: their places are known, so neither is taken for the other. */
export function movePlaced(
  table: Table,
  columns: readonly string[],
  rows: readonly IdentifiedRow[],
  schema: string,
): EngineStatement[] {
  const values = new BoundValues();
  const source = placedTable(table, columns, rows, values);
  const sql = `INSERT INTO ${tableIn(schema, table)} (${listed(table)})
    SELECT ${taking(table, columns, 't', 'v')} FROM ${tableIn(schema, table)} t JOIN ${source} v ON t.rowid = v.place
    WHERE ${within(placesOf(rows), 't', values)}${inOrder(table, 't')}`;
  return [{ sql, values: values.list }, deleteRows(table, { places: placesOf(rows) }, schema)];
}

const taking = (table: Table, columns: readonly string[], kept: string, given: string): string =>
  storedNames(table)
    .map((column) => `${columns.includes(column) ? given : kept}.${quoted(column)}`)
    .join(', ');

/** The cost of each way to change some columns, in milliseconds as measured on 3 million pull requests. */
export function changeCosts(table: Table, columns: readonly string[]): ChangeCosts {
  const width = storedColumns(table).size;
  const inPlace = columns.map((column) => {
    if (isLong(table, column)) return 250;
    return typeOf(table, column) === 'text' ? 50 : 12;
  });
  return {
    groupInPlace: inPlace.reduce((sum, cost) => sum + cost, 0),
    groupMoved: 1.3 * width,
    vectorMoved: 0.12 * width,
    rowMoved: 0.0025 * width,
  };
}
