import { namedPullRequests } from '../../catalogue/ledgers/ledgers.ts';
import { deployments } from '../../catalogue/tables/deployments.ts';
import type { Reading, Writing } from '../../warehouse/warehouse.ts';
import { all, among, inRepositories, is, noRepository, notNull } from './conditions.ts';
import { firstOf, type Placed } from './deployment-order.ts';
import type { KnownRepositories } from './known-repositories.ts';
import type { TouchedRows } from './touched-rows.ts';

/**
 * Keeps, one row each, the pull requests that deployments name, so that they are found from either side. Returns every
 * pull request that a deployment of this batch names now or named before.
 */
export async function keepNamed(session: Writing, touched: TouchedRows): Promise<Set<string>> {
  const naming = new Map<string, ReadonlySet<string>>();
  for (const [id, { before, after }] of touched.deployments) {
    if (typeof before?.pr_ids !== 'string' && typeof after?.pr_ids !== 'string') continue;
    naming.set(id, new Set(namesIn(after?.pr_ids)));
  }
  if (touched.repositories.size > 0) {
    const reported = all(inRepositories(touched.repositories), is('origin', 'stated'), notNull('pr_ids'));
    for (const { deployment_id, pr_ids } of await session.select(deployments, ['deployment_id', 'pr_ids'], reported)) {
      naming.set(deployment_id ?? '', new Set(namesIn(pr_ids)));
    }
  }
  if (naming.size === 0) return new Set();
  const known = await session.select(
    namedPullRequests,
    ['deployment_id', 'pr_id'],
    among('deployment_id', naming.keys()),
  );
  const gone = known.filter(({ deployment_id, pr_id }) => !naming.get(deployment_id ?? '')?.has(pr_id ?? ''));
  const kept = new Set(known.map(({ deployment_id, pr_id }) => JSON.stringify([deployment_id, pr_id])));
  const wanted = [...naming].flatMap(([deployment_id, names]) => [...names].map((pr_id) => ({ deployment_id, pr_id })));
  const added = wanted.filter(({ deployment_id, pr_id }) => !kept.has(JSON.stringify([deployment_id, pr_id])));
  if (gone.length > 0) {
    await session.remove(namedPullRequests, {
      columns: ['deployment_id', 'pr_id'],
      among: gone.map(({ deployment_id, pr_id }) => [deployment_id, pr_id]),
    });
  }
  await session.put(namedPullRequests, added);
  return new Set([...known, ...wanted].map(({ pr_id }) => pr_id ?? ''));
}

const namesIn = (json: string | null | undefined): readonly string[] =>
  json ? (JSON.parse(json) as readonly string[]) : [];

/** The pull requests that these deployments name. */
export async function namedByDeployments(session: Reading, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await session.select(namedPullRequests, ['pr_id'], among('deployment_id', ids));
  return rows.flatMap(({ pr_id }) => pr_id ?? []);
}

/** For each of these pull requests, the first of the deployments that name it and carry what they name. */
export async function firstNaming(
  session: Reading,
  pullRequestIds: readonly string[],
  repositories: KnownRepositories,
): Promise<Map<string, Placed>> {
  const first = new Map<string, Placed>();
  if (pullRequestIds.length === 0) return first;
  // Few organisations report what a deployment carried. Then a long list of ids need not be compared with anything.
  const [counted] = await session.tally(namedPullRequests, []);
  if ((counted?.rows ?? 0) === 0) return first;
  const named = await session.select(namedPullRequests, ['deployment_id', 'pr_id'], among('pr_id', pullRequestIds));
  if (named.length === 0) return first;
  const namers = new Set(named.map(({ deployment_id }) => deployment_id));
  const rows = await session.select(
    deployments,
    ['deployment_id', 'repository_key', 'deployed_at'],
    all(among('deployment_id', namers), is('is_production', true), is('status', 'success'), notNull('deployed_at')),
  );
  const placed = new Map<string | null, Placed>();
  for (const { deployment_id: id, repository_key, deployed_at: at } of rows) {
    const { isActive } = repositories.settingsOf(repository_key ?? noRepository);
    if (id !== null && at !== null && isActive) placed.set(id, { id, at });
  }
  for (const { deployment_id, pr_id } of named) {
    const found = firstOf([first.get(pr_id ?? ''), placed.get(deployment_id)]);
    if (found) first.set(pr_id ?? '', found);
  }
  return first;
}
