import { disputedLinks, peopleWhoLeft } from '../data-quality/host-people.ts';
import { type Diagnosis, ok, warning } from '../safety/diagnosis.ts';
import { shown } from '../safety/record-checks.ts';
import { listOrganisations } from '../store/organisations.ts';
import { type ListedAccount, listAccounts } from '../store/source-people.ts';
import type { Store } from '../store/store.ts';

interface MemberCheck {
  readonly name: string;
  readonly advice: string;
  look(accounts: readonly ListedAccount[]): string[];
}

const checks: readonly MemberCheck[] = [
  {
    name: 'people who left',
    advice:
      'No code host lists them any more, and they are still onboarded. Offboard those who have left, or set offboard_leavers of the source.',
    look: (accounts) => peopleWhoLeft(accounts).latest.map(({ name, left_at }) => `${name} (${left_at.slice(0, 10)})`),
  },
  {
    name: 'disputed links',
    advice:
      'The login of an account is one person’s and its verified email address another’s. Merge the two with `plumb person merge` if they are one.',
    look: (accounts) =>
      disputedLinks(accounts).map(
        ({ login, linked_to, email_belongs_to }) => `${login} (${linked_to}, ${email_belongs_to})`,
      ),
  },
];

/** What the doctor says about members of code hosts. */
export async function examineMembers(store: Store): Promise<Diagnosis[]> {
  const all: { readonly organisation: string; readonly accounts: readonly ListedAccount[] }[] = [];
  for (const { id, name } of await store.read(listOrganisations)) {
    all.push({ organisation: name, accounts: await store.read((session) => listAccounts(session, id)) });
  }
  return checks.map(({ name, advice, look }) => {
    const lines = all.flatMap(({ organisation, accounts }) => {
      const found = look(accounts);
      return found.length === 0 ? [] : [`${organisation}: ${shown(found)}.`];
    });
    return { name, ...(lines.length === 0 ? ok('none') : warning(`${advice} ${lines.join(' ')}`)) };
  });
}
