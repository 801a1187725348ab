import { dayNumber, secondsPerDay } from '../../calendar.ts';
import type { PullRequestRow } from '../../catalogue/tables/pull-requests.ts';
import { addToList } from '../../lists-by-key.ts';
import type { Condition } from '../../warehouse/intake-port.ts';
import { addedLinesOf, deriveAiShare, isClaimAllowed } from './ai-share.ts';
import {
  type ChangedLookups,
  type DeriveContext,
  type LookupItem,
  type LookupReader,
  withLookups,
} from './derivation.ts';

/** The columns that decide on which days a pull request was made. */
const madeColumns = ['first_commit_at', 'pr_created_at', 'pr_merged_at', 'pr_closed_at'] as const;

/** The columns that the part of AI in pull requests follows from. */
const aiColumns = {
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

type AiItem = LookupItem<'pull_requests', AiRead, AiColumns['parts'], AiColumns['writes'][number]>;
type AiReader = LookupReader<AiColumns['lookups']>;
type AiTouchedReader = LookupReader<AiColumns['parts'] & { readonly pull_requests: readonly AiRead[] }>;
type ChangedAiRows = ChangedLookups<AiColumns['lookups']>;

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
  const attributed = await attributions(reader, items);
  const made = items.map(({ row }) => daysOf(context, row));
  const uses = await usesOf(reader, items, made);
  for (const [i, item] of items.entries()) {
    const { row: pr, parts } = item;
    const days = made[i];
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

/** The commits of these items that anybody claims, with the items that have them. Of most commits nobody claims any. */
function claimedCommits(items: readonly AiItem[], claimed: ReadonlySet<string | null>): Map<string, CommitAuthors[]> {
  const shas = new Map<string, CommitAuthors[]>();
  if (claimed.size === 0) return shas;
  for (const item of items) {
    const own = new Map<string, (string | null)[]>();
    const add = (sha: string | null, author: string | null) => {
      if (sha !== null && claimed.has(sha)) addToList(own, sha, author);
    };
    for (const { sha, merged_user_id } of item.parts.pull_request_commits) add(sha, merged_user_id);
    add(item.row.merge_commit_sha, item.row.merged_user_id);
    for (const [sha, authors] of own) addToList(shas, sha, { item, authors });
  }
  return shas;
}

async function attributions(reader: AiReader, items: readonly AiItem[]) {
  const found = new Map<AiItem, { lines: number; sources: (string | null)[] }>();
  const asked = new Set<string>();
  for (const { row, parts } of items) {
    if (row.merge_commit_sha !== null) asked.add(row.merge_commit_sha);
    for (const { sha } of parts.pull_request_commits) if (sha !== null) asked.add(sha);
  }
  if (asked.size === 0) return found;
  const rows = await reader.select('posthook_session_commits', aiColumns.lookups.posthook_session_commits, {
    column: 'commit_id',
    in: [...asked],
  });
  const shas = claimedCommits(items, new Set(rows.map(({ commit_id }) => commit_id)));
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

async function usesOf(
  reader: AiReader,
  items: readonly AiItem[],
  made: readonly ReturnType<typeof daysOf>[],
): Promise<Map<string, Use[]>> {
  const uses = new Map<string, Use[]>();
  const people = new Set<string>();
  let from = '9999-12-31';
  let until = '0001-01-01';
  for (const [i, { row: pr }] of items.entries()) {
    const days = made[i];
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

/** From the first commit (else the creation) to the merge, else to the end: the days on which its author made it. */
export function daysOf({ zone }: Pick<DeriveContext, 'zone'>, pr: Pick<PullRequestRow, (typeof madeColumns)[number]>) {
  const from = pr.first_commit_at ?? pr.pr_created_at;
  const until = pr.pr_merged_at ?? pr.pr_closed_at;
  return from === null
    ? undefined
    : { from: zone.dayAt(from), until: until === null ? '9999-12-31' : zone.dayAt(until) };
}

/** Pull requests that a changed copilot day, session or session commit may say something about. */
async function touchedByAi(
  changed: ChangedAiRows,
  reader: AiTouchedReader,
  context: DeriveContext,
): Promise<Set<string>> {
  const touched = new Set<string>();
  const days = new Map<string, Set<string>>();
  for (const { before, after } of [...changed.ai_copilot, ...changed.posthook_sessions]) {
    for (const row of [before, after]) {
      if (row?.merged_user_id == null || row.date === null) continue;
      const known = days.get(row.merged_user_id) ?? new Set();
      if (known.size === 0) days.set(row.merged_user_id, known);
      known.add(row.date);
    }
  }
  const shas = new Set<string>();
  for (const { before, after } of changed.posthook_session_commits) {
    for (const row of [before, after]) if (row?.commit_id != null) shas.add(row.commit_id);
  }
  if (shas.size > 0) {
    const commits = await reader.select('pull_request_commits', ['pr_id'], { column: 'sha', in: [...shas] });
    const merges = await reader.select('pull_requests', ['pr_id'], { column: 'merge_commit_sha', in: [...shas] });
    for (const { pr_id } of [...commits, ...merges]) if (pr_id !== null) touched.add(pr_id);
  }
  for (const id of await madeOn(reader, context, days)) touched.add(id);
  return touched;
}

/** Pull requests that these people were making on these days. */
async function madeOn(
  reader: AiTouchedReader,
  context: DeriveContext,
  days: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<string[]> {
  const all = [...days.values()].flatMap((some) => [...some]).sort();
  const [first, last] = [all[0], all.at(-1)];
  if (first === undefined || last === undefined) return [];
  // A day is at most a day and a bit away from the same day in any time zone.
  const from = Math.max(0, (dayNumber(first) - 2) * secondsPerDay);
  const until = (dayNumber(last) + 3) * secondsPerDay;
  const rows = await reader.select('pull_requests', ['pr_id', 'merged_user_id', ...madeColumns], {
    all: [
      { column: 'merged_user_id', in: [...days.keys()] },
      {
        any: [
          { column: 'pr_closed_at', atLeast: from },
          { column: 'pr_merged_at', atLeast: from },
          {
            all: [
              { column: 'pr_closed_at', isNull: true },
              { column: 'pr_merged_at', isNull: true },
            ],
          },
        ],
      },
      {
        any: [
          { column: 'pr_created_at', atMost: until },
          { column: 'first_commit_at', atMost: until },
        ],
      },
    ],
  });
  return rows.flatMap((row) => {
    const made = daysOf(context, row);
    const used = days.get(row.merged_user_id ?? '');
    if (!made || !used || row.pr_id === null) return [];
    for (const day of used) if (day >= made.from && day <= made.until) return [row.pr_id];
    return [];
  });
}
