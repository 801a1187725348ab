import { secondsPerDay } from '../../calendar.ts';
import { namedPullRequests } from '../../catalogue/derivation-state.ts';
import { deployments } from '../../catalogue/tables/deployments.ts';
import { incidents } from '../../catalogue/tables/incidents.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import { addToList, listsByKey } from '../../lists-by-key.ts';
import { type IntakeSession, patchDifferent } from '../write/intake-session.ts';
import type { AttributionReader, AttributionSession } from './attributed-columns.ts';
import { all, among, any, before, byRepository, inRepositories, is, isNull, notNull, since } from './conditions.ts';
import { Cuts, theBeginning, theEnd } from './cuts.ts';
import type { FailuresToFind } from './failures-to-find.ts';
import { countByRepository, knownRepositories } from './repository-keys.ts';
import { inParts } from './repository-parts.ts';
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
import { environmentKey } from './rules/production.ts';
import { namesOfKey, RepositoryNames } from './rules/repository-aliases.ts';
import { carriedColumns, incidentColumns } from './rules/repository-facts.ts';
import { noRepository, type SettingsOf } from './rules/repository-settings.ts';

/** What the directory says about repositories and failures. */
export interface AttributionSettings {
  readonly settingsOf: SettingsOf;
  readonly incidentWindowDays: number;
}

/** Decides which deployments failed, and counts what naming deployments carried, once every repository is attributed. */
export async function findAllFailures(
  session: IntakeSession,
  toFind: FailuresToFind,
  { settingsOf, incidentWindowDays }: AttributionSettings,
): Promise<void> {
  await countCarried(session, toFind.deployments, settingsOf);
  await touchBlamed(session, toFind);
  const names = await nameRepositories(session, toFind);
  for (const { cut, keys } of await inParts(session, toFind.cuts)) {
    await writeFailures(session, keys, await sinceLastSuccess(session, keys, cut, toFind), {
      settingsOf,
      incidentWindowDays,
      names,
    });
    await session.flushIfLarge();
  }
}

/** Deployments that carried something that is taken back, or no longer, and those that incidents name or no longer do. */
async function touchBlamed(
  session: AttributionReader,
  { deployments: ids, reverted, cuts }: FailuresToFind,
): Promise<void> {
  const isCarried = all(among('pr_id', reverted), notNull('deployment_id'));
  const carried = reverted.size === 0 ? [] : await session.select(pullRequests, ['deployment_id'], isCarried);
  const blamed = new Set([...ids, ...carried.map(({ deployment_id }) => deployment_id)]);
  if (blamed.size === 0) return;
  const columns = ['repository_key', 'deployed_at'] as const;
  for (const { repository_key, deployed_at } of await session.select(
    deployments,
    columns,
    among('deployment_id', blamed),
  )) {
    cuts.touch(repository_key ?? noRepository, deployed_at);
  }
}

/**
 * What happens at a cut may be the failure of what was live then, or put right what had failed: back to the last success
 * before it, and in the environments that matter to the last success there.
 */
async function sinceLastSuccess(
  session: AttributionReader,
  keys: readonly string[],
  cut: number,
  { environments }: FailuresToFind,
): Promise<number> {
  if (cut === theBeginning || cut === theEnd) return cut;
  const by = ['repository_key', 'environment'] as const;
  const isEarlier = all(inRepositories(keys), is('is_production', true), before('deployed_at', cut));
  const last = await session.summarise(
    deployments,
    by,
    { max: 'deployed_at' },
    all(isEarlier, is('status', 'success')),
  );
  const first = await session.summarise(
    deployments,
    by,
    { min: 'deployed_at' },
    all(isEarlier, is('status', 'failure')),
  );
  const [lastOf, firstOf] = [new Map<string, number>(), new Map<string, number>()];
  const placeOf = (row: (typeof last)[number]) =>
    `${environmentKey(row.environment)} ${row.repository_key ?? noRepository}`;
  const latest = new Map<string | null, number>();
  for (const row of last) {
    lastOf.set(placeOf(row), Math.max(lastOf.get(placeOf(row)) ?? theBeginning, row.value ?? theBeginning));
    latest.set(row.repository_key, Math.max(latest.get(row.repository_key) ?? theBeginning, row.value ?? theBeginning));
  }
  for (const row of first)
    firstOf.set(placeOf(row), Math.min(firstOf.get(placeOf(row)) ?? theEnd, row.value ?? theEnd));
  const places = [...environments].flatMap((environment) => keys.map((key) => `${environment} ${key}`));
  const moments = places.flatMap((place) => lastOf.get(place) ?? firstOf.get(place) ?? []);
  return [...moments, ...latest.values()].reduce((a, b) => Math.min(a, b), cut);
}

