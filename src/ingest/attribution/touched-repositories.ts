import { deployments } from '../../catalogue/tables/deployments.ts';
import { incidents } from '../../catalogue/tables/incidents.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import type { Reading } from '../../warehouse/warehouse.ts';
import { parseRevertMarks } from '../derive/reverts.ts';
import { shaKey } from './commit-positions.ts';
import { all, among, inRepositories, is, isNull, noRepository, notNull, withSha } from './conditions.ts';
import { isDeployRun } from './inferred-deployment.ts';
import type { KnownRepositories } from './known-repositories.ts';
import type { TouchedRows } from './touched-rows.ts';
import type { Attributed } from './write-attribution.ts';

/** The repositories that the rows of a batch belong to, before and after it. */
export async function touchedRepositories(
  session: Reading,
  touched: TouchedRows,
  repositories: KnownRepositories,
): Promise<Set<string>> {
  const keys = new Set(touched.repositories);
  const add = (key: string | null | undefined) => {
    if (typeof key === 'string') keys.add(key);
  };
  for (const { before, after } of touched.pullRequests.values()) {
    for (const row of [before, after]) add(row?.repository_key);
  }
  for (const { before, after } of touched.releases.values())
    for (const row of [before, after]) add(row?.repository_key);
  for (const { before, after } of touched.deployments.values()) {
    for (const row of [before, after]) if (row) add(row.repository_key ?? noRepository);
  }
  for (const { before, after } of touched.runs.values()) {
    for (const row of [before, after]) {
      if (typeof row?.repository_key !== 'string') continue;
      const { workflow_name = null, environment = null, run_conclusion = null } = row;
      // Most runs deploy nothing.
      const settings = repositories.settingsOf(row.repository_key);
      if (isDeployRun({ workflow_name, environment, run_conclusion }, settings)) keys.add(row.repository_key);
    }
  }
  for (const key of await repositoriesOfCommits(session, touched, keys)) keys.add(key);
  return keys;
}

/** A commit matters to attribution where it was deployed, or where a revert names it. */
async function repositoriesOfCommits(
  session: Reading,
  { commits, pullRequests: known }: TouchedRows,
  keys: ReadonlySet<string>,
): Promise<Set<string>> {
  const found = new Set<string>();
  const rows = commits.flatMap(({ before, after }) => [before, after]);
  const owners = new Set(rows.flatMap((row) => (row?.pr_id && !known.has(row.pr_id) ? [row.pr_id] : [])));
  if (owners.size === 0) return found;
  const located = await session.select(pullRequests, ['pr_id', 'repository_key'], among('pr_id', owners));
  const repositoryOf = new Map(located.map(({ pr_id, repository_key }) => [pr_id, repository_key]));
  const shas = new Map<string, Set<string>>();
  for (const row of rows) {
    const key = repositoryOf.get(row?.pr_id ?? null);
    if (!row?.sha || typeof key !== 'string' || keys.has(key)) continue;
    shas.set(key, (shas.get(key) ?? new Set()).add(shaKey(row.sha)));
  }
  if (shas.size === 0) return found;
  const everySha = new Set([...shas.values()].flatMap((some) => [...some]));
  const built = all(inRepositories(shas.keys()), is('is_production', true), withSha('sha', everySha));
  for (const { repository_key } of await session.tally(deployments, ['repository_key'], built)) {
    if (repository_key !== null) found.add(repository_key);
  }
  const marked = all(inRepositories(shas.keys()), notNull('revert_marks'));
  for (const row of await session.select(pullRequests, ['repository_key', 'revert_marks'], marked)) {
    const sha = parseRevertMarks(row.revert_marks)?.sha;
    if (sha === undefined || row.repository_key === null) continue;
    if ([...(shas.get(row.repository_key) ?? [])].some((one) => one.startsWith(shaKey(sha))))
      found.add(row.repository_key);
  }
  return found;
}

/** The repositories of these pull requests. */
export async function repositoriesOfPullRequests(session: Reading, ids: Iterable<string>): Promise<string[]> {
  const wanted = [...ids];
  if (wanted.length === 0) return [];
  const rows = await session.tally(pullRequests, ['repository_key'], among('pr_id', wanted));
  return rows.flatMap(({ repository_key }) => repository_key ?? []);
}

/** The repositories of these deployments. */
async function repositoriesOfDeployments(session: Reading, ids: ReadonlySet<string>): Promise<string[]> {
  if (ids.size === 0) return [];
  const rows = await session.tally(deployments, ['repository_key'], among('deployment_id', ids));
  return rows.map(({ repository_key }) => repository_key ?? noRepository);
}

/** Deployments of other repositories that carried a pull request before, or carry it now. */
export function carriersElsewhere({ facts, result }: Attributed): string[] {
  const own = new Set(facts.deployments.map(({ deployment_id }) => deployment_id));
  const carriers = new Set<string>();
  for (const pr of facts.pullRequests) {
    for (const id of [pr.deployment_id, result.pullRequests.get(pr.pr_id)?.deployment_id]) {
      if (id && !own.has(id) && !result.inferred.has(id)) carriers.add(id);
    }
  }
  return [...carriers];
}

/**
 * Repositories whose deployments may have failed for another reason now, beyond those that were attributed: they carry
 * pull requests of those, or an incident is about them now, or was.
 */
export async function repositoriesToBlame(
  session: Reading,
  touched: TouchedRows,
  carriers: ReadonlySet<string>,
  { before, now }: ReturnType<KnownRepositories['names']>,
): Promise<Set<string>> {
  const keys = new Set<string>();
  const ids = new Set(carriers);
  for (const { before: row } of touched.pullRequests.values()) if (row?.deployment_id) ids.add(row.deployment_id);
  const note = (
    row: { readonly repository_key?: string | null; readonly deployment_id?: string | null } | undefined,
  ) => {
    if (typeof row?.deployment_id === 'string') ids.add(row.deployment_id);
    for (const names of row ? [before, now] : []) {
      const key = names.find(row?.repository_key);
      if (key !== undefined) keys.add(key);
    }
  };
  for (const change of touched.incidents) for (const row of [change.before, change.after]) note(row);
  // An incident that gives the name of a service means another repository when a repository of that name comes or goes.
  const moved = before.movedIn(now);
  if (moved.length > 0) {
    const named = all(among('repository_key', moved), isNull('deployment_id'), notNull('opened_at'));
    for (const row of await session.select(incidents, ['repository_key', 'deployment_id'], named)) note(row);
  }
  for (const key of await repositoriesOfDeployments(session, ids)) keys.add(key);
  return keys;
}
