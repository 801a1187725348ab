/** Answers as they look, with invented values. */
export const singleExamples = {
  rows: [
    { week_date: '2024-01-01', pr_count: 42 },
    { week_date: '2024-01-08', pr_count: 57 },
  ],
  results: {
    results: [
      {
        metric_name: 'cycle-time',
        value: 93_845.5,
        group_by: { team_name: 'Payments' },
        unit: 'seconds',
        previous_value: 120_311,
        change_percentage: -22,
      },
    ],
    meta: {
      filters: { start_date: '2024-01-01', end_date: '2024-03-31' },
      date_range: { start_date: '2024-01-01', end_date: '2024-03-31' },
      previous_date_range: { start_date: '2023-10-01', end_date: '2023-12-31' },
    },
  },
  chart: {
    series: [{ name: 'acme/web', data: [31, 0, 28] }],
    categories: ['Jan 2024', 'Feb 2024', 'Mar 2024'],
    meta: {
      filters: { start_date: '2024-01-01', end_date: '2024-03-31' },
      date_range: { start_date: '2024-01-01', end_date: '2024-03-31' },
    },
  },
};

export const multipleExamples = {
  rows: [{ month_date: '2024-01-01', pr_count: 42, avg_cycle_time: 93_845.5 }],
};

export const benchmarkExamples = {
  compared: {
    results: [
      {
        metric_name: 'cycle-time',
        value: 93_845.5,
        benchmark_p25: 61_200,
        benchmark_p50: 104_000,
        benchmark_p75: 187_000,
        percentile: 40,
        benchmark_value: 104_000,
        unit: 'seconds',
      },
    ],
    meta: {
      filters: { start_date: '2024-01-01' },
      date_range: { start_date: '2024-01-01', end_date: '2024-03-31' },
      aggregation: 'AVG',
      organisations: 12,
    },
  },
};

export const explanationExamples = {
  explained: {
    metric: 'cycle-time',
    title: 'Cycle time',
    definition: 'First commit (else creation) to merged. Promotions have none.',
    table: 'pull_requests',
    unit: 'seconds',
    better: 'lower',
    plan: [
      'Read pull_requests: the rows of the whole organisation.',
      'Keep rows with pr_merged_at from 2024-01-01 to 2024-03-31, both days included.',
      'Tell of each group: avg_cycle_time (avg).',
    ],
    sql: 'SELECT …',
    parameters: [1_704_067_200, 1_711_929_600],
    rows_read: 512,
    date_field: 'pr_merged_at',
    values: {
      used: 498,
      left_out: [
        { reason: 'outside the window', count: 2_310 },
        { reason: 'open', count: 41 },
        { reason: 'bot', count: 14 },
      ],
    },
    nearest: { before: '2023-12-29', after: '2024-04-02' },
    deployment_sources: null,
    freshness: { last_change_at: '2024-03-31T09:00:00.000Z' },
    rows_request: {
      path: '/metrics/pull-requests-count',
      body: { filters: { start_date: '2024-01-01' }, group_by: ['pr_id'], date_field: 'pr_merged_at' },
    },
  },
};
