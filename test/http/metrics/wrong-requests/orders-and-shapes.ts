import { folds, levels, month, single, type WrongRequest, wrong } from './wrong-request.ts';

export const orders: readonly WrongRequest[] = [
  single({ order_by: 'name' }, "'name' is not a column of this answer. It can be ordered by: pr_count."),
  single(
    { order_by: 'pr_cont', group_by: ['name'] },
    "'pr_cont' is not a column of this answer. Did you mean 'pr_count'? It can be ordered by: name, pr_count.",
  ),
  single(
    { order_by: 'week_date', date_level: 'month' },
    "'week_date' is not a column of this answer. It can be ordered by: month_date, pr_count.",
  ),
  single({ order_by: 'value' }, "'value' is not a column of this answer. It can be ordered by: pr_count."),
  single(
    { order_by: 'cycle_time', aggregation: 'avg' },
    "'cycle_time' is not a column of this answer. It can be ordered by: avg_cycle_time.",
    'cycle-time',
  ),
  single(
    { order_by: 'x', include_previous_period: true },
    "'x' is not a column of this answer. It can be ordered by: pr_count, value, previous_value, change_percentage.",
  ),
  single({ order_by: 1 }, 'order_by must be a text, not 1.'),
  single({ order_by: ['pr_count'] }, 'order_by must be a text, not a list.'),
  single({ order_direction: 'up' }, "order_direction must be one of asc, desc, not 'up'. Did you mean 'asc'?"),
  single(
    { order_direction: 'descending' },
    "order_direction must be one of asc, desc, not 'descending'. Did you mean 'desc'?",
  ),
  single({ order_direction: true }, 'order_direction must be a text, not true.'),
  single({ limit: 0 }, 'limit must be a whole number from 1 to 200, not 0.'),
  single(
    { limit: 201 },
    'limit must be a whole number from 1 to 200, not 201. get-multiple-metrics answers with all rows.',
  ),
  single({ limit: -5 }, 'limit must be a whole number from 1 to 200, not -5.'),
  single({ limit: 1.5 }, 'limit must be a whole number from 1 to 200, not 1.5.'),
  single({ limit: '10' }, "limit must be a whole number from 1 to 200, not '10'. Write it without quotes."),
  single({ limit: [10] }, 'limit must be a whole number from 1 to 200, not a list.'),
  single(
    { limit: 1e308 },
    'limit must be a whole number from 1 to 200, not 1e+308. get-multiple-metrics answers with all rows.',
  ),
];

export const shapes: readonly WrongRequest[] = [
  wrong(
    'users-count',
    { filters: {}, date_level: 'day' },
    'users-count takes no date_level: it tells how people are now, not over time. Leave it out.',
  ),
  wrong(
    'users-count',
    { filters: {}, time_series_data: true },
    'users-count takes no time_series_data: it tells how people are now, not over time. Leave it out.',
  ),
  wrong(
    'users-count',
    { filters: {}, include_previous_period: true },
    'users-count takes no include_previous_period: it tells how people are now, not over time. Leave it out.',
  ),
  single(
    { time_series_data: true },
    'ai-favourite-model answers with a text, which no chart can show. Leave out time_series_data.',
    'ai-favourite-model',
  ),
  single(
    { time_series_data: true },
    'most-used-programming-language answers with a text, which no chart can show. Leave out time_series_data.',
    'most-used-programming-language',
  ),
  wrong(
    'date-details/explain',
    month,
    'date-details is computed from the calendar alone: there is nothing to explain.',
  ),
  wrong('date-details', { filters: {} }, 'filters.start_date is missing: the first day, such as 2024-01-31.'),
  wrong('date-details', {}, 'filters must be an object such as {"start_date": "2024-01-01"}, not null.'),
  wrong('date-details', { ...month, date_level: 'hour' }, `date_level must be one of ${levels}, not 'hour'.`),
  wrong('cycle-time/explain', month, `cycle-time needs an aggregation: ${folds}`),
];
