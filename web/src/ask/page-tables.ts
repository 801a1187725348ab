import type { TableName } from './data-reach.ts';
import { aboutMetric, isMetric } from './metric-facts.ts';

/**
 * The table that a page is about: the page's windows end with the table's last whole day. Windows of other pages end
 * with yesterday.
 */
const tableOfPage: Readonly<Record<string, TableName>> = {
  '/': 'pull_requests',
  '/delivery': 'deployments',
  '/cycle-time': 'pull_requests',
  '/reviews': 'pull_request_reviews',
  '/ai': 'ai_copilot',
  '/ci': 'workflow_runs',
  '/issues': 'issues',
  '/benchmarks': 'pull_requests',
};

export const tableOfPath = (path: string): TableName | undefined =>
  /^\/people\/[^/]+/.test(path) ? 'pull_requests' : tableOfPage[path];

/** The table whose newest rows a reader looks at: in Explore that of the metric that is asked for. */
export function tableShown(path: string, own: Readonly<Record<string, string>>): string | undefined {
  if (path !== '/explore') return tableOfPath(path);
  const { metric = 'cycle-time' } = own;
  return isMetric(metric) ? aboutMetric(metric).table : undefined;
}
