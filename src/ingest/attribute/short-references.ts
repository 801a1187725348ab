import { codeHosts, placeOfFullId, placeOfShortId, pullRequestId } from '../../catalogue/record-ids.ts';
import type { PullRequestRow } from '../../catalogue/tables/pull-requests.ts';
import type { EarlierNames } from '../../directory/earlier-names.ts';
import { keyOf } from '../../text-comparison.ts';
import type { Condition } from '../../warehouse/intake-port.ts';
import { among, any } from './conditions.ts';

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
