import { disputedLinks, peopleWhoLeft } from '../data-quality/gaps.ts';
import type { CountedExamples, Diagnosis, OrganisationFindings } from '../safety/diagnosis.ts';
import { countFound, type DoctorScope, diagnoseFindings } from '../safety/finding.ts';
import { type ListedAccount, listAccounts } from '../store/source-people-rows.ts';
import type { Store } from '../store/store.ts';

interface MemberCheck {
  readonly name: string;
  readonly advice: string;
  readonly things: readonly [string, string];
  look(accounts: readonly ListedAccount[], maxExamples: number): CountedExamples;
}

const checks: readonly MemberCheck[] = [
  {
    name: 'people who left',
    advice:
      'No code host lists them any more, and they are still onboarded. Offboard those who have left, or set offboard_leavers of the source.',
    things: ['person', 'people'],
    look: (accounts, maxExamples) => {
      const { people: count, latest } = peopleWhoLeft(accounts, maxExamples);
      const examples = latest.map(({ name, left_at }) => `${name} (${left_at.slice(0, 10)})`);
      return { count, examples, more: count - examples.length };
    },
  },
  {
    name: 'disputed links',
    advice:
      'The login of an account is one person’s and its verified email address another’s. Merge the two with `plumb person merge` if they are one.',
    things: ['account', 'accounts'],
    look: (accounts, maxExamples) =>
      countFound(
        disputedLinks(accounts, Number.POSITIVE_INFINITY),
        maxExamples,
        ({ login, linked_to, email_belongs_to }) => `${login} (${linked_to}, ${email_belongs_to})`,
      ),
  },
];

/** What the doctor says about members of code hosts. The accounts of one organisation are in memory at a time. */
export async function examineMembers(
  store: Store,
  { organisations, maxExamples }: Pick<DoctorScope, 'organisations' | 'maxExamples'>,
): Promise<Diagnosis[]> {
  const examined = checks.map((check) => ({ check, findings: [] as OrganisationFindings[] }));
  for (const { id, name: organisation } of organisations) {
    const accounts = await store.read((session) => listAccounts(session, id));
    for (const { check, findings } of examined) {
      const found = check.look(accounts, maxExamples);
      if (found.count > 0) findings.push({ organisation, ...found });
    }
  }
  return examined.map(({ check, findings }) => diagnoseFindings(check, findings));
}
