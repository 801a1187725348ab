import { deployments } from '../../catalogue/tables/deployments.ts';
import { incidents } from '../../catalogue/tables/incidents.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import type { TableReader } from '../../warehouse/intake-port.ts';
import { all, among, isNull, notNull } from './conditions.ts';
import { namesOfKey, RepositoryNames } from './rules/repository-names.ts';

/**
 * Incidents give the name of a repository or a service. Returns which repository each name means, and the repositories
 * that may be meant by a name of a touched incident, or by an incident’s name for an attributed repository: that name
 * means another repository once one of the same name comes or goes.
 */
export async function nameRepositories(
  session: TableReader,
  touchedNames: ReadonlySet<string>,
  attributed: Iterable<string>,
): Promise<{ readonly names: RepositoryNames; readonly meant: string[] }> {
  const called = new Set([...attributed].flatMap(namesOfKey));
  const isCalled = all(isNull('deployment_id'), among('repository_key', called));
  const used = await session.tally(incidents, ['repository_key'], isCalled);
  const given = new Set([...touchedNames, ...used.flatMap(({ repository_key }) => repository_key ?? [])]);
  if (given.size === 0) return { names: new RepositoryNames([]), meant: [] };
  // A repository is known while it has a pull request or a deployment.
  const keys = new Set<string>();
  for (const table of [pullRequests, deployments]) {
    const rows = await session.tally(table as typeof pullRequests, ['repository_key'], notNull('repository_key'));
    for (const { repository_key } of rows) if (repository_key !== null) keys.add(repository_key);
  }
  const meant = [...keys].filter((key) => namesOfKey(key).some((name) => given.has(name)));
  return { names: new RepositoryNames(keys), meant };
}
