import { type Metric, takesAggregation } from '../catalogue/metric.ts';
import { metrics } from '../catalogue/metrics/all-metrics.ts';
import { windowFilters } from '../catalogue/request-fields.ts';
import type { WrittenFields } from '../documents/document-fields.ts';
import { aggregations } from '../expression/expression.ts';
import { refuse } from '../query/reading/body.ts';
import { noSuchMetric } from '../query/reading/metric-request.ts';
import { readFilters } from '../query/reading/read-filters.ts';

/** Filters that pick out a person or single records: a goal is for a team, not for them. */
export const refusedFilters = [
  'member',
  'pr_ids',
  'issue_ids',
  'session_id',
  'workflow_run_ids',
  'pull_requests_search_term',
];

/** Why there are no goals of a metric; undefined where there may be. It needs one number over time that everybody may ask for. */
export function whyNoGoal({ gate, dates, kind, alwaysBy, name }: Metric): string | undefined {
  if (gate === 'salary') return `${name} is about salaries`;
  if (gate === 'survey') return `${name} is about answers to surveys`;
  if (dates.length === 0) return `${name} tells how people are now, not over time`;
  if (kind === 'text') return `${name} answers with a text`;
  return alwaysBy.length > 0 ? `${name} is always split by ${alwaysBy.join(' and ')}` : undefined;
}

/** The metric of a goal. Refuses one that is unknown, or that no goal may be about. */
export function goalMetric({ metric: written }: WrittenFields): Metric {
  if (typeof written !== 'string') throw refuse('metric is missing: the name of one, such as cycle-time.');
  const metric = metrics.get(written);
  if (!metric) throw refuse(noSuchMetric(written, 'GET /catalogue lists all metrics.').message);
  const why = whyNoGoal(metric);
  if (why !== undefined) throw refuse(`There are no goals for this metric: ${why}.`);
  return metric;
}

/** The aggregation in capitals; null of a metric that takes none. */
export function goalAggregation({ aggregation: written }: WrittenFields, metric: Metric): string | null {
  if (!takesAggregation(metric)) return null;
  const known = aggregations.map((name) => name.toUpperCase());
  const name = typeof written === 'string' ? written.trim().toUpperCase() : undefined;
  if (name !== undefined && known.includes(name)) return name;
  throw refuse(`${metric.name} needs an aggregation: one of ${known.join(', ')}.`);
}

/** Refuses filters that the metric does not have, and those that no goal may have. */
export function refuseFilters(filters: WrittenFields, metric: Metric): void {
  for (const name of Object.keys(filters)) {
    if (windowFilters.some((one) => one === name))
      throw refuse(`A goal has no ${name} among its filters: it is about whole periods, from its day \`from\` on.`);
    if (refusedFilters.includes(name))
      throw refuse(
        `A goal cannot be filtered by ${name}: goals are for teams and repositories, not for single people or records.`,
      );
  }
  readFilters(filters, [metric]);
}
