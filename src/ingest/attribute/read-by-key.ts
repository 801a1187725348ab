import { pullRequestCommits } from '../../catalogue/tables/pull-request-parts.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import type { Condition } from '../../warehouse/intake-port.ts';
import { parseRevertMarks } from '../derive/reverts.ts';
import type { AttributionColumn, AttributionReader } from './attributed-columns.ts';
import { all, among, any, inRepositories, notNull, withSha } from './conditions.ts';
import type { SpanPart } from './repository-parts.ts';
import { shaKey } from './rules/commit-positions.ts';
import {
  type BuiltFrom,
  commitColumns,
  type PlacedPullRequest,
  placedColumns,
  type RepositoryFacts,
  type RevertTarget,
  revertTargetColumns,
  type StoredPullRequest,
} from './rules/repository-facts.ts';
import { isAllTime } from './spans.ts';

type Commits = RepositoryFacts['commits'];

/** The pull requests that deployed commits are of, as far as they were not read, and their commits. */
export async function readPlaces(
  session: AttributionReader,
  part: SpanPart,
  prs: readonly StoredPullRequest[],
  deployed: readonly BuiltFrom[],
): Promise<{ readonly commits: Commits; readonly placed: readonly PlacedPullRequest[] }> {
  const shas = new Map<string, string>();
  for (const { repository_key, sha } of deployed) if (sha !== null) shas.set(placeKey(repository_key, sha), sha);
  const isRead = new Set(prs.map(({ pr_id }) => pr_id));
  const placed: PlacedPullRequest[] = [];
  const read = async (where: Condition<AttributionColumn<typeof pullRequests>>) => {
    const rows = await session.select(pullRequests, placedColumns, where);
    placed.push(...rows.filter(({ pr_id }) => pr_id !== null && !isRead.has(pr_id)));
    for (const { pr_id } of rows) isRead.add(pr_id ?? '');
  };
  const keys = part.map(({ key }) => key);
  const areAllRead = part.every(isAllTime);
  if (!areAllRead && shas.size > 0) {
    await read(all(inRepositories(keys), notNull('pr_merged_at'), withSha('merge_commit_sha', shas.values())));
  }
  // Apart for each repository: the merge of one may be any commit in another.
  for (const { repository_key, pr_merged_at, merge_commit_sha: sha } of [...prs, ...placed]) {
    if (sha !== null && pr_merged_at !== null) shas.delete(placeKey(repository_key, sha));
  }
  const commits = await readCommits(session, shas.values());
  const owners = commits.flatMap(({ pr_id }) => (isRead.has(pr_id) ? [] : [pr_id]));
  if (!areAllRead && owners.length > 0) {
    await read(all(inRepositories(keys), among('pr_id', owners)));
  }
  return { commits, placed };
}

const placeKey = (repository: string | null, sha: string): string => `${repository ?? ''} ${shaKey(sha)}`;

/** Commits by their hashes. There are too many to read all. */
async function readCommits(session: AttributionReader, shas: Iterable<string>): Promise<Commits> {
  const some = [...new Set(shas)];
  if (some.length === 0) return [];
  const rows = await session.select(pullRequestCommits, commitColumns, withSha('sha', some));
  return rows.flatMap(({ sha, pr_id }) => (sha !== null && pr_id !== null ? [{ sha, pr_id }] : []));
}

/** The merged pull requests that some say they take back, by everything that they may call them by. */
export async function readRevertTargets(
  session: AttributionReader,
  prs: readonly StoredPullRequest[],
): Promise<{ readonly targets: readonly RevertTarget[]; readonly commits: Commits }> {
  const reverting = new Set<string>();
  const [numbers, titles, shas] = [new Set<number>(), new Set<string>(), new Set<string>()];
  for (const { repository_key, revert_marks } of prs) {
    const marks = parseRevertMarks(revert_marks);
    if (!marks || repository_key === null || marks.repository !== undefined) continue;
    reverting.add(repository_key);
    for (const number of [marks.number, marks.quotedNumber]) if (number !== undefined) numbers.add(number);
    if (marks.title !== undefined) titles.add(marks.title);
    if (marks.sha !== undefined) shas.add(marks.sha);
  }
  if (reverting.size === 0) return { targets: [], commits: [] };
  const commits = await readCommits(session, shas);
  const isNamed = any(
    among('pr_number', numbers),
    among('pr_title', titles),
    withSha('merge_commit_sha', shas),
    among(
      'pr_id',
      commits.map(({ pr_id }) => pr_id),
    ),
  );
  const where = all(inRepositories(reverting), notNull('pr_merged_at'), isNamed);
  return { targets: await session.select(pullRequests, revertTargetColumns, where), commits };
}
