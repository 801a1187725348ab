import { addToList } from '../lists-by-key.ts';
import type { ListedAccount } from '../store/source-people.ts';
import { compareTexts } from '../text-order.ts';
import { listedMost } from './unresolved-people.ts';

export interface PeopleWhoLeft {
  readonly people: number;
  readonly latest: readonly PersonWhoLeft[];
}

export interface PersonWhoLeft {
  readonly merged_user_id: string;
  readonly name: string;
  readonly logins: readonly string[];
  /** When the last of their accounts was no longer listed. */
  readonly left_at: string;
}

/** People who are onboarded, and whom no code host lists any more that once did. */
export function peopleWhoLeft(accounts: readonly ListedAccount[], maxListed = listedMost): PeopleWhoLeft {
  const byPerson = new Map<string, ListedAccount[]>();
  for (const account of accounts) {
    const { person_id: id, onboarded } = account;
    if (id !== null && onboarded) addToList(byPerson, id, account);
  }
  const left = [...byPerson].flatMap(([id, theirs]): PersonWhoLeft[] => {
    const times = theirs.flatMap(({ left_at }) => left_at?.toISOString() ?? []).toSorted(compareTexts);
    const left_at = times.at(-1);
    if (left_at === undefined || times.length < theirs.length) return [];
    return [{ merged_user_id: id, name: theirs[0]?.name ?? '', logins: loginsOf(theirs), left_at }];
  });
  const latest = left.toSorted((a, b) => compareTexts(b.left_at, a.left_at) || compareTexts(a.name, b.name));
  return { people: left.length, latest: latest.slice(0, maxListed) };
}

/** An account whose login is one person's and whose verified email address is another's. */
export interface DisputedLink {
  readonly source: string;
  readonly login: string;
  readonly linked_to: string;
  readonly email_belongs_to: string;
}

export function disputedLinks(accounts: readonly ListedAccount[], maxListed = listedMost): DisputedLink[] {
  const links = new Map<string, DisputedLink>();
  for (const { host, login, login_key, name, email_person_name } of accounts) {
    if (name === null || email_person_name === null) continue;
    // Several sources may list the same account.
    const link = { source: host, login, linked_to: name, email_belongs_to: email_person_name };
    links.set(JSON.stringify([host, login_key, email_person_name]), link);
  }
  return [...links.values()].slice(0, maxListed);
}

const loginsOf = (accounts: readonly ListedAccount[]): string[] => [...new Set(accounts.map(({ login }) => login))];
