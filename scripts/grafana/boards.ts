/** A metric in a panel. One that is computed from a value per row has an aggregation. */
export type PanelMetric = string | { readonly metric: string; readonly aggregation: string };

export interface PanelDeclaration {
  /** Where it is not the title of its only metric. */
  readonly title?: string;
  /** One number, lines over weeks, or a table. */
  readonly kind: 'stat' | 'weeks' | 'table';
  readonly metrics: readonly PanelMetric[];
  /** The column that lines or rows are told apart by. */
  readonly by?: string;
  readonly isStacked?: true;
}

export interface BoardDeclaration {
  readonly name: string;
  readonly title: string;
  readonly panels: readonly PanelDeclaration[];
}

const of = (aggregation: string) => (metric: string) => ({ metric, aggregation });
const [median, p90, sum] = [of('MEDIAN'), of('P90'), of('SUM')];

const stat = (metric: PanelMetric, title?: string): PanelDeclaration => ({
  kind: 'stat',
  metrics: [metric],
  ...(title === undefined ? {} : { title }),
});
const weeks = (metric: PanelMetric, by?: string): PanelDeclaration => ({
  kind: 'weeks',
  metrics: [metric],
  ...(by === undefined ? {} : { by }),
});

/** What each board shows. Everything else of a panel follows from the catalogue. */
export const boards: readonly BoardDeclaration[] = [
  {
    name: 'delivery',
    title: 'Plumb: delivery',
    panels: [
      stat('deployment-frequency'),
      stat('lead-time-for-changes-p50'),
      stat('change-failure-rate'),
      stat('time-to-restore-p50'),
      weeks('deployment-frequency', 'deployment_source'),
      weeks('lead-time-for-changes-p50'),
      { kind: 'weeks', title: 'Failures and rework', metrics: ['change-failure-rate', 'deployment-rework-rate'] },
      weeks('time-to-restore-p50'),
      { kind: 'weeks', title: 'From merge to production', metrics: [median('merge-to-deploy'), p90('open-to-deploy')] },
      weeks('pull-requests-count', 'pr_state'),
      {
        kind: 'table',
        title: 'Repositories',
        by: 'repository',
        metrics: [
          'deployment-frequency',
          'time-to-restore-p50',
          'change-failure-rate',
          'deployment-rework-rate',
          'deployment-success-rate',
        ],
      },
    ],
  },
  {
    name: 'cycle-time',
    title: 'Plumb: cycle time',
    panels: [
      stat(median('cycle-time')),
      stat(p90('cycle-time'), 'Cycle time (p90)'),
      stat(median('pickup-time')),
      stat('pull-requests-count'),
      {
        kind: 'weeks',
        title: 'Where the time goes',
        isStacked: true,
        metrics: [median('coding-time'), median('pickup-time'), median('review-to-merge')],
      },
      weeks(median('cycle-time')),
      weeks(median('pull-requests-size')),
      weeks(median('cycle-time'), 'department'),
      {
        kind: 'table',
        title: 'Teams',
        by: 'team_name',
        metrics: ['pull-requests-count', median('cycle-time'), median('coding-time'), median('pickup-time')],
      },
      {
        kind: 'table',
        title: 'Repositories',
        by: 'repository',
        metrics: ['pull-requests-count', median('cycle-time'), p90('review-to-merge')],
      },
    ],
  },
  {
    name: 'reviews',
    title: 'Plumb: reviews',
    panels: [
      stat('review-rate'),
      stat('reviewers-per-pr'),
      stat('comments-per-pr'),
      stat('changes-requested-rate'),
      weeks('reviews-count'),
      weeks('active-reviewers'),
      weeks(median('pickup-time')),
      weeks('changes-requested-rate'),
      { kind: 'table', title: 'Reviewers', by: 'name', metrics: ['reviews-count', 'changes-requested-rate'] },
      {
        kind: 'table',
        title: 'Repositories',
        by: 'repository',
        metrics: ['review-rate', 'reviewers-per-pr', 'comments-per-pr', 'review-rounds'],
      },
    ],
  },
  {
    name: 'ci',
    title: 'Plumb: CI',
    panels: [
      stat('workflow-runs-count'),
      stat('workflow-run-success-rate'),
      stat('workflow-run-duration-p95'),
      stat(sum('estimated-workflow-run-cost')),
      weeks('workflow-runs-count', 'run_conclusion'),
      weeks('workflow-run-success-rate'),
      {
        kind: 'weeks',
        title: 'Duration of runs',
        metrics: [median('workflow-run-duration'), 'workflow-run-duration-p95'],
      },
      weeks(sum('estimated-workflow-run-cost')),
      {
        kind: 'table',
        title: 'Workflows',
        by: 'workflow_name',
        metrics: ['workflow-runs-count', 'workflow-run-success-rate', median('workflow-run-duration')],
      },
      {
        kind: 'table',
        title: 'Repositories',
        by: 'repository',
        metrics: ['workflow-runs-count', 'workflow-run-success-rate', sum('estimated-workflow-run-cost')],
      },
    ],
  },
  {
    name: 'ai',
    title: 'Plumb: AI',
    panels: [
      stat('adopted-users'),
      stat('ai-adoption-rate'),
      stat('ai-acceptance-rate'),
      stat(sum('ai-total-cost')),
      weeks('adopted-users', 'source'),
      weeks('ai-code-ratio'),
      { kind: 'weeks', title: 'Lines', metrics: [sum('suggested-lines'), sum('accepted-lines')] },
      weeks(sum('ai-total-cost'), 'source'),
      weeks('ai-pr-count'),
      weeks('posthook-sessions-count', 'agent_slug'),
      {
        kind: 'table',
        title: 'Teams',
        by: 'team_name',
        metrics: ['adopted-users', 'ai-acceptance-rate', sum('accepted-lines'), sum('ai-total-cost')],
      },
    ],
  },
];
