import { aiCopilot } from '../../catalogue/tables/ai-copilot.ts';
import { posthookSessionCommits } from '../../catalogue/tables/posthook-session-commits.ts';
import { posthookSessions } from '../../catalogue/tables/posthook-sessions.ts';
import { pullRequestCommits } from '../../catalogue/tables/pull-request-commits.ts';
import { type PullRequestRow, pullRequests } from '../../catalogue/tables/pull-requests.ts';
import type { Condition } from '../../warehouse/intake-port.ts';
import type { Batch } from '../apply/batch.ts';
import type { ChildEntry } from '../resolve/family.ts';
import type { Mutable } from '../write/table-overlay.ts';
import { addedLinesOf, deriveAiShare, isClaimAllowed } from './ai-share.ts';

interface Item {
  readonly pr: Mutable<PullRequestRow>;
  readonly commits: readonly ChildEntry[];
}

/** A commit of a pull request, or its merge commit, and who made it; null where that is not known. */
interface Made {
  readonly item: Item;
  readonly authors: (string | null)[];
}

/** The days of a person with an assistant. */
interface Use {
  readonly day: string;
  /** Null where the assistant is not named. */
  readonly source: string | null;
}

/** From the first commit (else the creation) to the merge, else to the end: the days on which its author made it. */
function daysOf(
  { zone }: Batch,
  pr: Pick<PullRequestRow, 'first_commit_at' | 'pr_created_at' | 'pr_merged_at' | 'pr_closed_at'>,
) {
  const from = pr.first_commit_at ?? pr.pr_created_at;
  const until = pr.pr_merged_at ?? pr.pr_closed_at;
  return from === null
    ? undefined
    : { from: zone.dayAt(from), until: until === null ? '9999-12-31' : zone.dayAt(until) };
}

/** AI in pull requests: lines of sessions found in their commits, and assistants that their authors used meanwhile. */
export async function deriveAiShares(batch: Batch, items: readonly Item[]): Promise<void> {
  const attributed = await attributions(batch, commitsOf(items));
  const uses = await usesOf(batch, items);
  for (const item of items) {
    const { pr, commits } = item;
    const days = daysOf(batch, pr);
    const used =
      pr.merged_user_id === null || pr.is_bot || !days
        ? []
        : (uses.get(pr.merged_user_id) ?? []).filter(({ day }) => day >= days.from && day <= days.until);
    const made = commits.flatMap(({ after }) =>
      after ? [{ additions: typeof after.additions === 'number' ? after.additions : null }] : [],
    );
    const lines = attributed.get(item);
    Object.assign(
      pr,
      deriveAiShare({
        givenLines: pr.ai_added_lines,
        attributedLines: lines?.lines ?? null,
        commitAdditions: addedLinesOf(made),
        additions: pr.additions,
        usedSources: used.map(({ source }) => source),
        attributedSources: lines?.sources ?? [],
      }),
    );
  }
}

function commitsOf(items: readonly Item[]): Map<string, Made[]> {
  const shas = new Map<string, Made[]>();
  for (const item of items) {
    const own = new Map<string, (string | null)[]>();
    const add = (sha: string, author: string | null) => own.set(sha, [...(own.get(sha) ?? []), author]);
    for (const { after } of item.commits) {
      if (typeof after?.sha === 'string') add(after.sha, (after.merged_user_id ?? null) as string | null);
    }
    if (item.pr.merge_commit_sha !== null) add(item.pr.merge_commit_sha, item.pr.merged_user_id);
    for (const [sha, authors] of own) {
      const made = shas.get(sha) ?? [];
      if (made.length === 0) shas.set(sha, made);
      made.push({ item, authors });
    }
  }
  return shas;
}

const claimColumns = ['commit_id', 'committed_lines', 'agent_slug', 'merged_user_id', 'sent_by_engineer'] as const;

async function attributions({ session }: Batch, shas: ReadonlyMap<string, readonly Made[]>) {
  const found = new Map<Item, { lines: number; sources: (string | null)[] }>();
  if (shas.size === 0) return found;
  const rows = await session.select(posthookSessionCommits, claimColumns, {
    column: 'commit_id',
    in: [...shas.keys()],
  });
  for (const { commit_id, committed_lines, agent_slug, merged_user_id, sent_by_engineer } of rows) {
    if (committed_lines === null) continue;
    const claim = { engineer: merged_user_id, isSentByEngineer: sent_by_engineer === true };
    for (const { item, authors } of shas.get(commit_id ?? '') ?? []) {
      if (!isClaimAllowed(claim, authors, item.pr.merged_user_id)) continue;
      const known = found.get(item) ?? { lines: 0, sources: [] };
      known.lines += committed_lines;
      if (committed_lines > 0) known.sources.push(agent_slug);
      found.set(item, known);
    }
  }
  return found;
}

