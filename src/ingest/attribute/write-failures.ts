import { secondsPerDay } from '../../calendar.ts';
import { deployments } from '../../catalogue/tables/deployments.ts';
import { incidents } from '../../catalogue/tables/incidents.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import { addToList, listsByKey } from '../../lists-by-key.ts';
import { patchDifferent } from '../write/intake-session.ts';
import type { AttributionReader, AttributionSession } from './attributed-columns.ts';
import { all, among, any, byRepository, inRepositories, is, isNull, notNull } from './conditions.ts';
import { countByRepository, knownRepositories } from './repository-keys.ts';
import { CarriedCounts, isSuccess } from './rules/attribute-repository.ts';
import {
  type DeploymentFailure,
  failureColumns,
  findFailures,
  type Incident,
  inProduction,
  type JudgedDeployment,
  judgedColumns,
  type LocatedRemedy,
  noFailure,
  type Reverted,
  remedyColumns,
  remedyOf,
} from './rules/failures.ts';
import { namesOfKey, RepositoryNames } from './rules/repository-aliases.ts';
import { type CarriedPullRequest, carriedColumns, incidentColumns } from './rules/repository-facts.ts';
import { noRepository, type SettingsOf } from './rules/repository-settings.ts';

/** What the directory says about repositories and failures. */
export interface AttributionSettings {
  readonly settingsOf: SettingsOf;
  readonly incidentWindowDays: number;
}

interface JudgingTerms extends AttributionSettings {
  readonly names: RepositoryNames;
  /** Deployments that name what they carried, or carry pull requests of other repositories. */
  readonly judged: ReadonlySet<string>;
}

/**
 * Decides which deployments of these repositories failed, and counts what naming deployments carried. Both may depend on
 * pull requests of other repositories, so those repositories must have been attributed before.
 */
export async function writeFailures(
  session: AttributionSession,
  keys: readonly string[],
  terms: JudgingTerms,
): Promise<void> {
  const { settingsOf, names, judged, incidentWindowDays } = terms;
  const rows = await session.select(deployments, judgedColumns, inRepositories(keys));
  if (rows.length === 0) return;
  const naming = rows.filter(
    (row) => judged.has(row.deployment_id ?? '') && isSuccess(row) && settingsOf(row.repository_key).isActive,
  );
  const ids = naming.map(({ deployment_id }) => deployment_id);
  const named = ids.length > 0 ? await session.select(pullRequests, carriedColumns, among('deployment_id', ids)) : [];
  const remedies = await readRemedies(session, keys, named, settingsOf);
  const reverts = listsByKey(await readReverted(session, remedies), ({ blames }) => blames);
  const hotfixes = byRepository(remedies.filter(({ isHotfix }) => isHotfix));
  const opened = await readIncidents(session, keys, names, rows);
  const failed: [JudgedDeployment, DeploymentFailure][] = [];
  for (const [key, some] of byRepository(rows)) {
    const failures = findFailures(inProduction(some), {
      incidents: opened.get(key) ?? [],
      reverts: some.flatMap(({ deployment_id }) => reverts.get(deployment_id ?? '') ?? []),
      hotfixes: key === noRepository ? [] : (hotfixes.get(key) ?? []),
      incidentWindowSeconds: incidentWindowDays * secondsPerDay,
    });
    for (const row of some) failed.push([row, failures.get(row.deployment_id ?? '') ?? noFailure]);
  }
  await patchDifferent(session, deployments, failureColumns, failed);
  const carried = countNamed(named);
  const counted = naming.map((row) => [row, carried.of(row.deployment_id ?? '')] as const);
  await patchDifferent(session, deployments, ['prs_included', 'is_remediation'], counted);
}

/**
 * Hotfixes of these repositories, and reverts of what their deployments carried. What a deployment names may be in any
 * repository, and so may the revert of it.
 */
