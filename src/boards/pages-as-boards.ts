import type { DateLevel } from '../calendar.ts';
import { keyFigures as overviewFigures } from '../conclusions/key-figure-words.ts';
import type { Board, BoardFilters, BoardPanel, BoardRange, PanelView } from './board.ts';

export const copiedPages = ['overview', 'delivery', 'cycle-time', 'reviews', 'ai'] as const;
type CopiedPage = (typeof copiedPages)[number];

/** What a page looks at while somebody copies it. */
interface PageLook {
  readonly range: BoardRange;
  /** The level of its charts over time. */
  readonly level: DateLevel;
  readonly filters?: BoardFilters;
}

/** A page as a board: a panel for every chart that is one question, and the names of the others. */
interface PageBoard {
  readonly board: Pick<Board, 'title' | 'range' | 'filters' | 'panels'>;
  readonly leftOut: readonly string[];
}

interface CopiedFigure {
  readonly metric: string;
  readonly aggregation?: string;
  readonly label: string;
  /** Its chart adds up parts. */
  readonly isCount?: boolean;
}

interface CopiedChart {
  readonly title: (per: string) => string;
  readonly metric: string;
  readonly view: PanelView;
  readonly request?: Readonly<Record<string, unknown>>;
  /** Its values stand by bucket. */
  readonly isOverTime?: boolean;
}

interface CopiedContent {
  readonly title: string;
  readonly figures: readonly CopiedFigure[];
  readonly charts: readonly CopiedChart[];
  readonly leftOut: readonly string[];
}

/** The names of panels and of charts that no panel can show, as the pages call them. */
const words = {
  per: (label: string, level: string) => `${label} per ${level}`,
  overview: {
    title: 'Overview',
    leftOut: ['Biggest changes', 'Needs attention now'],
  },
  delivery: {
    title: 'Delivery',
    leadTime: 'Lead time for changes, median',
    frequency: 'Deployment frequency',
    restore: 'Time to restore, median',
    failures: 'Change failure rate',
    rework: 'Deployment rework rate',
    failedDeployments: 'Failed deployments',
    attribution: 'From merge to production',
    leftOut: ['Deployments by result', 'Lead time by phase', 'By repository', 'Failures by reason'],
  },
  cycleTime: {
    title: 'Cycle time',
    median: 'Cycle time, median',
    slowestTenth: 'Cycle time, slowest tenth',
    coding: 'Coding, median',
    pickup: 'First review wait, median',
    review: 'Review time, median',
    mergeToProduction: 'Merge to production, median',
    slowest: 'Slowest pull requests',
    leftOut: ['Where the time goes', 'How long pull requests took', 'Size and cycle time'],
  },
  reviews: {
    title: 'Reviews',
    pickup: 'First review wait, median',
    slowestTenth: 'First review wait, slowest tenth',
    review: 'Review time, median',
    rounds: 'Review rounds, average',
    changesRequested: 'Changes requested',
    reviewed: 'Reviewed before merge',
    whoReviewsWhere: 'Who reviews where',
    leftOut: ['How reviews are shared', 'When reviews happen'],
  },
  ai: {
    title: 'AI',
    inUse: 'AI in use',
    accepted: 'Accepted lines',
    share: 'Share of AI lines',
    tokens: 'Tokens',
    peopleByTool: (level: string) => `People using AI per ${level}, by tool`,
    costByTool: (level: string) => `Cost per ${level}, by tool`,
    sessionsByAgent: (level: string) => `Coding sessions per ${level}, by agent`,
    sessions: 'Coding sessions',
    leftOut: ['Idle seats', 'Cost per active person', 'With and without AI', 'By tool'],
  },
} as const;

/** Fields of a request that lists pull requests, deployments or sessions. */
const listed = (by: readonly string[], order: string, limit: number) => ({
  group_by: by,
  order_by: order,
  order_direction: 'DESC',
  limit,
});

