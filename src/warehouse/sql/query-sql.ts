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

/** A part of an answer: where the first column that it is ordered by is after one value and up to another. */
export interface Part {
  readonly after: Cell | undefined;
  /** Absent for the last part, in which are also the rows that have no value. */
  readonly until: Cell | undefined;
}

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

/** The values of the first column that an answer is ordered by, in any order. */
export function sayFirstColumn(ground: Ground, query: Query): Sql {
  const named = new Named();
  const body = sayPlans(ground, named, query);
  const { name, type } = firstColumn(query);
  const cell = ground.dialect.row([{ value: columnOf(ground, 'a', name), type }]);
  return named.before(sql`SELECT ${cell} AS cell\nFROM (${body}) AS a`);
}

function firstColumn(query: Query): { readonly name: string; readonly type: FieldType } {
  const name = query.order[0]?.column;
  const found = columnsOf(query).find((column) => column.name === name);
  if (!found) throw new Error('only an answer in order has parts');
  return found;
}

function sayPart(ground: Ground, query: Query, { after, until }: Part): Sql {
  const { name, type } = firstColumn(query);
  const column = columnOf(ground, 'a', name);
  const isAfter = after === undefined ? [] : [sql`${column} > ${parameterOf(type, after)}`];
  const isUntil = until === undefined ? [] : [sql`${column} <= ${parameterOf(type, until)}`];
  const inside = allOf([...isAfter, ...isUntil]);
  return sql`\nWHERE ${until === undefined ? sql`(${inside} OR ${column} IS NULL)` : inside}`;
}

/** A cell of an answer as a value to compare its column with. */
function parameterOf(type: FieldType, cell: Cell): Parameter {
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
  const { dialect } = ground;
  const writer = new PlanSql(ground, named, plan);
  const keys = writer.keys();
  const isRowEach = isRowExport(plan);
  const measures = plan.measures.flatMap((measure) => {
    if (measure.type === 'share') return [];
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
  const { activities } = measure;
  const shared = keys.filter(({ isOfPerson }) => isOfPerson);
  const bucket =
    activities && plan.bucket
      ? [{ as: plan.bucket.as, value: columnOf(ground, 'y', plan.bucket.as), isOfPerson: false }]
      : [];
  const active = activities
    ? sql`\nJOIN (${sayActivities(ground, named, activities)}) AS y ON y.merged_user_id = p.merged_user_id`
    : raw('');
  const whole = dialect.countDistinct(raw('p.merged_user_id'), undefined);
  const by = [...bucket, ...shared];
  const wholes = sql`SELECT ${listed([...by.map((key) => sayKey(ground, key)), sql`${whole} AS whole`])}\nFROM ${writer.population()}${active}${groupBy(by)}`;
  const on = by.map(({ as }) => dialect.isSame(columnOf(ground, 'n', as), columnOf(ground, 'w', as)));
  const value = dialect.ratio(raw('n.part'), raw('w.whole'));
  const selected = [
    ...keys.map(({ as }) => columnOf(ground, 'n', as)),
    sql`${value} AS ${dialect.identifier(measure.as)}`,
  ];
  return sql`SELECT ${listed(selected)}\nFROM (${parts}) AS n LEFT JOIN (${wholes}) AS w ON ${on.length > 0 ? allOf(on) : raw('true')}`;
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
