const nullable = (type: string): string[] => [type, 'null'];
const groupValues = { type: 'object', additionalProperties: true };
const dateRange = {
  type: 'object',
  properties: { start_date: { type: 'string' }, end_date: { type: 'string' } },
};
const meta = {
  type: 'object',
  properties: {
    filters: { type: 'object', description: 'As they were sent.' },
    date_range: dateRange,
    previous_date_range: { ...dateRange, description: 'The window that previous values are of.' },
    unmatched_filters: {
      type: 'object',
      description:
        'Values of filters that match nothing, as they were sent. Absent where everything matches something.',
    },
    suppressed: {
      type: 'integer',
      description: 'How many answers to surveys are left out, where they are anonymous.',
    },
    unit: { type: 'string' },
  },
};
const value = { type: ['number', 'string', 'null'] };
const n = { type: 'integer', description: 'How many rows have the value. Only with the query parameter n=true.' };

const flatRows = {
  type: 'array',
  title: 'Rows',
  description:
    'A row for each bucket and group: the bucket, or date_level_not_set, the columns to group by, and the values of the metrics; with the query parameter n=true also how many rows have the value, as n, or n_cycle_time where several metrics were asked for.',
  items: groupValues,
};
const resultsObject = {
  type: 'object',
  title: 'Results',
  properties: {
    results: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          metric_name: { type: 'string' },
          value,
          n,
          group_by: groupValues,
          unit: { type: 'string' },
          previous_value: {
            ...value,
            description:
              'The value in the previous window, of the bucket at the same position. null where that window has no such bucket.',
          },
          change_percentage: { type: nullable('number'), description: 'In percent, with one decimal.' },
        },
      },
    },
    meta,
  },
};
const chart = {
  type: 'object',
  properties: {
    series: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          data: { type: 'array', items: { type: nullable('number') } },
          n: {
            type: 'array',
            items: { type: 'integer' },
            description: 'How many rows have each of these values. Only with the query parameter n=true.',
          },
        },
      },
    },
    categories: { type: 'array', items: { type: 'string' } },
    unit: { type: 'string' },
  },
};

export const singleAnswer: object = {
  anyOf: [
    flatRows,
    resultsObject,
    {
      ...chart,
      title: 'Chart',
      properties: { series: chart.properties.series, categories: chart.properties.categories, meta },
    },
  ],
};
export const multipleAnswer: object = {
  anyOf: [
    flatRows,
    resultsObject,
    { type: 'object', title: 'Charts', properties: { metrics: { type: 'object', additionalProperties: chart }, meta } },
  ],
};

const quartile = (description: string): object => ({ type: nullable('number'), description });
export const benchmarkAnswer: object = {
  type: 'object',
  properties: {
    results: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          metric_name: { type: 'string' },
          value: quartile('Of the caller’s organisation, as far as the caller may see it.'),
          n,
          benchmark_p25: quartile('A quarter of the others are below.'),
          benchmark_p50: quartile('Median of the others.'),
          benchmark_p75: quartile('Three quarters of the others are below.'),
          percentile: quartile(
            'Where the value stands among the others, 0 to 100 in steps of 5; null when it rests on fewer than 30 records.',
          ),
          benchmark_value: quartile('The same as benchmark_p50.'),
          unit: { type: 'string' },
        },
      },
    },
    meta: {
      ...meta,
      properties: {
        filters: meta.properties.filters,
        date_range: dateRange,
        unmatched_filters: meta.properties.unmatched_filters,
        organisations: {
          type: 'integer',
          description: 'On how many other organisations the distribution rests.',
        },
        organisations_needed: {
          type: 'integer',
          description: 'Present when there are fewer others: then the quartiles are null.',
        },
        organisations_unreadable: {
          type: 'integer',
          description: 'Present when some of the others could not be read and are left out.',
        },
      },
    },
  },
};

export const explanation: object = {
  type: 'object',
  properties: {
    metric: { type: 'string' },
    title: { type: 'string' },
    definition: { type: 'string' },
    table: { type: 'string' },
    unit: { type: nullable('string') },
    better: { type: nullable('string'), enum: ['lower', 'higher', null] },
    plan: { type: 'array', items: { type: 'string' }, description: 'What is read and how, step by step.' },
    sql: { type: 'string', description: 'The statement that was run.' },
    parameters: { type: 'array', items: {}, description: 'The values bound to it.' },
    rows_read: {
      type: 'integer',
      description: 'Rows that the answer is computed from, as far as the caller may see them.',
    },
    date_field: { type: nullable('string'), description: 'The column that the window is about.' },
    values: {
      type: 'object',
      description:
        'How many values went into the number (of a share, how many people it divides by), and why those of other rows did not, the most frequent reason first. Rows that a filter leaves out are not among them, nor rows that the caller may not see.',
      properties: {
        used: { type: 'integer' },
        left_out: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              reason: { type: 'string', description: 'Such as outside the window, open, bot or not onboarded.' },
              count: { type: 'integer' },
            },
          },
        },
      },
    },
    nearest: {
      type: 'object',
      description: 'The days of the nearest rows with a value before and after the window; null where there are none.',
      properties: { before: { type: nullable('string') }, after: { type: nullable('string') } },
    },
    deployment_sources: {
      type: nullable('array'),
      description: 'From where it is known that something was deployed. null for numbers that rest on no deployment.',
      items: {
        type: 'object',
        properties: { deployment_source: { type: nullable('string') }, count: { type: 'integer' } },
      },
    },
    freshness: { type: 'object', properties: { last_change_at: { type: nullable('string') } } },
    rows_request: {
      type: 'object',
      description: 'The request that lists the records behind the number.',
      properties: { path: { type: 'string' }, body: { type: 'object' } },
    },
  },
};

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
      organisations: 12,
    },
  },
};

export const explanationExamples = {
  explained: {
    metric: 'cycle-time',
    title: 'Cycle time',
    definition: 'First commit (else creation) to merged.',
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
