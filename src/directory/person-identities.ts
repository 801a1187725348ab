import type { PersonRecord } from '../catalogue/directory-records.ts';
import type { IdentityKind } from '../store/people-rows.ts';
import { keyOf } from '../text-comparison.ts';
import { isTooLong, maxIdentifierLength } from './identifier.ts';

/** One email address, or one login on one source. */
export interface Identity {
  readonly kind: IdentityKind;
  /** Empty for an email address. */
  readonly source: string;
  readonly key: string;
  readonly value: string;
}

export const identityKey = ({ kind, source, key }: Identity): string => `${kind} ${source} ${key}`;

const tooLong = (what: string) => `${what} must have at most ${maxIdentifierLength} characters`;
const email = (value: string): Identity => ({ kind: 'email', source: '', key: keyOf(value), value: value.trim() });
const login = (source: string, value: string): Identity => ({
  kind: 'login',
  source: keyOf(source),
  key: keyOf(value),
  value: value.trim(),
});

/** Every identity that a record names, the primary email address first. */
export function namedIdentities(record: PersonRecord): { identities: readonly Identity[] } | { problem: string } {
  const addresses = [...(record.main_email == null ? [] : [record.main_email]), ...(record.emails ?? [])];
  const odd = addresses.find((address) => !/^[^\s@]+@[^\s@]+$/.test(address.trim()));
  if (odd !== undefined) return { problem: `'${odd}' is not an email address` };
  if (addresses.some(isTooLong)) return { problem: tooLong('an email address') };
  const logins = namedLogins(record);
  if ('problem' in logins) return logins;
  return { identities: distinct([...addresses.map(email), ...logins.logins]) };
}

function namedLogins({ logins, github_username }: PersonRecord): { logins: Identity[] } | { problem: string } {
  const named: Identity[] = [];
  if (github_username != null) named.push(login('github', github_username));
  if (logins != null) {
    if (typeof logins !== 'object' || Array.isArray(logins)) {
      return { problem: 'logins must be an object such as {"github": "ada"}' };
    }
    for (const [source, value] of Object.entries(logins)) {
      const values = value === null ? [] : Array.isArray(value) ? value : [value];
      for (const one of values) {
        if (typeof one !== 'string') return { problem: `logins.${source} must be a login or a list of logins` };
        named.push(login(source, one));
      }
    }
  }
  if (named.some(({ key, source }) => key === '' || source === '')) return { problem: 'a login must not be blank' };
  if (named.some(({ key, source }) => isTooLong(key) || isTooLong(source))) return { problem: tooLong('a login') };
  return { logins: named };
}

/**
 * A person's identities after a record: a list that is given replaces the known one, a single field only its own value.
 * The primary address always stays among the addresses.
 */
export function changedIdentities(
  known: readonly Identity[],
  mainEmail: string | null,
  record: PersonRecord,
  belongsElsewhere: (identity: Identity) => boolean,
): { identities: readonly Identity[]; mainEmail: string | null } {
  // Taking the primary address away takes it from the addresses; the next one, if any, becomes the primary one.
  const isTaken = ({ key }: Identity) => record.main_email === null && mainEmail !== null && key === keyOf(mainEmail);
  const emails = known.filter((identity) => identity.kind === 'email' && !isTaken(identity));
  const logins = known.filter(({ kind }) => kind === 'login');
  const listed = record.emails === undefined ? emails : (record.emails ?? []).map(email);
  const main = (record.main_email === undefined ? mainEmail : record.main_email)?.trim() ?? listed[0]?.value ?? null;

  const named = namedLogins(record);
  const given = 'logins' in named ? named.logins : [];
  const kept =
    record.logins !== undefined
      ? []
      : record.github_username !== undefined
        ? logins.filter(({ source }) => source !== 'github')
        : logins;

  const all = distinct([...(main === null ? [] : [email(main)]), ...listed, ...given, ...kept]);
  return { identities: all.filter((identity) => !belongsElsewhere(identity)), mainEmail: main };
}

function distinct(identities: readonly Identity[]): Identity[] {
  const first = new Map<string, Identity>();
  for (const identity of identities) if (!first.has(identityKey(identity))) first.set(identityKey(identity), identity);
  return [...first.values()];
}
