import type { PersonRecord } from '../../catalogue/directory-records.ts';
import { keyOf } from '../../name-key.ts';
import type { HostPerson } from '../../sources/source.ts';
import { onboardingOf } from '../onboarding-state.ts';
import type { PeopleDraft } from '../people-draft.ts';
import { type Identity, namedIdentities } from '../person-identities.ts';
import type { PersonState } from '../person-state.ts';
import { loginIdentity } from './code-host.ts';

/** How an account came to be somebody's: they are new, have its address, had its login, or were linked before. */
type LinkedBy = 'new' | 'verified_email' | 'login' | 'earlier_sync';

/** An account of a code host, and whose it is. */
export interface AccountLink {
  readonly login: string;
  readonly key: string;
  readonly linkedBy: LinkedBy;
  /** Before any merge. */
  readonly personId: string;
  readonly name: string;
  /** Somebody else who has its verified email address. */
  readonly emailOwner?: { readonly id: string; readonly name: string };
}

export interface LinkRules {
  readonly host: string;
  /** Whether somebody has undone the link of this login: then its address links it to nobody. */
  readonly isUnlinked: (loginKey: string) => boolean;
  /** Whether this source had listed the login before. */
  readonly isKnown: (loginKey: string) => boolean;
}

/** An account of which a person can be made; a text says why it cannot. */
export function accountRecord(person: HostPerson, { host, isUnlinked }: LinkRules): PersonRecord | string {
  const { login, name, verifiedEmail, isBot } = person;
  const record: PersonRecord = {
    name: name?.trim() || login.trim(),
    logins: { [host]: login },
    ...(isBot ? { is_bot: true } : {}),
  };
  const alone = namedIdentities(record);
  if ('problem' in alone) return alone.problem;
  if (verifiedEmail === undefined || isUnlinked(keyOf(login))) return record;
  const both = { ...record, main_email: verifiedEmail };
  return 'problem' in namedIdentities(both) ? record : both;
}

/**
 * Links an account to a person by the stated rules: the person who has the login, else the person who has its verified
 * address, else a new person. Of an existing person only the logins change. A text says why the account could not be
 * linked.
 */
export function linkAccount(draft: PeopleDraft, record: PersonRecord, login: string, rules: LinkRules) {
  const identity = loginIdentity(rules.host, login);
  const byLogin = draft.ownerOf(identity);
  const byEmail = emailOwner(draft, record);
  const link = (person: PersonState, linkedBy: LinkedBy): AccountLink => ({
    login: identity.value,
    key: identity.key,
    linkedBy,
    personId: person.row.id,
    name: person.row.name,
  });
  if (byLogin) {
    arrive(draft, byLogin);
    const linked = link(byLogin, rules.isKnown(identity.key) ? 'earlier_sync' : 'login');
    if (!byEmail || byEmail.row.effective_id === byLogin.row.effective_id) return linked;
    return { ...linked, emailOwner: { id: byEmail.row.id, name: byEmail.row.name } };
  }
  const problem = draft.apply(
    byEmail ? { merged_user_id: byEmail.row.id, logins: loginsOf([...byEmail.identities, identity]) } : record,
  );
  if (problem !== undefined) return problem;
  const person = draft.ownerOf(identity);
  if (!person) return `'${login}' could not be linked to anybody`;
  return link(person, byEmail ? 'verified_email' : 'new');
}

function emailOwner(draft: PeopleDraft, record: PersonRecord): PersonState | undefined {
  const named = namedIdentities(record);
  const email = 'identities' in named ? named.identities.find(({ kind }) => kind === 'email') : undefined;
  return email && draft.ownerOf(email);
}

/** A person who was never onboarded nor offboarded arrives as with a record that says nothing of it. */
function arrive(draft: PeopleDraft, { row }: PersonState): void {
  if (onboardingOf(row) === 'unsaid') draft.apply({ merged_user_id: row.id });
}

/** Logins as a record has them. */
export function loginsOf(identities: readonly Identity[]): Record<string, string[]> {
  const logins: Record<string, string[]> = {};
  for (const { kind, source, value } of identities) {
    if (kind !== 'login') continue;
    logins[source] = [...(logins[source] ?? []), value];
  }
  return logins;
}
