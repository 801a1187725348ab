import { Refusal } from '../refusal.ts';
import { audit } from '../store/audit.ts';
import { type Match, matchPeople, setOnboarded } from '../store/people.ts';
import type { OrganisationWriting } from '../store/store.ts';
import type { Directory, Errand } from './directory.ts';
import { codeHosts, keyOf } from './identifier.ts';

export const identifiersMost = 10_000;
const namedMost = 100;

/** Identifiers as they were sent. They are matched trimmed and without regard to case, and echoed as they were. */
export interface Identifiers {
  readonly emailAddresses: readonly string[];
  readonly githubUsernames: readonly string[];
}

export interface Onboarded {
  readonly onboardedIds: readonly string[];
  readonly found: number;
  readonly notFound: Identifiers;
}

export interface Offboarded {
  readonly offboardedIds: readonly string[];
  readonly notFound: Identifiers;
}

/** Onboards everyone that the identifiers name: all of them, or, when nobody is named, none and a refusal. */
export function onboard(directory: Directory, errand: Errand, identifiers: Identifiers): Promise<Onboarded> {
  return directory.store.change(errand.organisationId, async (session) => {
    const matches = await match(session, identifiers);
    const notFound = unmatched(identifiers, matches);
    refuseWhenNobody(matches, notFound, 'No user matches');
    const onboardedIds = distinct(matches.filter(({ onboarded }) => !onboarded));
    await setOnboarded(session, errand.organisationId, onboardedIds, true);
    await audit(
      session,
      errand.actor,
      directory.now(),
      onboardedIds.map((subject) => ({ action: 'person.onboard', subject })),
    );
    return { onboardedIds, found: distinct(matches).length, notFound };
  });
}

/** Offboards everyone onboarded that the identifiers name. Someone known but not onboarded counts as not matched. */
export function offboard(directory: Directory, errand: Errand, identifiers: Identifiers): Promise<Offboarded> {
  return directory.store.change(errand.organisationId, async (session) => {
    const matches = (await match(session, identifiers)).filter(({ onboarded }) => onboarded);
    const notFound = unmatched(identifiers, matches);
    refuseWhenNobody(matches, notFound, 'No onboarded user matches');
    const offboardedIds = distinct(matches);
    await setOnboarded(session, errand.organisationId, offboardedIds, false);
    await audit(
      session,
      errand.actor,
      directory.now(),
      offboardedIds.map((subject) => ({ action: 'person.offboard', subject })),
    );
    return { offboardedIds, notFound };
  });
}

/** An email address matches every address of a person, a login every login on a code host. */
async function match(session: OrganisationWriting, identifiers: Identifiers): Promise<Match[]> {
  const emails = new Set(identifiers.emailAddresses.map(keyOf));
  const logins = new Set(identifiers.githubUsernames.map(keyOf));
  const hosts: ReadonlySet<string> = new Set(codeHosts);
  const found = await matchPeople(session, session.organisationId, [...new Set([...emails, ...logins])]);
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
  const rest = all.length > namedMost ? ` and ${all.length - namedMost} more` : '';
  throw new Refusal(
    'not-found',
    `${problem} the supplied identifiers: ${all.slice(0, namedMost).join(', ')}${rest}. Verify them and try again.`,
  );
}

const distinct = (matches: readonly Match[]): string[] => [...new Set(matches.map(({ id }) => id))];
