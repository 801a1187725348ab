import { pullRequestCommits } from '../../catalogue/tables/pull-request-commits.ts';
import { type PullRequestRow, pullRequests } from '../../catalogue/tables/pull-requests.ts';
import type { Batch } from '../apply/batch.ts';

/** The columns that decide on which days a pull request was made. */
export const madeColumns = ['first_commit_at', 'pr_created_at', 'pr_merged_at', 'pr_closed_at'] as const;

/** From the first commit (else the creation) to the merge, else to the end: the days on which its author made it. */
export function daysOf({ zone }: Pick<Batch, 'zone'>, pr: Pick<PullRequestRow, (typeof madeColumns)[number]>) {
  const from = pr.first_commit_at ?? pr.pr_created_at;
  const until = pr.pr_merged_at ?? pr.pr_closed_at;
  return from === null
    ? undefined
    : { from: zone.dayAt(from), until: until === null ? '9999-12-31' : zone.dayAt(until) };
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
  const rows = await batch.session.select(pullRequests, ['pr_id', 'merged_user_id', ...madeColumns], {
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
  });
  return rows.flatMap((row) => {
    const made = daysOf(batch, row);
    const used = days.get(row.merged_user_id ?? '');
    if (!made || !used || row.pr_id === null) return [];
    for (const day of used) if (day >= made.from && day <= made.until) return [row.pr_id];
    return [];
  });
}