async function usesOf(batch: Batch, items: readonly Item[]): Promise<Map<string, Use[]>> {
  const { session } = batch;
  const uses = new Map<string, Use[]>();
  const people = new Set<string>();
  let from = '9999-12-31';
  let until = '0001-01-01';
  for (const { pr } of items) {
    const days = daysOf(batch, pr);
    if (!days || pr.merged_user_id === null || pr.is_bot) continue;
    people.add(pr.merged_user_id);
    if (days.from < from) from = days.from;
    if (days.until > until) until = days.until;
  }
  if (people.size === 0) return uses;
  const then: Condition = {
    all: [
      { column: 'merged_user_id', in: [...people] },
      { column: 'date', atLeast: from },
      { column: 'date', atMost: until },
    ],
  };
  const add = (person: string | null, day: string | null, source: string | null) => {
    if (person === null || day === null) return;
    const known = uses.get(person) ?? [];
    if (known.length === 0) uses.set(person, known);
    known.push({ day, source });
  };
  const days = await session.select(aiCopilot, ['merged_user_id', 'date', 'source', 'is_active'], then);
  for (const day of days) if (day.is_active) add(day.merged_user_id, day.date, day.source);
  const sessions = await session.select(posthookSessions, ['merged_user_id', 'date', 'agent_slug'], then);
  for (const { merged_user_id, date, agent_slug } of sessions) add(merged_user_id, date, agent_slug);
  return uses;
}

/** Pull requests that a changed copilot day, session or session commit may say something about. */
export async function touchedByAi(batch: Batch): Promise<Set<string>> {
  const { session, tables } = batch;
  const touched = new Set<string>();
  const days = new Map<string, Set<string>>();
  for (const table of ['ai_copilot', 'posthook_sessions'] as const) {
    for (const { before, after } of tables[table].changed()) {
      for (const row of [before, after]) {
        if (row?.merged_user_id == null || row.date === null) continue;
        const known = days.get(row.merged_user_id) ?? new Set();
        if (known.size === 0) days.set(row.merged_user_id, known);
        known.add(row.date);
      }
    }
  }
  const shas = new Set<string>();
  for (const { before, after } of tables.posthook_session_commits.changed()) {
    for (const row of [before, after]) if (row?.commit_id != null) shas.add(row.commit_id);
  }
  if (shas.size > 0) {
    const commits = await session.select(pullRequestCommits, ['pr_id'], { column: 'sha', in: [...shas] });
    const merges = await session.select(pullRequests, ['pr_id'], { column: 'merge_commit_sha', in: [...shas] });
    for (const { pr_id } of [...commits, ...merges]) if (pr_id !== null) touched.add(pr_id);
  }
  for (const id of await madeOn(batch, days)) touched.add(id);
  return touched;
}

/** Pull requests that these people were making on these days. */
async function madeOn(batch: Batch, days: ReadonlyMap<string, ReadonlySet<string>>): Promise<string[]> {
  if (days.size === 0) return [];
  const all = [...days.values()].flatMap((some) => [...some]).sort();
  // A day is at most a day and a bit away from the same day in any time zone.
  const seconds = (day: string | undefined, extra: number) => Date.parse(`${day}T00:00:00Z`) / 1_000 + extra * 86_400;
  const until = seconds(all.at(-1), 3);
  const rows = await batch.session.select(
    pullRequests,
    ['pr_id', 'merged_user_id', 'first_commit_at', 'pr_created_at', 'pr_merged_at', 'pr_closed_at'],
    {
      all: [
        { column: 'merged_user_id', in: [...days.keys()] },
        {
          any: [
            { column: 'pr_closed_at', atLeast: Math.max(0, seconds(all[0], -2)) },
            { column: 'pr_merged_at', atLeast: Math.max(0, seconds(all[0], -2)) },
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
    },
  );
  return rows.flatMap((row) => {
    const made = daysOf(batch, row);
    const used = days.get(row.merged_user_id ?? '');
    if (!made || !used || row.pr_id === null) return [];
    for (const day of used) if (day >= made.from && day <= made.until) return [row.pr_id];
    return [];
  });
}
