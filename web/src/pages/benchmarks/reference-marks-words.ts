import type { Aggregation, MetricName } from '../../ask/metric-facts.ts';

/**
 * Three bounds of a metric, as a publisher printed them in its own text. They are facts about other organisations and no
 * grades: each publisher looks at its own customers, and measures a little differently.
 */
export interface ReferenceMark {
  readonly publisher: string;
  /** As printed; where no year is printed, what is known of it. */
  readonly edition: string;
  /** What the bounds rest on. */
  readonly basis: string;
  readonly theirMetric: string;
  readonly metric: MetricName;
  readonly aggregation?: Aggregation;
  /** In hours, lines or percent, as printed, the smallest first. */
  readonly bounds: readonly [first: number, second: number, third: number];
  readonly unit: 'hours' | 'lines' | 'percent';
  /** How their definition differs from ours, where it does. */
  readonly difference?: string;
  /** Where the figures were read. */
  readonly source: string;
}

const linearB = 'LinearB';
const of2026 = {
  publisher: linearB,
  edition: '2026',
  basis: '8.1 million pull requests, 4,800 organisations',
  source: 'https://linearb.helpdocs.io/article/1s38stsugw',
} as const;
const undated = {
  publisher: linearB,
  edition: 'undated, after 2023',
  basis: '3,694,690 pull requests, 2,022 organisations',
  source: 'https://linearb.helpdocs.io/article/d2v8kqzxzd',
} as const;

export const referenceMarks: readonly ReferenceMark[] = [
  {
    ...of2026,
    theirMetric: 'Cycle Time',
    metric: 'lead-time-for-changes',
    aggregation: 'P75',
    bounds: [25, 72, 161],
    unit: 'hours',
    difference: 'Theirs ends with the release. The bounds leave a gap of an hour as printed (72 | 73).',
  },
  {
    ...undated,
    theirMetric: 'Cycle Time',
    metric: 'lead-time-for-changes',
    aggregation: 'P75',
    bounds: [19, 66, 218],
    unit: 'hours',
    difference: 'Theirs ends with the release.',
  },
  {
    ...undated,
    theirMetric: 'Cycle Time',
    metric: 'lead-time-for-changes',
    aggregation: 'AVG',
    bounds: [73, 155, 304],
    unit: 'hours',
    difference: 'Theirs ends with the release.',
  },
  {
    ...undated,
    theirMetric: 'Coding Time',
    metric: 'coding-time',
    aggregation: 'P75',
    bounds: [0.5, 2.5, 24],
    unit: 'hours',
    difference: 'Drafts count as coding.',
  },
  {
    ...undated,
    theirMetric: 'Coding Time',
    metric: 'coding-time',
    aggregation: 'AVG',
    bounds: [19, 44, 99],
    unit: 'hours',
    difference: 'Drafts count as coding.',
  },
  {
    ...undated,
    theirMetric: 'Pickup Time',
    metric: 'pickup-time',
    aggregation: 'P75',
    bounds: [1, 3, 14],
    unit: 'hours',
  },
  {
    ...undated,
    theirMetric: 'Pickup Time',
    metric: 'pickup-time',
    aggregation: 'AVG',
    bounds: [7, 13, 20],
    unit: 'hours',
    difference: 'The third band is printed as 12-20.',
  },
  {
    ...undated,
    theirMetric: 'Review Time',
    metric: 'review-time',
    aggregation: 'P75',
    bounds: [0.5, 3, 18],
    unit: 'hours',
  },
  {
    ...undated,
    theirMetric: 'Review Time',
    metric: 'review-time',
    aggregation: 'AVG',
    bounds: [5, 14, 29],
    unit: 'hours',
  },
  {
    ...undated,
    theirMetric: 'Deploy Time',
    metric: 'merge-to-deploy',
    aggregation: 'P75',
    bounds: [3, 69, 197],
    unit: 'hours',
  },
  {
    ...undated,
    theirMetric: 'Deploy Time',
    metric: 'merge-to-deploy',
    aggregation: 'AVG',
    bounds: [6, 50, 137],
    unit: 'hours',
  },
  {
    ...undated,
    theirMetric: 'PR Size',
    metric: 'pull-requests-size',
    aggregation: 'P75',
    bounds: [98, 148, 218],
    unit: 'lines',
    difference: 'Number of code changes.',
  },
  {
    ...undated,
    theirMetric: 'PR Size',
    metric: 'pull-requests-size',
    aggregation: 'AVG',
    bounds: [219, 395, 793],
    unit: 'lines',
    difference: 'Number of code changes.',
  },
  { ...undated, theirMetric: 'CFR', metric: 'change-failure-rate', bounds: [1, 8, 39], unit: 'percent' },
];
