import { pullRequestCommits } from '../../../catalogue/tables/pull-request-commits.ts';
import { type PullRequestRow, pullRequests } from '../../../catalogue/tables/pull-requests.ts';
import type { Reading } from '../../../warehouse/warehouse.ts';
import { shaKey } from '../../derive/deployments/anchors.ts';
import { compareMerges, isRevert, shaLength } from '../../derive/deployments/revert-targets.ts';
import { parseRevertMarks, type RevertMarks } from '../../derive/reverts.ts';
import { always, type Book, never } from './book.ts';
import { all, among, any, atLeast, inRepositories, isNull, notNull, since } from './conditions.ts';
import { type DeploymentTouches, differ } from './deployment-touches.ts';
import type { Doubts } from './doubts.ts';
import { groupByTime } from './horizons.ts';
import type { Library } from './library.ts';
import { type FoundRevert, loadTargets, type MarkedRow } from './revert-candidates.ts';

const revertColumns = [
  'pr_id',
  'repository_key',
  'pr_number',
  'pr_merged_at',
  'revert_marks',
  'is_revert',
  'reverts_pr_id',
  'deployment_id',
  'deployed_at',
] as const;
type RevertRow = Pick<PullRequestRow, (typeof revertColumns)[number]>;

/** What a pull request is called by those that take it back. */
const called = ['repository_key', 'pr_number', 'pr_title', 'pr_merged_at', 'merge_commit_sha', 'revert_marks'] as const;

/**
 * Finds out what reverts take back, where this batch can have changed it: those that came or moved themselves, and
 * those that name a pull request that did. Returns what is so now of each of them.
 */
export async function findReverts(
  session: Reading,
  touches: DeploymentTouches,
  library: Library,
  doubts: Doubts,
): Promise<Map<string, FoundRevert>> {
  const searches = await planSearches(session, touches, library, doubts);
  const rows = await loadReverts(session, searches);
  await noteCommitsOfMerged(session, touches, rows);
  const asked = rows.filter(({ row, marks, search }) => search.isAnew || isTouched(row, marks, search, touches));
  const targets = await loadTargets(session, asked);
  const found = new Map<string, FoundRevert>();
  const isAsked = new Set(asked);
  for (const reverting of rows.toSorted((a, b) => compareMerges(a.row, b.row))) {
    const { row, marks, search } = reverting;
    const target = isAsked.has(reverting)
      ? targets.get(row.repository_key ?? '')?.find(row, marks)?.pr_id
      : (row.reverts_pr_id ?? undefined);
    const known = target === undefined ? undefined : (found.get(target) ?? targets.knownAs(target));
    // Of a target that was not looked at nothing has changed, so what was said of this one stands.
    const says = target === undefined || known ? isRevert(marks, asTarget(known)) : row.is_revert === true;
    found.set(row.pr_id, { revertsId: target ?? null, isRevert: says });
    noteOutcome(reverting, target, says, isAsked.has(reverting), doubts);
    if (says !== row.is_revert) search.book.tellSince(row.deployed_at);
    if (says !== row.is_revert || (target ?? null) !== row.reverts_pr_id) search.book.tellPullRequest(row.pr_id);
  }
  return found;
}

interface RevertingRow extends MarkedRow {
  readonly row: RevertRow & { readonly pr_id: string };
  readonly search: Search;
}

const asTarget = (known: FoundRevert | undefined) => (known ? { is_revert: known.isRevert } : undefined);

/** In which repositories reverts are looked for, from when on, and by what names. */
interface Search {
  readonly book: Book;
  readonly isAnew: boolean;
  since: number;
  readonly numbers: Set<number>;
  readonly titles: Set<string>;
  readonly shas: Set<string>;
}

async function planSearches(
  session: Reading,
  touches: DeploymentTouches,
  library: Library,
  doubts: Doubts,
): Promise<Map<string, Search>> {
  const searches = new Map<string, Search>();
  const searchIn = (key: string): Search => {
    const book = library.book(key);
    const known = searches.get(key) ?? {
      book,
      isAnew: book.isAnew,
      since: book.isAnew ? always : never,
      numbers: new Set<number>(),
      titles: new Set<string>(),
      shas: new Set<string>(),
    };
    searches.set(key, known);
    return known;
  };
  for (const { isAnew, key } of library.books.values()) if (isAnew) searchIn(key);
  for (const change of touches.pullRequests.values()) {
    const { before, after } = change;
    // One that takes nothing back any more is not among the reverts that are looked at below.
    const isOut = after?.repository_key !== before?.repository_key || typeof after?.revert_marks !== 'string';
    if (before?.reverts_pr_id && isOut) doubts.reverted.add(before.reverts_pr_id);
    if (!differ(change, [...called, 'pr_created_at'])) continue;
    for (const row of [before, after]) {
      if (typeof row?.repository_key !== 'string') continue;
      if (typeof row.pr_merged_at !== 'number' && typeof row.revert_marks !== 'string') continue;
      const search = searchIn(row.repository_key);
      if (typeof row.pr_merged_at === 'number') search.since = Math.min(search.since, row.pr_merged_at);
      if (typeof row.pr_number === 'number') search.numbers.add(row.pr_number);
      if (typeof row.pr_title === 'string') search.titles.add(row.pr_title.trim());
      if (typeof row.merge_commit_sha === 'string') search.shas.add(shaKey(row.merge_commit_sha));
    }
  }
  const commits = touches.commits.flatMap(({ before, after }) => [before, after]);
  const owners = await ownersOf(session, touches, commits);
  for (const commit of commits) {
    const owner = owners.get(commit?.pr_id ?? null);
    if (!commit?.sha || !owner?.repository_key || owner.pr_merged_at === null) continue;
    const search = searchIn(owner.repository_key);
    search.since = Math.min(search.since, owner.pr_merged_at);
    search.shas.add(shaKey(commit.sha));
  }
  return searches;
}

