import type { IssueRow } from '../../catalogue/tables/issues.ts';
import { closedSpan } from './span.ts';

/** Creation to completion. An issue that was closed without being completed has none. */
export function issueCycleTime(issue: Pick<IssueRow, 'created_at' | 'completed_at'>): number | null {
  return closedSpan(issue.created_at, issue.completed_at);
}
