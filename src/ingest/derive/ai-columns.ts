import type { PullRequestRow } from '../../catalogue/tables/pull-requests.ts';
import type { DeriveContext } from './derivation.ts';
import type { ChangedLookups, LookupItem, LookupReader } from './lookup-derivation.ts';

/** The columns that decide on which days a pull request was made. */
export const madeColumns = ['first_commit_at', 'pr_created_at', 'pr_merged_at', 'pr_closed_at'] as const;

/** What the part of AI in pull requests follows from. */
export const aiColumns = {
  reads: ['pr_id', 'merged_user_id', 'is_bot', 'merge_commit_sha', 'ai_added_lines', 'additions', ...madeColumns],
  parts: { pull_request_commits: ['pr_id', 'additions', 'sha', 'merged_user_id'] },
  writes: ['ai_pct_of_code', 'is_ai_assisted', 'ai_sources'],
  lookups: {
    ai_copilot: ['merged_user_id', 'date', 'source', 'is_active'],
    posthook_sessions: ['merged_user_id', 'date', 'agent_slug'],
    posthook_session_commits: ['commit_id', 'committed_lines', 'agent_slug', 'merged_user_id', 'sent_by_engineer'],
  },
} as const;
type AiColumns = typeof aiColumns;
type AiRead = AiColumns['reads'][number];

export type AiItem = LookupItem<'pull_requests', AiRead, AiColumns['parts'], AiColumns['writes'][number]>;
export type AiReader = LookupReader<AiColumns['lookups']>;
export type AiTouchedReader = LookupReader<AiColumns['parts'] & { readonly pull_requests: readonly AiRead[] }>;
export type ChangedAiRows = ChangedLookups<AiColumns['lookups']>;

/** From the first commit (else the creation) to the merge, else to the end: the days on which its author made it. */
export function daysOf({ zone }: Pick<DeriveContext, 'zone'>, pr: Pick<PullRequestRow, (typeof madeColumns)[number]>) {
  const from = pr.first_commit_at ?? pr.pr_created_at;
  const until = pr.pr_merged_at ?? pr.pr_closed_at;
  return from === null
    ? undefined
    : { from: zone.dayAt(from), until: until === null ? '9999-12-31' : zone.dayAt(until) };
}
