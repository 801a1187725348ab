import { namedPullRequests } from '../../catalogue/derivation-state.ts';
import { codeHosts, placeOfFullId, placeOfShortId, pullRequestId } from '../../catalogue/record-ids.ts';
import { deployments, reportedOrigin } from '../../catalogue/tables/deployments.ts';
import type { PullRequestRow } from '../../catalogue/tables/pull-requests.ts';
import type { EarlierNames } from '../../directory/earlier-names.ts';
import { listsByKey } from '../../lists-by-key.ts';
import { keyOf } from '../../text-comparison.ts';
import type { Condition } from '../../warehouse/intake-port.ts';
import type { IntakeSession } from '../write/intake-session.ts';
import { TableOverlay } from '../write/table-overlay.ts';
import { type AttributionReader, all, among, any, inRepositories, is, notNull } from './attribution-reader.ts';
import { firstOf, type OrderedDeployment } from './rules/deployment-contents.ts';
import type { StoredPullRequest } from './rules/repository-facts.ts';
import type { SettingsOf } from './rules/repository-settings.ts';
import type { TouchedRows } from './touched-rows.ts';

/**
 * Keeps, one row for each key, the pull requests that deployments name, so that they are found from either side. Returns
 * the keys of every pull request that a touched deployment names now or named before, and of those that others name.
 */
export async function keepNamed(
  session: IntakeSession,
  { namingDeployments, wholeRepositories }: TouchedRows,
  others: readonly string[],
  earlierNames: EarlierNames,
): Promise<Set<string>> {
  const reader: AttributionReader = session;
  const kept = new TableOverlay(namedPullRequests);
  if (namingDeployments.size > 0 || wholeRepositories.size > 0) {
    const isTouched = any(among('deployment_id', namingDeployments), inRepositories(wholeRepositories));
    const reported = all(isTouched, is('origin', reportedOrigin), notNull('pr_ids'));
    const lists = await reader.select(deployments, ['deployment_id', 'pr_ids'], reported);
    const ids = new Set([...namingDeployments, ...lists.map(({ deployment_id }) => deployment_id)]);
    if (ids.size > 0) await kept.load(session, among('deployment_id', ids));
    for (const entry of kept.entries.values()) kept.remove(entry);
    for (const { deployment_id, pr_ids } of lists) {
      for (const reference of JSON.parse(pr_ids ?? '[]') as string[]) {
        for (const pr_id of keysOfReference(reference, earlierNames)) kept.make({ deployment_id, pr_id });
      }
    }
    await kept.write(session);
  }
  if (others.length > 0) await kept.load(session, among('deployment_id', others));
  return new Set([...kept.entries.values()].map(({ before, after }) => (before ?? after)?.pr_id ?? ''));
}

/** For each of these pull requests, the first of the deployments that name it and carry what they name. */
export async function firstNaming(
  session: AttributionReader,
  pullRequests: readonly Pick<StoredPullRequest, 'pr_id' | 'repository_key' | 'pr_number' | 'pr_merged_at'>[],
  settingsOf: SettingsOf,
): Promise<Map<string, OrderedDeployment>> {
  const first = new Map<string, OrderedDeployment>();
  // Few organisations report what a deployment carried. Then a long list of ids need not be compared with anything.
  const [counted] = await session.tally(namedPullRequests, []);
  if ((counted?.rows ?? 0) === 0) return first;
  const merged = listsByKey(
    pullRequests
      .filter(({ pr_merged_at }) => pr_merged_at !== null)
      .flatMap((pr) => keysOfPullRequest(pr).map((key) => ({ key, id: pr.pr_id }))),
    ({ key }) => key,
  );
  const named = await session.select(namedPullRequests, ['deployment_id', 'pr_id'], among('pr_id', merged.keys()));
  if (named.length === 0) return first;
  const namers = new Set(named.map(({ deployment_id }) => deployment_id));
  const rows = await session.select(
    deployments,
    ['deployment_id', 'repository_key', 'deployed_at'],
    all(among('deployment_id', namers), is('is_production', true), is('status', 'success'), notNull('deployed_at')),
  );
  const placed = new Map<string | null, OrderedDeployment>();
  for (const { deployment_id: id, repository_key, deployed_at: at } of rows) {
    if (id !== null && at !== null && settingsOf(repository_key).isActive) placed.set(id, { id, at });
  }
  for (const { deployment_id, pr_id: key } of named) {
    for (const { id } of merged.get(key ?? '') ?? []) {
      const found = firstOf([first.get(id), placed.get(deployment_id)]);
      if (found) first.set(id, found);
    }
  }
  return first;
}

/**
 * What a reference to a pull request is found by: an id itself, and of `acme/web#7` every name that the repository is
 * known by, so that it means every pull request of that repository and number, stored now or later.
 */
export function keysOfReference(reference: string, known: NamesOfRepositories): string[] {
  const place = placeOfShortId(reference);
  if (!place) return [reference];
  const { repository, number } = place;
  const names = codeHosts.flatMap((host) => [
    known.firstNameOf(host, repository),
    known.presentNameOf(host, repository),
  ]);
  const spelled = [repository, ...names].flatMap((name) => [name, keyOf(name)]);
  return [...new Set(spelled.map((name) => `${name}#${number}`))];
}

type NamesOfRepositories = Pick<EarlierNames, 'firstNameOf' | 'presentNameOf'>;

/** The keys of references that mean a pull request. */
export function keysOfPullRequest(pr: Pick<PullRequestRow, 'pr_id' | 'repository_key' | 'pr_number'>): string[] {
  const id = pr.pr_id ?? '';
  const place = placeOfFullId(id);
  const keys = new Set([id]);
  if (place) keys.add(`${keyOf(place.repository)}#${place.number}`);
  if (pr.repository_key !== null && pr.pr_number !== null) keys.add(`${pr.repository_key}#${pr.pr_number}`);
  return [...keys];
}

/** The pull requests that references with these keys mean. */
export function meantBy(keys: Iterable<string>): Condition<'pr_id' | 'repository_key' | 'pr_number'> {
  const ids = new Set<string>();
  const numbers = new Map<string, readonly [string, number]>();
  for (const key of keys) {
    const place = placeOfShortId(key);
    if (!place) {
      ids.add(key);
      continue;
    }
    for (const host of codeHosts) ids.add(pullRequestId(host, place.repository, place.number));
    numbers.set(keyOf(key), [keyOf(place.repository), place.number]);
  }
  const isNamed = among('pr_id', ids);
  if (numbers.size === 0) return isNamed;
  return any<'pr_id' | 'repository_key' | 'pr_number'>(isNamed, {
    columns: ['repository_key', 'pr_number'],
    among: [...numbers.values()],
  });
}
