import { issues } from '../../../../src/catalogue/tables/issues.ts';
import {
  columnsOf,
  count,
  foldNames,
  folds,
  levels,
  many,
  month,
  multiple,
  multipleFields,
  people,
  start,
  type WrongRequest,
  wrong,
} from './wrong-request.ts';

export const several: readonly WrongRequest[] = [
  multiple({}, 'metrics is missing: a list of names such as ["pull-requests-count", "cycle-time"].'),
  multiple({ metrics: null }, 'metrics is missing: a list of names such as ["pull-requests-count", "cycle-time"].'),
  multiple({ metrics: [] }, 'metrics must name at least one metric.'),
  multiple({ metrics: count }, `metrics must be a list of texts, not '${count}'. Write ["${count}"].`),
  multiple({ metrics: { a: 1 } }, 'metrics must be a list of texts, not an object.'),
  multiple({ metrics: [5] }, 'Each item of metrics must be a text, not 5.'),
  multiple({ metrics: [count, null] }, 'Each item of metrics must be a text, not null.'),
  multiple({ metrics: ['date-details'] }, 'date-details can only be asked alone, at /metrics/date-details.'),
  multiple(
    { metrics: [count], aggregation: 'avg' },
    `Unknown field 'aggregation' in the body. Did you mean 'aggregations'? ${multipleFields}`,
  ),
  multiple(
    { metrics: [count], date_field: 'merged_at' },
    `Unknown field 'date_field' in the body. Did you mean 'date_fields'? ${multipleFields}`,
  ),
  multiple(
    { metrics: [count], metric_min_value: 1 },
    `Unknown field 'metric_min_value' in the body. Did you mean 'metric_min_values'? ${multipleFields}`,
  ),
  multiple({ metrics: ['cycle-time'] }, `cycle-time needs an aggregation, in aggregations.cycle-time: ${folds}`),
  multiple(
    { metrics: ['cycle-time'], aggregations: { 'cycle-time': 'mode' } },
    `aggregations.cycle-time must be one of ${foldNames}, not 'mode'.`,
  ),
  multiple(
    { metrics: [count], aggregations: { 'cycle-time': 'avg' } },
    "aggregations names 'cycle-time', which is not among metrics.",
  ),
  multiple(
    { metrics: [count], aggregations: ['avg'] },
    'aggregations must be an object with a metric’s name before each value, not a list.',
  ),
  multiple(
    { metrics: [count], date_fields: 'merged_at' },
    "date_fields must be an object with a metric’s name before each value, not 'merged_at'.",
  ),
  multiple(
    { metrics: [count], date_fields: { 'pull-request-count': 'x' } },
    `date_fields names 'pull-request-count', which is not among metrics. Did you mean '${count}'?`,
  ),
  multiple(
    { metrics: [count], date_fields: { [count]: 'date' } },
    "'date' is not a date field of pull-requests-count. Valid date fields: pr_created_at, created_at, pr_merged_at, merged_at, pr_closed_at, closed_at, first_review_at.",
  ),
  multiple(
    { metrics: [count], metric_min_values: { [count]: '1' } },
    `metric_min_values.${count} must be a number, not '1'. Write it without quotes.`,
  ),
  multiple(
    { metrics: [count], metric_min_values: 5 },
    'metric_min_values must be an object with a metric’s name before each value, not 5.',
  ),
  multiple(
    { metrics: [count, 'issues-count'], filters: { ...start, pr_states: ['open'] } },
    `issues-count cannot be filtered by 'pr_states'. Filters of issues-count: start_date, end_date, ${people}, ticket_status, issue_ids, pr_ids, project_ids.`,
  ),
  multiple(
    { metrics: [count, 'issues-count'], group_by: ['pr_title'] },
    `'pr_title' is not a column of issues. ${columnsOf(issues)}`,
  ),
  multiple(
    { metrics: [count, 'users-count'], date_level: 'day' },
    'users-count takes no date_level: it tells how people are now, not over time. Leave it out.',
  ),
  multiple(
    { metrics: [count, 'ai-favourite-model'], time_series_data: true },
    'ai-favourite-model answers with a text, which no chart can show. Leave out time_series_data.',
  ),
  multiple({ metrics: [count], filters: {} }, 'filters.start_date is missing: the first day, such as 2024-01-31.'),
  multiple({ metrics: [count], date_level: 'decade' }, `date_level must be one of ${levels}, not 'decade'.`),
  wrong(
    `${many}?limit=5`,
    { ...month, metrics: [count] },
    "'limit' is not a query parameter. Known: durations, n, verdict, format.",
  ),
  wrong(`${count}?format=xml`, month, 'The query parameter format takes one of json, ndjson, csv, parquet, once.'),
  wrong(
    `${count}?duration=seconds`,
    month,
    "'duration' is not a query parameter. Did you mean 'durations'? Known: durations, n, verdict, format.",
  ),
  ...['durations=minutes', 'durations=', 'durations=seconds&durations=seconds'].map((query) =>
    wrong(
      `${count}?${query}`,
      month,
      "The query parameter durations takes 'seconds', once. Leave it out for PT26H4M5S.",
    ),
  ),
  ...['n=false', 'n=', 'n=1', 'n=true&n=true'].map((query) =>
    wrong(`${count}?${query}`, month, "The query parameter n takes 'true', once. Leave it out for answers without n."),
  ),
  wrong(
    'date-details?n=true',
    month,
    'date-details is computed from the calendar alone: there are no rows to count. Leave out n.',
  ),
  wrong(
    'cycle-time/explain?verbose',
    month,
    "'verbose' is not a query parameter. Known: durations, n, verdict, format.",
  ),
];
