import { addToList } from '../../lists-by-key.ts';
import type { Condition } from '../../warehouse/intake-port.ts';
import { type AiItem, type AiReader, aiColumns, daysOf } from './ai-columns.ts';
import { addedLinesOf, deriveAiShare, isClaimAllowed } from './ai-share.ts';
import { touchedByAi } from './ai-touched.ts';
import type { DeriveContext } from './derivation.ts';
import { withLookups } from './lookup-derivation.ts';

/** AI in pull requests: lines of sessions found in their commits, and assistants that their authors used meanwhile. */
export const aiShares = withLookups('pull_requests', { ...aiColumns, touched: touchedByAi, derive: deriveAiShares });

/** A commit of a pull request, or its merge commit, and who made it; null where that is not known. */
interface CommitAuthors {
  readonly item: AiItem;
  readonly authors: (string | null)[];
}

/** The days of a person with an assistant. */
interface Use {
  readonly day: string;
  /** Null where the assistant is not named. */
  readonly source: string | null;
}

async function deriveAiShares(items: readonly AiItem[], reader: AiReader, context: DeriveContext): Promise<void> {
  const attributed = await attributions(reader, commitsOf(items));
  const uses = await usesOf(reader, context, items);
  for (const item of items) {
    const { row: pr, parts } = item;
    const days = daysOf(context, pr);
    const used =
      pr.merged_user_id === null || pr.is_bot || !days
        ? []
        : (uses.get(pr.merged_user_id) ?? []).filter(({ day }) => day >= days.from && day <= days.until);
    const lines = attributed.get(item);
    Object.assign(
      pr,
      deriveAiShare({
        givenLines: pr.ai_added_lines,
        attributedLines: lines?.lines ?? null,
        commitAdditions: addedLinesOf(parts.pull_request_commits),
        additions: pr.additions,
        usedSources: used.map(({ source }) => source),
        attributedSources: lines?.sources ?? [],
      }),
    );
  }
}

function commitsOf(items: readonly AiItem[]): Map<string, CommitAuthors[]> {
  const shas = new Map<string, CommitAuthors[]>();
  for (const item of items) {
    const own = new Map<string, (string | null)[]>();
    for (const { sha, merged_user_id } of item.parts.pull_request_commits) {
      if (sha !== null) addToList(own, sha, merged_user_id);
    }
    if (item.row.merge_commit_sha !== null) addToList(own, item.row.merge_commit_sha, item.row.merged_user_id);
    for (const [sha, authors] of own) addToList(shas, sha, { item, authors });
  }
  return shas;
}

async function attributions(reader: AiReader, shas: ReadonlyMap<string, readonly CommitAuthors[]>) {
  const found = new Map<AiItem, { lines: number; sources: (string | null)[] }>();
  if (shas.size === 0) return found;
  const rows = await reader.select('posthook_session_commits', aiColumns.lookups.posthook_session_commits, {
    column: 'commit_id',
    in: [...shas.keys()],
  });
  for (const { commit_id, committed_lines, agent_slug, merged_user_id, sent_by_engineer } of rows) {
    if (committed_lines === null) continue;
    const claim = { engineer: merged_user_id, isSentByEngineer: sent_by_engineer === true };
    for (const { item, authors } of shas.get(commit_id ?? '') ?? []) {
      if (!isClaimAllowed(claim, authors, item.row.merged_user_id)) continue;
      const known = found.get(item) ?? { lines: 0, sources: [] };
      known.lines += committed_lines;
      if (committed_lines > 0) known.sources.push(agent_slug);
      found.set(item, known);
    }
  }
  return found;
}

async function usesOf(reader: AiReader, context: DeriveContext, items: readonly AiItem[]): Promise<Map<string, Use[]>> {
  const uses = new Map<string, Use[]>();
  const people = new Set<string>();
  let from = '9999-12-31';
  let until = '0001-01-01';
  for (const { row: pr } of items) {
    const days = daysOf(context, pr);
    if (!days || pr.merged_user_id === null || pr.is_bot) continue;
    people.add(pr.merged_user_id);
    if (days.from < from) from = days.from;
    if (days.until > until) until = days.until;
  }
  if (people.size === 0) return uses;
  const then: Condition<'merged_user_id' | 'date'> = {
    all: [
      { column: 'merged_user_id', in: [...people] },
      { column: 'date', atLeast: from },
      { column: 'date', atMost: until },
    ],
  };
  const add = (person: string | null, day: string | null, source: string | null) => {
    if (person !== null && day !== null) addToList(uses, person, { day, source });
  };
  const days = await reader.select('ai_copilot', aiColumns.lookups.ai_copilot, then);
  for (const day of days) if (day.is_active) add(day.merged_user_id, day.date, day.source);
  const sessions = await reader.select('posthook_sessions', aiColumns.lookups.posthook_sessions, then);
  for (const { merged_user_id, date, agent_slug } of sessions) add(merged_user_id, date, agent_slug);
  return uses;
}
