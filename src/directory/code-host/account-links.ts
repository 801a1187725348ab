import type { PersonRecord } from '../../catalogue/directory-records.ts';
import { didYouMean } from '../../nearest.ts';
import { Refusal } from '../../refusal.ts';
import type { HostPerson } from '../../sources/source.ts';
import { audit } from '../../store/audit.ts';
import { listSourcePeople, putSourcePeople } from '../../store/source-people-rows.ts';
import { keyOf } from '../../text-comparison.ts';
import type { ChangeContext, Directory } from '../directory.ts';
import { PeopleDraft } from '../people-draft.ts';
import { type Identity, namedIdentities } from '../person-identities.ts';
import { onboardingOf, type PersonState } from '../person-state.ts';
import { type CodeHost, loginIdentity } from './code-host.ts';

/** Why an account belongs to a person: they are new, have its address, had its login, or were linked before. */
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
  /** Whether somebody has undone the link of this login: then its address links it to no person. */
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
  if (!person) return `'${login}' could not be linked to anyone`;
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

interface UnlinkedAccount {
  readonly login: string;
  /** The person whose account it was. */
  readonly personId: string;
  readonly name: string;
}

/**
 * Takes an account from the person that a source has linked it to. From then on its email address links it to no
 * person: the next sync makes it a person of its own, unless another person gets its login before.
 */
export function unlinkAccount(
  directory: Directory,
  context: ChangeContext,
  { sourceId, host }: Pick<CodeHost, 'sourceId' | 'host'>,
  login: string,
): Promise<UnlinkedAccount> {
  return directory.store.change(context.organisationId, async (session) => {
    const at = directory.now();
    const accounts = await listSourcePeople(session, context.organisationId);
    const own = accounts.filter(({ source_id }) => source_id === sourceId);
    if (!own.some(({ login_key }) => login_key === keyOf(login))) {
      const known = own.map((account) => account.login);
      throw new Refusal('not-found', `The source has listed no account '${login}'.${didYouMean(login, known)}`);
    }
    const identity = loginIdentity(host, login);
    const draft = await PeopleDraft.load(session, at, [{ logins: { [host]: login } }]);
    const person = draft.ownerOf(identity);
    if (!person) throw new Refusal('bad-input', `'${login}' is linked to no one.`);
    const { id, name } = person.row;
    const left = person.identities.filter(
      ({ kind, source, key }) => kind !== 'login' || source !== host || key !== identity.key,
    );
    if (left.length === 0) {
      throw new Refusal('conflict', `'${login}' is all that ${name} is known by: there is no one to take it from.`);
    }
    const problem = draft.apply({ merged_user_id: id, logins: loginsOf(left) });
    if (problem !== undefined) throw new Refusal('conflict', `${name} ${problem}.`);
    const auditedActions = await draft.save();
    const same = accounts.filter((account) => account.host === host && account.login_key === identity.key);
    await putSourcePeople(
      session,
      same.map((account) => ({ ...account, is_unlinked: true, email_person_id: null })),
    );
    await audit(session, context.actor, at, [
      ...auditedActions,
      { action: 'source.unlink', subject: sourceId, details: { login: identity.value, person: id } },
    ]);
    return { login: identity.value, personId: id, name };
  });
}
