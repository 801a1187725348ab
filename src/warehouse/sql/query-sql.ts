import type { FieldType } from '../../catalogue/record.ts';
import type { Activity, Cell, Least, Measure, OrderBy, Plan, Query } from '../../query/plan.ts';
import type { FlatColumn } from '../../query/shape/rows.ts';
import type { ObjectField } from './dialect.ts';
import { columnOf, type Ground, Named } from './ground.ts';
import { guarded } from './guard.ts';
import { type Key, PlanSql, saySpan } from './plan-sql.ts';
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
import { sayAggregate, sayAlone, sayRow } from './values.ts';

/** Some values of a column that an answer is ordered by: those after one value and up to another, or none at all. */
export type Range = { readonly after?: Cell | undefined; readonly until?: Cell | undefined } | 'nothing';

/**
 * A part of an answer: a range of the first column that the answer is ordered by, of the second one, and so on. All but
 * the last range hold a single value each, so that parts follow each other in the order of the answer.
 */
export type Part = readonly Range[];

/** The rows of an answer, in order, each as the engine's driver takes it apart. */
export function sayAnswer(ground: Ground, query: Query, part?: Part): Sql {
  const columns = columnsOf(query);
  const cells = columns.map(({ name, type }) => ({ value: columnOf(ground, 'a', name), type }));
  const row = ground.dialect.row(cells);
  if (query.limit === undefined) return sayRows(ground, query, row, part);
  // Rows are written only once it is known which they are: writing all of a window takes longer than finding a few.
  const named = new Named();
  const body = sayPlans(ground, named, query);
  const order = sayOrder(ground, query.order);
  const few = sql`SELECT ${listed(columns.map(({ name }) => columnOf(ground, 'a', name)))}
FROM (${body}) AS a${order}\nLIMIT ${integer(query.limit)}`;
  return named.before(sql`SELECT ${row}\nFROM (${few}) AS a${order}`);
}

/** Types whose values can be of any length: they are texts to the engine. */
const textTypes: ReadonlySet<FieldType> = new Set(['text', 'text[]', 'json']);
/** What a row takes beside its texts, for each of its columns. */
const cellBytes = 12;

/** Whether rows can be longer than the sum of their columns. */
export const hasTexts = (query: Query): boolean => columnsOf(query).some(({ type }) => textTypes.has(type));

/** What a row takes, about, before it is written. */
export function sayBytes(ground: Ground, query: Query): Sql {
  const columns = columnsOf(query);
  const texts = columns.filter(({ type }) => textTypes.has(type));
  const lengths = texts.map(({ name }) => ground.dialect.bytesOf(columnOf(ground, 'a', name)));
  return joined([...lengths, raw(String(columns.length * cellBytes))], ' + ');
}

/**
 * The rows of a limited answer, in order, up to so many bytes: from there on a row is only the number of bytes so far.
 * Texts that are too long are cut before the rows are sorted, since the engine holds sorted rows several times.
 */
export function sayAnswerWithin(ground: Ground, query: Query, bytesMost: number): Sql {
  const { dialect } = ground;
  const columns = columnsOf(query);
  const most = integer(bytesMost);
  const named = new Named();
  const body = sayPlans(ground, named, query);
  const column = (name: string) => columnOf(ground, 'a', name);
  const short = columns.map(({ name, type }) =>
    textTypes.has(type)
      ? sql`${dialect.cutText(column(name), most)} AS ${dialect.identifier(name)}`
      : sql`${column(name)}`,
  );
  const order = sayOrder(ground, query.order);
  const cut = sql`SELECT ${listed(short)}, ${sayBytes(ground, query)} AS row_bytes FROM (${body}) AS a`;
  const few = sql`SELECT * FROM (${cut}) AS a${order}\nLIMIT ${integer(query.limit ?? 0)}`;
  const summed = sql`SELECT *, ${dialect.runningSum(raw('a.row_bytes'))} AS bytes_so_far FROM (${few}) AS a`;
  const row = dialect.row(columns.map(({ name, type }) => ({ value: column(name), type })));
  const answer = dialect.rowOrNumber(sql`a.bytes_so_far <= ${most}`, row, raw('a.bytes_so_far'));
  return named.before(sql`SELECT ${answer}\nFROM (${summed}) AS a${order}`);
}

/** All rows of an answer, or of a part of it, in order, each written as `row` says of the alias a. */
export function sayRows(ground: Ground, query: Query, row: Sql, part?: Part): Sql {
  const named = new Named();
  const body = sayPlans(ground, named, query);
  const where = part ? sayPart(ground, query, part) : raw('');
  return named.before(sql`SELECT ${row}\nFROM (${body}) AS a${where}${sayOrder(ground, query.order)}`);
}

