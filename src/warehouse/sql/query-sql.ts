import type { FieldType } from '../../catalogue/record.ts';
import type { Activity, Cell, Measure, MinimumValue, OrderBy, Plan, Query } from '../../query/plan.ts';
import type { FlatColumn } from '../../query/shape/rows.ts';
import type { ObjectField } from './dialect.ts';
import { guarded } from './guard.ts';
import { type Key, PlanSql, renderSpan } from './plan-sql.ts';
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
import { renderAggregate, renderAlone, renderRow } from './values.ts';

/** Some values of a column that an answer is ordered by: those after one value and up to another, or none at all. */
export type CellRange = { readonly after?: Cell | undefined; readonly until?: Cell | undefined } | 'nothing';

/**
 * A part of an answer: a range of the first column that the answer is ordered by, of the second one, and so on. All but
 * the last range hold a single value each, so that parts follow each other in the order of the answer.
 */
export type AnswerPart = readonly CellRange[];

/** The rows of an answer, in order, each as the engine's driver takes it apart. */
export function renderAnswer(context: SqlContext, query: Query, part?: AnswerPart): Sql {
  const columns = columnsOf(query);
  const cells = columns.map(({ name, type }) => ({ value: columnOf(context, 'a', name), type }));
  const row = context.dialect.row(cells);
  if (query.limit === undefined) return renderRows(context, query, row, part);
  if (isOneRow(query)) return renderRows(context, { ...query, order: [] }, row);
  // Rows are written only once it is known which they are: writing all of a window takes longer than finding a few.
  const named = new NamedQueries();
  const body = renderPlans(context, named, query);
  const order = renderOrder(context, query.order);
  const few = sql`SELECT ${listed(columns.map(({ name }) => columnOf(context, 'a', name)))}
FROM (${body}) AS a${order}\nLIMIT ${integer(query.limit)}`;
  return named.before(sql`SELECT ${row}\nFROM (${few}) AS a${order}`);
}

/** Whether there is nothing to group by: such an answer needs neither order nor limit. */
const isOneRow = ({ plans: [first] }: Query): boolean => !first?.bucket && first?.groupBy.length === 0;

/** Types whose values can be of any length: they are texts to the engine. */
const textTypes: ReadonlySet<FieldType> = new Set(['text', 'text[]', 'json']);
/** What a row takes beside its texts, for each of its columns. */
const cellBytes = 12;

/** Whether rows can be longer than the sum of their columns. */
export const hasTexts = (query: Query): boolean => columnsOf(query).some(({ type }) => textTypes.has(type));

/** What a row takes, about, before it is written. */
function renderBytes(context: SqlContext, query: Query): Sql {
  const columns = columnsOf(query);
  const texts = columns.filter(({ type }) => textTypes.has(type));
  const lengths = texts.map(({ name }) => context.dialect.bytesOf(columnOf(context, 'a', name)));
  return joined([...lengths, raw(String(columns.length * cellBytes))], ' + ');
}

/**
 * The rows of a limited answer, in order, up to so many bytes: from there on a row is only the number of bytes so far.
 * Texts that are too long are cut before the rows are sorted, since the engine holds sorted rows several times.
 */
