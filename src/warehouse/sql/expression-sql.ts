import type { Table } from '../../catalogue/table.ts';
import { type AggregateNode, isPercentile, type RowNode, type ValueKind } from '../../expression/expression.ts';
import type { Dialect } from './dialect.ts';
import {
  allOf,
  anyOf,
  integer,
  integers,
  listed,
  number,
  ourText,
  ourTexts,
  type Parameter,
  raw,
  type Sql,
  sql,
} from './sql.ts';

/** The SQL of a column of the row. */
export type RenderColumn = (column: string) => Sql;

/** A value of one row. */
export function renderRow(dialect: Dialect, node: RowNode, column: RenderColumn): Sql {
  const render = (inner: RowNode): Sql => renderRow(dialect, inner, column);
  switch (node.op) {
    case 'column':
      return column(node.name);
    case 'literal':
      return sql`${typeof node.value === 'number' ? integer(node.value) : ourText(node.value)}`;
    case 'coalesce':
      return sql`coalesce(${listed(node.options.map(render))})`;
    case 'add':
      return sql`(${node.terms.map(render).reduce((sum, term) => sql`${sum} + ${term}`)})`;
    case 'isAnyOf':
      return sql`coalesce(${dialect.isAmong(render(node.value), ourTexts(node.list))}, false)`;
    case 'isMoreThan':
      return sql`coalesce(${render(node.value)} > ${compared(node.than)}, false)`;
    case 'isPresent':
      return sql`(${render(node.value)} IS NOT NULL)`;
    case 'isTrue':
      return sql`coalesce(${render(node.value)}, false)`;
    case 'not':
      return sql`(NOT ${render(node.value)})`;
    case 'and':
      return sql`(${allOf(node.all.map(render))})`;
    case 'or':
      return anyOf(node.any.map(render));
    case 'when':
      return sql`CASE WHEN ${renderCondition(dialect, node.condition, column)} THEN ${render(node.value)} END`;
    case 'oneOrZero':
      return sql`CASE WHEN ${render(node.value)} THEN 1 WHEN NOT ${render(node.value)} THEN 0 END`;
  }
}

/** Beside a fraction, the engine would make a fraction of every whole number of a column before it compares them. */
const compared = (than: number): Parameter => (Number.isInteger(than) ? integer(than) : number(than));

/** The same where nothing but what is true matters: nobody asks whether the rest is false or unknown. */
function renderCondition(dialect: Dialect, node: RowNode, column: RenderColumn): Sql {
  const render = (inner: RowNode): Sql => renderCondition(dialect, inner, column);
  switch (node.op) {
    case 'isAnyOf':
      return dialect.isAmong(renderRow(dialect, node.value, column), ourTexts(node.list));
    case 'isMoreThan':
      return sql`${renderRow(dialect, node.value, column)} > ${compared(node.than)}`;
    case 'isTrue':
      return render(node.value);
    case 'and':
      return sql`(${allOf(node.all.map(render))})`;
    case 'or':
      return anyOf(node.any.map(render));
    default:
      return renderRow(dialect, node, column);
  }
}

/** A value of many rows. */
export function renderAggregate(dialect: Dialect, node: AggregateNode, table: Table, column: RenderColumn): Sql {
  const row = (inner: RowNode): Sql => renderRow(dialect, inner, column);
  const condition = (inner: RowNode): Sql => renderCondition(dialect, inner, column);
  const many = (inner: AggregateNode): Sql => renderAggregate(dialect, inner, table, column);
  switch (node.op) {
    case 'count':
      // Beside an aggregation of the same value, the engine counts it once.
      if (node.where?.op === 'isPresent') return dialect.countPresent(row(node.where.value));
      return dialect.count(node.where && condition(node.where));
    case 'countDistinct': {
      const where = node.where && condition(node.where);
      return isKey(node.value, table) ? dialect.count(where) : dialect.countDistinct(row(node.value), where);
    }
    case 'aggregate':
      return dialect.aggregate(node.aggregation, row(node.value), kindOf(node.value, table));
    case 'atRank': {
      const [counts, ranks] = [node.ranks.map(({ values }) => values), node.ranks.map(({ rank }) => rank)];
      return dialect.atRank(row(node.value), integers(counts), integers(ranks));
    }
    case 'plus':
      return sql`(${node.terms.map(many).reduce((sum, term) => sql`${sum} + ${term}`)})`;
    case 'ratio':
      return dialect.ratio(many(node.part), many(node.whole));
    case 'mode':
      return dialect.mode(row(node.value));
  }
}

/** The same value where every group is known to be a single row: nothing has to be grouped, which is five times as fast. */
export function renderAlone(dialect: Dialect, node: AggregateNode, table: Table, column: RenderColumn): Sql {
  const row = (inner: RowNode): Sql => renderRow(dialect, inner, column);
  const condition = (inner: RowNode): Sql => renderCondition(dialect, inner, column);
  const alone = (inner: AggregateNode): Sql => renderAlone(dialect, inner, table, column);
  switch (node.op) {
    case 'count':
      return node.where ? oneIf(condition(node.where)) : raw('1');
    case 'countDistinct': {
      const isThere = sql`${row(node.value)} IS NOT NULL`;
      return oneIf(node.where ? sql`${isThere} AND ${condition(node.where)}` : isThere);
    }
    case 'aggregate': {
      const value = dialect.number(row(node.value));
      if (node.aggregation === 'sum') return sql`coalesce(${value}, 0)`;
      const kind = kindOf(node.value, table);
      // A single whole number is its own percentile.
      return isPercentile(node.aggregation) && kind === 'number' ? dialect.percentile(value, kind) : value;
    }
    case 'atRank':
      return node.ranks.some(({ values }) => values === 1) ? dialect.number(row(node.value)) : dialect.nullOf('number');
    case 'plus':
      return sql`(${node.terms.map(alone).reduce((sum, term) => sql`${sum} + ${term}`)})`;
    case 'ratio':
      return dialect.ratio(alone(node.part), alone(node.whole));
    case 'mode':
      return row(node.value);
  }
}

const oneIf = (condition: Sql): Sql => sql`CASE WHEN ${condition} THEN 1 ELSE 0 END`;

/** No row is in a group twice, not even where its person is in several teams: what has the key is counted once anyway. */
const isKey = (node: RowNode, { key }: Table): boolean =>
  node.op === 'column' && key.length === 1 && key[0] === node.name;

/** Whole numbers add up exactly in any order; others need care. */
function kindOf(node: RowNode, table: Table): ValueKind {
  switch (node.op) {
    case 'column':
      return table.columns[node.name]?.type ?? 'number';
    case 'when':
      return kindOf(node.value, table);
    case 'coalesce':
      return node.options.map((option) => kindOf(option, table)).find((kind) => kind === 'number') ?? 'integer';
    case 'add':
      return node.terms.map((term) => kindOf(term, table)).find((kind) => kind === 'number') ?? 'integer';
    case 'oneOrZero':
    case 'literal':
      return 'integer';
    default:
      return 'number';
  }
}
