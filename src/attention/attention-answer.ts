import { isoText } from '../calendar.ts';
import type { NeedsAttention } from './needs-attention.ts';
import { type WaitingRecord, waitingSteps } from './waiting.ts';

/** What needs attention as JSON: pages and messages read the same. */
export const attentionAnswer = (found: NeedsAttention) => ({
  at: isoText(found.now),
  hours: found.hours,
  waiting: waitingSteps.map((step) => {
    const { count, olderCount, longestSince, records } = found.waiting[step];
    return {
      for: step,
      count,
      older_than_90_days: olderCount,
      longest_since: longestSince === null ? null : isoText(longestSince),
      pull_requests: records.map(recordView),
    };
  }),
  failures: { count: found.failures.count, deployments: found.failures.records.map(recordView) },
  stale_sources: found.staleSources,
});

/** Times are seconds in the tables. */
function recordView({ since, columns }: WaitingRecord) {
  const { deployed_at: deployedAt, ...rest } = columns;
  return {
    ...rest,
    ...(deployedAt === undefined ? {} : { deployed_at: deployedAt === null ? null : isoText(Number(deployedAt)) }),
    since: isoText(since),
  };
}
