import type { Principal } from '../access/principal.ts';
import type { ScopedTable } from '../access/scope.ts';
import type { Metric } from '../catalogue/metric.ts';
import { metrics } from '../catalogue/metrics/metrics.ts';
import type { Table } from '../catalogue/table.ts';
import { describePlan } from './describe-plan.ts';
import { type DeploymentSourceCount, type ExplainedValues, valuesBehind } from './explained-values.ts';
import type { NearestRows } from './nearest-rows.ts';
import { planOf } from './planner.ts';
import type { QuestionOptions, QuestionPort } from './question-port.ts';
import { type Body, isObject } from './reading/body.ts';
import type { MetricRequest } from './request.ts';
import { countSuppressed } from './suppressed-answers.ts';
import { findUnmatched, type UnmatchedFilters, unmatchedAsSent } from './unmatched-filters.ts';

/** How a number came about, as far as the caller may know. */
export interface Explanation {
  readonly metric: string;
  readonly title: string;
  readonly definition: string;
  readonly table: string;
  readonly unit: string | null;
  readonly better: 'lower' | 'higher' | null;
  /** What is read and how, step by step. */
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

/** What makes a record of a table one, as callers know it. */
export const recordKey = ({ publicKey, key }: Table): readonly string[] => publicKey ?? key;
