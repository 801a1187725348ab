import type { ChartMeasure } from '../charts/chart-description.ts';

type KeyMetric =
  | 'deployment-frequency'
  | 'lead-time-for-changes-p50'
  | 'change-failure-rate'
  | 'cycle-time'
  | 'review-rate'
  | 'adoption-rate';

/** A key figure of the overview, the page that says more about it, and how its sentences name it. */
export interface KeyFigure {
  readonly metric: KeyMetric;
  readonly aggregation?: 'MEDIAN';
  readonly label: string;
  readonly measure: ChartMeasure;
  /** Whether parts of it add up. */
  readonly isCount: boolean;
  readonly page: string;
  readonly of: string;
  /** The subject of a sentence: `lead time`. */
  readonly called: string;
  /** The columns by which "what changed most" compares the figure: team or repository. */
  readonly by: readonly ('team_name' | 'repository_name')[];
}

export const keyFigures: readonly KeyFigure[] = [
  {
    metric: 'deployment-frequency',
    label: 'Deployments',
    measure: 'count',
    isCount: true,
    page: '/delivery',
    of: 'deployments',
    called: 'deployments',
    by: ['repository_name'],
  },
  {
    metric: 'lead-time-for-changes-p50',
    label: 'Lead time, median',
    measure: 'duration',
    isCount: false,
    page: '/delivery',
    of: 'pull requests',
    called: 'lead time',
    by: ['repository_name', 'team_name'],
  },
  {
    metric: 'change-failure-rate',
    label: 'Change failures',
    measure: 'percent',
    isCount: false,
    page: '/delivery',
    of: 'changes',
    called: 'change failures',
    by: ['repository_name'],
  },
  {
    metric: 'cycle-time',
    aggregation: 'MEDIAN',
    label: 'Cycle time, median',
    measure: 'duration',
    isCount: false,
    page: '/cycle-time',
    of: 'pull requests',
    called: 'cycle time',
    by: ['repository_name', 'team_name'],
  },
  {
    metric: 'review-rate',
    label: 'Reviewed',
    measure: 'percent',
    isCount: false,
    page: '/reviews',
    of: 'pull requests',
    called: 'the share of reviewed pull requests',
    by: ['repository_name', 'team_name'],
  },
  {
    metric: 'adoption-rate',
    label: 'AI in use',
    measure: 'percent',
    isCount: false,
    page: '/ai',
    of: 'people',
    called: 'the share of people who use AI',
    by: ['team_name'],
  },
];

export const keyFigureOf = (metric: string): KeyFigure | undefined =>
  keyFigures.find((figure) => figure.metric === metric);
