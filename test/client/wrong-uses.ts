// Checked by the compiler alone: each line that is marked must not compile, and every other one must.
import { Plumb } from '../../src/client/plumb.ts';

declare const plumb: Plumb;
const filters = { start_date: '2025-01-01' };

export async function rightUses(): Promise<void> {
  const { rows } = await plumb.ask('cycle-time', {
    filters: { ...filters, team: ['Payments'], pr_states: ['merged'] },
    aggregation: 'MEDIAN',
    group_by: ['team_name', 'team_names'],
    date_level: 'week',
    date_field: 'merged_at',
    order_by: 'median_cycle_time',
  });
  for (const { week_date, team_name, team_names, median_cycle_time } of rows) {
    week_date satisfies string;
    team_name satisfies string | null;
    team_names satisfies readonly string[] | null;
    median_cycle_time satisfies number | null;
  }
  const counted = await plumb.ask('pull-requests-count', { filters });
  counted.rows[0]?.pr_count satisfies number | undefined;
  counted.rows[0]?.date_level_not_set satisfies true | undefined;
  const size = await plumb.ask('pull-requests-size', { filters, aggregation: 'sum' });
  size.rows[0]?.sum_total_changes satisfies number | null | undefined;
  const people = await plumb.ask('users-count', { filters: {}, group_by: ['department'] });
  people.rows[0]?.number_of_users satisfies number | undefined;
  const chart = await plumb.ask('deployment-frequency', { filters, date_level: 'month', time_series_data: true });
  chart.series[0]?.data satisfies readonly (number | null)[] | undefined;
  const compared = await plumb.ask('review-rate', { filters, include_previous_period: true });
  compared.results[0]?.change_percentage satisfies number | null | undefined;
  const body = { filters, include_previous_period: true } as const;
  const judged = await plumb.ask('review-rate', body, { verdict: true, signal: AbortSignal.timeout(1_000) });
  judged.results[0]?.verdict satisfies 'up' | 'down' | string | null | undefined;
  judged.results[0]?.range?.[0] satisfies number | null | undefined;
  await plumb.ask('review-rate', body, { verdict: false });
  const benchmark = await plumb.benchmark('cycle-time', { filters, date_field: 'merged_at', aggregation: 'median' });
  benchmark.results[0]?.percentile satisfies number | null | undefined;
  benchmark.meta.aggregation satisfies string | null;
  for await (const { pr_id, pr_title } of plumb.rows('pull-requests-count', {
    filters,
    group_by: ['pr_id', 'pr_title'],
  })) {
    pr_id satisfies string | null;
    pr_title satisfies string | null;
  }
  const level = 'month' as 'month' | 'week';
  const either = await plumb.ask('pull-requests-count', { filters, date_level: level });
  either.rows[0] satisfies { month_date: string } | { week_date: string } | undefined;
}

export async function wrongUses(): Promise<void> {
  // @ts-expect-error there is no such metric
  await plumb.ask('cycle-tme', { filters, aggregation: 'AVG' });
  // @ts-expect-error a duration needs an aggregation
  await plumb.ask('cycle-time', { filters });
  // @ts-expect-error there is no such aggregation
  await plumb.ask('cycle-time', { filters, aggregation: 'P50' });
  // @ts-expect-error the window has no beginning
  await plumb.ask('pull-requests-count', { filters: {} });
  // @ts-expect-error there are no filters
  await plumb.ask('pull-requests-count', {});
  // @ts-expect-error there is no such column
  await plumb.ask('pull-requests-count', { filters, group_by: ['pr_titel'] });
  // @ts-expect-error a column of another table
  await plumb.ask('pull-requests-count', { filters, group_by: ['workflow_name'] });
  // @ts-expect-error there is no such filter
  await plumb.ask('pull-requests-count', { filters: { ...filters, teams: ['Payments'] } });
  // @ts-expect-error a filter of another table
  await plumb.ask('pull-requests-count', { filters: { ...filters, run_conclusions: ['success'] } });
  // @ts-expect-error no value of this filter
  await plumb.ask('pull-requests-count', { filters: { ...filters, pr_states: ['done'] } });
  // @ts-expect-error there is no such field
  await plumb.ask('pull-requests-count', { filters, groupBy: ['pr_id'] });
  // @ts-expect-error there is no such date level
  await plumb.ask('pull-requests-count', { filters, date_level: 'hour' });
  // @ts-expect-error a date of another table
  await plumb.ask('pull-requests-count', { filters, date_field: 'deployed_at' });
  // @ts-expect-error people are counted as they are now
  await plumb.ask('users-count', { filters: {}, date_level: 'month' });
  // @ts-expect-error no column of this answer
  await plumb.ask('pull-requests-count', { filters, order_by: 'avg_cycle_time' });
  // @ts-expect-error rows are all there: they have no limit
  plumb.rows('pull-requests-count', { filters, limit: 10 });

  // @ts-expect-error nothing is compared
  await plumb.ask('review-rate', { filters }, { verdict: true });
  const series = { filters, include_previous_period: true, time_series_data: true } as const;
  // @ts-expect-error a chart judges nothing
  await plumb.ask('review-rate', series, { verdict: true });
  const unjudged = await plumb.ask('review-rate', { filters, include_previous_period: true });
  // @ts-expect-error no verdict was asked for
  unjudged.results[0]?.verdict;
  // @ts-expect-error sums say how large organisations are
  await plumb.benchmark('cycle-time', { filters, date_field: 'merged_at', aggregation: 'SUM' });
  // @ts-expect-error which date the window is about has to be said
  await plumb.benchmark('cycle-time', { filters });
  // @ts-expect-error salaries are not compared
  await plumb.benchmark('salary', { filters, date_field: 'merged_at' });
  // @ts-expect-error nor are surveys
  await plumb.benchmark('survey-recipients-count', { filters, date_field: 'created_at' });
  // @ts-expect-error nor are texts
  await plumb.benchmark('ai-favourite-model', { filters, date_field: 'date' });

  const { rows } = await plumb.ask('cycle-time', { filters, aggregation: 'AVG', group_by: ['team_name'] });
  // @ts-expect-error another aggregation was asked for
  rows[0]?.median_cycle_time;
  // @ts-expect-error this column was not grouped by
  rows[0]?.repository;
  // @ts-expect-error there are no buckets
  rows[0]?.week_date;
  // @ts-expect-error it may be null
  rows[0]?.team_name satisfies string | undefined;
  const chart = await plumb.ask('review-rate', { filters, time_series_data: true });
  // @ts-expect-error a chart has series
  chart.rows;
  // @ts-expect-error a key is needed
  new Plumb({ url: 'http://127.0.0.1:4400' });
}
