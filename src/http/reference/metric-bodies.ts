import { dateLevels } from '../../calendar.ts';
import { aggregationNames } from '../../catalogue/catalogue-document.ts';
import { type FilterDeclaration, filters } from '../../catalogue/filters.ts';
import { type Metric, takesAggregation } from '../../catalogue/metric.ts';
import { dateDetails, metricDomains, metrics } from '../../catalogue/metrics/metrics.ts';
import type { windowFilters } from '../../query/reading/filters.ts';
import { rowsMost } from '../../query/request.ts';

/** What a path may name. */
const metricNames: readonly string[] = [...metrics.keys(), dateDetails];

/** Every metric in a line, by domain: Markdown, as descriptions are. */
export const metricList: string = [
  ...Object.entries(metricDomains).map(([domain, some]) => `**${domain}**\n\n${some.map(metricLine).join('\n')}`),
  `**Periods**\n\n- \`${dateDetails}\`: the periods of a window, told from the calendar alone.`,
].join('\n\n');

function metricLine(metric: Metric): string {
  const { name, meaning, unit, gate } = metric;
  const notes = [
    ...(takesAggregation(metric) ? ['needs an aggregation'] : []),
    ...(unit ? [unit] : []),
    ...(gate ? [`gate: ${gate}`] : []),
  ];
  return `- \`${name}\`: ${meaning}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`;
}

const nullable = (type: string): string[] => [type, 'null'];

function filterSchema({ meaning, form, oneOf }: FilterDeclaration): object {
  const closed = oneOf ? { enum: oneOf } : {};
  switch (form) {
    case 'text':
      return { type: nullable('string'), description: meaning };
    case 'integers':
      return { type: ['array', 'integer', 'null'], items: { type: 'integer', ...closed }, description: meaning };
    case 'texts':
      return { type: ['array', 'string', 'null'], items: { type: 'string', ...closed }, description: meaning };
    case 'repositories':
      return {
        type: ['array', 'object', 'string', 'null'],
        items: {
          anyOf: [
            {
              type: 'object',
              required: ['repository_name'],
              additionalProperties: false,
              properties: { repository_name: { type: 'string' } },
            },
            { type: 'string' },
          ],
        },
        description: meaning,
      };
  }
}

const windowSchemas: Readonly<Record<(typeof windowFilters)[number], object>> = {
  start_date: {
    type: nullable('string'),
    description: 'First day, such as 2024-01-31, or a timestamp. Needed by every metric but those of people.',
  },
  end_date: {
    type: nullable('string'),
    description: 'Last day, all of it, or a timestamp. Today when it is left out.',
  },
};

/** One component of the document. Which metric takes which filter stands in the catalogue. */
export const filtersSchema = {
  $id: 'Filters',
  type: 'object',
  description:
    'Which rows. Two values of one filter are either-or, two filters both hold. Null or an empty list is no filter. A metric takes the filters of its table; `GET /catalogue` lists them.',
  additionalProperties: false,
  properties: {
    ...windowSchemas,
    ...Object.fromEntries(
      Object.entries(filters).flatMap(([name, declaration]) => [
        [name, filterSchema(declaration)],
        ...(declaration.aliases ?? []).map((alias) => [
          alias,
          { ...filterSchema(declaration), description: `The same as ${name}.` },
        ]),
      ]),
    ),
  },
};
const filtersReference = { $ref: 'Filters#' };

const aggregationSchema = {
  type: nullable('string'),
  enum: [...aggregationNames.flatMap((name) => [name, name.toLowerCase()]), null],
  description: 'How the values of many rows become one, in any case. Needed by metrics that have none built in.',
};
const shared = {
  group_by: {
    type: nullable('array'),
    items: { type: 'string' },
    description: 'Columns of the metric’s table or of the row’s person. Grouping a count by the key lists records.',
  },
  date_level: {
    type: nullable('string'),
    enum: [...dateLevels, null],
    description: 'Comes apart by day, week …, in the organisation’s time zone. A bucket is named by its first day.',
  },
  time_series_data: { type: nullable('boolean'), description: 'Whether to answer in chart form.' },
  include_previous_period: {
    type: nullable('boolean'),
    description:
      'Whether to put the value of the previous window beside every value: as many calendar months where the window is made of whole ones, else as many days. Buckets are compared by their position.',
  },
};
const order = {
  order_by: { type: nullable('string'), description: 'A column of the answer.' },
  order_direction: { type: nullable('string'), enum: ['ASC', 'DESC', 'asc', 'desc', null] },
};

