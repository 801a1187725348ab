import { secondsPerDay } from '../../calendar.ts';
import { deployments } from '../../catalogue/tables/deployments.ts';
import { incidents } from '../../catalogue/tables/incidents.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import { listsByKey } from '../../lists-by-key.ts';
import { type IntakeSession, patchDifferent } from '../write/intake-session.ts';
import {
  type AttributionReader,
  type AttributionSession,
  all,
  among,
  before,
  byRepository,
  bySpan,
  inRepositories,
  inTimeOrNever,
  isNull,
  notNull,
} from './attribution-reader.ts';
import {
  type FailuresToFind,
  nextSuccesses,
  readIncidents,
  readLater,
  readRemedies,
  readReverted,
  sinceLastSuccess,
  untilNext,
} from './failure-evidence.ts';
import { countByRepository, inParts, knownRepositories } from './repository-parts.ts';
import { CarriedCounts, isSuccess } from './rules/attribute-repository.ts';
import {
  type DeploymentFailure,
  failureColumns,
  findFailures,
  inProduction,
  type JudgedDeployment,
  judgedColumns,
  noFailure,
} from './rules/failures.ts';
import { carriedColumns } from './rules/repository-facts.ts';
import { namesOfKey, noRepository, RepositoryNames, type SettingsOf } from './rules/repository-settings.ts';
import { allTime, type RepositorySpan } from './spans.ts';

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
  for (const part of await inParts(session, toFind.spans, toFind)) {
    const judged = await sinceLastSuccess(session, part, toFind);
    await writeFailures(session, judged, { settingsOf, incidentWindowDays, names });
    await session.flushIfLarge();
  }
}

/** Deployments that carried something that is taken back, or no longer, and those that incidents name or no longer do. */
async function touchBlamed(
  session: AttributionReader,
  { deployments: ids, reverted, spans }: FailuresToFind,
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
    spans.touch(repository_key ?? noRepository, deployed_at);
  }
}

interface JudgingTerms extends AttributionSettings {
  readonly names: RepositoryNames;
}

/**
 * Decides which deployments of these repositories failed in their spans. That may depend on pull requests of other
 * repositories, so those repositories must have been attributed before.
 */
async function writeFailures(
  session: AttributionSession,
  spans: readonly RepositorySpan[],
  { settingsOf, names, incidentWindowDays }: JudgingTerms,
): Promise<void> {
  const isIn = bySpan(spans, (span) => inTimeOrNever('deployed_at', span));
  const rows = await session.select(deployments, judgedColumns, isIn);
  if (rows.length === 0) return;
  const nexts = await nextSuccesses(session, spans, rows);
  const watched = untilNext(spans, nexts);
  const remedies = await readRemedies(session, watched, rows, settingsOf);
  const later = byRepository(await readLater(session, watched, spans, nexts, remedies));
  const reverts = listsByKey(await readReverted(session, remedies), ({ blames }) => blames);
  const hotfixes = byRepository(remedies.filter(({ isHotfix }) => isHotfix));
  const opened = await readIncidents(session, watched, names, rows);
  const failed: [JudgedDeployment, DeploymentFailure][] = [];
  for (const [key, some] of byRepository(rows)) {
    const failures = findFailures(inProduction([...some, ...(later.get(key) ?? [])]), {
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
 * Which repository each name of an incident means. A name means another repository once a repository of the same name
 * comes or goes, so failures are found again for all that such a name may mean, and for those that touched incidents name.
 */
async function nameRepositories(
  session: AttributionReader,
  { spans, incidentNames }: FailuresToFind,
): Promise<RepositoryNames> {
  const called = among('repository_key', new Set([...spans.keys()].flatMap(namesOfKey)));
  const used = await countByRepository(session, [incidents], all(isNull('deployment_id'), called));
  if (used.size === 0 && incidentNames.size === 0) return new RepositoryNames([]);
  const renamed = new Set<string>();
  for (const key of [...spans.keys()]) {
    const names = namesOfKey(key).filter((name) => used.has(name));
    if (names.length === 0 || (await stoodBefore(session, key, spans.firstOf(key)))) continue;
    for (const name of names) renamed.add(name);
  }
  const known = new RepositoryNames((await knownRepositories(session)).keys());
  for (const key of known.keys) {
    for (const name of namesOfKey(key)) {
      if (renamed.has(name)) spans.add(key, allTime);
      for (const span of incidentNames.of(name)) spans.add(key, span);
    }
  }
  return known;
}

/** Whether a repository had something before a moment, so that it neither came nor went. */
async function stoodBefore(session: AttributionReader, key: string, cut: number): Promise<boolean> {
  const merged = await session.tally(pullRequests, [], all(inRepositories([key]), before('pr_merged_at', cut)));
  if ((merged[0]?.rows ?? 0) > 0) return true;
  const deployed = await session.tally(deployments, [], all(inRepositories([key]), before('deployed_at', cut)));
  return (deployed[0]?.rows ?? 0) > 0;
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
