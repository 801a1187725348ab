import { codeHosts } from '../catalogue/record-ids.ts';
import { Refusal } from '../refusal.ts';
import { audit } from '../store/audit.ts';
import { type Match, matchPeople, setOnboarded } from '../store/people-rows.ts';
import type { OrganisationWriting, Reading } from '../store/store.ts';
import { keyOf } from '../text-comparison.ts';
import type { ChangeContext, Directory } from './directory.ts';
import { onboardingOf } from './person-state.ts';
import type { NamedThing } from './roster-entries.ts';

export const maxIdentifiers = 10_000;

/** Identifiers as they were sent. They are matched trimmed and without regard to case, and echoed as they were. */
export interface Identifiers {
  readonly emailAddresses: readonly string[];
  readonly githubUsernames: readonly string[];
}

interface Onboarded {
  readonly onboardedIds: readonly string[];
  readonly found: number;
  readonly notFound: Identifiers;
}

interface Offboarded {
  readonly offboardedIds: readonly string[];
  readonly notFound: Identifiers;
}

/** Onboards everyone that the identifiers name: all of them, or, when nobody is named, none and a refusal. */
export async function onboard(
  directory: Directory,
  context: ChangeContext,
  identifiers: Identifiers,
): Promise<Onboarded> {
  // A program that mirrors a directory sends the same list again and again: that must not look like a change to any
  // cache.
  const now = await directory.store.read((session) => match(session, context.organisationId, identifiers), context);
  if (now.every(isNamed)) return onboardedOf(identifiers, now);
  const change = async (session: OrganisationWriting) => {
    const matches = await match(session, context.organisationId, identifiers);
    const outcome = onboardedOf(identifiers, matches);
    const { onboardedIds } = outcome;
    // People who were onboarded automatically are onboarded by name from now on, and stay so.
    const confirmed = distinct(matches.filter((match) => match.onboarded && !isNamed(match)));
    await setOnboarded(session, context.organisationId, [...onboardedIds, ...confirmed], true);
    await audit(session, context.actor, directory.now(), [
      ...onboardedIds.map((subject) => ({ action: 'person.onboard', subject }) as const),
      ...confirmed.map(
        (subject) => ({ action: 'person.update', subject, details: { fields: ['onboarded'] } }) as const,
      ),
    ]);
    return outcome;
  };
  return directory.store.change(context.organisationId, change, context);
}

/** Whether somebody is onboarded by name already, so that nothing is left to do. */
const isNamed = (match: Match): boolean => onboardingOf(match) === 'named';

function onboardedOf(identifiers: Identifiers, matches: readonly Match[]): Onboarded {
  const notFound = unmatched(identifiers, matches);
  refuseWhenNobody(matches, notFound, 'No user matches');
  const onboardedIds = distinct(matches.filter(({ onboarded }) => !onboarded));
  return { onboardedIds, found: distinct(matches).length, notFound };
}

/** Offboards everyone onboarded that the identifiers name. Someone known but not onboarded counts as not matched. */
export function offboard(directory: Directory, context: ChangeContext, identifiers: Identifiers): Promise<Offboarded> {
  const change = async (session: OrganisationWriting) => {
    const named = await match(session, context.organisationId, identifiers);
    const matches = named.filter(({ onboarded }) => onboarded);
    const notFound = unmatched(identifiers, matches);
    refuseWhenNobody(matches, notFound, 'No onboarded user matches');
    const offboardedIds = distinct(matches);
    await setOnboarded(session, context.organisationId, offboardedIds, false);
    await audit(
      session,
      context.actor,
      directory.now(),
      offboardedIds.map((subject) => ({ action: 'person.offboard', subject })),
    );
    return { offboardedIds, notFound };
  };
  return directory.store.change(context.organisationId, change, context);
}

/** An email address matches every address of a person, a login every login on a code host. */
async function match(session: Reading, organisationId: string, identifiers: Identifiers): Promise<Match[]> {
  const emails = new Set(identifiers.emailAddresses.map(keyOf));
  const logins = new Set(identifiers.githubUsernames.map(keyOf));
  const hosts: ReadonlySet<string> = new Set(codeHosts);
  const found = await matchPeople(session, organisationId, [...new Set([...emails, ...logins])]);
  return found.filter(({ kind, key, source }) =>
    kind === 'email' ? emails.has(key) : logins.has(key) && hosts.has(source),
  );
}

function unmatched({ emailAddresses, githubUsernames }: Identifiers, matches: readonly Match[]): Identifiers {
  const found = (kind: Match['kind']) => new Set(matches.filter((m) => m.kind === kind).map((m) => m.key));
  const missing = (sent: readonly string[], keys: ReadonlySet<string>) => [
    ...new Set(sent.filter((identifier) => !keys.has(keyOf(identifier)))),
  ];
  return {
    emailAddresses: missing(emailAddresses, found('email')),
    githubUsernames: missing(githubUsernames, found('login')),
  };
}

function refuseWhenNobody(matches: readonly Match[], notFound: Identifiers, problem: string): void {
  if (matches.length > 0) return;
  const all = [...notFound.emailAddresses, ...notFound.githubUsernames];
  throw new Refusal('not-found', `${problem} the supplied identifiers: ${all.join(', ')}. Verify them and try again.`);
}

const distinct = (matches: readonly Match[]): string[] => [...new Set(matches.map(({ id }) => id))];

/** The change that is planned for people that identifiers name. */
export type OnboardingStep = 'onboard' | 'offboard';

/**
 * The effect of an identifier: `matched` a person whom it changes, `already` a person who is as wanted, `ambiguous`
 * several people at once, `unknown` nobody.
 */
type PreviewedState = 'matched' | 'already' | 'ambiguous' | 'unknown';

interface PreviewedIdentifier {
  /** The identifier as the caller gave it. */
  readonly identifier: string;
  /** The list of `/users/…` that takes it. */
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
