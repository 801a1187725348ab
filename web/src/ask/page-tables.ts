import type { TableName } from './data-reach.ts';

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