interface JudgingTerms extends AttributionSettings {
  readonly names: RepositoryNames;
}

/**
 * Decides which deployments of these repositories since a cut failed. That may depend on pull requests of other
 * repositories, so those repositories must have been attributed before.
 */
async function writeFailures(
  session: AttributionSession,
  keys: readonly string[],
  cut: number,
  { settingsOf, names, incidentWindowDays }: JudgingTerms,
): Promise<void> {
  const rows = await session.select(
    deployments,
    judgedColumns,
    all(inRepositories(keys), any(since('deployed_at', cut), isNull('deployed_at'))),
  );
  if (rows.length === 0) return;
  const remedies = await readRemedies(session, keys, cut, rows, settingsOf);
  const reverts = listsByKey(await readReverted(session, remedies), ({ blames }) => blames);
  const hotfixes = byRepository(remedies.filter(({ isHotfix }) => isHotfix));
  const opened = await readIncidents(session, keys, cut, names, rows);
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
}

/**
 * Hotfixes of these repositories, and reverts of what their deployments carried: those since the cut, and those of which
 * it was still open then when they get to production. What a deployment names may be in any repository, and so may the
 * revert of it.
 */
async function readRemedies(
  session: AttributionReader,
  keys: readonly string[],
  cut: number,
  rows: readonly JudgedDeployment[],
  settingsOf: SettingsOf,
): Promise<LocatedRemedy[]> {
  const isRevert = all(is('is_revert', true), notNull('reverts_pr_id'));
  const isLate = any(since('pr_merged_at', cut), since('deployed_at', cut), isNull('deployed_at'));
  const own = all(inRepositories(keys), isLate, any(is('is_hotfix', true), isRevert));
  const found = await session.select(pullRequests, remedyColumns, all(notNull('pr_merged_at'), own));
  const naming = await namingAmong(session, rows);
  const named = naming.length > 0 ? await session.select(pullRequests, ['pr_id'], among('deployment_id', naming)) : [];
  if (named.length > 0) {
    const ofNamed = among(
      'reverts_pr_id',
      named.map(({ pr_id }) => pr_id),
    );
    const known = new Set(found.map(({ pr_id }) => pr_id));
    const others = await session.select(pullRequests, remedyColumns, all(notNull('pr_merged_at'), isRevert, ofNamed));
    found.push(...others.filter(({ pr_id }) => !known.has(pr_id)));
  }
  return found.filter((row) => settingsOf(row.repository_key).isActive).map(remedyOf);
}

