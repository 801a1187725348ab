import { codeHosts } from '../catalogue/record-ids.ts';
import { keyOf } from '../name-key.ts';
import { matchPeople } from '../store/people.ts';
import type { Reading } from '../store/store.ts';
import type { NamedThing } from './roster-entries.ts';

/** What is about to be done with people that identifiers name. */
export type OnboardingStep = 'onboard' | 'offboard';

/**
 * What an identifier would do: `matched` somebody whom it changes, `already` somebody who is as wanted, `ambiguous` several
 * people at once, `unknown` nobody.
 */
type PreviewedState = 'matched' | 'already' | 'ambiguous' | 'unknown';

interface PreviewedIdentifier {
  /** As it was given. */
  readonly identifier: string;
  /** In which list `/users/…` takes it. */
  readonly list: 'email_addresses' | 'github_usernames';
  readonly state: PreviewedState;
  /** Everyone whom it names. */
  readonly people: readonly PreviewedPerson[];
}

interface PreviewedPerson extends NamedThing {
  readonly onboarded: boolean;
}

/** How identifiers would match, each by the rule of onboarding: any address of a person, any login on a code host. */
export async function previewOnboarding(
  session: Reading,
  organisationId: string,
  identifiers: readonly string[],
  step: OnboardingStep,
): Promise<PreviewedIdentifier[]> {
  const hosts: readonly string[] = codeHosts;
  const matches = await matchPeople(session, organisationId, [...new Set(identifiers.map(keyOf))]);
  const names = await namesOf(session, organisationId, [...new Set(matches.map(({ id }) => id))]);
  const found = new Map<string, Map<string, PreviewedPerson>>();
  for (const { kind, key, source, id, onboarded } of matches) {
    if (kind === 'login' && !hosts.includes(source)) continue;
    const people = found.get(`${kind} ${key}`) ?? new Map<string, PreviewedPerson>();
    found.set(`${kind} ${key}`, people.set(id, { id, name: names.get(id) ?? id, onboarded }));
  }
  return identifiers.map((identifier) => {
    const isAddress = identifier.includes('@');
    const people = [...(found.get(`${isAddress ? 'email' : 'login'} ${keyOf(identifier)}`)?.values() ?? [])];
    const list = isAddress ? 'email_addresses' : 'github_usernames';
    return { identifier, list, state: stateOf(people, step), people };
  });
}

function stateOf(people: PreviewedIdentifier['people'], step: OnboardingStep): PreviewedState {
  if (people.length === 0) return 'unknown';
  if (people.every(({ onboarded }) => onboarded === (step === 'onboard'))) return 'already';
  return people.length > 1 ? 'ambiguous' : 'matched';
}

async function namesOf(session: Reading, organisationId: string, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await session.rows<NamedThing>(
    'SELECT id, name FROM people WHERE organisation_id = $1 AND id IN (SELECT unnest($2::text[]))',
    [organisationId, ids],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