const contents: Readonly<Record<CopiedPage, CopiedContent>> = {
  overview: {
    title: words.overview.title,
    figures: overviewFigures,
    charts: [],
    leftOut: words.overview.leftOut,
  },
  delivery: {
    title: words.delivery.title,
    figures: [
      { metric: 'lead-time-for-changes-p50', label: words.delivery.leadTime },
      { metric: 'deployment-frequency', label: words.delivery.frequency, isCount: true },
      { metric: 'time-to-restore-p50', label: words.delivery.restore },
      { metric: 'change-failure-rate', label: words.delivery.failures },
      { metric: 'deployment-rework-rate', label: words.delivery.rework },
    ],
    charts: [
      {
        title: () => words.delivery.failedDeployments,
        metric: 'change-failure-rate',
        view: 'table',
        request: {
          ...listed(
            ['deployment_id', 'repository_name', 'version', 'deployed_at', 'failure_reason', 'restored_at'],
            'deployed_at',
            20,
          ),
          metric_min_value: 1,
        },
      },
      {
        title: () => words.delivery.attribution,
        metric: 'pull-requests-count',
        view: 'share',
        request: { group_by: ['deployment_attribution_status'], date_field: 'pr_merged_at' },
      },
    ],
    leftOut: words.delivery.leftOut,
  },
  'cycle-time': {
    title: words.cycleTime.title,
    figures: [
      { metric: 'cycle-time', aggregation: 'MEDIAN', label: words.cycleTime.median },
      { metric: 'cycle-time', aggregation: 'P90', label: words.cycleTime.slowestTenth },
      { metric: 'coding-time', aggregation: 'MEDIAN', label: words.cycleTime.coding },
      { metric: 'pickup-time', aggregation: 'MEDIAN', label: words.cycleTime.pickup },
      { metric: 'review-time', aggregation: 'MEDIAN', label: words.cycleTime.review },
      { metric: 'merge-to-deploy-p50', label: words.cycleTime.mergeToProduction },
    ],
    charts: [
      {
        title: () => words.cycleTime.slowest,
        metric: 'cycle-time',
        view: 'table',
        request: {
          aggregation: 'MAX',
          ...listed(
            ['pr_id', 'pr_title', 'repository_name', 'coding_time', 'pickup_time', 'review_time'],
            'max_cycle_time',
            20,
          ),
        },
      },
    ],
    leftOut: words.cycleTime.leftOut,
  },
  reviews: {
    title: words.reviews.title,
    figures: [
      { metric: 'pickup-time', aggregation: 'MEDIAN', label: words.reviews.pickup },
      { metric: 'pickup-time', aggregation: 'P90', label: words.reviews.slowestTenth },
      { metric: 'review-time', aggregation: 'MEDIAN', label: words.reviews.review },
      { metric: 'review-rounds', label: words.reviews.rounds },
      { metric: 'changes-requested-rate', label: words.reviews.changesRequested },
      { metric: 'review-rate', label: words.reviews.reviewed },
    ],
    charts: [
      {
        title: () => words.reviews.whoReviewsWhere,
        metric: 'review-interactions-count',
        view: 'heat',
        request: { group_by: ['team_name', 'repository_name'] },
      },
    ],
    leftOut: words.reviews.leftOut,
  },
  ai: {
    title: words.ai.title,
    figures: [
      { metric: 'adoption-rate', label: words.ai.inUse },
      { metric: 'ai-acceptance-rate', label: words.ai.accepted },
      { metric: 'ai-code-ratio', label: words.ai.share },
      { metric: 'ai-total-token-usage', aggregation: 'SUM', label: words.ai.tokens, isCount: true },
    ],
    charts: [
      {
        title: words.ai.peopleByTool,
        metric: 'adopted-users',
        view: 'line',
        request: { group_by: ['source'] },
        isOverTime: true,
      },
      {
        title: words.ai.costByTool,
        metric: 'ai-total-cost',
        view: 'stacked',
        request: { aggregation: 'SUM', group_by: ['source'] },
        isOverTime: true,
      },
      {
        title: words.ai.sessionsByAgent,
        metric: 'posthook-sessions-count',
        view: 'stacked',
        request: { group_by: ['agent_slug'] },
        isOverTime: true,
      },
      {
        title: () => words.ai.sessions,
        metric: 'posthook-sessions-count',
        view: 'table',
        request: listed(
          ['session_id', 'started_at', 'name', 'agent_slug', 'repo_name', 'total_tokens', 'committed_lines'],
          'started_at',
          20,
        ),
      },
    ],
    leftOut: words.ai.leftOut,
  },
};

/** Copies a page. A key figure becomes its number beside the period before, and its chart over time. */
export function pageAsBoard(page: CopiedPage, { range, level, filters = {} }: PageLook): PageBoard {
  const { title, figures, charts, leftOut } = contents[page];
  const numbers = figures.map(
    ({ metric, aggregation, label }): BoardPanel => ({
      title: label,
      metric,
      ...(aggregation ? { request: { aggregation } } : {}),
      view: 'number',
      compare: true,
    }),
  );
  const overTime = figures.map(
    ({ metric, aggregation, label, isCount = false }): BoardPanel => ({
      title: words.per(label, level),
      metric,
      request: { ...(aggregation ? { aggregation } : {}), date_level: level },
      view: isCount ? 'bar' : 'line',
    }),
  );
  const others = charts.map(
    ({ title, metric, view, request, isOverTime }): BoardPanel => ({
      title: title(level),
      metric,
      request: { ...request, ...(isOverTime ? { date_level: level } : {}) },
      view,
      ...(view === 'table' || view === 'heat' ? { wide: true } : {}),
    }),
  );
  const filled = Object.keys(filters).length > 0 ? { filters } : {};
  return { board: { title, range, ...filled, panels: [...numbers, ...overTime, ...others] }, leftOut };
}