type Owner = Pick<PullRequestRow, 'repository_key' | 'pr_merged_at'>;

/** The pull requests of commits: most come in the same batch, the others are asked for. */
async function ownersOf(
  session: Reading,
  touches: DeploymentTouches,
  commits: readonly (DeploymentTouches['commits'][number]['after'] | undefined)[],
): Promise<Map<string | null, Owner>> {
  const owners = new Map<string | null, Owner>();
  const missing = new Set<string>();
  for (const commit of commits) {
    const id = commit?.pr_id;
    if (typeof id !== 'string' || owners.has(id)) continue;
    const here = touches.pullRequests.get(id)?.after;
    if (here) owners.set(id, { repository_key: here.repository_key ?? null, pr_merged_at: here.pr_merged_at ?? null });
    else missing.add(id);
  }
  if (missing.size === 0) return owners;
  const rows = await session.select(
    pullRequests,
    ['pr_id', 'repository_key', 'pr_merged_at'],
    all(among('pr_id', missing), notNull('pr_merged_at')),
  );
  for (const row of rows) owners.set(row.pr_id, row);
  return owners;
}

/** A revert is merged after what it takes back, or not yet. */
async function loadReverts(session: Reading, searches: ReadonlyMap<string, Search>): Promise<RevertingRow[]> {
  const found: RevertingRow[] = [];
  for (const group of groupByTime(searches.values(), (search) => search.since)) {
    const rows = await session.select(
      pullRequests,
      revertColumns,
      all(
        inRepositories(group.books.map(({ book }) => book.key)),
        notNull('revert_marks'),
        ...(group.since === never
          ? [isNull('pr_merged_at')]
          : since('pr_merged_at', group.since).map((recent) => any(recent, isNull('pr_merged_at')))),
      ),
    );
    for (const row of rows) {
      const search = searches.get(row.repository_key ?? '');
      const marks = parseRevertMarks(row.revert_marks);
      if (search && marks && row.pr_id !== null) found.push({ row: { ...row, pr_id: row.pr_id }, marks, search });
    }
  }
  return found;
}

/**
 * A pull request that is merged now may be named by commits that were known before. It is only asked for them where a
 * revert names a commit, and not further back than such pull requests go: there are many commits.
 */
async function noteCommitsOfMerged(
  session: Reading,
  touches: DeploymentTouches,
  rows: readonly RevertingRow[],
): Promise<void> {
  const byCommit = new Map(rows.flatMap(({ marks, search }) => (marks.sha ? [[search.book.key, search]] : [])));
  if (byCommit.size === 0) return;
  const merged = new Map<string, Search>();
  let created: number | null = never;
  for (const [id, change] of touches.pullRequests) {
    const { after } = change;
    const search = byCommit.get(after?.repository_key ?? '');
    if (!after || !search || !differ(change, ['repository_key', 'pr_merged_at'])) continue;
    merged.set(id, search);
    created =
      typeof after.pr_created_at === 'number' && created !== null ? Math.min(created, after.pr_created_at) : null;
  }
  if (merged.size === 0) return;
  const isRecent = created === null ? [] : [any(atLeast('pr_created_at', created), isNull('pr_created_at'))];
  const commits = await session.select(
    pullRequestCommits,
    ['sha', 'pr_id'],
    all(among('pr_id', merged.keys()), ...isRecent),
  );
  for (const { sha, pr_id } of commits) if (sha !== null) merged.get(pr_id ?? '')?.shas.add(shaKey(sha));
}

function isTouched(row: RevertRow, marks: RevertMarks, search: Search, touches: DeploymentTouches): boolean {
  const change = touches.pullRequests.get(row.pr_id ?? '');
  if (change && differ(change, [...called, 'pr_created_at'])) return true;
  const reverted = touches.pullRequests.get(row.reverts_pr_id ?? '');
  if (reverted && differ(reverted, called)) return true;
  return (
    (marks.number !== undefined && search.numbers.has(marks.number)) ||
    (marks.quotedNumber !== undefined && search.numbers.has(marks.quotedNumber)) ||
    (marks.title !== undefined && search.titles.has(marks.title)) ||
    (marks.sha !== undefined && namesOne(search, shaKey(marks.sha)))
  );
}

const sortedShas = new WeakMap<Search, readonly string[]>();

function namesOne(search: Search, sha: string): boolean {
  if (sha.length >= shaLength) return search.shas.has(sha);
  const sorted = sortedShas.get(search) ?? [...search.shas].sort();
  sortedShas.set(search, sorted);
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as string) < sha) low = middle + 1;
    else high = middle;
  }
  return sorted[low]?.startsWith(sha) === true;
}

function noteOutcome(
  { row }: RevertingRow,
  target: string | undefined,
  says: boolean,
  isAsked: boolean,
  doubts: Doubts,
): void {
  if (!isAsked && says === row.is_revert && (target ?? null) === row.reverts_pr_id) return;
  for (const id of [target, row.reverts_pr_id]) if (id) doubts.reverted.add(id);
  if (says !== row.is_revert && row.deployment_id !== null) doubts.deployments.add(row.deployment_id);
}
