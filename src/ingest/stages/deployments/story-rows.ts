import { namedPullRequests } from '../../../catalogue/ledgers/ledgers.ts';
import { deployments } from '../../../catalogue/tables/deployments.ts';
import { pullRequestCommits } from '../../../catalogue/tables/pull-request-commits.ts';
import { pullRequests } from '../../../catalogue/tables/pull-requests.ts';
import type { Condition, Reading } from '../../../warehouse/warehouse.ts';
import { shaKey } from '../../derive/deployments/anchors.ts';
import { firstOf, type Placed } from '../../derive/deployments/deployment-order.ts';
import {
  type AnchorRow,
  deploymentColumns,
  isSuccess,
  pullRequestColumns,
  type StoryDeployment,
  type StoryPullRequest,
} from '../../derive/deployments/story-facts.ts';
import { type Book, never } from './book.ts';
import { all, among, atLeast, atMost, formsOf, inRepositories, is, isNull, notNull, nowhere } from './conditions.ts';
import { type Horizon, isFromBeginning } from './horizons.ts';
import type { Library } from './library.ts';

export const successful: Condition = all(is('is_production', true), is('status', 'success'));
const keysOf = (books: readonly Book[]): Condition => inRepositories(books.map(({ key }) => key));

/** Rows by the key of their repository. */
export function byRepository<R extends { readonly repository_key: string | null }>(
  rows: Iterable<R>,
): Map<string, R[]> {
  const groups = new Map<string, R[]>();
  for (const row of rows) {
    const key = row.repository_key ?? nowhere;
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}

/** Everything deployed since, and what is told in any case. */
export async function loadDeployments(session: Reading, horizon: Horizon<Book>): Promise<StoryDeployment[]> {
  const { since, books } = horizon;
  if (isFromBeginning(horizon)) return session.select(deployments, deploymentColumns, keysOf(books));
  const rows = new Map<string | null, StoryDeployment>();
  const ids = books.flatMap((book) => [...book.deployments]);
  const recent = since === never ? [] : [all(keysOf(books), atLeast('deployed_at', since))];
  for (const where of [...recent, ...(ids.length > 0 ? [among('deployment_id', ids)] : [])]) {
    for (const row of await session.select(deployments, deploymentColumns, where)) rows.set(row.deployment_id, row);
  }
  return [...rows.values()];
}

/**
 * Earlier successes that those since then are held against: the last one in each environment, and whatever deployed the
 * same commit or version before.
 */
export async function loadEarlier(
  session: Reading,
  { since, books }: Horizon<Book>,
  recent: readonly StoryDeployment[],
): Promise<StoryDeployment[]> {
  const keys = new Set(books.flatMap(({ key, origin }) => (origin === 'merge' ? [] : [key])));
  const later = recent.filter((row) => isSuccess(row) && keys.has(row.repository_key ?? nowhere));
  if (later.length === 0 || !Number.isFinite(since)) return [];
  const earlier = all(inRepositories(keys), successful, atMost('deployed_at', since - 1));
  const environments = ['repository_key', 'environment'] as const;
  const last = await session.summarise(deployments, environments, { max: 'deployed_at' }, earlier);
  if (last.length === 0) return [];
  const rows = new Map<string | null, StoryDeployment>();
  const load = async (...where: readonly Condition[]) => {
    for (const row of await session.select(deployments, deploymentColumns, all(earlier, ...where))) {
      rows.set(row.deployment_id, row);
    }
  };
  await load({
    columns: [...environments, 'deployed_at'],
    among: last.map((row) => [row.repository_key, row.environment, row.value]),
  });
  const compared = [...later, ...rows.values()];
  const shas = new Set(compared.flatMap(({ sha }) => (sha === null ? [] : formsOf(sha))));
  const versions = new Set(compared.flatMap(({ version }) => (version === null ? [] : [version])));
  const bare = new Set(compared.flatMap(({ sha, version }) => (sha === null && version !== null ? [version] : [])));
  if (shas.size > 0) await load(among('sha', shas));
  if (versions.size > 0) await load(among('version', versions), isNull('sha'));
  if (bare.size > 0) await load(among('version', bare));
  return [...rows.values()];
}

/**
 * Every pull request whose fate can be another now: those that reached production since or were carried since, those
 * that wait, and those told in any case. When promotions have moved, also those that have not reached production.
 */
export async function loadPullRequests(session: Reading, horizon: Horizon<Book>): Promise<StoryPullRequest[]> {
  const books = horizon.books.filter(({ key }) => key !== nowhere);
  const wheres = isFromBeginning(horizon) ? [keysOf(books)] : recentPullRequests(horizon.since, books);
  const rows = new Map<string, StoryPullRequest>();
  for (const where of books.length > 0 ? wheres : []) {
    for (const row of await session.select(pullRequests, pullRequestColumns, where)) {
      if (row.pr_id !== null) rows.set(row.pr_id, row as StoryPullRequest);
    }
  }
  return [...rows.values()];
}

function recentPullRequests(since: number, books: readonly Book[]): Condition[] {
  const wheres: Condition[] = [];
  const ids = books.flatMap((book) => [...book.pullRequests]);
  if (ids.length > 0) wheres.push(among('pr_id', ids));
  const promoting = books.filter(({ isPromotionMoved }) => isPromotionMoved);
  if (promoting.length > 0) {
    wheres.push(all(keysOf(promoting), notNull('pr_merged_at'), isNull('production_merged_at')));
  }
  if (since === never) return wheres;
  wheres.push(all(keysOf(books), atLeast('production_merged_at', since)));
  const carrying = books.filter(({ origin }) => origin !== 'merge');
  if (carrying.length === 0) return wheres;
  const keys = keysOf(carrying);
  const isWaitingBot = all(
    is('is_bot', true),
    is('deployment_attribution_status', 'ignored'),
    isNull('deployed_at'),
    notNull('production_merged_at'),
  );
  wheres.push(all(keys, atLeast('deployed_at', since)));
  wheres.push(all(keys, is('deployment_attribution_status', 'awaiting_deploy')));
  wheres.push(all(keys, isWaitingBot));
  return wheres;
}

export interface LocatedAnchor extends AnchorRow {
  readonly repository_key: string | null;
}
const anchorColumns = [
  'pr_id',
  'repository_key',
  'merge_commit_sha',
  'pr_merged_at',
  'base_branch',
  'production_merged_at',
] as const;

export interface LocatedAnchors {
  readonly merges: readonly LocatedAnchor[];
  readonly commits: readonly { readonly sha: string; readonly owner: LocatedAnchor }[];
}

const placeOf = (repository: string | null, sha: string): string => `${repository ?? nowhere} ${shaKey(sha)}`;

/**
 * The pull requests whose merge was deployed, else those that a deployed commit belongs to. Pull requests without a
 * repository belong to no production branch, so they say nothing about deployments without one.
 */
export async function loadAnchors(
  session: Reading,
  horizon: Horizon<Book>,
  deployed: readonly StoryDeployment[],
  known: readonly StoryPullRequest[],
): Promise<LocatedAnchors> {
  const keys = new Set(
    horizon.books.flatMap(({ key, origin }) => (origin === 'merge' || key === nowhere ? [] : [key])),
  );
  const built = deployed.filter((row) => isSuccess(row) && keys.has(row.repository_key ?? nowhere));
  const places = new Map(
    built.flatMap(({ sha, repository_key }) => (sha ? [[placeOf(repository_key, sha), sha]] : [])),
  );
  if (places.size === 0) return { merges: [], commits: [] };
  const isMerged = all(inRepositories(keys), notNull('pr_merged_at'));
  const load = async (where: Condition): Promise<LocatedAnchor[]> =>
    (await session.select(pullRequests, anchorColumns, all(isMerged, where))) as LocatedAnchor[];
  const isBuilt = ({ repository_key, merge_commit_sha }: LocatedAnchor) =>
    merge_commit_sha !== null && places.has(placeOf(repository_key, merge_commit_sha));
  const merges = isFromBeginning(horizon)
    ? known.filter((pr) => pr.pr_merged_at !== null && isBuilt(pr))
    : (await load(among('merge_commit_sha', [...places.values()].flatMap(formsOf)))).filter(isBuilt);
  for (const { repository_key, merge_commit_sha } of merges)
    places.delete(placeOf(repository_key, merge_commit_sha ?? ''));
  if (places.size === 0) return { merges, commits: [] };
  const named = among('sha', new Set([...places.values()].flatMap(formsOf)));
  const rows = await session.select(pullRequestCommits, ['sha', 'pr_id'], named);
  if (rows.length === 0) return { merges, commits: [] };
  const owners = await load(among('pr_id', new Set(rows.map(({ pr_id }) => pr_id))));
  const byId = new Map(owners.map((row) => [row.pr_id, row]));
  const commits = rows.flatMap(({ sha, pr_id }) => {
    const owner = byId.get(pr_id ?? '');
    return sha !== null && owner ? [{ sha, owner }] : [];
  });
  return { merges, commits };
}

/** For each pull request the first of the deployments that name it and carry what they name. */
export async function loadNaming(
  session: Reading,
  ids: readonly string[],
  library: Library,
): Promise<Map<string, Placed>> {
  const first = new Map<string, Placed>();
  if (ids.length === 0) return first;
  const named = await session.select(namedPullRequests, ['deployment_id', 'pr_id'], among('pr_id', ids));
  if (named.length === 0) return first;
  const namers = new Set(named.map(({ deployment_id }) => deployment_id));
  const rows = await session.select(
    deployments,
    ['deployment_id', 'repository_key', 'deployed_at'],
    all(among('deployment_id', namers), successful, notNull('deployed_at')),
  );
  const placed = new Map<string | null, Placed>();
  for (const { deployment_id: id, repository_key, deployed_at: at } of rows) {
    const isActive = library.settingsOf(repository_key ?? nowhere).isActive;
    if (id !== null && at !== null && isActive) placed.set(id, { id, at });
  }
  for (const { deployment_id, pr_id } of named) {
    const found = firstOf([first.get(pr_id ?? ''), placed.get(deployment_id)]);
    if (found) first.set(pr_id ?? '', found);
  }
  return first;
}
