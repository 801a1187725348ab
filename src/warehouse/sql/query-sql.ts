import { surveys } from '../../catalogue/derivation-state.ts';
import type { FieldType } from '../../catalogue/record.ts';
import type { FlatColumn } from '../../query/answer-columns.ts';
import { type Cell, isRowExport, type OrderBy, type Plan, type Query } from '../../query/plan.ts';
import type { ObjectField } from './dialect.ts';
import { PlanSql } from './plan-sql.ts';
import { renderPlans } from './render-plans.ts';
import {
  allOf,
  anyOf,
  date,
  integer,
  joined,
  listed,
  number,
  type Parameter,
  raw,
  type Sql,
  sql,
  text,
  timestamp,
} from './sql.ts';
import { columnOf, NamedQueries, type SqlContext } from './sql-context.ts';

/** A place in the order of an answer: behind all rows that begin with these values, or with lesser ones. */
export type OrderBound = readonly Cell[];

/** The rows of an answer between two places in its order. Nothing comes last, as it does in the order. */
export interface AnswerPart {
  readonly after?: OrderBound | undefined;
  readonly until?: OrderBound | undefined;
}

/** The rows of an answer, in order, each as the engine's driver takes it apart. */
export function renderAnswer(context: SqlContext, query: Query, part?: AnswerPart): Sql {
  const columns = columnsOf(query);
  const row = renderCells(context, query);
  if (query.limit === undefined) return renderRows(context, query, row, part);
  if (isOneRow(query)) return renderRows(context, { ...query, order: [] }, row);
  if (!query.plans.some(isRowExport)) return renderFirstGroups(context, query, row);
  const named = new NamedQueries();
  const body = renderPlans(context, named, query);
  const order = renderOrder(context, query.order);
  // Rows are written only once it is known which they are: writing all of a window takes longer than finding a few.
  const few = sql`SELECT ${listed(columns.map(({ name }) => columnOf(context, 'a', name)))}
FROM (${body}) AS a${order}\nLIMIT ${integer(query.limit)}`;
  return named.before(sql`SELECT ${row}\nFROM (${few}) AS a${order}`);
}

/** A row as the engine's driver takes it apart. `total` says how many rows there are, where that is a column already. */
function renderCells(context: SqlContext, query: Query, total = raw('count(*) OVER ()')): Sql {
  const cells = columnsOf(query).map(({ name, type }) => ({ value: columnOf(context, 'a', name), type }));
  const isCounted = query.isCounted && !isOneRow(query);
  return context.dialect.row(isCounted ? [...cells, { value: total, type: 'integer' }] : cells);
}

/** Groups are few: writing all of them takes less than putting the first of them in order a second time. */
function renderFirstGroups(context: SqlContext, query: Query, row: Sql): Sql {
  const named = new NamedQueries();
  const body = renderPlans(context, named, query);
  const order = renderOrder(context, query.order);
  return named.before(sql`SELECT ${row}\nFROM (${body}) AS a${order}\nLIMIT ${integer(query.limit ?? 0)}`);
}

/**
 * The same, where no row takes more than some bytes; of one that does, only the number of its bytes. Undefined where rows are
 * no groups, or may have texts so long that the engine should not put them in order.
 */
export function renderShortGroups(context: SqlContext, query: Query, maxRowBytes: number): Sql | undefined {
  if (longColumns(query).size > 0 || query.plans.some(isRowExport)) return undefined;
  const bytes = renderBytes(context, query);
  const isShort = sql`${bytes} <= ${integer(maxRowBytes)}`;
  return renderFirstGroups(context, query, context.dialect.rowOrNumber(isShort, renderCells(context, query), bytes));
}

/** Whether there is nothing to group by: such an answer needs neither order nor limit. */
const isOneRow = ({ plans: [first] }: Query): boolean => !first?.bucket && first?.groupBy.length === 0;

/** Types whose values can be of any length: they are texts to the engine. */
const textTypes: ReadonlySet<FieldType> = new Set(['text', 'text[]', 'json']);
/** The bytes of a row beside its texts, for each of its columns. */
const cellBytes = 12;

/** Columns with texts that may be megabytes each. All other texts have 10,000 characters at most, where they are read. */
function longColumns(query: Query): ReadonlySet<string> {
  const isLong = ({ name, type }: { readonly name: string; readonly type: FieldType }): boolean =>
    type === 'text[]' || type === 'json' || query.plans.some(({ from }) => from.table.columns[name]?.isLong);
  return new Set(columnsOf(query).flatMap((column) => (isLong(column) ? [column.name] : [])));
}

/** Whether rows can be longer than the sum of their columns. */
export const hasTexts = (query: Query): boolean => columnsOf(query).some(({ type }) => textTypes.has(type));

/** The approximate bytes of a row before it is written. */
function renderBytes(context: SqlContext, query: Query): Sql {
  const columns = columnsOf(query);
  const texts = columns.filter(({ type }) => textTypes.has(type));
  const lengths = texts.map(({ name }) => context.dialect.bytesOf(columnOf(context, 'a', name)));
  return joined([...lengths, raw(String(columns.length * cellBytes))], ' + ');
}

