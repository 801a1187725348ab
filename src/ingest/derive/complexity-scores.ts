import { type PullRequestRow, pullRequests } from '../../catalogue/tables/pull-requests.ts';
import type { Condition, TableReader } from '../../warehouse/intake-port.ts';
import type { Batch } from '../apply/batch.ts';
import type { IntakeSession } from '../write/intake-session.ts';
import { scoreOf } from './complexity.ts';

/** A repository and a quarter. */
type RepositoryQuarter = readonly [repository: string, quarter: number];
const nameOf = ([repository, quarter]: RepositoryQuarter): string => `${quarter} ${repository}`;

/**
 * Scores of merged pull requests against what was usual in their repository in the quarter before, else in their own.
 * A changed pull request can so change its own quarter and the next, and nothing else. Runs once rows are written.
 */
export async function deriveComplexity({ session, tables }: Batch): Promise<void> {
  const moved = new Map<string, RepositoryQuarter>();
  const own = new Set<string>();
  for (const { before, after, part } of tables.pull_requests.changed()) {
    // Parts of a pull request do not change what its score follows from.
    if (part) continue;
    const [was, is] = [cellOf(before), cellOf(after)];
    const isSame = was && is && nameOf(was) === nameOf(is) && before?.raw_complexity === after?.raw_complexity;
    if (isSame && before?.given_complexity_score === after?.given_complexity_score) continue;
    if (after?.pr_id != null) own.add(after.pr_id);
    if (isSame) continue;
    for (const cell of [was, is]) if (cell) moved.set(nameOf(cell), cell);
  }
  if (own.size === 0 && moved.size === 0) return;
  const around = new Map<string, RepositoryQuarter>();
  for (const [repository, quarter] of moved.values()) {
    for (const step of [-1, 0, 1]) around.set(nameOf([repository, quarter + step]), [repository, quarter + step]);
  }
  for (const id of own) {
    const cell = cellOf(tables.pull_requests.entries.get(id)?.after);
    if (cell) for (const step of [-1, 0]) around.set(nameOf([cell[0], cell[1] + step]), [cell[0], cell[1] + step]);
  }
  const medians =
    around.size === 0 ? new Map<string, number>() : await usualSizes(session, among([...around.values()]));
  // The quarter after a moved one is scored by it; the moved one by itself where there is none before it.
  const rescored = [...moved.values()].flatMap(([repository, quarter]): RepositoryQuarter[] => [
    [repository, quarter + 1],
    ...(medians.has(nameOf([repository, quarter - 1])) ? [] : [[repository, quarter] as RepositoryQuarter]),
  ]);
  await score(session, medians, { column: 'pr_id', in: [...own] });
  for (const cells of await portionsOf(session, rescored)) await score(session, medians, among(cells));
}

/** Rows that are held in memory at once: a batch from all over a long history moves what is usual everywhere. */
const rowsMost = 50_000;

async function portionsOf(session: TableReader, cells: readonly RepositoryQuarter[]): Promise<RepositoryQuarter[][]> {
  if (cells.length === 0) return [];
  const portions: RepositoryQuarter[][] = [];
  let size = Number.POSITIVE_INFINITY;
  const counted = await session.tally(pullRequests, ['repository_key', 'merged_quarter'], among(cells));
  // By quarter, so that what is read together lies together.
  const inOrder = counted.toSorted((a, b) => (a.merged_quarter ?? 0) - (b.merged_quarter ?? 0));
  for (const { repository_key, merged_quarter, rows } of inOrder) {
    if (repository_key === null || merged_quarter === null) continue;
    if (size + rows > rowsMost) {
      portions.push([]);
      size = 0;
    }
    portions.at(-1)?.push([repository_key, merged_quarter]);
    size += rows;
  }
  return portions;
}

/** What is usual in each repository and quarter, of some or of all. */
export async function usualSizes(session: TableReader, where?: Condition): Promise<Map<string, number>> {
  const rows = await session.summarise(
    pullRequests,
    ['repository_key', 'merged_quarter'],
    { median: 'raw_complexity' },
    where,
  );
  return new Map(
    rows.flatMap(({ repository_key, merged_quarter, value }) =>
      repository_key === null || merged_quarter === null || value === null
        ? []
        : [[nameOf([repository_key, merged_quarter]), value] as const],
    ),
  );
}

/** The columns that scoring writes. */
export const scoreColumns = ['complexity_score', 'output_estimate'] as const;
const scoredBy = ['repository_key', 'merged_quarter', 'raw_complexity', 'given_complexity_score'] as const;

/** Scores pull requests, whatever they were scored before. */
export async function score(
  session: IntakeSession,
  medians: ReadonlyMap<string, number>,
  where: Condition,
): Promise<void> {
  const rows = await session.select(pullRequests, ['pr_id', ...scoredBy, ...scoreColumns], where);
  const changed = rows.flatMap((row) => {
    const score = scored(row, medians);
    return score === row.complexity_score && score === row.output_estimate
      ? []
      : [{ pr_id: row.pr_id, complexity_score: score, output_estimate: score }];
  });
  await session.patch(pullRequests, scoreColumns, changed);
}

function scored(
  row: Pick<PullRequestRow, (typeof scoredBy)[number]>,
  medians: ReadonlyMap<string, number>,
): number | null {
  const { repository_key, merged_quarter, raw_complexity, given_complexity_score } = row;
  if (merged_quarter === null) return null;
  if (given_complexity_score !== null) return given_complexity_score;
  if (repository_key === null) return null;
  const median =
    medians.get(nameOf([repository_key, merged_quarter - 1])) ?? medians.get(nameOf([repository_key, merged_quarter]));
  return raw_complexity === null || median === undefined ? null : scoreOf(raw_complexity, median);
}

function cellOf(
  row: Pick<PullRequestRow, 'repository_key' | 'merged_quarter'> | undefined,
): RepositoryQuarter | undefined {
  if (row?.repository_key == null || row.merged_quarter === null) return undefined;
  return [row.repository_key, row.merged_quarter];
}

function among(cells: readonly RepositoryQuarter[]): Condition {
  return {
    all: [
      { columns: ['repository_key', 'merged_quarter'], among: cells },
      { column: 'merged_quarter', atLeast: cells.reduce((least, [, quarter]) => Math.min(least, quarter), Infinity) },
      { column: 'merged_quarter', atMost: cells.reduce((most, [, quarter]) => Math.max(most, quarter), 0) },
    ],
  };
}
