import { dateLevels } from '../calendar.ts';
import { type Aggregation, aggregations, percentileNames } from '../expression/expression.ts';
import { isBenchmarked } from './metric.ts';
import { metrics } from './metrics/all-metrics.ts';
import { aggregationWords, directionWords, levelWords, type Synonyms } from './synonyms.ts';

/** One field of a request: its type, and its meaning. */
export interface RequestField {
  readonly kind: 'text' | 'texts' | 'boolean' | 'number' | 'integer' | 'word' | 'filters' | 'per-metric';
  readonly meaning?: string;
  /** A request without this field, or with null in it, is refused. */
  readonly isRequired?: true;
  /** For a type with fixed words: the words, in lower case. Case does not matter. */
  readonly words?: readonly string[];
  /** For fixed words: other names of each. */
  readonly synonyms?: Synonyms;
  /** For fixed words: their spelling in the documentation. Default: as in `words`. */
  readonly spellings?: readonly string[];
  /** For names of metrics: the metrics that the field takes. */
  readonly names?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** The advice for callers who want more than the maximum. */
  readonly beyond?: string;
  readonly default?: number;
  /** For a field with a value for each metric: the type of that value. */
  readonly each?: RequestField;
}

/** The fields of a request by name, in the order in which errors and the OpenAPI document list them. */
export type RequestFields = Readonly<Record<string, RequestField>>;

/** The most rows that a metric asked alone answers with. */
export const maxRows = 200;

/** The window is written among the filters. */
export const windowFields = {
  start_date: {
    kind: 'text',
    meaning: 'First day, such as 2024-01-31, or a timestamp. Needed by every metric but those of people.',
  },
  end_date: { kind: 'text', meaning: 'Last day, all of it, or a timestamp. Today when it is left out.' },
} as const satisfies RequestFields;
export const windowFilters = Object.keys(windowFields) as (keyof typeof windowFields)[];

const filters = { kind: 'filters', isRequired: true } as const;

export const sharedFields = {
  filters,
  group_by: {
    kind: 'texts',
    meaning:
      'Columns to group by, in this order: columns of the metric’s table or of the row’s person. Grouping a count by the key lists records.',
  },
  date_level: {
    kind: 'word',
    words: dateLevels,
    synonyms: levelWords,
    meaning: 'Groups by day, week …, in the organisation’s time zone. A bucket is named by its first day.',
  },
  time_series_data: { kind: 'boolean', meaning: 'Whether to answer in chart form.' },
  include_previous_period: {
    kind: 'boolean',
    meaning:
      'Whether to put the value of the previous window beside every value: as many calendar months where the window is made of whole ones, else as many days. Buckets are compared by their position.',
  },
  previous_start_date: {
    kind: 'text',
    meaning: 'The first day of another window to compare with, such as the same days a year before.',
  },
  previous_end_date: { kind: 'text', meaning: 'Its last day.' },
} as const satisfies RequestFields;

/** How each metric is asked: one value in a request for one metric, one for each metric in a request for several. */
export const metricFields = {
  aggregation: {
    kind: 'word',
    words: aggregations,
    synonyms: aggregationWords,
    spellings: aggregations.flatMap((name) => [name.toUpperCase(), name]),
    meaning:
      'The aggregation, in upper or lower case. Metrics computed from a value per row (durations, sizes) need one.',
  },
  metric_min_value: {
    kind: 'number',
    default: 0,
    meaning: 'Groups with a lower value are left out. 1 lists only records that count.',
  },
  date_field: {
    kind: 'text',
    meaning: 'Which date the window and the buckets are about. Each metric has a default.',
  },
} as const satisfies RequestFields;

export const orderFields = {
  order_by: { kind: 'text', meaning: 'A column of the answer.' },
  order_direction: {
    kind: 'word',
    words: ['asc', 'desc'],
    synonyms: directionWords,
    spellings: ['ASC', 'DESC', 'asc', 'desc'],
    meaning: 'Ascending by default.',
  },
  limit: {
    kind: 'integer',
    minimum: 1,
    maximum: maxRows,
    beyond: 'get-multiple-metrics answers with all rows.',
    meaning: 'How many rows at most.',
  },
} as const satisfies RequestFields;

/** The fields of a question about one metric. */
export const singleFields = { ...sharedFields, ...metricFields, ...orderFields } as const satisfies RequestFields;

/** The fields of a question about periods. The periods are those of a metric's data. */
export const periodFields = {
  ...singleFields,
  metric: {
    kind: 'text',
    names: [...metrics.keys()],
    meaning: 'Of date-details alone: the metric whose data is_complete is about. The default is pull-requests-count.',
  },
} as const satisfies RequestFields;

/** The fields of a question about several metrics. */
export const multipleFields = {
  metrics: {
    kind: 'texts',
    isRequired: true,
    names: [...metrics.keys()],
    meaning: 'Metrics that all have the filters and the columns asked for: of one domain, most often.',
  },
  ...sharedFields,
  metric_min_values: { kind: 'per-metric', each: { kind: 'number' }, meaning: 'A minimum for each metric.' },
  date_fields: {
    kind: 'per-metric',
    each: { kind: 'text' },
    meaning: 'A date field for each metric, in place of its default.',
  },
  aggregations: {
    kind: 'per-metric',
    each: metricFields.aggregation,
    meaning: 'An aggregation for each metric that needs one.',
  },
  // A body for one metric can be sent here as well: these three are taken, and ignored.
  ...orderFields,
  limit: { kind: 'integer', meaning: 'Taken and ignored, as are the two above.' },
} as const satisfies RequestFields;

/**
 * The aggregations by which organisations can be compared: a sum or an extreme says more about their size than about
 * them.
 */
const comparedBy = ['avg', ...percentileNames] as const satisfies readonly Aggregation[];

/** The fields of a comparison with other organisations. */
export const benchmarkFields = {
  filters,
  benchmark_metric: {
    kind: 'text',
    isRequired: true,
    names: [...metrics.values()].filter(isBenchmarked).map(({ name }) => name),
    meaning: 'The metric. cycle-time, pickup-time and review-time answer together.',
  },
  date_field: { kind: 'text', isRequired: true, meaning: 'Which date the window is about.' },
  aggregation: {
    kind: 'word',
    words: comparedBy,
    synonyms: aggregationWords,
    spellings: comparedBy.flatMap((name) => [name.toUpperCase(), name]),
    meaning:
      'By what durations and sizes are compared, in upper or lower case. AVG by default. Rates and counts ignore it.',
  },
} as const satisfies RequestFields;
