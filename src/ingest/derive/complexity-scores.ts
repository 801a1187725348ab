import { type PullRequestRow, pullRequests } from '../../catalogue/tables/pull-requests.ts';
import type { Condition, TableReader } from '../../warehouse/intake-port.ts';
import type { Batch } from '../apply/batch.ts';
import { portioned, type StoredReading, storedPortions } from '../read/stored-rows.ts';
import { type IntakeSession, patchDifferent } from '../write/intake-session.ts';
import { scoreOf } from './complexity.ts';

/** A repository and a quarter. */
type RepositoryQuarter = readonly [repository: string, quarter: number];
const nameOf = ([repository, quarter]: RepositoryQuarter): string => `${quarter} ${repository}`;

const quarterColumns = ['repository_key', 'merged_quarter'] as const;
const measured = 'raw_complexity';
/** The columns of pull requests that medians follow from. */
const mediansBy = [...quarterColumns, measured] as const;
/** The columns of a pull request that its score follows from, besides medians. */
export const scoredBy = [...mediansBy, 'given_complexity_score'] as const;
/** The columns that scoring writes. */
export const scoreColumns = ['complexity_score', 'output_estimate'] as const;

/**
 * Scores merged pull requests against the median complexity of their repository in the quarter before, else in their own.
 * A changed pull request can so change its own quarter and the next, and nothing else. Runs once rows are written.
 */
export async function deriveComplexity({ session, tables }: Batch): Promise<void> {
  const own = tables.pull_requests
    .changedIn(['pr_id', ...scoredBy])
    .flatMap(({ after }) => (after?.pr_id == null ? [] : [after]));
  const moved = new Map<string, RepositoryQuarter>();
  for (const { before, after } of tables.pull_requests.changedIn(mediansBy)) {
    for (const at of [quarterOf(before), quarterOf(after)]) if (at) moved.set(nameOf(at), at);
  }
  if (own.length === 0 && moved.size === 0) return;
  const around = new Map<string, RepositoryQuarter>();
  const add = ([repository, quarter]: RepositoryQuarter, steps: readonly number[]) => {
    for (const step of steps) around.set(nameOf([repository, quarter + step]), [repository, quarter + step]);
  };
  for (const at of moved.values()) add(at, [-1, 0, 1]);
  for (const row of own) {
    const at = quarterOf(row);
    if (at) add(at, [-1, 0]);
  }
  const medians =
    around.size === 0 ? new Map<string, number>() : await medianComplexities(session, among([...around.values()]));
  // The quarter after a moved one is scored by it; the moved one by itself where there is none before it.
  const rescored = [...moved.values()].flatMap(([repository, quarter]): RepositoryQuarter[] => [
    [repository, quarter + 1],
    ...(medians.has(nameOf([repository, quarter - 1])) ? [] : [[repository, quarter] as RepositoryQuarter]),
  ]);
  await score(session, medians, { column: 'pr_id', in: own.map(({ pr_id }) => pr_id) });
  for (const quarters of await portionsOf(session, rescored)) await score(session, medians, among(quarters));
}

/** Scores every pull request, portion by portion. */
export async function scoreEverything(session: IntakeSession, { maxRows, signal }: StoredReading): Promise<void> {
  const medians = await medianComplexities(session);
  for await (const where of storedPortions(session, pullRequests, maxRows)) {
    signal?.throwIfAborted();
    await score(session, medians, where);
    await session.flushIfLarge();
  }
}

/** Rows that are held in memory at once: a batch from all over a long history moves the medians of many quarters. */
const maxRows = 50_000;

async function portionsOf(
  session: TableReader,
  quarters: readonly RepositoryQuarter[],
): Promise<RepositoryQuarter[][]> {
  if (quarters.length === 0) return [];
  const counted = (await session.tally(pullRequests, quarterColumns, among(quarters))).flatMap((row) => {
    const quarter = quarterOf(row);
    return quarter ? [{ quarter, rows: row.rows }] : [];
  });
  // In their order, so that what is read together lies together.
  counted.sort((a, b) => a.quarter[1] - b.quarter[1]);
  return portioned(counted, maxRows, ({ rows }) => rows).map((some) => some.map(({ quarter }) => quarter));
}

/** The median complexity of each repository and quarter, of some or of all. */
async function medianComplexities(session: TableReader, where?: Condition): Promise<Map<string, number>> {
  const rows = await session.summarise(pullRequests, quarterColumns, { median: measured }, where);
  return new Map(
    rows.flatMap(({ repository_key, merged_quarter, value }) =>
      repository_key === null || merged_quarter === null || value === null
        ? []
        : [[nameOf([repository_key, merged_quarter]), value] as const],
    ),
  );
}

/** Scores pull requests, whatever they were scored before. */
async function score(session: IntakeSession, medians: ReadonlyMap<string, number>, where: Condition): Promise<void> {
  const rows = await session.select(pullRequests, ['pr_id', ...scoredBy, ...scoreColumns], where);
  const now = rows.map((row) => {
    const score = scored(row, medians);
    return [row, { complexity_score: score, output_estimate: score }] as const;
  });
  await patchDifferent(session, pullRequests, scoreColumns, now);
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

function quarterOf(
  row: Pick<PullRequestRow, (typeof quarterColumns)[number]> | undefined,
): RepositoryQuarter | undefined {
  if (row?.repository_key == null || row.merged_quarter === null) return undefined;
  return [row.repository_key, row.merged_quarter];
}

function among(quarters: readonly RepositoryQuarter[]): Condition {
  return {
    all: [
      { columns: quarterColumns, among: quarters },
      {
        column: 'merged_quarter',
        atLeast: quarters.reduce((least, [, quarter]) => Math.min(least, quarter), Infinity),
      },
      { column: 'merged_quarter', atMost: quarters.reduce((most, [, quarter]) => Math.max(most, quarter), 0) },
    ],
  };
}
