import { named } from './named-schemas.ts';

const nullable = (type: string): string[] => [type, 'null'];
const text = (description: string): object => ({ type: 'string', description });
const textOrNull = (description: string): object => ({ type: nullable('string'), description });
const count = (description: string): object => ({ type: 'integer', description });
const list = (items: object, description: string): object => ({ type: 'array', items, description });

const row: object = {
  title: 'Row',
  type: 'object',
  additionalProperties: true,
  description:
    'The bucket, or date_level_not_set, the columns to group by and the values of the metrics. With the query parameter n=true also how many rows have the value, as n, or n_cycle_time where several metrics were asked for.',
};
const groupValues = { type: 'object', additionalProperties: true, description: 'The columns to group by.' };
const dateRange = named('DateRange', {
  start_date: text('First day, or the first second where the window is not of whole days.'),
  end_date: text('Last day, or the last second.'),
});
const filters = { type: 'object', description: 'As they were sent.' };
const unmatched = {
  type: 'object',
  description: 'Values of filters that match nothing, as they were sent. Absent where everything matches something.',
};
const dataMeta = {
  data_through: {
    ...text('The moment up to which the data of the answer were complete when it was found. Absent without rows.'),
    format: 'date-time',
  },
  data_missing: list(
    { type: 'string' },
    'Streams of connected sources that do not count for data_through: not read for the first time yet, gone, forbidden, or failing for a day.',
  ),
};
const meta = named(
  'Meta',
  {
    filters,
    date_range: dateRange,
    previous_date_range: { ...dateRange, description: 'The window that previous values are of.' },
    unmatched_filters: unmatched,
    suppressed: count('How many answers to surveys are left out, where they are anonymous.'),
    ...dataMeta,
    unit: text('What the values are measured in.'),
  },
  ['date_range', 'previous_date_range', 'unmatched_filters', 'suppressed', ...Object.keys(dataMeta), 'unit'],
);
const value = { type: ['number', 'string', 'null'] };
const n = count(
  'How many rows have the value. Only with the query parameter n=true, or verdict=true: then it is what the verdict rests on, of a rate its denominator and of a count the count itself.',
);
const rangeOf = (what: string) => ({
  type: ['array', 'null'],
  items: { type: nullable('number') },
  minItems: 2,
  maxItems: 2,
  description: `Between which numbers chance alone moves ${what}. An end that does not exist is null. Only with verdict=true.`,
});
const judged = {
  previous_n: { type: nullable('integer'), description: 'n of the previous value. Only with verdict=true.' },
  range: rangeOf('the value'),
  previous_range: rangeOf('the previous value'),
  verdict: {
    type: nullable('string'),
    enum: ['up', 'down', 'about_the_same', 'too_close', 'too_few', 'no_comparison', null],
    description:
      'What may be said of the change. Null where a change of such a number says nothing: averages, sums, extremes, and ratios of lines, tokens or money. Only with verdict=true.',
  },
  is_better: {
    type: nullable('boolean'),
    description: 'Whether up or down is the good side of the metric, where it has one. Only with verdict=true.',
  },
};

const rows: object = {
  title: 'Rows',
  type: 'array',
  description: 'A row for each bucket and group.',
  items: row,
};
const results = named('Results', {
  results: list(
    named(
      'Result',
      {
        metric_name: text('Name of the metric.'),
        value,
        n,
        group_by: groupValues,
        unit: text('What the value is measured in.'),
        previous_value: {
          ...value,
          description:
            'The value in the previous window, of the bucket at the same position. null where that window has no such bucket.',
        },
        change_percentage: { type: nullable('number'), description: 'In percent, with one decimal.' },
        ...judged,
      },
      ['n', 'unit', ...Object.keys(judged)],
    ),
    'A result for each metric, bucket and group.',
  ),
  meta,
});
const series = list(
  named(
    'Series',
    {
      name: text('The group, or the title of the metric.'),
      data: list({ type: nullable('number') }, 'A value for each category.'),
      n: list({ type: 'integer' }, 'How many rows have each of these values. Only with the query parameter n=true.'),
    },
    ['n'],
  ),
  'A series for each group.',
);
const categories = list({ type: 'string' }, 'The buckets of the window, as labels.');
const chart = named('Chart', { series, categories, meta });
const charts = named('Charts', {
  metrics: {
    type: 'object',
    description: 'A chart for each metric, by name.',
    additionalProperties: named('MetricChart', { series, categories, unit: text('What the values are measured in.') }, [
      'unit',
    ]),
  },
  meta,
});

