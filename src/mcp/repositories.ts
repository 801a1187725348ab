import { addDays, utcDay } from '../calendar.ts';
import { rowsByColumn } from './rows-by-column.ts';
import type { ToolCaller, ToolParts } from './tool.ts';

/** The longest window is ten years. */
const windowDays = 3_650;

/** The repositories with pull requests that the caller may see, and how many. */
export async function* repositories(parts: ToolParts, caller: ToolCaller) {
  const start = addDays(utcDay(parts.now()), -windowDays);
  const rows = rowsByColumn(parts, caller, 'pull-requests-count', 'repository', { start_date: start });
  for await (const { repository, pr_count: pullRequests } of rows) yield { repository, pull_requests: pullRequests };
}
