import type { Principal } from '../access/principal.ts';
import type { ScopedTable } from '../access/scope.ts';
import type { TimeZone } from '../calendar.ts';
import { hasPerson } from '../catalogue/group-columns.ts';
import type { Metric } from '../catalogue/metric.ts';
import { metrics } from '../catalogue/metrics/all-metrics.ts';
import type { Table } from '../catalogue/table.ts';
import { countSuppressed } from './collect-answer.ts';
import { findUnmatched, type NearestRows, type UnmatchedFilters, unmatchedAsSent } from './empty-answer.ts';
import { type DeploymentSourceCount, type ExplainedValues, valuesBehind } from './explained-values.ts';
import type { Plan, Span } from './plan.ts';
import { planOf } from './planner.ts';
import type { QuestionOptions, QuestionPort } from './question-port.ts';
import { type Body, isObject } from './reading/body.ts';
import type { MetricRequest } from './request.ts';
import { isWholeDays, type Window } from './request-window.ts';

/** How a number came about, as far as the caller may know. */
export interface Explanation {
  readonly metric: string;
  readonly title: string;
  readonly definition: string;
  readonly table: string;
  readonly unit: string | null;
  readonly better: 'lower' | 'higher' | null;
  /** The steps of a question: which rows are read, and how. */
  readonly plan: readonly string[];
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** Rows of the table that the answer is computed from. */
  readonly rows_read: number;
  /** The column that the window is about; null where time makes no sense. */
  readonly date_field: string | null;
  /** How many values went into the number, and why those of other rows did not. */
  readonly values: ExplainedValues;
  /** The days of the nearest rows with a value before and after the window. */
  readonly nearest: NearestRows;
  /** From where it is known that something was deployed; null for numbers that rest on no deployment. */
  readonly deployment_sources: readonly DeploymentSourceCount[] | null;
  readonly freshness: { readonly last_change_at: string | null };
  /** The request that lists the records behind the number. */
  readonly rows_request: { readonly path: string; readonly body: Body };
}

interface Explained {
  readonly document: Explanation;
  readonly unmatched: UnmatchedFilters | undefined;
  readonly suppressed: number | undefined;
}

export async function explain(
  request: MetricRequest,
  body: unknown,
  principal: Principal,
  tables: QuestionPort,
  options: QuestionOptions,
): Promise<Explained> {
  const [asked] = request.metrics;
  const query = planOf(request, principal);
  const [plan] = query.plans;
  if (!asked || !plan) throw new Error('there is nothing to explain');
  const { metric } = asked;
  const { organisationId } = principal;
  const { sql, parameters } = tables.explainSql(
    organisationId,
    request.form === 'rows' ? { ...query, limit: request.limit } : query,
  );
  const changedAt = await tables.changedAt(organisationId);
  const { rowsRead, behind, ...notes } = await tables.ask(
    organisationId,
    async (session) => ({
      rowsRead: await session.rowsRead(plan),
      behind: await valuesBehind(session, plan, request.zone),
      unmatched: unmatchedAsSent(request.filters, await findUnmatched(session, request, principal)),
      suppressed: await countSuppressed(session, query),
    }),
    options,
  );
  const document: Explanation = {
    metric: metric.name,
    title: metric.title,
    definition: metric.meaning,
    table: metric.table.name,
    unit: metric.unit ?? null,
    better: metric.better ?? null,
    plan: describePlan(request, plan),
    sql,
    parameters,
    rows_read: rowsRead,
    date_field: asked.dateColumn ?? null,
    values: behind.values,
    nearest: behind.nearest,
    deployment_sources: behind.deploymentSources,
    freshness: { last_change_at: changedAt?.toISOString() ?? null },
    rows_request: rowsRequest(request, metric, asked.dateColumn, isObject(body) ? body : {}, listedBy(plan.from)),
  };
  return { document, ...notes };
}

/** Anonymous answers have no identifier to be listed by: they are counted by what was answered. */
const listedBy = ({ table, areAnswersAnonymous }: ScopedTable): readonly string[] =>
  table.anonymous && areAnswersAnonymous ? table.anonymous.listedBy : recordKey(table);

