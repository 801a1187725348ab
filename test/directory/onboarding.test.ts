import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChangeContext } from '../../src/directory/directory.ts';
import { type Identifiers, offboard, onboard } from '../../src/directory/onboarding.ts';
import { createOrganisation } from '../../src/directory/organisations.ts';
import { putRecords } from '../../src/directory/put-records.ts';
import type { App } from '../../src/main.ts';
import { Refusal } from '../../src/refusal.ts';
import { auditEntries } from '../../src/store/audit.ts';
import { quickStore } from '../conformance/stores.ts';
import { times } from '../setup/how-long.ts';
import { openTemporaryApp } from '../setup/temporary-app.ts';

/** A small world in which identifiers of one person differ in every way that must not matter. */
const cast = [
  { name: 'Ada', emails: ['ada@one.example', 'ada@home.example'], logins: { github: 'ada', gitlab: 'ada-l' } },
  { name: 'Bo', emails: ['bo@one.example'], logins: { github: 'bo-ö', jira: 'bo.jira' } },
  { name: 'Chidi', emails: [], logins: { bitbucket: 'chidi' } },
  { name: 'Dot', emails: ['dot@one.example'], logins: {} },
  { name: 'dependabot[bot]', emails: [], logins: { github: 'dependabot[bot]' } },
] as const;

/** The plain meaning of the interface, in loops over lists: what the service must agree with. */
class OnboardingModel {
  readonly onboarded = new Set<string>();

  named({ emailAddresses, githubUsernames }: Identifiers): { people: string[]; missing: Identifiers } {
    const key = (text: string) => text.trim().toLowerCase();
    const byEmail = (email: string) => cast.find(({ emails }) => emails.some((own) => own === key(email)));
    const byLogin = (login: string) =>
      cast.find(({ logins }) =>
        Object.entries(logins).some(([source, own]) => source !== 'jira' && own === key(login)),
      );
    const found = [...emailAddresses.map(byEmail), ...githubUsernames.map(byLogin)];
    return {
      people: [...new Set(found.flatMap((person) => person?.name ?? []))],
      missing: {
        emailAddresses: [...new Set(emailAddresses.filter((email) => !byEmail(email)))],
        githubUsernames: [...new Set(githubUsernames.filter((login) => !byLogin(login)))],
      },
    };
  }

  /** For offboarding, somebody who is not onboarded is as good as unknown. */
  namedOnboarded(identifiers: Identifiers): { people: string[]; missing: Identifiers } {
    const known = (one: Identifiers) => this.named(one).people.some((name) => this.onboarded.has(name));
    const { people } = this.named(identifiers);
    return {
      people: people.filter((name) => this.onboarded.has(name)),
      missing: {
        emailAddresses: [
          ...new Set(identifiers.emailAddresses.filter((e) => !known({ emailAddresses: [e], githubUsernames: [] }))),
        ],
        githubUsernames: [
          ...new Set(identifiers.githubUsernames.filter((l) => !known({ emailAddresses: [], githubUsernames: [l] }))),
        ],
      },
    };
  }
}

/** The same identifier, written the way people write. */
const spelled = (identifier: string) =>
  fc
    .tuple(fc.constantFrom('', ' ', '\t'), fc.constantFrom('', '  ', '\n'), fc.array(fc.boolean(), { maxLength: 20 }))
    .map(([before, after, upper]) => {
      const letters = [...identifier].map((letter, i) => (upper[i] ? letter.toUpperCase() : letter));
      return `${before}${letters.join('')}${after}`;
    });
const email = fc
  .constantFrom(...cast.flatMap(({ emails }) => [...emails]), 'nobody@one.example', 'ada', '')
  .filter((text) => text !== '')
  .chain(spelled);
const login = fc
  .constantFrom(...cast.flatMap(({ logins }) => Object.values(logins)), 'nobody', 'ada@one.example')
  .chain(spelled);
const identifiers: fc.Arbitrary<Identifiers> = fc
  .record({ emailAddresses: fc.array(email, { maxLength: 6 }), githubUsernames: fc.array(login, { maxLength: 6 }) })
  .filter(({ emailAddresses, githubUsernames }) => emailAddresses.length + githubUsernames.length > 0);
