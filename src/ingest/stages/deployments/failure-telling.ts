import { type DeploymentRow, deployments } from '../../../catalogue/tables/deployments.ts';
import { incidents } from '../../../catalogue/tables/incidents.ts';
import { pullRequests } from '../../../catalogue/tables/pull-requests.ts';
import type { Condition, Reading, Writing } from '../../../warehouse/warehouse.ts';
import { passesOn } from '../../derive/deployments/branches.ts';
import type { Placed } from '../../derive/deployments/deployment-order.ts';
import {
  type Deployed,
  failureColumns,
  type Incident,
  noFailure,
  type Remedy,
  type Reverted,
  tellFailures,
} from '../../derive/deployments/failures.ts';
import { environmentKey } from '../../derive/deployments/production.ts';
import { isRemediation } from '../../derive/deployments/story.ts';
import { all, among, any, atLeast, inRepositories, is, isNull, notNull, nowhere, since } from './conditions.ts';
import type { DoubtedRepository } from './doubts.ts';
import { type Horizon, isFromBeginning } from './horizons.ts';
import type { Library } from './library.ts';
import type { RepositoryNames } from './repository-names.ts';
import { byRepository } from './story-rows.ts';

const columns = [
  'deployment_id',
  'repository_key',
  'deployed_at',
  'status',
  'environment',
  'is_production',
  'is_rollback',
  'pr_ids',
  'prs_included',
  'is_remediation',
  ...failureColumns,
] as const;
type FailingRow = Pick<DeploymentRow, (typeof columns)[number]>;

/** Tells again which deployments of some repositories failed since a time, and counts what those carried that name it. */
export async function tellFailuresSince(
  session: Writing,
  horizon: Horizon<DoubtedRepository>,
  library: Library,
  names: RepositoryNames,
  incidentWindowSeconds: number,
): Promise<void> {
  const keys = horizon.books.map(({ key }) => key);
  const rows = await session.select(
    deployments,
    columns,
    all(inRepositories(keys), ...since('deployed_at', horizon.since)),
  );
  if (rows.length === 0) return;
  const isActive = (key: string | null) => library.settingsOf(key ?? nowhere).isActive;
  const naming = rows.filter((row) => carriesNamed(row) && isActive(row.repository_key));
  const named = await loadNamed(session, naming);
  const repositoryOf = new Map(rows.map(({ deployment_id, repository_key }) => [deployment_id, repository_key]));
  const reverts = byRepository(
    (await loadReverts(session, horizon, named, isActive)).map((row) => ({
      ...row,
      repository_key: repositoryOf.get(row.blames) ?? null,
    })),
  );
  const hotfixes = byRepository((await loadHotfixes(session, horizon)).filter((row) => isActive(row.repository_key)));
  const opened = await loadIncidents(session, horizon, names, rows);
  const counts = countNamed(named, library);
  const failed: FailingRow[] = [];
  const counted: FailingRow[] = [];
  for (const [key, some] of byRepository(rows)) {
    const failures = tellFailures(placed(some), {
      incidents: opened.filter(({ key: where, deploymentId }) => deploymentId !== null || where === key),
      reverts: reverts.get(key) ?? [],
      hotfixes: hotfixes.get(key) ?? [],
      incidentWindowSeconds,
    });
    for (const row of some) {
      const now = { ...row, ...(failures.get(row.deployment_id ?? '') ?? noFailure) };
      if (failureColumns.some((column) => now[column] !== row[column])) failed.push(now);
    }
  }
  for (const row of naming) {
    const { prs_included, is_remediation } = counts.get(row.deployment_id ?? '') ?? {
      prs_included: 0,
      is_remediation: false,
    };
    if (row.prs_included !== prs_included || row.is_remediation !== is_remediation) {
      counted.push({ ...row, prs_included, is_remediation });
    }
  }
  await session.patch(deployments, failureColumns, failed);
  await session.patch(deployments, ['prs_included', 'is_remediation'], counted);
}

const carriesNamed = (row: FailingRow): boolean =>
  row.pr_ids !== null && row.is_production === true && row.status === 'success' && row.deployed_at !== null;

/** Production deployments that succeeded or failed, in their order. Cancelled ones are neither. */
function placed(rows: readonly FailingRow[]): Deployed[] {
  return rows
    .flatMap((row) => {
      const { deployment_id: id, deployed_at: at, status } = row;
      if (id === null || at === null || row.is_production !== true) return [];
      if (status !== 'success' && status !== 'failure') return [];
      const environment = environmentKey(row.environment);
      return [{ id, at, environment, isSuccess: status === 'success', isRollback: row.is_rollback === true }];
    })
    .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
}

const remedyColumns = [
  'pr_id',
  'repository_key',
  'pr_created_at',
  'pr_merged_at',
  'reverts_pr_id',
  'deployment_id',
  'deployed_at',
] as const;
interface RemedyRow extends Remedy {
  readonly repository_key: string | null;
  readonly revertsId: string | null;
}