export function renderAnswerWithin(context: SqlContext, query: Query, bytesMost: number): Sql {
  const { dialect } = context;
  const columns = columnsOf(query);
  const most = integer(bytesMost);
  const named = new NamedQueries();
  const body = renderPlans(context, named, query);
  const column = (name: string) => columnOf(context, 'a', name);
  const short = columns.map(({ name, type }) =>
    textTypes.has(type)
      ? sql`${dialect.cutText(column(name), most)} AS ${dialect.identifier(name)}`
      : sql`${column(name)}`,
  );
  const order = renderOrder(context, query.order);
  const cut = sql`SELECT ${listed(short)}, ${renderBytes(context, query)} AS row_bytes FROM (${body}) AS a`;
  const few = sql`SELECT * FROM (${cut}) AS a${order}\nLIMIT ${integer(query.limit ?? 0)}`;
  const summed = sql`SELECT *, ${dialect.runningSum(raw('a.row_bytes'))} AS bytes_so_far FROM (${few}) AS a`;
  const row = dialect.row(columns.map(({ name, type }) => ({ value: column(name), type })));
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
 * The values of a column that a part of an answer is ordered by, in any order, each with the bytes of its row. Of long
 * texts only so many bytes are given: that is enough to divide them.
 */
export function renderOrderedColumn(
  context: SqlContext,
  query: Query,
  place: number,
  part: AnswerPart,
  bytesMost: number,
): Sql {
  const named = new NamedQueries();
  const body = renderPlans(context, named, query);
  const { name, type } = orderedColumn(query, place);
  const column = columnOf(context, 'a', name);
  const cells = [
    { value: textTypes.has(type) ? context.dialect.cutText(column, integer(bytesMost)) : column, type },
    { value: renderBytes(context, query), type: 'integer' },
  ] as const;
  return named.before(
    sql`SELECT ${context.dialect.row(cells)} AS cell\nFROM (${body}) AS a${renderPart(context, query, part)}`,
  );
}

/**
 * How large a part of an answer is: rows, bytes, bytes of its longest row, rows that have a value in the column at a
 * place of the order, and whether that value is the same in all of them.
 */
export function renderPartSize(context: SqlContext, query: Query, place: number, part: AnswerPart): Sql {
  const { dialect } = context;
  const named = new NamedQueries();
  const body = renderPlans(context, named, query);
  const bytes = renderBytes(context, query);
  const isOrdered = place < query.order.length;
  const column = isOrdered ? columnOf(context, 'a', orderedColumn(query, place).name) : raw('1');
  const cells = [
    raw('count(*)'),
    sql`coalesce(CAST(sum(${bytes}) AS BIGINT), 0)`,
    sql`coalesce(max(${bytes}), 0)`,
    sql`count(${column})`,
    dialect.isSame(sql`min(${column})`, sql`max(${column})`),
  ].map((value) => ({ value, type: 'integer' }) as const);
  return named.before(sql`SELECT ${dialect.row(cells)}\nFROM (${body}) AS a${renderPart(context, query, part)}`);
}

function orderedColumn(query: Query, place: number): { readonly name: string; readonly type: FieldType } {
  const name = query.order[place]?.column;
  const found = columnsOf(query).find((column) => column.name === name);
  if (!found) throw new Error('only an answer in order has parts');
  return found;
}

function renderPart(context: SqlContext, query: Query, part: AnswerPart): Sql {
  const conditions = part.flatMap((range, place) => {
    const { name, type } = orderedColumn(query, place);
    const column = columnOf(context, 'a', name);
    if (range === 'nothing') return [sql`${column} IS NULL`];
    const { after, until } = range;
    if (after === undefined && until === undefined) return [sql`${column} IS NOT NULL`];
    return [
      ...(after === undefined ? [] : [sql`${column} > ${parameterOf(type, after)}`]),
      ...(until === undefined ? [] : [sql`${column} <= ${parameterOf(type, until)}`]),
    ];
  });
  return conditions.length === 0 ? raw('') : sql`\nWHERE ${allOf(conditions)}`;
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

/** How many answers to surveys are left out, because filters leave too few respondents. */
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

/** Nothing comes last, whichever way the rest is ordered. */
function renderOrder(context: SqlContext, order: readonly OrderBy[]): Sql {
  if (order.length === 0) return raw('');
  const by = order.map(
    ({ column, direction }) => sql`${columnOf(context, 'a', column)} ${raw(direction.toUpperCase())} NULLS LAST`,
  );
  return sql`\nORDER BY ${listed(by)}`;
}

/** Several plans meet in their keys: each key is in each plan once at most, so the largest value is the only one. */
function renderPlans(context: SqlContext, named: NamedQueries, { plans }: Query): Sql {
  const [only] = plans;
  if (!only) throw new Error('a question needs a plan');
  if (plans.length === 1) return renderLeast(context, named, only);
  const { dialect } = context;
  const keys = [...(only.bucket ? [only.bucket.as] : []), ...only.groupBy.map(({ name }) => name)];
  const measures = plans.flatMap((plan) => plan.measures);
  const parts = plans.map((plan) => {
    const own = new Set(plan.measures.map(({ as }) => as));
    const cells = measures.map(({ as, type }) => {
      const value = own.has(as) ? columnOf(context, 'm', as) : dialect.nullOf(type === 'text' ? 'text' : 'number');
      return sql`${value} AS ${dialect.identifier(as)}`;
    });
    const named_keys = keys.map((key) => sql`${columnOf(context, 'm', key)} AS ${dialect.identifier(key)}`);
    return sql`SELECT ${listed([...named_keys, ...cells])} FROM (${renderLeast(context, named, plan)}) AS m`;
  });
  const met = measures.map(({ as }) => sql`max(${columnOf(context, 'u', as)}) AS ${dialect.identifier(as)}`);
  const by = keys.map((key) => columnOf(context, 'u', key));
  const grouped = by.length > 0 ? sql`\nGROUP BY ${listed(by)}` : raw('\nHAVING count(*) > 0');
  return sql`SELECT ${listed([...by, ...met])}\nFROM (${joined(parts, '\nUNION ALL ')}) AS u${grouped}`;
}

/** Values below their minimum fall to nothing, and a row without any other goes. */
function renderLeast(context: SqlContext, named: NamedQueries, plan: Plan): Sql {
  const body = renderPlan(context, named, plan);
  if (plan.minimumValues.length === 0) return body;
  const { dialect } = context;
  const stands = ({ leading, minimum }: MinimumValue): Sql => {
    const value = columnOf(context, 'l', leading);
    const isEnough = sql`${value} >= ${number(minimum)}`;
    return minimum > 0 ? sql`coalesce(${isEnough}, false)` : sql`coalesce(${isEnough}, true)`;
  };
  const ruled = new Set(plan.minimumValues.flatMap(({ columns }) => columns));
  const isRuled = plan.measures.every(({ as }) => ruled.has(as));
  const where = isRuled ? sql`\nWHERE ${anyOf(plan.minimumValues.map(stands))}` : raw('');
  const keys = [...(plan.bucket ? [plan.bucket.as] : []), ...plan.groupBy.map(({ name }) => name)];
  const values = plan.measures.map(({ as }) => {
    const rule = plan.minimumValues.find(({ columns }) => columns.includes(as));
    const value = columnOf(context, 'l', as);
    if (!rule || (plan.minimumValues.length === 1 && isRuled)) return sql`${value} AS ${dialect.identifier(as)}`;
    const otherwise = rule.ofNothing === 0 ? raw(' ELSE 0') : raw('');
    return sql`CASE WHEN ${stands(rule)} THEN ${value}${otherwise} END AS ${dialect.identifier(as)}`;
  });
  const selected = [...keys.map((key) => columnOf(context, 'l', key)), ...values];
  return sql`SELECT ${listed(selected)}\nFROM (${body}) AS l${where}`;
}

function renderPlan(context: SqlContext, named: NamedQueries, plan: Plan): Sql {
  const [first] = plan.measures;
  if (first?.type === 'share') return renderShare(context, named, plan, first);
  if (first?.type === 'population') {
    const as = context.dialect.identifier(first.as);
    return renderPopulation(context, named, plan, new PlanSql(context, named, plan), first.activities, as).query;
  }
  const { dialect } = context;
  const writer = new PlanSql(context, named, plan);
  const keys = writer.keys();
  const isRowEach = isRowExport(plan);
  const measures = plan.measures.flatMap((measure) => {
    if (!('value' in measure)) return [];
    const { table } = plan.from;
    const value = isRowEach
      ? renderAlone(dialect, measure.value, table, writer.column)
      : renderAggregate(dialect, measure.value, table, writer.column);
    return [sql`${value} AS ${dialect.identifier(measure.as)}`];
  });
  const rows = writer.rows();
  const grouped = isRowEach ? raw('') : groupBy(keys);
  return sql`SELECT ${listed([...keys.map((key) => renderKey(context, key)), ...measures])}\n${rows}${grouped}`;
}

/** Grouped by its key every row is a group of its own, and so is each of its person's memberships. */
function isRowExport({ from, groupBy: columns }: Plan): boolean {
  const names = new Set(columns.map(({ name }) => name));
  return from.table.key.every((part) => names.has(part)) && !from.table.publicKey;
}

const renderKey = ({ dialect }: SqlContext, { as, value }: Key): Sql => sql`${value} AS ${dialect.identifier(as)}`;

/** By expression, not by name: DuckDB takes a name for the column where there is one. */
const groupBy = (keys: readonly Key[]): Sql =>
  keys.length === 0 ? raw('') : sql`\nGROUP BY ${listed(keys.map(({ value }) => value))}`;

/** Those of the people of whom something holds, over the people with the same values in the columns of people. */
function renderShare(
  context: SqlContext,
  named: NamedQueries,
  plan: Plan,
  measure: Extract<Measure, { type: 'share' }>,
): Sql {
  const { dialect } = context;
  const writer = new PlanSql(context, named, plan);
  const keys = writer.keys();
  const part = dialect.countDistinct(writer.effectivePerson(), renderRow(dialect, measure.people, writer.column));
  const parts = sql`SELECT ${listed([...keys.map((key) => renderKey(context, key)), sql`${part} AS part`])}\n${writer.rows()}${groupBy(keys)}`;
  const { query: wholes, by } = renderPopulation(context, named, plan, writer, measure.activities, raw('whole'));
  const on = by.map(({ as }) => dialect.isSame(columnOf(context, 'n', as), columnOf(context, 'w', as)));
  const value = dialect.ratio(raw('n.part'), raw('w.whole'));
  const populations = plan.measures.filter(({ type }) => type === 'population');
  const selected = [
    ...keys.map(({ as }) => columnOf(context, 'n', as)),
    sql`${value} AS ${dialect.identifier(measure.as)}`,
    ...populations.map(({ as }) => sql`w.whole AS ${dialect.identifier(as)}`),
  ];
  return sql`SELECT ${listed(selected)}\nFROM (${parts}) AS n LEFT JOIN (${wholes}) AS w ON ${on.length > 0 ? allOf(on) : raw('true')}`;
}

/** How many people there are of whom something could hold, by whatever of the keys is said of people. */
function renderPopulation(
  context: SqlContext,
  named: NamedQueries,
  plan: Plan,
  writer: PlanSql,
  activities: readonly Activity[] | undefined,
  as: Sql,
): { readonly query: Sql; readonly by: readonly Key[] } {
  const { dialect } = context;
  const shared = writer.keys().filter(({ isOfPerson }) => isOfPerson);
  const bucket =
    activities && plan.bucket
      ? [{ as: plan.bucket.as, value: columnOf(context, 'y', plan.bucket.as), isOfPerson: false }]
      : [];
  const active = activities
    ? sql`\nJOIN (${renderActivities(context, named, activities)}) AS y ON y.merged_user_id = p.merged_user_id`
    : raw('');
  const whole = sql`${dialect.countDistinct(raw('p.merged_user_id'), undefined)} AS ${as}`;
  const by = [...bucket, ...shared];
  const selected = listed([...by.map((key) => renderKey(context, key)), whole]);
  return { query: sql`SELECT ${selected}\nFROM ${writer.population()}${active}${groupBy(by)}`, by };
}

/** Who did anything, in which bucket. */
function renderActivities(context: SqlContext, named: NamedQueries, activities: readonly Activity[]): Sql {
  const { dialect } = context;
  const each = activities.map(({ from, span, bucket, onlyIf }) => {
    const { from: table, conditions } = guarded(context, named, from, 't');
    const at = columnOf(context, 't', span.column);
    const when =
      bucket &&
      (span.type === 'date' ? dialect.bucketOfDay(bucket.level, at) : dialect.bucket(bucket.level, at, bucket.clock));
    const selected = [
      raw('t.merged_user_id'),
      ...(bucket && when ? [sql`${when} AS ${dialect.identifier(bucket.as)}`] : []),
    ];
    const where = [
      renderSpan(context, span, 't'),
      ...conditions,
      ...(onlyIf === undefined ? [] : [columnOf(context, 't', onlyIf)]),
    ];
    return sql`SELECT ${listed(selected)} FROM ${table} WHERE ${allOf(where)}`;
  });
  return joined(each, '\nUNION ');
}
