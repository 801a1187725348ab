import type { FigureSpec } from '../../ask/figure.ts';
import type { MetricName } from '../../ask/metric-facts.ts';

/** A key figure, the page that says more about it, and how its sentences name it. */
export interface KeyFigure extends FigureSpec {
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
    page: '/delivery',
    of: 'deployments',
    called: 'deployments',
    by: ['repository_name'],
  },
  {
    metric: 'lead-time-for-changes-p50',
    label: 'Lead time, median',
    page: '/delivery',
    of: 'pull requests',
    called: 'lead time',
    by: ['repository_name', 'team_name'],
  },
  {
    metric: 'change-failure-rate',
    label: 'Change failures',
    page: '/delivery',
    of: 'changes',
    called: 'change failures',
    by: ['repository_name'],
  },
  {
    metric: 'cycle-time',
    aggregation: 'MEDIAN',
    label: 'Cycle time, median',
    page: '/cycle-time',
    of: 'pull requests',
    called: 'cycle time',
    by: ['repository_name', 'team_name'],
  },
  {
    metric: 'review-rate',
    label: 'Reviewed',
    page: '/reviews',
    of: 'pull requests',
    called: 'the share of reviewed pull requests',
    by: ['repository_name', 'team_name'],
  },
  {
    metric: 'adoption-rate',
    label: 'AI in use',
    page: '/ai',
    of: 'people',
    called: 'the share of people who use AI',
    by: ['team_name'],
  },
];

export const keyFigureOf = (metric: MetricName): KeyFigure | undefined =>
  keyFigures.find((figure) => figure.metric === metric);