/** A row as a JSON object of these columns. Undefined where the engine would write other bytes than we do. */
export function objectOf(ground: Ground, query: Query, columns: readonly FlatColumn[]): Sql | undefined {
  const given = columnsOf(query);
  const fields = columns.map((column): ObjectField => {
    if ('always' in column) return column;
    return { ...column, value: columnOf(ground, 'a', given[column.at]?.name ?? column.name) };
  });
  return ground.dialect.object(fields);
}

/**
 * The values of a column that a part of an answer is ordered by, in any order, each with the bytes of its row. Of long
 * texts only so many bytes are told: that is enough to divide them.
 */
export function sayOrderedColumn(ground: Ground, query: Query, place: number, part: Part, bytesMost: number): Sql {
  const named = new Named();
  const body = sayPlans(ground, named, query);
  const { name, type } = orderedColumn(query, place);
  const column = columnOf(ground, 'a', name);
  const cells = [
    { value: textTypes.has(type) ? ground.dialect.cutText(column, integer(bytesMost)) : column, type },
    { value: sayBytes(ground, query), type: 'integer' },
  ] as const;
  return named.before(
    sql`SELECT ${ground.dialect.row(cells)} AS cell\nFROM (${body}) AS a${sayPart(ground, query, part)}`,
  );
}

/**
 * How large a part of an answer is: rows, bytes, bytes of its longest row, rows that have a value in the column at a
 * place of the order, and whether that value is the same in all of them.
 */
export function sayPartSize(ground: Ground, query: Query, place: number, part: Part): Sql {
  const { dialect } = ground;
  const named = new Named();
  const body = sayPlans(ground, named, query);
  const bytes = sayBytes(ground, query);
  const isOrdered = place < query.order.length;
  const column = isOrdered ? columnOf(ground, 'a', orderedColumn(query, place).name) : raw('1');
  const cells = [
    raw('count(*)'),
    sql`coalesce(CAST(sum(${bytes}) AS BIGINT), 0)`,
    sql`coalesce(max(${bytes}), 0)`,
    sql`count(${column})`,
    dialect.isSame(sql`min(${column})`, sql`max(${column})`),
  ].map((value) => ({ value, type: 'integer' }) as const);
  return named.before(sql`SELECT ${dialect.row(cells)}\nFROM (${body}) AS a${sayPart(ground, query, part)}`);
}

function orderedColumn(query: Query, place: number): { readonly name: string; readonly type: FieldType } {
  const name = query.order[place]?.column;
  const found = columnsOf(query).find((column) => column.name === name);
  if (!found) throw new Error('only an answer in order has parts');
  return found;
}

