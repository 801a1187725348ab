import { compared, month, ofPullRequests, start, type WrongRequest, wrong } from './wrong-request.ts';

export const benchmarks: readonly WrongRequest[] = [
  wrong('benchmark', month, 'benchmark_metric is missing: the name of a metric such as cycle-time.'),
  compared({ benchmark_metric: null }, 'benchmark_metric is missing: the name of a metric such as cycle-time.'),
  compared({ benchmark_metric: 5 }, 'benchmark_metric must be a text, not 5.'),
  compared({ benchmark_metric: ['cycle-time'] }, 'benchmark_metric must be a text, not a list.'),
  compared({ benchmark_metric: 'users-count' }, 'users-count cannot be benchmarked.'),
  compared({ benchmark_metric: 'survey-responses-count' }, 'survey-responses-count cannot be benchmarked.'),
  compared({ benchmark_metric: 'ai-favourite-model' }, 'ai-favourite-model cannot be benchmarked.'),
  compared({ benchmark_metric: 'date-details' }, 'date-details cannot be benchmarked.'),
  compared(
    { date_field: null },
    'date_field is missing: one of pr_merged_at, pr_created_at, first_review_at, pr_closed_at, created_at, merged_at, closed_at.',
  ),
  compared(
    { date_field: 'deployed_at' },
    "'deployed_at' is not a date field of cycle-time. Valid date fields: pr_merged_at, merged_at, pr_created_at, created_at, first_review_at, pr_closed_at, closed_at.",
  ),
  compared(
    { group_by: ['name'] },
    "Unknown field 'group_by' in the body. Known fields: filters, benchmark_metric, date_field, aggregation.",
  ),
  compared({ filters: null }, 'filters must be an object such as {"start_date": "2024-01-01"}, not null.'),
  compared({ filters: {} }, 'filters.start_date is missing: the first day, such as 2024-01-31.'),
  compared(
    { filters: { ...start, ticket_status: ['x'] } },
    `cycle-time cannot be filtered by 'ticket_status'. Filters of cycle-time: ${ofPullRequests}`,
  ),
  wrong(
    'benchmark?x=1',
    { ...month, benchmark_metric: 'cycle-time', date_field: 'merged_at' },
    "'x' is not a query parameter. Did you mean 'n'? Known: durations, n, verdict, format.",
  ),
];