const step = fc.record({ verb: fc.constantFrom('onboard' as const, 'offboard' as const), identifiers });

let app: App;
beforeAll(async () => {
  app = await openTemporaryApp({ store: quickStore });
});
afterAll(() => app.close());

async function newWorld(): Promise<{ context: ChangeContext; nameOf: Map<string, string>; owner: string }> {
  const actor = { via: 'command', user: 'test' } as const;
  const { id, ownerId } = await createOrganisation(app.directory, actor, {
    name: `World ${randomUUID()}`,
    ownerEmail: 'owner@one.example',
  });
  const context = { organisationId: id, actor };
  const lines = cast.map(({ name, emails, logins }, i) => ({
    line: i + 1,
    value: { name, emails, logins, onboarded: false },
  }));
  const { rejected } = await putRecords(app.directory, context, 'people', lines);
  expect(rejected).toEqual([]);
  const rows = await app.store.read((session) =>
    session.rows<{ id: string; name: string }>('SELECT id, name FROM people WHERE organisation_id = $1', [id]),
  );
  return { context, nameOf: new Map(rows.map((row) => [row.id, row.name])), owner: ownerId };
}

async function outcomeOf<T>(work: Promise<T>): Promise<T | 'nobody'> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Refusal && error.reason === 'not-found') return 'nobody';
    throw error;
  }
}

test('Any sequence of onboarding and offboarding does what the interface says, and the audit log tells it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const { context, nameOf, owner } = await newWorld();
      const model = new OnboardingModel();
      const names = (ids: readonly string[]) => ids.map((id) => nameOf.get(id)).sort();
      let changes = 0;
      for (const { verb, identifiers: sent } of steps) {
        if (verb === 'onboard') {
          const { people, missing } = model.named(sent);
          const fresh = people.filter((name) => !model.onboarded.has(name));
          const outcome = await outcomeOf(onboard(app.directory, context, sent));
          if (people.length === 0) expect(outcome).toBe('nobody');
          else if (outcome === 'nobody') expect.unreachable('somebody was named');
          else {
            expect(names(outcome.onboardedIds)).toEqual(fresh.sort());
            expect(outcome.found).toBe(people.length);
            expect(outcome.notFound).toEqual(missing);
          }
          for (const name of fresh) model.onboarded.add(name);
          changes += fresh.length;
        } else {
          const { people, missing } = model.namedOnboarded(sent);
          const outcome = await outcomeOf(offboard(app.directory, context, sent));
          if (people.length === 0) expect(outcome).toBe('nobody');
          else if (outcome === 'nobody') expect.unreachable('somebody was named');
          else {
            expect(names(outcome.offboardedIds)).toEqual(people.sort());
            expect(outcome.notFound).toEqual(missing);
          }
          for (const name of people) model.onboarded.delete(name);
          changes += people.length;
        }
        const listed = await app.listings.onboardedUsers(context.organisationId);
        const others = listed.filter(({ merged_user_id }) => merged_user_id !== owner);
        expect(others.map(({ name }) => name).sort()).toEqual([...model.onboarded].sort());
      }
      const entries = await app.store.read((session) => auditEntries(session, context.organisationId, 1_000));
      expect(entries.filter(({ action }) => /^person\.(on|off)board$/.test(action))).toHaveLength(changes);
    }),
    { numRuns: times(4, 1_200) },
  );
});

test('Saying the same thing twice changes nothing the second time', async () => {
  await fc.assert(
    fc.asyncProperty(identifiers, async (sent) => {
      const { context } = await newWorld();
      const first = await outcomeOf(onboard(app.directory, context, sent));
      const before = await app.listings.onboardedUsers(context.organisationId);
      const second = await outcomeOf(onboard(app.directory, context, sent));
      if (first === 'nobody' || second === 'nobody') expect(second).toBe(first);
      else expect(second).toEqual({ ...first, onboardedIds: [] });
      expect(await app.listings.onboardedUsers(context.organisationId)).toEqual(before);
    }),
    { numRuns: times(4, 800) },
  );
});
