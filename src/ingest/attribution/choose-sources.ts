import { deployments } from '../../catalogue/tables/deployments.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import { releaseDetails } from '../../catalogue/tables/release-details.ts';
import { workflowRuns } from '../../catalogue/tables/workflow-runs.ts';
import type { Condition, Reading, Writing } from '../../warehouse/warehouse.ts';
import { chooseProductionBranch } from './branches.ts';
import { type ChosenAttribution, chosenAttribution } from './chosen-attribution.ts';
import { all, among, any, byRepository, inRepositories, is, isNull, noRepository, notNull } from './conditions.ts';
import { chooseSource, reportedSource } from './deployment-source.ts';
import { conclusionsOfDeployments } from './inferred-deployment.ts';
import type { KnownRepositories } from './known-repositories.ts';
import { isProductionDeploy, isProductionEnvironment } from './production.ts';
import type { DeploymentSource, RepositorySettings } from './repository-settings.ts';

/** Chooses, for each of these repositories, its production branch and where its deployments come from. */
export async function chooseAttribution(
  session: Reading,
  keys: ReadonlySet<string>,
  repositories: KnownRepositories,
): Promise<Map<string, ChosenAttribution>> {
  const bases = await baseBranches(session, keys);
  const reported = await reportedSources(session, keys, repositories);
  const released = await repositoriesWithRelease(session, keys);
  const deployed = new Set((await deployWorkflows(session, keys, repositories)).map(({ repository_key: key }) => key));
  const chosen = new Map<string, ChosenAttribution>();
  for (const key of keys) {
    const settings = repositories.settingsOf(key);
    const source = chooseSource(settings.source, {
      reported: reported.get(key) ?? new Map(),
      hasRelease: released.has(key),
      hasDeployRun: deployed.has(key),
    });
    const branch = chooseProductionBranch(settings, bases.get(key) ?? new Map());
    chosen.set(key, chosenAttribution(branch, source, settings, key !== noRepository));
  }
  return chosen;
}

/** How many pull requests of each repository go into each branch. */
async function baseBranches(session: Reading, keys: Iterable<string>): Promise<Map<string, Map<string, number>>> {
  const isAssigned = all(inRepositories(keys), notNull('repository_key'), notNull('base_branch'));
  const rows = byRepository(await session.tally(pullRequests, ['repository_key', 'base_branch'], isAssigned));
  return new Map(
    [...rows].map(([key, some]) => [
      key,
      new Map(some.map(({ base_branch, rows: times }) => [base_branch ?? '', times])),
    ]),
  );
}

async function reportedSources(session: Reading, keys: Iterable<string>, repositories: KnownRepositories) {
  const sources = new Map<string, Map<DeploymentSource, boolean>>();
  const rows = await session.tally(
    deployments,
    ['repository_key', 'given_deployment_source', 'given_is_production', 'environment'],
    all(inRepositories(keys), is('origin', 'stated')),
  );
  for (const row of rows) {
    const key = row.repository_key ?? noRepository;
    const known = sources.get(key) ?? new Map<DeploymentSource, boolean>();
    const source = reportedSource(row.given_deployment_source);
    const isProduction = wentToProduction(row, repositories.settingsOf(key));
    sources.set(key, known.set(source, isProduction || known.get(source) === true));
  }
  return sources;
}

const wentToProduction = (
  row: { readonly given_is_production: boolean | null; readonly environment: string | null },
  settings: RepositorySettings,
): boolean => row.given_is_production ?? isProductionEnvironment(row.environment, settings);

async function repositoriesWithRelease(session: Reading, keys: Iterable<string>): Promise<Set<string | null>> {
  const isFull = any(is('is_prerelease', false), isNull('is_prerelease'));
  const published = all(inRepositories(keys), notNull('release_date'), isFull);
  const rows = await session.tally(releaseDetails, ['repository_key'], published);
  return new Set(rows.map(({ repository_key }) => repository_key));
}

const workflowColumns = ['repository_key', 'workflow_name', 'environment'] as const;

/** The workflows that deploy to production. Most runs deploy nothing, so the workflows are looked at before their runs. */
async function deployWorkflows(session: Reading, keys: Iterable<string>, repositories: KnownRepositories) {
  const rows = await session.tally(workflowRuns, workflowColumns, endedRuns(keys));
  return rows.filter((row) => isProductionDeploy(row, repositories.settingsOf(row.repository_key ?? noRepository)));
}

const endedRuns = (keys: Iterable<string>): Condition =>
  all(inRepositories(keys), notNull('repository_key'), among('run_conclusion', conclusionsOfDeployments));

/** The runs of these repositories that deploy to production; undefined where there are none. */
export async function deployRuns(
  session: Reading,
  keys: readonly string[],
  repositories: KnownRepositories,
): Promise<Condition | undefined> {
  const workflows = await deployWorkflows(session, keys, repositories);
  if (workflows.length === 0) return undefined;
  const columns = workflowColumns;
  return all(endedRuns(keys), { columns, among: workflows.map((row) => columns.map((column) => row[column])) });
}

/**
 * Marks the reported deployments that went to production and come from the source that counts. Those of any other source
 * stay as rows, and carry nothing. Returns the deployments whose mark has changed.
 */
export async function markProduction(
  session: Writing,
  chosen: ReadonlyMap<string, ChosenAttribution>,
  repositories: KnownRepositories,
): Promise<string[]> {
  const rows = await session.select(
    deployments,
    [
      'deployment_id',
      'repository_key',
      'environment',
      'given_is_production',
      'given_deployment_source',
      'is_production',
    ],
    all(inRepositories(chosen.keys()), is('origin', 'stated')),
  );
  const changed = rows.flatMap((row) => {
    const key = row.repository_key ?? noRepository;
    const isCounted = reportedSource(row.given_deployment_source) === chosen.get(key)?.source;
    const is_production = isCounted && wentToProduction(row, repositories.settingsOf(key));
    return row.is_production === is_production ? [] : [{ deployment_id: row.deployment_id, is_production }];
  });
  await session.patch(deployments, ['is_production'], changed);
  return changed.map(({ deployment_id }) => deployment_id ?? '');
}