function sayPart(ground: Ground, query: Query, part: Part): Sql {
  const conditions = part.flatMap((range, place) => {
    const { name, type } = orderedColumn(query, place);
    const column = columnOf(ground, 'a', name);
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
export function sayCount(ground: Ground, query: Query): Sql {
  const named = new Named();
  const body = sayPlans(ground, named, query);
  return named.before(
    sql`SELECT ${ground.dialect.row([{ value: raw('count(*)'), type: 'integer' }])}\nFROM (${body}) AS a`,
  );
}

/** How many rows of the table an answer is told from. */
export function sayRowsRead(ground: Ground, plan: Plan): Sql {
  const named = new Named();
  const writer = new PlanSql(ground, named, { ...plan, groupBy: [], bucket: undefined });
  const rows = writer.rows();
  return named.before(sql`SELECT ${ground.dialect.row([{ value: raw('count(*)'), type: 'integer' }])}\n${rows}`);
}

/** How many answers to surveys are left out, because filters leave too few respondents. */
export function saySuppressed(ground: Ground, plan: Plan): Sql {
  const named = new Named();
  const rows = new PlanSql(ground, named, { ...plan, groupBy: [], bucket: undefined }).suppressed();
  return named.before(sql`SELECT ${ground.dialect.row([{ value: raw('count(*)'), type: 'integer' }])}\n${rows}`);
}

/** The columns of an answer with the type that the engine gives them in. */
export function columnsOf({ plans, values }: Query): { readonly name: string; readonly type: FieldType }[] {
  const [first] = plans;
  const types = new Map(plans.flatMap(({ measures }) => measures.map(({ as, type }) => [as, type])));
  return [
    ...(first?.bucket ? [{ name: first.bucket.as, type: 'date' } as const] : []),
    ...(first?.groupBy ?? []).map(({ name, type }) => ({ name, type })),
    ...values.map((name) => ({ name, type: types.get(name) === 'text' ? 'text' : 'number' }) as const),
  ];
}

/** Nothing comes last, whichever way the rest is ordered. */
function sayOrder(ground: Ground, order: readonly OrderBy[]): Sql {
  if (order.length === 0) return raw('');
  const by = order.map(
    ({ column, direction }) => sql`${columnOf(ground, 'a', column)} ${raw(direction.toUpperCase())} NULLS LAST`,
  );
  return sql`\nORDER BY ${listed(by)}`;
}

/** Several plans meet in their keys: each key is in each plan once at most, so the largest value is the only one. */
function sayPlans(ground: Ground, named: Named, { plans }: Query): Sql {
  const [only] = plans;
  if (!only) throw new Error('a question needs a plan');
  if (plans.length === 1) return sayLeast(ground, named, only);
  const { dialect } = ground;
  const keys = [...(only.bucket ? [only.bucket.as] : []), ...only.groupBy.map(({ name }) => name)];
  const measures = plans.flatMap((plan) => plan.measures);
  const parts = plans.map((plan) => {
    const own = new Set(plan.measures.map(({ as }) => as));
    const cells = measures.map(({ as, type }) => {
      const value = own.has(as) ? columnOf(ground, 'm', as) : dialect.nullOf(type === 'text' ? 'text' : 'number');
      return sql`${value} AS ${dialect.identifier(as)}`;
    });
    const named_keys = keys.map((key) => sql`${columnOf(ground, 'm', key)} AS ${dialect.identifier(key)}`);
    return sql`SELECT ${listed([...named_keys, ...cells])} FROM (${sayLeast(ground, named, plan)}) AS m`;
  });
  const met = measures.map(({ as }) => sql`max(${columnOf(ground, 'u', as)}) AS ${dialect.identifier(as)}`);
  const by = keys.map((key) => columnOf(ground, 'u', key));
  const grouped = by.length > 0 ? sql`\nGROUP BY ${listed(by)}` : raw('\nHAVING count(*) > 0');
  return sql`SELECT ${listed([...by, ...met])}\nFROM (${joined(parts, '\nUNION ALL ')}) AS u${grouped}`;
}

/** Values below their minimum fall to nothing, and a row without any other goes. */
function sayLeast(ground: Ground, named: Named, plan: Plan): Sql {
  const body = sayPlan(ground, named, plan);
  if (plan.least.length === 0) return body;
  const { dialect } = ground;
  const stands = ({ leading, least }: Least): Sql => {
    const value = columnOf(ground, 'l', leading);
    const isEnough = sql`${value} >= ${number(least)}`;
    return least > 0 ? sql`coalesce(${isEnough}, false)` : sql`coalesce(${isEnough}, true)`;
  };
  const ruled = new Set(plan.least.flatMap(({ columns }) => columns));
  const isRuled = plan.measures.every(({ as }) => ruled.has(as));
  const where = isRuled ? sql`\nWHERE ${anyOf(plan.least.map(stands))}` : raw('');
  const keys = [...(plan.bucket ? [plan.bucket.as] : []), ...plan.groupBy.map(({ name }) => name)];
  const values = plan.measures.map(({ as }) => {
    const rule = plan.least.find(({ columns }) => columns.includes(as));
    const value = columnOf(ground, 'l', as);
    if (!rule || (plan.least.length === 1 && isRuled)) return sql`${value} AS ${dialect.identifier(as)}`;
    const otherwise = rule.ofNothing === 0 ? raw(' ELSE 0') : raw('');
    return sql`CASE WHEN ${stands(rule)} THEN ${value}${otherwise} END AS ${dialect.identifier(as)}`;
  });
  const selected = [...keys.map((key) => columnOf(ground, 'l', key)), ...values];
  return sql`SELECT ${listed(selected)}\nFROM (${body}) AS l${where}`;
}

function sayPlan(ground: Ground, named: Named, plan: Plan): Sql {
  const [first] = plan.measures;
  if (first?.type === 'share') return sayShare(ground, named, plan, first);
  if (first?.type === 'population') {
    const as = ground.dialect.identifier(first.as);
    return sayPopulation(ground, named, plan, new PlanSql(ground, named, plan), first.activities, as).query;
  }
  const { dialect } = ground;
  const writer = new PlanSql(ground, named, plan);
  const keys = writer.keys();
  const isRowEach = isRowExport(plan);
  const measures = plan.measures.flatMap((measure) => {
    if (!('value' in measure)) return [];
    const { table } = plan.from;
    const value = isRowEach
      ? sayAlone(dialect, measure.value, table, writer.column)
      : sayAggregate(dialect, measure.value, table, writer.column);
    return [sql`${value} AS ${dialect.identifier(measure.as)}`];
  });
  const rows = writer.rows();
  const grouped = isRowEach ? raw('') : groupBy(keys);
  return sql`SELECT ${listed([...keys.map((key) => sayKey(ground, key)), ...measures])}\n${rows}${grouped}`;
}

/** Grouped by its key every row is a group of its own, and so is each of its person's memberships. */
function isRowExport({ from, groupBy: columns }: Plan): boolean {
  const names = new Set(columns.map(({ name }) => name));
  return from.table.key.every((part) => names.has(part)) && !from.table.shownKey;
}

const sayKey = ({ dialect }: Ground, { as, value }: Key): Sql => sql`${value} AS ${dialect.identifier(as)}`;

/** By expression, not by name: DuckDB takes a name for the column where there is one. */
const groupBy = (keys: readonly Key[]): Sql =>
  keys.length === 0 ? raw('') : sql`\nGROUP BY ${listed(keys.map(({ value }) => value))}`;

/** Those of the people of whom something holds, over the people with the same values in the columns of people. */
function sayShare(ground: Ground, named: Named, plan: Plan, measure: Extract<Measure, { type: 'share' }>): Sql {
  const { dialect } = ground;
  const writer = new PlanSql(ground, named, plan);
  const keys = writer.keys();
  const part = dialect.countDistinct(writer.effectivePerson(), sayRow(dialect, measure.people, writer.column));
  const parts = sql`SELECT ${listed([...keys.map((key) => sayKey(ground, key)), sql`${part} AS part`])}\n${writer.rows()}${groupBy(keys)}`;
  const { query: wholes, by } = sayPopulation(ground, named, plan, writer, measure.activities, raw('whole'));
  const on = by.map(({ as }) => dialect.isSame(columnOf(ground, 'n', as), columnOf(ground, 'w', as)));
  const value = dialect.ratio(raw('n.part'), raw('w.whole'));
  const selected = [
    ...keys.map(({ as }) => columnOf(ground, 'n', as)),
    sql`${value} AS ${dialect.identifier(measure.as)}`,
  ];
  return sql`SELECT ${listed(selected)}\nFROM (${parts}) AS n LEFT JOIN (${wholes}) AS w ON ${on.length > 0 ? allOf(on) : raw('true')}`;
}

/** How many people there are of whom something could hold, by whatever of the keys is said of people. */
function sayPopulation(
  ground: Ground,
  named: Named,
  plan: Plan,
  writer: PlanSql,
  activities: readonly Activity[] | undefined,
  as: Sql,
): { readonly query: Sql; readonly by: readonly Key[] } {
  const { dialect } = ground;
  const shared = writer.keys().filter(({ isOfPerson }) => isOfPerson);
  const bucket =
    activities && plan.bucket
      ? [{ as: plan.bucket.as, value: columnOf(ground, 'y', plan.bucket.as), isOfPerson: false }]
      : [];
  const active = activities
    ? sql`\nJOIN (${sayActivities(ground, named, activities)}) AS y ON y.merged_user_id = p.merged_user_id`
    : raw('');
  const whole = sql`${dialect.countDistinct(raw('p.merged_user_id'), undefined)} AS ${as}`;
  const by = [...bucket, ...shared];
  const selected = listed([...by.map((key) => sayKey(ground, key)), whole]);
  return { query: sql`SELECT ${selected}\nFROM ${writer.population()}${active}${groupBy(by)}`, by };
}

/** Who did anything, in which bucket. */
function sayActivities(ground: Ground, named: Named, activities: readonly Activity[]): Sql {
  const { dialect } = ground;
  const each = activities.map(({ from, span, bucket, onlyIf }) => {
    const { from: table, conditions } = guarded(ground, named, from, 't');
    const at = columnOf(ground, 't', span.column);
    const when =
      bucket &&
      (span.type === 'date' ? dialect.bucketOfDay(bucket.level, at) : dialect.bucket(bucket.level, at, bucket.clock));
    const selected = [
      raw('t.merged_user_id'),
      ...(bucket && when ? [sql`${when} AS ${dialect.identifier(bucket.as)}`] : []),
    ];
    const where = [
      saySpan(ground, span, 't'),
      ...conditions,
      ...(onlyIf === undefined ? [] : [columnOf(ground, 't', onlyIf)]),
    ];
    return sql`SELECT ${listed(selected)} FROM ${table} WHERE ${allOf(where)}`;
  });
  return joined(each, '\nUNION ');
}