function rowsRequest(
  { groupBy }: MetricRequest,
  metric: Metric,
  dateColumn: string | undefined,
  body: Body,
  listed: readonly string[],
): Explanation['rows_request'] {
  return {
    path: `/metrics/${rowsMetric(metric).name}`,
    body: {
      filters: body.filters ?? {},
      group_by: [...new Set([...listed, ...groupBy])],
      ...(dateColumn === undefined ? {} : { date_field: dateColumn }),
    },
  };
}

/** The first metric with the same filters that counts rows of the same table: grouped by the table's key it lists them. */
export const rowsMetric = ({ table, filters, ...metric }: Metric): Pick<Metric, 'name'> =>
  [...metrics.values()].find((other) => other.table === table && other.kind === 'count' && other.filters === filters) ??
  metric;

/** The column that identifies a record of a table, as callers know it. */
export const recordKey = ({ publicKey, key }: Table): readonly string[] => publicKey ?? key;

/** The steps of a question in sentences. */
function describePlan({ window, zone, metrics, order, limit, form }: MetricRequest, plan: Plan): string[] {
  const { from, span, bucket, groupBy, rows, people, minimumValues } = plan;
  const { table, visibility } = from;
  const [asked] = metrics;
  const sentences = [
    visibility === 'organisation'
      ? `Read ${table.name}: the rows of the whole organisation.`
      : `Read ${table.name}: only rows of the people that the key’s creator may see.`,
  ];
  if (span && window) sentences.push(`Keep rows with ${span.column} ${describeWindow(window, span, zone)}.`);
  for (const { predicate, values } of rows) {
    const column = 'column' in predicate ? predicate.column : predicate.columns.join(', ');
    sentences.push(`Keep rows by ${column}: ${values.join(', ')}.`);
  }
  for (const [name, values] of Object.entries(people)) {
    sentences.push(`Keep rows of people in metrics by ${name}: ${(values as readonly unknown[]).join(', ')}.`);
  }
  if (Object.keys(people).length === 0) sentences.push(...whoCounts(from));
  if (from.areAnswersAnonymous && table.anonymous) {
    sentences.push(
      'Answers are anonymous: all of a survey carry the day on which its middle answer was submitted.',
      'Keep whole reporting groups of a survey only. Leave out groups of which a part is seen and chosen, and answers that are in none.',
    );
  }
  if (bucket) sentences.push(`Put them into buckets of a ${bucket.level}, in the organisation’s time zone.`);
  if (groupBy.length > 0) sentences.push(`Group them by ${groupBy.map(({ name }) => name).join(', ')}.`);
  sentences.push(
    `Tell of each group: ${plan.measures.map(({ as }) => as).join(', ')}${asked?.aggregation ? ` (${asked.aggregation})` : ''}.`,
  );
  for (const { leading, minimum } of minimumValues)
    if (minimum > 0) sentences.push(`Leave out groups with ${leading} below ${minimum}.`);
  if (form === 'rows') {
    sentences.push(
      `Order by ${order ? `${order.column} ${order.direction}` : 'bucket and groups'}, and give ${limit} rows at most.`,
    );
  }
  return sentences;
}

function describeWindow(window: Window, { type }: Span, zone: TimeZone): string {
  const { firstDay, lastDay, from, until } = window;
  if (type === 'date' || isWholeDays(window, zone)) return `from ${firstDay} to ${lastDay}, both days included`;
  const instant = (seconds: number) => new Date(seconds * 1_000).toISOString();
  return `from ${instant(from)} on and before ${instant(until)}`;
}

function whoCounts({ table, visibility }: ScopedTable): string[] {
  if (table.countsForRepository) return ['They count whether or not the person who started them is in metrics.'];
  if (table.isPeople) return ['Only people in metrics count.'];
  if (!hasPerson(table)) return [];
  return visibility === 'organisation'
    ? [
        'Leave out rows of people who are known and not in metrics. Rows of people who are not in the directory, and of bots, count where they have a value.',
      ]
    : ['Leave out rows of people who are not in metrics.'];
}
