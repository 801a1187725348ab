import { dayNumber, secondsPerDay } from '../../calendar.ts';
import { type AiTouchedReader, type ChangedAiRows, daysOf, madeColumns } from './ai-columns.ts';
import type { DeriveContext } from './derivation.ts';

/** Pull requests that a changed copilot day, session or session commit may say something about. */
export async function touchedByAi(
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