/** Those of some deployments that name what they carried. */
async function namingAmong(session: AttributionReader, rows: readonly JudgedDeployment[]): Promise<(string | null)[]> {
  const ids = new Set(rows.map(({ deployment_id }) => deployment_id));
  const named = await session.tally(namedPullRequests, ['deployment_id'], among('deployment_id', ids));
  return named.map(({ deployment_id }) => deployment_id);
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
 * Which repository each name of an incident means. A name means another repository once a repository of the same name
 * comes or goes, so failures are found again for all that such a name may mean, and for those that touched incidents name.
 */
async function nameRepositories(
  session: AttributionReader,
  { cuts, incidentNames }: FailuresToFind,
): Promise<RepositoryNames> {
  const called = among('repository_key', new Set([...cuts.keys()].flatMap(namesOfKey)));
  const used = await countByRepository(session, [incidents], all(isNull('deployment_id'), called));
  if (used.size === 0 && incidentNames.size === 0) return new RepositoryNames([]);
  const moments = new Cuts(incidentNames);
  for (const [key, cut] of cuts) {
    const names = namesOfKey(key).filter((name) => used.has(name));
    if (names.length > 0 && !(await stoodBefore(session, key, cut)))
      for (const name of names) moments.touch(name, theBeginning);
  }
  const known = new RepositoryNames((await knownRepositories(session)).keys());
  for (const key of known.keys) {
    for (const name of namesOfKey(key)) if (moments.has(name)) cuts.touch(key, moments.get(name));
  }
  return known;
}

/** Whether a repository had something before a cut, so that it neither came nor went. */
async function stoodBefore(session: AttributionReader, key: string, cut: number): Promise<boolean> {
  const merged = await session.tally(pullRequests, [], all(inRepositories([key]), before('pr_merged_at', cut)));
  if ((merged[0]?.rows ?? 0) > 0) return true;
  const deployed = await session.tally(deployments, [], all(inRepositories([key]), before('deployed_at', cut)));
  return (deployed[0]?.rows ?? 0) > 0;
}

/** Incidents by repository: the one of the deployment that an incident names, or the one whose name the incident gives. */
async function readIncidents(
  session: AttributionReader,
  keys: readonly string[],
  cut: number,
  names: RepositoryNames,
  rows: readonly JudgedDeployment[],
): Promise<Map<string | undefined, Incident[]>> {
  const called = keys.flatMap((key) => names.namesOf(key));
  const byName = all(among('repository_key', called), isNull('deployment_id'));
  const ids = new Set(rows.map(({ deployment_id }) => deployment_id));
  const isMeant = any(all(byName, since('opened_at', cut)), all(notNull('opened_at'), among('deployment_id', ids)));
  const repositoryOf = new Map(rows.map((row) => [row.deployment_id, row.repository_key ?? noRepository]));
  const opened = new Map<string | undefined, Incident[]>();
  for (const row of await session.select(incidents, incidentColumns, isMeant)) {
    const { incident_id: id, opened_at: at, resolved_at: resolvedAt, deployment_id: deploymentId } = row;
    const key = deploymentId === null ? names.find(row.repository_key) : repositoryOf.get(deploymentId);
    addToList(opened, key, { id: id ?? '', at: at ?? 0, resolvedAt, deploymentId });
  }
  return opened;
}

/** Counts what deployments carried that name it: perhaps pull requests of other repositories. */
async function countCarried(
  session: AttributionSession,
  ids: ReadonlySet<string>,
  settingsOf: SettingsOf,
): Promise<void> {
  if (ids.size === 0) return;
  const columns = [
    'deployment_id',
    'repository_key',
    'is_production',
    'status',
    'deployed_at',
    'prs_included',
    'is_remediation',
  ] as const;
  const rows = await session.select(deployments, columns, among('deployment_id', ids));
  const naming = rows.filter((row) => isSuccess(row) && settingsOf(row.repository_key).isActive);
  const isNamed = among(
    'deployment_id',
    naming.map(({ deployment_id }) => deployment_id),
  );
  const carried = new CarriedCounts();
  for (const row of naming.length > 0 ? await session.select(pullRequests, carriedColumns, isNamed) : []) {
    const isRemedy = row.is_revert === true || row.is_hotfix === true;
    carried.add(row.deployment_id ?? '', row.is_promotion_step === true, isRemedy);
  }
  const counted = naming.map((row) => [row, carried.of(row.deployment_id ?? '')] as const);
  await patchDifferent(session, deployments, ['prs_included', 'is_remediation'], counted);
}
