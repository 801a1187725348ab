import type { Directory } from '../directory/directory.ts';
import { isBotLogin } from '../directory/identifier.ts';
import { resolveOrganisation } from '../directory/organisations.ts';
import { readSnapshot } from '../directory/snapshot.ts';
import { Refusal } from '../refusal.ts';
import { keyOf } from '../text-comparison.ts';

/** An account as records name it, and what they call it. */
export interface NamedAccount {
  readonly login: string | null;
  readonly email: string | null;
  readonly isCalledBot: boolean;
  readonly isCalledPerson: boolean;
}

export interface FindingsInput {
  readonly org: string;
  readonly accounts: readonly NamedAccount[];
  readonly repositories: readonly string[];
}

/**
 * The unusual findings about records. Accounts and repositories are named as the records name them, people as the
 * directory.
 */
export interface ImportFindings {
  /** Accounts that belong to no person in the directory, bots left aside. */
  readonly unknownAccounts: readonly string[];
  /** People who are known and do not count. */
  readonly notOnboarded: readonly string[];
  /** Accounts that are called a bot and a person: by two records, or by the records and the directory. */
  readonly disputedBots: readonly string[];
  /** Repositories that are not in the directory, where it has any. */
  readonly unknownRepositories: readonly string[];
}

/** Holds records against the directory, which says the same before and after they are brought in. */
export async function importFindings({ store }: Directory, input: FindingsInput): Promise<ImportFindings> {
  const snapshot = await store.read(async (session) => {
    const { id } = await resolveOrganisation(session, input.org);
    return readSnapshot(session, id);
  });
  if (!snapshot) throw new Refusal('not-found', `There is no organisation '${input.org}'.`);
  const people = new Map(snapshot.people.map((person) => [person.id, person]));
  const owners = new Map(snapshot.identities.map(({ key, person_id }) => [key, person_id]));
  const found = input.accounts.map((account) => {
    const keys = [account.email, account.login].flatMap((name) => (name === null ? [] : keyOf(name)));
    const own = keys.map((key) => people.get(owners.get(key) ?? '')).find((person) => person !== undefined);
    return { account, person: own && people.get(own.effective_id), isBot: keys.some(isBotLogin) };
  });
  const isDisputed = ({ account, person, isBot }: (typeof found)[number]) => {
    const isBotHere = person?.is_bot ?? isBot;
    const isCalledBot = account.isCalledBot || (isBotHere && account.isCalledPerson);
    const isCalledPerson = account.isCalledPerson || (person !== undefined && !isBotHere && account.isCalledBot);
    return isCalledBot && isCalledPerson;
  };
  const listed = new Set(snapshot.repositories.map(({ key }) => key));
  const names = (some: typeof found) => some.map(({ account }) => account.login ?? account.email ?? '');
  return {
    unknownAccounts: names(found.filter(({ account, person, isBot }) => !person && !isBot && !account.isCalledBot)),
    notOnboarded: [
      ...new Set(found.flatMap(({ person }) => (person && !person.onboarded && !person.is_bot ? person.name : []))),
    ],
    disputedBots: names(found.filter(isDisputed)),
    unknownRepositories: listed.size === 0 ? [] : input.repositories.filter((name) => !listed.has(keyOf(name))),
  };
}
