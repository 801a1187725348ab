import { exampleDays } from '../../catalogue/example-question.ts';

/** Days of examples. They stand for days near today, so that an example that is tried finds something. */
const exampleWindow = { start_date: '{first day}', end_date: '{last day}' } as const;

/** A text with the days of the example window in it. */
export function withExampleDays(text: string, today: Date): string {
  const { start_date, end_date } = exampleDays(today);
  return text.replaceAll(exampleWindow.start_date, start_date).replaceAll(exampleWindow.end_date, end_date);
}

type Question = Readonly<Record<string, unknown>>;
type Examples = Readonly<Record<string, Question>>;

/** Questions about one metric, as bodies. */
export const singleQuestions: Examples = {
  'a count by week': { filters: exampleWindow, date_level: 'week' },
  'a median by team, compared with the period before': {
    filters: exampleWindow,
    aggregation: 'MEDIAN',
    group_by: ['team_name'],
    include_previous_period: true,
  },
  'a chart of repositories': {
    filters: exampleWindow,
    group_by: ['repository'],
    date_level: 'month',
    time_series_data: true,
  },
  'records of pull-requests-count, newest first': {
    filters: { ...exampleWindow, pr_states: ['merged'] },
    date_field: 'merged_at',
    group_by: ['pr_id', 'pr_title', 'name', 'pr_merged_at'],
    order_by: 'pr_merged_at',
    order_direction: 'DESC',
    limit: 50,
  },
};

export const multipleQuestions: Examples = {
  'two metrics by month': {
    metrics: ['pull-requests-count', 'cycle-time'],
    aggregations: { 'cycle-time': 'AVG' },
    filters: exampleWindow,
    date_level: 'month',
  },
  'every record': {
    metrics: ['pull-requests-count'],
    filters: exampleWindow,
    group_by: ['pr_id', 'pr_title', 'repository', 'additions', 'deletions'],
  },
};

export const benchmarkQuestions: Examples = {
  'cycle time of a quarter': { benchmark_metric: 'cycle-time', date_field: 'merged_at', filters: exampleWindow },
};

/** Parameters by name as the query of an address: the values of a list with commas between them. */
export const queryText = (parameters: Iterable<readonly [string, unknown]>): string =>
  [...parameters]
    .map(([name, value]) => `${name}=${[value].flat().map(String).map(encodeURIComponent).join()}`)
    .join('&');
