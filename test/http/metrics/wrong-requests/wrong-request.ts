import { groupColumnsOf } from '../../../../src/catalogue/group-columns.ts';
import type { Table } from '../../../../src/catalogue/table.ts';

/** A request that is wrong, and the exact words it is refused with. */
export interface WrongRequest {
  readonly path: string;
  /** Sent as it is when it is a text, and as JSON otherwise. */
  readonly body: unknown;
  readonly status: number;
  readonly detail: string;
}

export const wrong = (path: string, body: unknown, detail: string, status = 400): WrongRequest => ({
  path,
  body,
  status,
  detail,
});

export const start = { start_date: '2024-03-01' };
export const month = { filters: start };
export const count = 'pull-requests-count';
export const many = 'get-multiple-metrics';

export const single = (more: object, detail: string, metric = count) => wrong(metric, { ...month, ...more }, detail);
export const filtered = (filters: object, detail: string, metric = count) =>
  wrong(metric, { filters: { ...start, ...filters } }, detail);
export const multiple = (more: object, detail: string, status = 400) =>
  wrong(many, { ...month, ...more }, detail, status);
export const compared = (more: object, detail: string, status = 400) =>
  wrong('benchmark', { ...month, benchmark_metric: 'cycle-time', date_field: 'merged_at', ...more }, detail, status);

export const singleFields =
  'Known fields: filters, group_by, date_level, time_series_data, include_previous_period, previous_start_date, previous_end_date, aggregation, metric_min_value, date_field, order_by, order_direction, limit.';
export const multipleFields =
  'Known fields: metrics, filters, group_by, date_level, time_series_data, include_previous_period, previous_start_date, previous_end_date, metric_min_values, date_fields, aggregations, order_by, order_direction, limit.';
export const notAnObject = 'The body must be a JSON object such as {"filters": {"start_date": "2024-01-01"}}.';
export const people =
  'member, team, squad_ids, squad_levels, manager_ids, manager_email, departments, locations, levels, source_types';
export const ofPullRequests = `start_date, end_date, ${people}, repositories, sources, pr_states, pr_categories, pr_ids, pull_requests_search_term, review_hour_of_day, review_rounds_bucket, issue_ids.`;
export const columnsOf = (table: Table) => `Valid columns: ${[...groupColumnsOf(table).keys()].join(', ')}.`;
export const folds = 'SUM, AVG, MIN or MAX. It also takes MEDIAN, P75, P90, P95.';
export const foldNames = 'sum, avg, min, max, median, p75, p90, p95';
export const levels = 'day, week, month, quarter, year';
export const hours = 'The filter review_hour_of_day takes hours from 0 to 23, not';
export const repositories =
  'The filter repositories takes objects such as {"repository_name": "owner/name"}, or plain names.';
export const notADate = (field: string, text: string) =>
  `${field} must be a date such as 2024-01-31, or a timestamp, not '${text}'.`;
