import { rowReader } from '../query/shape/rows.ts';
import type { ToolCaller, ToolParts } from './tool.ts';

const dayMs = 86_400_000;
/** The longest window is ten years. */
const windowDays = 3_650;

/** The repositories with pull requests that the caller may see, and how many. */
export async function* repositories({ metrics, now }: ToolParts, { principal, signal }: ToolCaller) {
  const start = new Date(now().getTime() - windowDays * dayMs).toISOString().slice(0, 10);
  const body = { metrics: ['pull-requests-count'], filters: { start_date: start }, group_by: ['repository'] };
  const { answer } = await metrics.multiple(principal, body, signal);
  if (answer.form === 'document') throw new Error('there are no rows of repositories');
  const read = rowReader(answer.columns);
  const batches = answer.form === 'rows' ? [answer.rows] : answer.batches;
  for await (const batch of batches) {
    for (const row of batch) {
      const { repository, pr_count: pullRequests } = read(row);
      yield { repository, pull_requests: pullRequests };
    }
  }
}
