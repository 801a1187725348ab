import { type metrics as declared, tables as declaredTables, metrics } from '../../../web/src/ask/catalogue.ts';
import type { Kind } from './plain-verdict.ts';

/** What the evaluator has to know of metrics: what the catalogue declares, and what kind of number each one is. */

export type MetricName = keyof typeof declared;
type TableName = keyof typeof declaredTables;

interface Declared {
  readonly label: string;
  readonly table: TableName;
  readonly kind: string;
  readonly better: 'lower' | 'higher' | null;
  readonly column: string;
  readonly needsAggregation: boolean;
  readonly dateField: string | null;
  readonly tables?: readonly TableName[];
}

export const isMetric = (name: string): name is MetricName => Object.hasOwn(metrics, name);
export const factsOf = (metric: MetricName): Declared => metrics[metric] as Declared;
export const keyOf = (table: TableName): readonly string[] => declaredTables[table].key;

/** Metrics without an aggregation of their own, by what they are. */
const fixedKinds: Partial<Readonly<Record<MetricName, Kind>>> = {
  'review-rate': 'rate',
  'changes-requested-rate': 'rate',
  'change-failure-rate': 'rate',
  'deployment-rework-rate': 'rate',
  'deployment-success-rate': 'rate',
  'workflow-run-success-rate': 'rate',
  'adoption-rate': 'rate',
  'review-rounds': 'mean',
  'ai-acceptance-rate': 'amounts',
  'ai-code-ratio': 'amounts',
  'lead-time-for-changes-p50': { percentile: 0.5 },
  'merge-to-deploy-p50': { percentile: 0.5 },
  'time-to-restore-p50': { percentile: 0.5 },
  'workflow-run-duration-p95': { percentile: 0.95 },
};

const aggregationKinds: Readonly<Record<string, Kind>> = {
  MEDIAN: { percentile: 0.5 },
  P75: { percentile: 0.75 },
  P90: { percentile: 0.9 },
  P95: { percentile: 0.95 },
  SUM: 'sum',
  AVG: 'mean',
};

export function kindOf(metric: MetricName, aggregation: string | undefined): Kind {
  const { kind } = factsOf(metric);
  // The average of zeros and ones is a rate.
  if (metric === 'rework-rate' && aggregation === 'AVG') return 'rate';
  const found = kind === 'count' ? 'count' : (fixedKinds[metric] ?? aggregationKinds[aggregation?.toUpperCase() ?? '']);
  if (found === undefined) throw new Error(`Say in metric-facts.ts what kind of number ${metric} is.`);
  return found;
}

/** What a count counts once, however many rows it has. */
export const identityOf: Partial<Readonly<Record<MetricName, string>>> = {
  'active-reviewers': 'merged_user_id',
  'adopted-users': 'merged_user_id',
  'adoption-rate': 'merged_user_id',
  'contributors-count': 'merged_user_id',
  'reviews-count': 'pr_id',
};

/** Deployments say what they carried, so that they are as complete as pull requests are. */
export function tablesOf(metric: MetricName): readonly TableName[] {
  const { table, tables = [table] } = factsOf(metric);
  return tables.includes('deployments') && !tables.includes('pull_requests') ? [...tables, 'pull_requests'] : tables;
}

/** What is asked together of the rows of a table: its figures on pages, the first of which every row has. */
export const figuresOf: Partial<Readonly<Record<string, readonly [MetricName, ...MetricName[]]>>> = {
  pull_requests: [
    'pull-requests-count',
    'cycle-time',
    'coding-time',
    'pickup-time',
    'review-time',
    'review-rate',
    'review-rounds',
    'merge-to-deploy-p50',
    'lead-time-for-changes-p50',
    'pull-requests-size',
  ],
  pull_request_reviews: ['review-interactions-count', 'changes-requested-rate', 'active-reviewers', 'reviews-count'],
  deployments: ['deployment-frequency', 'change-failure-rate', 'deployment-rework-rate', 'time-to-restore-p50'],
  workflow_runs: [
    'workflow-runs-count',
    'workflow-run-success-rate',
    'workflow-run-duration',
    'workflow-run-duration-p95',
    'estimated-workflow-run-cost',
  ],
  issues: ['issues-count', 'completed-issues-count', 'issue-cycle-time', 'completed-story-points'],
  ai_copilot: ['adopted-users', 'ai-total-token-usage'],
  posthook_sessions: ['posthook-sessions-count'],
};

/** The column whose oldest value is where the history of a table begins. */
export const beginsBy: Readonly<Record<string, string>> = {
  pull_requests: 'pr_created_at',
  pull_request_reviews: 'reviewed_at',
  deployments: 'deployed_at',
  workflow_runs: 'run_created_at',
  issues: 'created_at',
  ai_copilot: 'date',
  posthook_sessions: 'date',
};

const prefixes: Readonly<Record<string, string>> = { pull_requests: 'pr_', workflow_runs: 'run_' };

/** The column that a date field names: `merged_at` is short for `pr_merged_at`. */
export const dateColumnOf = (metric: MetricName, dateField?: string): string => {
  const { table, dateField: usual } = factsOf(metric);
  const field = dateField ?? usual ?? '';
  const prefix = prefixes[table] ?? '';
  return field.startsWith(prefix) ? field : `${prefix}${field}`;
};