async function readRemedies(
  session: AttributionReader,
  keys: readonly string[],
  named: readonly CarriedPullRequest[],
  settingsOf: SettingsOf,
): Promise<LocatedRemedy[]> {
  const isRevert = all(is('is_revert', true), notNull('reverts_pr_id'));
  const own = all(inRepositories(keys), any(is('is_hotfix', true), isRevert));
  const ofNamed = named.map(({ pr_id }) => pr_id);
  const where = ofNamed.length > 0 ? any(own, all(isRevert, among('reverts_pr_id', ofNamed))) : own;
  const rows = await session.select(pullRequests, remedyColumns, all(notNull('pr_merged_at'), where));
  return rows.filter((row) => settingsOf(row.repository_key).isActive).map(remedyOf);
}

/** Reverts with the deployments that carried what they take back. */
async function readReverted(session: AttributionReader, remedies: readonly LocatedRemedy[]): Promise<Reverted[]> {
  const reverted = new Set(remedies.flatMap(({ revertsId }) => revertsId ?? []));
  if (reverted.size === 0) return [];
  const isCarried = all(among('pr_id', reverted), notNull('deployment_id'));
  const rows = await session.select(pullRequests, ['pr_id', 'deployment_id'], isCarried);
  const deploymentOf = new Map(rows.map(({ pr_id, deployment_id }) => [pr_id, deployment_id]));
  return remedies.flatMap((row) => {
    const blames = deploymentOf.get(row.revertsId);
    return blames ? [{ ...row, blames }] : [];
  });
}

/**
 * Incidents give the name of a repository or a service. Returns which repository each name means, and the repositories
 * that may be meant by a name of a touched incident, or by an incident’s name for an attributed repository: that name
 * means another repository once one of the same name comes or goes.
 */
export async function nameRepositories(
  session: AttributionReader,
  touchedNames: ReadonlySet<string>,
  attributed: Iterable<string>,
): Promise<{ readonly names: RepositoryNames; readonly meant: string[] }> {
  const called = among('repository_key', new Set([...attributed].flatMap(namesOfKey)));
  const used = await countByRepository(session, [incidents], all(isNull('deployment_id'), called));
  const given = new Set([...touchedNames, ...used.keys()]);
  if (given.size === 0) return { names: new RepositoryNames([]), meant: [] };
  const known = await knownRepositories(session);
  const meant = [...known.keys()].filter((key) => namesOfKey(key).some((name) => given.has(name)));
  return { names: new RepositoryNames(known.keys()), meant };
}

/** Incidents by repository: the one of the deployment that an incident names, or the one whose name the incident gives. */
async function readIncidents(
  session: AttributionReader,
  keys: readonly string[],
  names: RepositoryNames,
  rows: readonly JudgedDeployment[],
): Promise<Map<string | undefined, Incident[]>> {
  const called = keys.flatMap((key) => names.namesOf(key));
  const byName = all(among('repository_key', called), isNull('deployment_id'));
  const isMeant = all(notNull('opened_at'), any(byName, notNull('deployment_id')));
  const repositoryOf = new Map(rows.map((row) => [row.deployment_id, row.repository_key ?? noRepository]));
  const opened = new Map<string | undefined, Incident[]>();
  for (const row of await session.select(incidents, incidentColumns, isMeant)) {
    const { incident_id: id, opened_at: at, resolved_at: resolvedAt, deployment_id: deploymentId } = row;
    const key = deploymentId === null ? names.find(row.repository_key) : repositoryOf.get(deploymentId);
    addToList(opened, key, { id: id ?? '', at: at ?? 0, resolvedAt, deploymentId });
  }
  return opened;
}

/** Counts the pull requests that deployments name. */
function countNamed(named: readonly CarriedPullRequest[]): CarriedCounts {
  const carried = new CarriedCounts();
  for (const { deployment_id, is_promotion_step, is_revert, is_hotfix } of named) {
    carried.add(deployment_id ?? '', is_promotion_step === true, is_revert === true || is_hotfix === true);
  }
  return carried;
}
