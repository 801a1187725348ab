import {
  type Activity,
  isRowExport,
  type Measure,
  type MinimumValue,
  type Plan,
  type Query,
} from '../../query/plan.ts';
import { renderAggregate, renderAlone, renderRow } from './expression-sql.ts';
import { guarded } from './guard.ts';
import { type Key, PlanSql, renderSpan } from './plan-sql.ts';
import { allOf, anyOf, joined, listed, number, raw, type Sql, sql } from './sql.ts';
import { columnOf, type NamedQueries, type SqlContext } from './sql-context.ts';

/** Several plans meet in their keys: each key is in each plan once at most, so the largest value is the only one. */
export function renderPlans(context: SqlContext, named: NamedQueries, { plans }: Query): Sql {
  const [only] = plans;
  if (!only) throw new Error('a question needs a plan');
  if (plans.length === 1) return renderMinimumValues(context, named, only);
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
    return sql`SELECT ${listed([...named_keys, ...cells])} FROM (${renderMinimumValues(context, named, plan)}) AS m`;
  });
  const met = measures.map(({ as }) => sql`max(${columnOf(context, 'u', as)}) AS ${dialect.identifier(as)}`);
  const by = keys.map((key) => columnOf(context, 'u', key));
  const grouped = by.length > 0 ? sql`\nGROUP BY ${listed(by)}` : raw('\nHAVING count(*) > 0');
  return sql`SELECT ${listed([...by, ...met])}\nFROM (${joined(parts, '\nUNION ALL ')}) AS u${grouped}`;
}

/** Values below their minimum fall to nothing, and a row without any other goes. */
function renderMinimumValues(context: SqlContext, named: NamedQueries, plan: Plan): Sql {
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

const renderKey = ({ dialect }: SqlContext, { as, value }: Key): Sql => sql`${value} AS ${dialect.identifier(as)}`;

/** By expression, not by name: DuckDB takes a name for the column where there is one. */
const groupBy = (keys: readonly Key[]): Sql =>
  keys.length === 0 ? raw('') : sql`\nGROUP BY ${listed(keys.map(({ value }) => value))}`;

/** The people of whom something holds, over the people with the same values in the columns of people. */
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

/** How many people a share divides by, grouped by those keys that are columns of people. */
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

/** Who was active, in which bucket. */
function renderActivities(context: SqlContext, named: NamedQueries, activities: readonly Activity[]): Sql {
  const { dialect } = context;
  const each = activities.map(({ from, span, bucket, onlyIf }) => {
    const { from: table, conditions } = guarded(context, named, from, 't', { span });
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
