import { orderColumn, type Row, type Table, type Value } from '../../catalogue/table.ts';
import { isLong } from '../long-texts.ts';
import { rowMaker } from '../row-shapes.ts';
import { countRows } from './reading-statements.ts';
import { BoundValues, type EngineStatement, leaving, quoted, tableIn, typeOf } from './statement.ts';
import type { Task } from './task.ts';

/** A batch ends at this many characters of long texts, too. */
const maxCharacters = 32_000_000;

/** The last row of a batch: its values in the columns that rows come in the order of. */
type Bound = readonly Value[];

/**
 * All rows of a table, by the column that it is kept in the order of and then by key, with a batch at a time in memory.
 * The engine's own streams are not used: after an interruption they end as if they had come to their end. Here the
 * bounds of all batches are found first, each batch is then a statement of its own, and what came is counted.
 */
export async function* streamRows(
  task: Task,
  table: Table,
  columns: readonly string[],
  schema: string,
  batchRows: number,
): AsyncGenerator<Row[]> {
  const [counted] = await task.values<[number]>(countRows(table, schema));
  const make = rowMaker(columns);
  let rows = 0;
  for (const part of partsOf(table)) {
    const bounds = await task.values<Bound>(findBounds(table, part, columns, schema, batchRows));
    let after: Bound | undefined;
    for (const until of bounds) {
      const lists = await task.values<Value[]>(selectBatch(table, part, columns, after, until, schema));
      rows += lists.length;
      yield lists.map(make);
      after = until;
    }
  }
  if (rows !== counted?.[0]) throw new Error(`${table.name} gave ${rows} rows of ${counted?.[0]}`);
}

/** Rows that have a time come first, by it and by key; those that have none follow, by key alone. */
interface StreamPart {
  readonly where: string;
  readonly order: readonly string[];
}

function partsOf(table: Table): StreamPart[] {
  const column = orderColumn(table);
  if (column === undefined) return [{ where: 'true', order: table.key }];
  const key = table.key.filter((name) => name !== column);
  const timed: StreamPart = { where: `t.${quoted(column)} IS NOT NULL`, order: [column, ...key] };
  if (table.key.includes(column)) return [timed];
  return [timed, { where: `t.${quoted(column)} IS NULL`, order: table.key }];
}

function findBounds(
  table: Table,
  { where, order }: StreamPart,
  columns: readonly string[],
  schema: string,
  batchRows: number,
): EngineStatement {
  const by = order.map((column) => `t.${quoted(column)}`).join(', ');
  const long = columns
    .filter((column) => isLong(table, column))
    .map((column) => `coalesce(strlen(t.${quoted(column)}), 0)`);
  const length = long.length === 0 ? '0' : long.join(' + ');
  const numbered = `SELECT ${by}, row_number() OVER by_order AS row_number, sum(${length}) OVER by_order AS length
    FROM ${tableIn(schema, table)} t WHERE ${where} WINDOW by_order AS (ORDER BY ${by} ROWS UNBOUNDED PRECEDING)`;
  const last = order.map((column) => leaving(typeOf(table, column), `arg_max(n.${quoted(column)}, n.row_number)`));
  const batch = `(n.row_number - 1) // ${batchRows} + n.length // ${maxCharacters}`;
  return {
    sql: `SELECT json_array(${last.join(', ')}) FROM (${numbered}) n GROUP BY ${batch} ORDER BY max(n.row_number)`,
    values: [],
  };
}

function selectBatch(
  table: Table,
  { where, order }: StreamPart,
  columns: readonly string[],
  after: Bound | undefined,
  until: Bound,
  schema: string,
): EngineStatement {
  const values = new BoundValues();
  const row = columns.map((column) => leaving(typeOf(table, column), `t.${quoted(column)}`));
  const from = [
    where,
    ...(after ? [compared(table, order, after, '>', values)] : []),
    compared(table, order, until, '<=', values),
  ];
  const by = order.map((column) => `t.${quoted(column)}`).join(', ');
  return {
    sql: `SELECT json_array(${row.join(', ')}) FROM ${tableIn(schema, table)} t WHERE ${from.join(' AND ')} ORDER BY ${by}`,
    values: values.list,
  };
}

/**
 * Compared column by column. Written out, because the engine makes BETWEEN of two comparisons of whole rows, and then
 * knows no BETWEEN for rows. The first column is compared by itself as well: that lets the engine skip the rest.
 */
function compared(table: Table, order: readonly string[], bound: Bound, sign: '>' | '<=', values: BoundValues): string {
  const names = order.map((column) => `t.${quoted(column)}`);
  const given = order.map((column, i) => values.one(typeOf(table, column), bound[i] ?? null));
  const beyond = sign === '>' ? '>' : '<';
  const last = order.length - 1;
  let rest = `${names[last]} ${sign} ${given[last]}`;
  for (let i = last - 1; i >= 0; i -= 1) {
    rest = `(${names[i]} ${beyond} ${given[i]} OR (${names[i]} = ${given[i]} AND ${rest}))`;
  }
  return last === 0 ? rest : `${names[0]} ${sign === '>' ? '>=' : '<='} ${given[0]} AND ${rest}`;
}