/**
 * The rows of a limited answer, in order, up to so many bytes: from there on a row is only the number of bytes so far.
 * Texts that are too long are cut before the rows are sorted, since the engine holds sorted rows several times, and count
 * for what is left of them, which is too much already: only rows that stay are measured. To look at every text of a window
 * would cost a tenth, so only those of columns that may be long are cut.
 */
export function renderAnswerWithin(context: SqlContext, query: Query, maxBytes: number): Sql {
  const { dialect } = context;
  const columns = columnsOf(query);
  const most = integer(maxBytes);
  const named = new NamedQueries();
  const body = renderPlans(context, named, query);
  const column = (name: string) => columnOf(context, 'a', name);
  const long = longColumns(query);
  const short = columns.map(({ name }) =>
    long.has(name) ? sql`${dialect.cutText(column(name), most)} AS ${dialect.identifier(name)}` : sql`${column(name)}`,
  );
  const order = renderOrder(context, query.order);
  const total = query.isCounted ? [raw('count(*) OVER () AS total_rows')] : [];
  const cut = sql`SELECT ${listed([...short, ...total])} FROM (${body}) AS a`;
  const few = sql`SELECT * FROM (${cut}) AS a${order}\nLIMIT ${integer(query.limit ?? 0)}`;
  const summed = sql`SELECT *, ${dialect.runningSum(renderBytes(context, query))} AS bytes_so_far FROM (${few}) AS a`;
  const row = renderCells(context, query, raw('a.total_rows'));
  const answer = dialect.rowOrNumber(sql`a.bytes_so_far <= ${most}`, row, raw('a.bytes_so_far'));
  return named.before(sql`SELECT ${answer}\nFROM (${summed}) AS a${order}`);
}

/** All rows of an answer, or of a part of it, in order, each written as `row` says of the alias a. */
export function renderRows(context: SqlContext, query: Query, row: Sql, part?: AnswerPart): Sql {
  const named = new NamedQueries();
  const body = renderPlans(context, named, query);
  const where = part ? renderPart(context, query, part) : raw('');
  return named.before(sql`SELECT ${row}\nFROM (${body}) AS a${where}${renderOrder(context, query.order)}`);
}

/** A row as a JSON object of these columns. Undefined where the engine would write other bytes than we do. */
export function objectOf(context: SqlContext, query: Query, columns: readonly FlatColumn[]): Sql | undefined {
  const given = columnsOf(query);
  const fields = columns.map((column): ObjectField => {
    if ('always' in column) return column;
    return { ...column, value: columnOf(context, 'a', given[column.at]?.name ?? column.name) };
  });
  return context.dialect.object(fields);
}

/**
 * Some rows of a part of an answer, in any order: the values that the answer is ordered by, and the bytes of the row. Of
 * long texts only so many characters are given: that is enough to divide them. `sample` says in words of the engine how
 * many are taken; only those are written.
 */
export function renderOrderedRows(
  context: SqlContext,
  query: Query,
  part: AnswerPart,
  maxCharacters: number,
  sample: string,
): Sql {
  const { dialect } = context;
  const named = new NamedQueries();
  const body = renderPlans(context, named, query);
  const columns = orderedColumns(query);
  const values = columns.map(({ name, type }, i) => {
    const column = columnOf(context, 'a', name);
    return sql`${textTypes.has(type) ? dialect.cutText(column, integer(maxCharacters)) : column} AS ${raw(`value_${i}`)}`;
  });
  const given = listed([...values, sql`${renderBytes(context, query)} AS row_bytes`]);
  const rows = sql`SELECT ${given}\nFROM (${body}) AS a${renderPart(context, query, part)}`;
  const row = dialect.row([
    ...columns.map(({ type }, i) => ({ value: raw(`s.value_${i}`), type })),
    { value: raw('s.row_bytes'), type: 'integer' },
  ]);
  return named.before(sql`SELECT ${row}\nFROM (${rows}) AS s ${raw(sample)}`);
}

/** How large a part of an answer is: rows, bytes, and bytes of its longest row. */
export function renderPartSize(context: SqlContext, query: Query, part: AnswerPart): Sql {
  const named = new NamedQueries();
  const body = renderPlans(context, named, query);
  const bytes = renderBytes(context, query);
  const cells = [raw('count(*)'), sql`coalesce(CAST(sum(${bytes}) AS BIGINT), 0)`, sql`coalesce(max(${bytes}), 0)`].map(
    (value) => ({ value, type: 'integer' }) as const,
  );
  return named.before(
    sql`SELECT ${context.dialect.row(cells)}\nFROM (${body}) AS a${renderPart(context, query, part)}`,
  );
}

function orderedColumns(query: Query): { readonly name: string; readonly type: FieldType }[] {
  const types = new Map(columnsOf(query).map(({ name, type }) => [name, type]));
  return query.order.map(({ column }) => ({ name: column, type: types.get(column) ?? 'text' }));
}

