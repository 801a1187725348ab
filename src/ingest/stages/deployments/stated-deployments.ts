import { namedPullRequests } from '../../../catalogue/ledgers/ledgers.ts';
import { deployments } from '../../../catalogue/tables/deployments.ts';
import { pullRequests } from '../../../catalogue/tables/pull-requests.ts';
import type { Writing } from '../../../warehouse/warehouse.ts';
import { statedSource } from '../../derive/deployments/deployment-source.ts';
import { isProductionEnvironment } from '../../derive/deployments/production.ts';
import { all, among, inRepositories, is, notNull, nowhere } from './conditions.ts';
import type { DeploymentTouches } from './deployment-touches.ts';
import type { Library } from './library.ts';

/**
 * Says of stated deployments whether they went to production and come from the source that counts. Those of any other
 * source stay as rows, and carry nothing.
 */
export async function tellProduction(session: Writing, library: Library): Promise<void> {
  const books = [...library.books.values()];
  const anew = books.flatMap(({ isAnew, key }) => (isAnew ? [key] : []));
  const touched = books.flatMap(({ isAnew, deployments: ids }) => (isAnew ? [] : [...ids]));
  const columns = [
    'deployment_id',
    'repository_key',
    'deployed_at',
    'environment',
    'given_is_production',
    'given_deployment_source',
    'is_production',
  ] as const;
  const rows = [
    ...(anew.length > 0
      ? await session.select(deployments, columns, all(inRepositories(anew), is('origin', 'stated')))
      : []),
    ...(touched.length > 0
      ? await session.select(deployments, columns, all(among('deployment_id', touched), is('origin', 'stated')))
      : []),
  ];
  const changed = rows.flatMap((row) => {
    const book = library.book(row.repository_key ?? nowhere);
    const isCounted = statedSource(row.given_deployment_source) === book.source;
    const is_production =
      isCounted && (row.given_is_production ?? isProductionEnvironment(row.environment, book.settings));
    if (is_production) book.tellSince(row.deployed_at);
    return row.is_production === is_production ? [] : [{ deployment_id: row.deployment_id, is_production }];
  });
  await session.patch(deployments, ['is_production'], changed);
}

/**
 * Keeps the ledger of pull requests that deployments name, and has every pull request told anew that is named by a
 * deployment of this batch, or by one whose repository is told anew. They may be in any repository.
 */
export async function followNames(session: Writing, touches: DeploymentTouches, library: Library): Promise<void> {
  const naming = new Map<string, ReadonlySet<string>>();
  for (const [id, { before, after }] of touches.deployments) {
    if (typeof before?.pr_ids === 'string' || typeof after?.pr_ids === 'string') {
      naming.set(id, new Set(namesIn(after?.pr_ids)));
    }
  }
  const anew = [...library.books.values()].flatMap(({ isAnew, key }) => (isAnew ? [key] : []));
  if (anew.length > 0) {
    const rows = await session.select(
      deployments,
      ['deployment_id', 'pr_ids'],
      all(inRepositories(anew), is('origin', 'stated'), notNull('pr_ids')),
    );
    for (const { deployment_id, pr_ids } of rows) naming.set(deployment_id ?? '', new Set(namesIn(pr_ids)));
  }
  if (naming.size === 0) return;
  const named = await keepLedger(session, naming);
  const rows = await session.select(
    pullRequests,
    ['pr_id', 'repository_key', 'production_merged_at', 'deployed_at'],
    among('pr_id', named),
  );
  for (const { pr_id, repository_key, production_merged_at, deployed_at } of rows) {
    if (pr_id === null || repository_key === null) continue;
    const book = library.book(repository_key);
    book.tellPullRequest(pr_id);
    // Unnamed, it may have been carried as early as it reached production.
    book.tellSince(production_merged_at, deployed_at);
  }
}

export const namesIn = (json: string | null | undefined): readonly string[] =>
  json ? (JSON.parse(json) as readonly string[]) : [];

/** Returns every pull request that is named now, or was. */
async function keepLedger(session: Writing, naming: ReadonlyMap<string, ReadonlySet<string>>): Promise<Set<string>> {
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