async function loadRemedies(session: Reading, where: Condition): Promise<RemedyRow[]> {
  const rows = await session.select(pullRequests, remedyColumns, all(notNull('pr_merged_at'), where));
  return rows.map((row) => ({
    id: row.pr_id ?? '',
    at: row.pr_merged_at ?? 0,
    repository_key: row.repository_key,
    createdAt: row.pr_created_at,
    revertsId: row.reverts_pr_id,
    deployed: placedAt(row.deployment_id, row.deployed_at),
  }));
}

const placedAt = (id: string | null, at: number | null): Placed | undefined =>
  id === null || at === null ? undefined : { id, at };

const keysOf = ({ books }: Horizon<DoubtedRepository>): Condition =>
  inRepositories(books.flatMap(({ key }) => (key === nowhere ? [] : [key])));

const loadHotfixes = (session: Reading, horizon: Horizon<DoubtedRepository>): Promise<RemedyRow[]> =>
  loadRemedies(session, all(keysOf(horizon), is('is_hotfix', true), ...since('pr_merged_at', horizon.since)));

/**
 * A revert that blames a deployment since then is deployed later than that, or not yet. Those of what is named by a
 * deployment may be in any repository.
 */
async function loadReverts(
  session: Reading,
  horizon: Horizon<DoubtedRepository>,
  named: readonly NamedRow[],
  isActive: (key: string | null) => boolean,
): Promise<Reverted[]> {
  const isRevert = all(is('is_revert', true), notNull('reverts_pr_id'));
  const isLater = isFromBeginning(horizon) ? [] : [any(atLeast('deployed_at', horizon.since), isNull('deployed_at'))];
  const found = new Map<string, RemedyRow>();
  const wheres = [
    all(keysOf(horizon), isRevert, ...isLater),
    ...(named.length > 0 ? [all(among('reverts_pr_id', new Set(named.map(({ pr_id }) => pr_id))), isRevert)] : []),
  ];
  for (const where of wheres) for (const row of await loadRemedies(session, where)) found.set(row.id, row);
  const reverts = [...found.values()].filter(({ repository_key }) => isActive(repository_key));
  if (reverts.length === 0) return [];
  const targets = await session.select(
    pullRequests,
    ['pr_id', 'deployment_id'],
    all(among('pr_id', new Set(reverts.map(({ revertsId }) => revertsId))), notNull('deployment_id')),
  );
  const carriers = new Map(targets.map(({ pr_id, deployment_id }) => [pr_id, deployment_id]));
  return reverts.flatMap((row) => {
    const blames = carriers.get(row.revertsId);
    return blames ? [{ ...row, blames }] : [];
  });
}

interface LocatedIncident extends Incident {
  /** The repository that it is about. */
  readonly key: string | undefined;
}

async function loadIncidents(
  session: Reading,
  { since: from, books }: Horizon<DoubtedRepository>,
  names: RepositoryNames,
  rows: readonly FailingRow[],
): Promise<LocatedIncident[]> {
  const called = books.flatMap(({ key }) => names.namesOf(key));
  const wheres = [
    all(among('repository_key', called), isNull('deployment_id'), ...since('opened_at', from)),
    among(
      'deployment_id',
      rows.map(({ deployment_id }) => deployment_id),
    ),
  ];
  const found: LocatedIncident[] = [];
  for (const where of wheres) {
    const some = await session.select(
      incidents,
      ['incident_id', 'repository_key', 'opened_at', 'resolved_at', 'deployment_id'],
      all(where, notNull('opened_at')),
    );
    for (const { incident_id, repository_key, opened_at, resolved_at, deployment_id } of some) {
      found.push({
        id: incident_id ?? '',
        at: opened_at ?? 0,
        resolvedAt: resolved_at,
        deploymentId: deployment_id,
        key: names.find(repository_key),
      });
    }
  }
  return found;
}

const namedColumns = [
  'pr_id',
  'deployment_id',
  'repository_key',
  'base_branch',
  'head_branch',
  'is_revert',
  'is_hotfix',
] as const;
type NamedRow = Awaited<ReturnType<typeof loadNamed>>[number];

/** What deployments carried that name it. */
async function loadNamed(session: Reading, naming: readonly FailingRow[]) {
  if (naming.length === 0) return [];
  const ids = naming.map(({ deployment_id }) => deployment_id);
  return session.select(pullRequests, namedColumns, among('deployment_id', ids));
}

function countNamed(named: readonly NamedRow[], library: Library) {
  const loads = new Map<string, { pullRequests: number; changes: number; remedies: number }>();
  for (const row of named) {
    const id = row.deployment_id ?? '';
    const load = loads.get(id) ?? { pullRequests: 0, changes: 0, remedies: 0 };
    loads.set(id, load);
    load.pullRequests += 1;
    if (passesOn(row, library.branchesOf(row.repository_key ?? nowhere))) continue;
    load.changes += 1;
    if (row.is_revert === true || row.is_hotfix === true) load.remedies += 1;
  }
  return new Map(
    [...loads].map(([id, load]) => [id, { prs_included: load.pullRequests, is_remediation: isRemediation(load) }]),
  );
}