/** How many of the columns that an answer is ordered by can be of any length. */
export const orderedTexts = (query: Query): number =>
  orderedColumns(query).filter(({ type }) => textTypes.has(type)).length;

function renderPart(context: SqlContext, query: Query, { after, until }: AnswerPart): Sql {
  const columns = orderedColumns(query).map(({ name, type }) => ({ column: columnOf(context, 'a', name), type }));
  const conditions: Sql[] = [];
  if (after) conditions.push(renderSide(columns, after, true));
  if (until) conditions.push(renderSide(columns, until, false));
  // By itself the first column lets the engine skip most rows.
  const [first] = columns;
  const [from = null, to = null] = [after?.[0], until?.[0]];
  if (first && to !== null) {
    conditions.push(sql`${first.column} <= ${parameterOf(first.type, to)}`);
    if (from !== null) conditions.push(sql`${first.column} >= ${parameterOf(first.type, from)}`);
  }
  return conditions.length === 0 ? raw('') : sql`\nWHERE ${allOf(conditions)}`;
}

/** Whether a row lies behind a bound, or else before it: the first column in which it differs decides. */
function renderSide(
  columns: readonly { readonly column: Sql; readonly type: FieldType }[],
  bound: OrderBound,
  isBehind: boolean,
): Sql {
  return bound.reduceRight<Sql>(
    (rest, cell, i) => {
      const { column, type } = columns[i] ?? { column: raw('NULL'), type: 'text' };
      const isNothing = sql`${column} IS NULL`;
      if (cell === null) return isBehind ? allOf([isNothing, rest]) : anyOf([sql`${column} IS NOT NULL`, rest]);
      const value = parameterOf(type, cell);
      const isSame = allOf([sql`${column} = ${value}`, rest]);
      return isBehind
        ? anyOf([sql`${column} > ${value}`, isNothing, isSame])
        : anyOf([sql`${column} < ${value}`, isSame]);
    },
    raw(isBehind ? 'false' : 'true'),
  );
}

/** A cell of an answer as a value to compare its column with. */
function parameterOf(type: FieldType, cell: Cell): Parameter | Sql {
  if (typeof cell === 'boolean') return raw(String(cell));
  if (type === 'timestamp') return timestamp(Number(cell));
  if (type === 'date') return date(String(cell));
  return typeof cell === 'number' ? number(cell) : text(String(cell));
}

/** How many rows the whole answer has. */
export function renderCount(context: SqlContext, query: Query): Sql {
  const named = new NamedQueries();
  const body = renderPlans(context, named, query);
  return named.before(
    sql`SELECT ${context.dialect.row([{ value: raw('count(*)'), type: 'integer' }])}\nFROM (${body}) AS a`,
  );
}

/** How many rows of the table an answer is computed from. */
export function renderRowsRead(context: SqlContext, plan: Plan): Sql {
  const named = new NamedQueries();
  const writer = new PlanSql(context, named, { ...plan, groupBy: [], bucket: undefined });
  const rows = writer.rows();
  return named.before(sql`SELECT ${context.dialect.row([{ value: raw('count(*)'), type: 'integer' }])}\n${rows}`);
}

/** How many surveys are anonymous, as far as something is known of them. */
export function renderAnonymousSurveys(context: SqlContext): Sql {
  const counted = context.dialect.row([{ value: raw('count(*)'), type: 'integer' }]);
  return sql`SELECT ${counted}\nFROM ${context.table(surveys)} AS w WHERE w.survey_privacy = 'anonymous'`;
}

/** How many answers to anonymous surveys are left out. */
export function renderSuppressed(context: SqlContext, plan: Plan): Sql {
  const named = new NamedQueries();
  const rows = new PlanSql(context, named, { ...plan, groupBy: [], bucket: undefined }).suppressed();
  return named.before(sql`SELECT ${context.dialect.row([{ value: raw('count(*)'), type: 'integer' }])}\n${rows}`);
}

/** The columns of an answer with the type that the engine gives them in. */
function columnsOf({ plans, values }: Query): { readonly name: string; readonly type: FieldType }[] {
  const [first] = plans;
  const types = new Map(plans.flatMap(({ measures }) => measures.map(({ as, type }) => [as, type])));
  return [
    ...(first?.bucket ? [{ name: first.bucket.as, type: 'date' } as const] : []),
    ...(first?.groupBy ?? []).map(({ name, type }) => ({ name, type })),
    ...values.map((name) => ({ name, type: types.get(name) === 'text' ? 'text' : 'number' }) as const),
  ];
}

/** Nulls come last, whichever way the rest is ordered. */
function renderOrder(context: SqlContext, order: readonly OrderBy[]): Sql {
  if (order.length === 0) return raw('');
  const by = order.map(
    ({ column, direction }) => sql`${columnOf(context, 'a', column)} ${raw(direction.toUpperCase())} NULLS LAST`,
  );
  return sql`\nORDER BY ${listed(by)}`;
}
