import type { Principal } from '../access/principal.ts';
import { type ScopedTable, scopeAlike, scopeTo } from '../access/scope.ts';
import { predicatesOf } from '../catalogue/filters.ts';
import { type GroupColumn, groupColumnsOf } from '../catalogue/group-columns.ts';
import type { Metric } from '../catalogue/metric.ts';
import { orderColumn, type Table } from '../catalogue/table.ts';
import { type FactTable, factTables, isFactTable } from '../catalogue/tables/all-tables.ts';
import type { AggregateNode, RowNode } from '../expression/expression.ts';
import { listsByKey } from '../lists-by-key.ts';
import { countsValues, judgedNColumnOf, nColumnOf } from './answer-columns.ts';
import type { Activity, BucketBy, Measure, MinimumValue, OrderBy, Plan, Query, RowChoice, Span } from './plan.ts';
import { type MetricRequest, type RequestedMetric, windowOf } from './request.ts';
import type { Window } from './request-window.ts';

/** The query of a request over the rows that this person may see, complete and in order. */
export function planOf(request: MetricRequest, principal: Principal): Query {
  return questionOf(request, (metric) => scopeTo(principal, metric.table));
}

export function questionOf(request: MetricRequest, scope: (metric: Metric) => ScopedTable): Query {
  const plans = alike(request.metrics).map((metrics) => onePlan(request, metrics, scope));
  const values = request.metrics.flatMap((asked) => [
    ...asked.values.map(({ column }) => aliasOf(request, column)),
    ...countNames(request, asked),
  ]);
  return { plans, values, order: orderOf(request, plans), limit: undefined };
}

/** Metrics of the same rows share a plan. A share has a plan of its own, since it also counts people. */
function alike(metrics: readonly RequestedMetric[]): RequestedMetric[][] {
  const groups = listsByKey(metrics, ({ metric, dateColumn }) => {
    const own = metric.kind === 'share' ? metric.name : '';
    return JSON.stringify([metric.table.name, dateColumn ?? null, metric.filters ?? null, own]);
  });
  return [...groups.values()];
}

function onePlan(
  request: MetricRequest,
  metrics: readonly RequestedMetric[],
  scope: (metric: Metric) => ScopedTable,
): Plan {
  const [first] = metrics;
  if (!first) throw new Error('a plan needs a metric');
  const { metric, dateColumn } = first;
  const from = scope(metric);
  const window = windowOf(first, request);
  const span = dateColumn === undefined || !window ? undefined : spanOf(from, dateColumn, window);
  return {
    from,
    span,
    bucket: span && window && bucketBy(request, span, window),
    groupBy: groupColumns(request, metric),
    rows: rowChoices(request, metric),
    people: request.filters.people,
    measures: metrics.flatMap((asked) => {
      const measures = measuresOf(asked, { ...request, window }, from);
      return [...measures, ...countsOf(asked, request, measures, from.table)];
    }),
    minimumValues: metrics.flatMap((asked) => minimumValueOf(asked, request)),
  };
}

function groupColumns({ groupBy }: MetricRequest, { table }: Metric): GroupColumn[] {
  const known = groupColumnsOf(table);
  return groupBy.flatMap((name) => known.get(name) ?? []);
}

function spanOf({ table }: ScopedTable, column: string, { from, until, firstDay, lastDay }: Window): Span {
  return table.columns[column]?.type === 'date'
    ? { type: 'date', column, from: firstDay, to: lastDay }
    : { type: 'timestamp', column, from, until };
}

function bucketBy({ level, zone }: MetricRequest, span: Span, { from, until }: Window): BucketBy | undefined {
  if (!level) return undefined;
  return { level, as: `${level}_date`, clock: span.type === 'date' ? [] : zone.piecesBetween(from, until) };
}

/** The conditions of those filters of a request that a metric takes. */
export function rowChoices({ filters }: Pick<MetricRequest, 'filters'>, metric: Metric): RowChoice[] {
  const predicates = predicatesOf(metric);
  return [...filters.rows].flatMap(([name, values]) => {
    const predicate = predicates[name];
    return predicate ? [{ predicate, values }] : [];
  });
}

function measuresOf(
  { metric, aggregation, values }: RequestedMetric,
  request: MetricRequest,
  from: ScopedTable,
): Measure[] {
  if (metric.kind === 'share') {
    const { people, population } = metric;
    const activities = population === 'active' ? activitiesIn(request, from) : undefined;
    return values.map(({ column }) => ({ as: aliasOf(request, column), type: 'share', people, activities }));
  }
  const type = metric.kind === 'text' ? 'text' : 'number';
  if (metric.kind !== 'aggregated') {
    return values.map(({ column }) => ({ as: aliasOf(request, column), type, value: metric.value }));
  }
  if (!aggregation) throw new Error(`${metric.name} needs an aggregation`);
  return values.flatMap(({ column }, i) => {
    const as = aliasOf(request, column);
    const value = metric.values[i]?.value;
    const nodes: AggregateNode[] = value ? [{ op: 'aggregate', aggregation, value }] : [];
    return nodes.map((node) => ({ as, type, value: node }) as const);
  });
}

function countNames(request: MetricRequest, { metric, values }: RequestedMetric): string[] {
  if (countsValues(request)) return values.map((value) => judgedNColumnOf(request, metric, value));
  return request.showsN ? [nColumnOf(request, metric)] : [];
}

/** How many rows have the value that leads; where changes are judged, how many values each is made of. */
function countsOf(
  asked: RequestedMetric,
  request: MetricRequest,
  measures: readonly Measure[],
  table: Table,
): Measure[] {
  return countNames(request, asked).map((as, i) => {
    if (!countsValues(request)) return countBehind(measures, as, table);
    const counted = measures.slice(i, i + 1);
    const value = judgedCount(asked.metric);
    return value ? { as, type: 'number', value } : countBehind(counted, as, table);
  });
}

