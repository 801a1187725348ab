import { keyOf } from '../../name-key.ts';
import { didYouMean } from '../../nearest.ts';
import { Refusal } from '../../refusal.ts';
import { audit } from '../../store/audit.ts';
import { listSourcePeople, putSourcePeople } from '../../store/source-people.ts';
import type { ChangeContext, Directory } from '../directory.ts';
import { PeopleDraft } from '../people-draft.ts';
import { loginsOf } from './account-links.ts';
import { type CodeHost, loginIdentity } from './code-host.ts';

interface UnlinkedAccount {
  readonly login: string;
  /** Whose it was. */
  readonly personId: string;
  readonly name: string;
}

/**
 * Takes an account from the person that a source has linked it to. From then on its email address links it to nobody:
 * the next sync makes it a person of its own, unless somebody else is given its login before.
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
    if (!person) throw new Refusal('bad-input', `'${login}' is linked to nobody.`);
    const { id, name } = person.row;
    const left = person.identities.filter(
      ({ kind, source, key }) => kind !== 'login' || source !== host || key !== identity.key,
    );
    if (left.length === 0) {
      throw new Refusal('conflict', `'${login}' is all that ${name} is known by: there is nobody to take it from.`);
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