export const singleAnswer: object = { anyOf: [rows, results, chart] };
export const multipleAnswer: object = { anyOf: [rows, results, charts] };

const figure = (description: string): object => ({ type: nullable('number'), description });
export const benchmarkAnswer: object = named('Benchmark', {
  results: list(
    named(
      'BenchmarkResult',
      {
        metric_name: text('Name of the metric.'),
        value: figure('Of the caller’s organisation, as far as the caller may see it.'),
        n,
        benchmark_p25: figure('A quarter of the others are below.'),
        benchmark_p50: figure('Median of the others.'),
        benchmark_p75: figure('Three quarters of the others are below.'),
        percentile: figure(
          'Where the value stands among the others, 0 to 100 in steps of 5. Null when it rests on fewer than 30 records.',
        ),
        benchmark_value: figure('The same as benchmark_p50.'),
        unit: text('What the values are measured in.'),
      },
      ['n', 'unit'],
    ),
    'A result for each metric that answers.',
  ),
  meta: named(
    'BenchmarkMeta',
    {
      filters,
      date_range: dateRange,
      aggregation: textOrNull('By what durations and sizes are compared. Null for rates and counts.'),
      unmatched_filters: unmatched,
      ...dataMeta,
      organisations: count('On how many other organisations the distribution rests.'),
      organisations_needed: count('Present when there are fewer others: then the quartiles are null.'),
      organisations_unreadable: count('Present when some of the others could not be read and are left out.'),
    },
    ['unmatched_filters', ...Object.keys(dataMeta), 'organisations_needed', 'organisations_unreadable'],
  ),
});

export const explanation: object = named('Explanation', {
  metric: text('Name of the metric.'),
  title: text('As one would write it over a chart.'),
  definition: text('What it is, in one sentence.'),
  table: text('The table that it is asked of.'),
  unit: textOrNull('What it is measured in.'),
  better: { type: nullable('string'), enum: ['lower', 'higher', null], description: 'Which values are better.' },
  plan: list({ type: 'string' }, 'What is read and how, step by step.'),
  sql: text('The statement that was run.'),
  parameters: list({}, 'The values bound to it.'),
  rows_read: count('Rows that the answer is computed from, as far as the caller may see them.'),
  date_field: textOrNull('The column that the window is about.'),
  values: {
    ...named('ExplainedValues', {
      used: count('Values that went into the number.'),
      left_out: list(
        named('LeftOut', {
          reason: text('Such as outside the window, open, bot or not onboarded.'),
          count: count('Rows that have it.'),
        }),
        'Why values of other rows did not, the most frequent reason first.',
      ),
    }),
    description:
      'How many values went into the number (of a share, how many people it divides by), and why those of other rows did not. Rows that a filter leaves out are not among them, nor rows that the caller may not see.',
  },
  nearest: named('NearestRows', {
    before: textOrNull('Day of the nearest row with a value before the window. Null where there is none.'),
    after: textOrNull('The same after the window.'),
  }),
  deployment_sources: {
    type: nullable('array'),
    description: 'From where it is known that something was deployed. null for numbers that rest on no deployment.',
    items: named('DeploymentSourceCount', {
      deployment_source: textOrNull('Where deployments are read from.'),
      count: count('How many.'),
    }),
  },
  freshness: named('Freshness', { last_change_at: textOrNull('When the data last changed, ISO 8601.') }),
  rows_request: {
    ...named('RowsRequest', { path: text('Path.'), body: { type: 'object', description: 'Body.' } }),
    description: 'The request that lists the records behind the number.',
  },
});