/** Of a count the count itself, and of a rate what it divides by, where that is no number of rows. */
function judgedCount(metric: Metric): AggregateNode | undefined {
  if (metric.kind === 'count') return metric.value;
  return metric.kind === 'fixed' && metric.denominator === 'things' && metric.value.op === 'ratio'
    ? metric.value.whole
    : undefined;
}

/** How many rows have the value that leads; of a share how many people it divides by. */
function countBehind(measures: readonly Measure[], as: string, table: Table): Measure {
  const leading = measures.at(-1);
  if (!leading) throw new Error('a metric has a value');
  if (!('value' in leading)) return { as, type: 'population', activities: leading.activities };
  return { as, type: 'number', value: { op: 'count', where: rowsWithValue(leading.value, table) } };
}

/** The tables that count as activity, with the column that says when. */
const activityDates = Object.values<Table>(factTables).flatMap((table) => {
  const column = orderColumn(table);
  return table.activity && column !== undefined ? [{ table, column, onlyIf: table.activity.when }] : [];
});

function activitiesIn(request: MetricRequest, seenAlike: ScopedTable): Activity[] {
  const { window } = request;
  if (!window) return [];
  return activityDates.map(({ table, column, onlyIf }) => {
    const from = scopeAlike(seenAlike, table);
    const span = spanOf(from, column, window);
    return { from, span, bucket: bucketBy(request, span, window), onlyIf };
  });
}

/** Review rounds are a column of pull requests and a metric of the same name. Both can be in one answer. */
const aliasOf = ({ groupBy }: MetricRequest, column: string): string =>
  groupBy.includes(column) ? `${column} of the group` : column;

/** A metric with several values is compared by the last one. A text is never below a minimum. */
function minimumValueOf(asked: RequestedMetric, request: MetricRequest): MinimumValue[] {
  const { metric, values, minimumValue } = asked;
  const columns = values.map(({ column }) => aliasOf(request, column));
  const [leading, ofNothing] = [columns.at(-1), values.at(-1)?.ofNothing ?? null];
  const counts = countNames(request, asked);
  if (leading === undefined || metric.kind === 'text') return [];
  // Nothing that is counted or divided is ever below 0; an estimate or a salary may be, but nothing is without a minimum.
  const isWithoutEffect =
    minimumValue === Number.NEGATIVE_INFINITY || (minimumValue <= 0 && metric.kind !== 'aggregated');
  return isWithoutEffect ? [] : [{ leading, columns: [...columns, ...counts], minimum: minimumValue, ofNothing }];
}

/**
 * Bucket and groups decide whatever the caller leaves open, so that the same rows always come in the same order. Once the
 * key of the table has decided, only memberships can still differ.
 */
function orderOf({ level, groupBy, order, metrics }: MetricRequest, plans: readonly Plan[]): OrderBy[] {
  const usual = [...(level ? [`${level}_date`] : []), ...groupBy].filter((column) => column !== order?.column);
  const deciding = plans.length === 1 ? decidingColumns(usual, metrics[0]?.metric, order?.column) : usual;
  return [...(order ? [order] : []), ...deciding.map((column) => ({ column, direction: 'asc' }) as const)];
}

function decidingColumns(columns: readonly string[], metric: Metric | undefined, first: string | undefined): string[] {
  if (!metric) return [...columns];
  const known = groupColumnsOf(metric.table);
  const open = new Set<string>(metric.table.key);
  if (first !== undefined) open.delete(first);
  return columns.filter((column) => {
    const from = known.get(column)?.from;
    const decides = open.size > 0 || from === 'team' || from === 'squad';
    open.delete(column);
    return decides;
  });
}

/** Everything that an answer depends on but the data, who may see what included. Tables go by name. */
export function questionKey(query: Query, more: unknown): string {
  return JSON.stringify([query, more], (_, value: unknown) => (isTable(value) ? value.name : value));
}

const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && 'columns' in value && 'key' in value && 'dates' in value;

/**
 * Which rows have the value that a number is made of: those of which something is aggregated, those that are counted, and
 * of a rate those that it divides by. Undefined where that is all of them.
 */
export function rowsWithValue(node: AggregateNode, table: Table): RowNode | undefined {
  switch (node.op) {
    case 'count':
      return node.where;
    case 'countDistinct': {
      const isThere: RowNode[] = isKeyOf(table, node.value) ? [] : [{ op: 'isPresent', value: node.value }];
      const [first, ...more] = [...isThere, ...(node.where ? [node.where] : [])];
      return first && more.length > 0 ? { op: 'and', all: [first, ...more] } : first;
    }
    case 'aggregate':
    case 'atRank':
    case 'mode':
      return { op: 'isPresent', value: node.value };
    case 'ratio':
      return rowsWithValue(node.whole, table);
    case 'plus': {
      const any = node.terms.map((term) => rowsWithValue(term, table));
      return any.every((one) => one !== undefined) ? { op: 'or', any } : undefined;
    }
  }
}

/** No row is without its key. */
const isKeyOf = ({ key }: Table, node: RowNode): boolean =>
  node.op === 'column' && key.length === 1 && key[0] === node.name;

/** The tables that the answers of metrics depend on: their own, and deployments where they say when something was live. */
export function tablesBehind(metrics: readonly Metric[]): FactTable[] {
  const names = metrics.flatMap(({ table, readsDeployments }) => [
    table.name,
    ...(readsDeployments ? ['deployments'] : []),
  ]);
  return [...new Set(names)].filter(isFactTable);
}