const bodyOf = (schema: object, examples: Readonly<Record<string, object>>): object => ({
  content: {
    'application/json': {
      schema: {
        ...schema,
        'x-examples': Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])),
      },
    },
  },
});

/** What one metric is asked with. */
export const singleBody: object = bodyOf(
  {
    type: 'object',
    required: ['filters'],
    additionalProperties: false,
    properties: {
      filters: filtersReference,
      ...shared,
      aggregation: aggregationSchema,
      metric_min_value: {
        type: nullable('number'),
        default: 0,
        description: 'Groups with a lower value are left out. 1 lists only records that count.',
      },
      date_field: {
        type: nullable('string'),
        description: 'Which date the window and the buckets are about. Each metric has a default.',
      },
      ...order,
      limit: { type: nullable('integer'), minimum: 1, maximum: rowsMost, description: 'Rows at most.' },
    },
  },
  {
    'a count by week': { filters: { start_date: '2024-01-01', end_date: '2024-03-31' }, date_level: 'week' },
    'an average by team, compared with the period before': {
      filters: { start_date: '2024-01-01', end_date: '2024-03-31' },
      aggregation: 'AVG',
      group_by: ['team_name'],
      include_previous_period: true,
    },
    'a chart of repositories': {
      filters: { start_date: '2024-01-01', repositories: [{ repository_name: 'acme/web' }] },
      group_by: ['repository'],
      date_level: 'month',
      time_series_data: true,
    },
    'records of pull-requests-count, newest first': {
      filters: { start_date: '2024-01-01', end_date: '2024-01-31', pr_states: ['merged'] },
      date_field: 'merged_at',
      group_by: ['pr_id', 'pr_title', 'name', 'pr_merged_at'],
      order_by: 'pr_merged_at',
      order_direction: 'DESC',
      limit: 50,
    },
  },
);

const perMetric = (value: object, description: string): object => ({
  type: nullable('object'),
  additionalProperties: value,
  description,
});

/** What several metrics are asked with. */
export const multipleBody: object = bodyOf(
  {
    type: 'object',
    required: ['filters', 'metrics'],
    additionalProperties: false,
    properties: {
      metrics: {
        type: 'array',
        minItems: 1,
        items: { type: 'string', enum: [...metrics.keys()] },
        description: 'Metrics that all have the filters and the columns asked for: of one domain, most often.',
      },
      filters: filtersReference,
      ...shared,
      aggregations: perMetric(aggregationSchema, 'An aggregation for each metric that needs one.'),
      date_fields: perMetric({ type: nullable('string') }, 'A date field for each metric, in place of its default.'),
      metric_min_values: perMetric({ type: nullable('number') }, 'A minimum for each metric.'),
      ...order,
      limit: { type: nullable('integer'), description: 'Taken and ignored, as are the two above.' },
    },
  },
  {
    'two metrics by month': {
      metrics: ['pull-requests-count', 'cycle-time'],
      aggregations: { 'cycle-time': 'AVG' },
      filters: { start_date: '2024-01-01', end_date: '2024-03-31' },
      date_level: 'month',
    },
    'every record of a month': {
      metrics: ['pull-requests-count'],
      filters: { start_date: '2024-01-01', end_date: '2024-01-31' },
      group_by: ['pr_id', 'pr_title', 'repository', 'additions', 'deletions'],
    },
  },
);

/** What a comparison with other organisations is asked with. */
export const benchmarkBody: object = bodyOf(
  {
    type: 'object',
    required: ['filters', 'benchmark_metric', 'date_field'],
    additionalProperties: false,
    properties: {
      benchmark_metric: {
        type: 'string',
        enum: [...metrics.values()].filter(isCompared).map(({ name }) => name),
        description: 'The metric. cycle-time, pickup-time and review-time answer together.',
      },
      filters: filtersReference,
      date_field: { type: 'string', description: 'Which date the window is about.' },
    },
  },
  {
    'cycle time of this year': {
      benchmark_metric: 'cycle-time',
      date_field: 'merged_at',
      filters: { start_date: '2024-01-01' },
    },
  },
);

/** Whether a metric can be set beside those of others at all. */
function isCompared({ gate, dates, kind }: Metric): boolean {
  return gate === undefined && dates.length > 0 && kind !== 'text';
}

export const metricParameter = (names: readonly string[] = metricNames): object => ({
  type: 'object',
  required: ['metric'],
  properties: { metric: { type: 'string', enum: names, description: 'Name of the metric.' } },
});
