import { type DeploymentRow, deployments } from '../../catalogue/tables/deployments.ts';
import { incidents } from '../../catalogue/tables/incidents.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import type { Condition, Reading, Writing } from '../../warehouse/warehouse.ts';
import { addTo, type CarriedKind, countsOf, isSuccess } from './attribute-repository.ts';
import { passesOn } from './branches.ts';
import { all, among, any, byRepository, inRepositories, is, isNull, noRepository, notNull } from './conditions.ts';
import { compareOrder, type Placed } from './deployment-order.ts';
import {
  type Deployed,
  failureColumns,
  findFailures,
  type Incident,
  noFailure,
  type Remedy,
  type Reverted,
} from './failures.ts';
import type { KnownRepositories } from './known-repositories.ts';
import { environmentKey } from './production.ts';
import type { RepositoryNames } from './repository-names.ts';

const columns = [
  'deployment_id',
  'repository_key',
  'deployed_at',
  'status',
  'environment',
  'is_production',
  'is_rollback',
  'prs_included',
  'is_remediation',
  ...failureColumns,
] as const;
type FailingRow = Pick<DeploymentRow, (typeof columns)[number]>;

/**
 * Decides which deployments of these repositories failed, and counts what deployments carried that name it: both may
 * depend on pull requests of other repositories, so all of those have been attributed by now.
 */
export async function writeFailures(
  session: Writing,
  keys: readonly string[],
  repositories: KnownRepositories,
  names: RepositoryNames,
  incidentWindowSeconds: number,
): Promise<void> {
  const rows = await session.select(deployments, columns, inRepositories(keys));
  if (rows.length === 0) return;
  const isActive = (key: string | null) => repositories.settingsOf(key ?? noRepository).isActive;
  const lists = await session.select(deployments, ['deployment_id'], all(inRepositories(keys), notNull('pr_ids')));
  const listing = new Set(lists.map(({ deployment_id }) => deployment_id));
  const naming = rows.filter((row) => listing.has(row.deployment_id) && isSuccess(row) && isActive(row.repository_key));
  const named = await readNamed(session, naming);
  const repositoryOf = new Map(rows.map(({ deployment_id, repository_key }) => [deployment_id, repository_key]));
  const reverts = byRepository(
    (await readReverts(session, keys, named, isActive)).map((row) => ({
      ...row,
      repository_key: repositoryOf.get(row.blames) ?? null,
    })),
  );
  const hotfixes = byRepository(
    (await readRemedies(session, all(assigned(keys), is('is_hotfix', true)))).filter((row) =>
      isActive(row.repository_key),
    ),
  );
  const opened = await readIncidents(session, keys, names, rows);
  const failed: FailingRow[] = [];
  for (const [key, some] of byRepository(rows)) {
    const failures = findFailures(placed(some), {
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
  await session.patch(deployments, failureColumns, failed);
  const counts = countNamed(named, repositories);
  const counted = naming.flatMap((row) => {
    const now = countsOf(counts.get(row.deployment_id ?? ''));
    const isSame = row.prs_included === now.prs_included && row.is_remediation === now.is_remediation;
    return isSame ? [] : [{ deployment_id: row.deployment_id, ...now }];
  });
  await session.patch(deployments, ['prs_included', 'is_remediation'], counted);
}

/** Production deployments that succeeded or failed, in their order. Cancelled ones are neither. */
function placed(rows: readonly FailingRow[]): Deployed[] {
  const deployed = rows.flatMap((row) => {
    const { deployment_id: id, deployed_at: at, status } = row;
    if (id === null || at === null || row.is_production !== true) return [];
    if (status !== 'success' && status !== 'failure') return [];
    const environment = environmentKey(row.environment);
    return [{ id, at, environment, isSuccess: status === 'success', isRollback: row.is_rollback === true }];
  });
  return deployed.sort(compareOrder);
}

/** Pull requests without a repository are no remedy of anything. */
const assigned = (keys: readonly string[]): Condition => inRepositories(keys.filter((key) => key !== noRepository));

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

async function readRemedies(session: Reading, where: Condition): Promise<RemedyRow[]> {
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

/** Reverts of what these repositories’ deployments carried. What a deployment names may be in any repository. */
async function readReverts(
  session: Reading,
  keys: readonly string[],
  named: readonly NamedRow[],
  isActive: (key: string | null) => boolean,
): Promise<Reverted[]> {
  const isRevert = all(is('is_revert', true), notNull('reverts_pr_id'));
  const ofNamed = named.map(({ pr_id }) => pr_id);
  const where = ofNamed.length > 0 ? any(assigned(keys), among('reverts_pr_id', ofNamed)) : assigned(keys);
  const found = await readRemedies(session, all(isRevert, where));
  const reverts = found.filter(({ repository_key }) => isActive(repository_key));
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
  /** The repository that the incident is about. */
  readonly key: string | undefined;
}

/** Incidents of these repositories by name, and those that name one of their deployments. */
async function readIncidents(
  session: Reading,
  keys: readonly string[],
  names: RepositoryNames,
  rows: readonly FailingRow[],
): Promise<LocatedIncident[]> {
  const called = keys.flatMap((key) => names.namesOf(key));
  const byName = all(among('repository_key', called), isNull('deployment_id'));
  const ids = new Set(rows.map(({ deployment_id }) => deployment_id));
  const found = await session.select(
    incidents,
    ['incident_id', 'repository_key', 'opened_at', 'resolved_at', 'deployment_id'],
    all(notNull('opened_at'), any(byName, notNull('deployment_id'))),
  );
  return found.flatMap(({ incident_id, repository_key, opened_at, resolved_at, deployment_id }) => {
    if (deployment_id !== null && !ids.has(deployment_id)) return [];
    const key = names.find(repository_key);
    return [{ id: incident_id ?? '', at: opened_at ?? 0, resolvedAt: resolved_at, deploymentId: deployment_id, key }];
  });
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
type NamedRow = Awaited<ReturnType<typeof readNamed>>[number];

/** What deployments carried that name it. */
async function readNamed(session: Reading, naming: readonly FailingRow[]) {
  if (naming.length === 0) return [];
  const ids = naming.map(({ deployment_id }) => deployment_id);
  return session.select(pullRequests, namedColumns, among('deployment_id', ids));
}

function countNamed(named: readonly NamedRow[], repositories: KnownRepositories) {
  const loads: Parameters<typeof addTo>[0] = new Map();
  for (const row of named) {
    const isPromotion = passesOn(row, repositories.branchesOf(row.repository_key ?? noRepository));
    const isRemedy = row.is_revert === true || row.is_hotfix === true;
    const kind: CarriedKind = isPromotion ? 'promotion' : isRemedy ? 'remedy' : 'change';
    addTo(loads, row.deployment_id ?? '', kind);
  }
  return loads;
}
