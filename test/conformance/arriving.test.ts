import { expect, test } from 'vitest';
import { noteCalledBots } from '../../src/directory/called-bots.ts';
import type { ChangeContext, Directory } from '../../src/directory/directory.ts';
import { Listings } from '../../src/directory/listings.ts';
import { mergePeople, unmergePerson } from '../../src/directory/merging.ts';
import { offboard, onboard } from '../../src/directory/onboarding.ts';
import { setOrganisation } from '../../src/directory/organisations.ts';
import { findPerson, removePerson, setPerson } from '../../src/directory/people.ts';
import { putPeople } from '../../src/directory/put-records.ts';
import { describeOnOneStore, noon, postgres, sharedStore, someOrganisation } from './stores.ts';

describeOnOneStore('people who arrive', postgres, (engine) => {
  const store = sharedStore(engine);
  const world = async () => {
    const directory: Directory = { store: store(), now: () => noon };
    const { id: organisationId } = await someOrganisation(store());
    const context: ChangeContext = { organisationId, actor: { via: 'command', user: 'test' } };
    const put = (...records: object[]) =>
      putPeople(
        directory,
        context,
        records.map((value, i) => ({ line: i + 1, value })),
      );
    const isOnboarded = async (who: string) =>
      (await store().read((session) => findPerson(session, context.organisationId, who))).effective.onboarded;
    const idOf = async (who: string) =>
      (await store().read((session) => findPerson(session, context.organisationId, who))).effective.id;
    const call = async (who: string, isBot: boolean) =>
      noteCalledBots(directory, context.organisationId, new Map([[await idOf(who), isBot]]));
    const named = (...emailAddresses: string[]) => ({ emailAddresses, githubUsernames: [] });
    return { directory, context, put, isOnboarded, idOf, call, named };
  };
  const counted = ({ people = {} }: { readonly people?: Readonly<Record<string, boolean>> }) =>
    Object.values(people).sort();

  test('People who arrive are onboarded without a word, null is none, and the list shows them', async () => {
    const { directory, context, put, isOnboarded } = await world();
    const outcome = await put(
      { main_email: 'a@x.org', name: 'A' },
      { main_email: 'b@x.org', onboarded: null },
      { main_email: 'c@x.org', onboarded: false },
    );
    expect(counted(outcome)).toEqual([false, true, true]);
    const listed = await new Listings(directory.store).onboardedUsers(context.organisationId);
    expect(listed.map(({ email }) => email)).toEqual(expect.arrayContaining(['a@x.org', 'b@x.org']));
    expect(listed.map(({ email }) => email)).not.toContain('c@x.org');
    await setPerson(directory, context, 'd@x.org', { name: 'D' }, { create: true });
    expect(await isOnboarded('d@x.org')).toBe(true);
    // A word that was said stays.
    await put({ main_email: 'c@x.org', onboarded: null, role: 'Writer' });
    expect(await isOnboarded('c@x.org')).toBe(false);
  });

  test('People who arrive stay offboarded once they were, and are new once they were removed', async () => {
    const { directory, context, put, isOnboarded, named } = await world();
    await put({ main_email: 'a@x.org' });
    await offboard(directory, context, named('a@x.org'));
    await put({ main_email: 'a@x.org', name: 'A' });
    expect(await isOnboarded('a@x.org')).toBe(false);
    await removePerson(directory, context, 'a@x.org');
    await put({ main_email: 'a@x.org' });
    expect(await isOnboarded('a@x.org')).toBe(true);
  });

  test('People who arrive are left as they are where the organisation wants it so, until it wants otherwise', async () => {
    const { directory, context, put, isOnboarded } = await world();
    await setOrganisation(directory, context, { onboard_automatically: 'false' });
    await put({ main_email: 'a@x.org' }, { main_email: 'b@x.org', onboarded: true });
    expect([await isOnboarded('a@x.org'), await isOnboarded('b@x.org')]).toEqual([false, true]);
    await setOrganisation(directory, context, { onboard_automatically: 'true' });
    expect(await isOnboarded('a@x.org')).toBe(false);
    await put({ main_email: 'a@x.org' });
    expect(await isOnboarded('a@x.org')).toBe(true);
  });

  test('People who arrive do not count while they are bots, unless somebody onboarded them by name', async () => {
    const { directory, context, put, isOnboarded, call, named } = await world();
    await put(
      { main_email: 'a@x.org', logins: { github: 'a[bot]' } },
      { main_email: 'b@x.org', is_bot: true },
      { main_email: 'c@x.org' },
      { main_email: 'd@x.org', onboarded: true },
      { main_email: 'e@x.org' },
    );
    const all = () => Promise.all(['a', 'b', 'c', 'd', 'e'].map((one) => isOnboarded(`${one}@x.org`)));
    expect(await all()).toEqual([false, false, true, true, true]);
    // Already onboarded, so nobody is new; but from now on it is by name.
    expect((await onboard(directory, context, named('e@x.org'))).onboardedIds).toEqual([]);
    for (const who of ['c@x.org', 'd@x.org', 'e@x.org']) await call(who, true);
    expect(await all()).toEqual([false, false, false, true, true]);
    // A record without a word changes nothing about that.
    await put({ main_email: 'c@x.org', name: 'C' });
    expect(await isOnboarded('c@x.org')).toBe(false);
    await call('c@x.org', false);
    await put({ main_email: 'a@x.org', is_bot: false }, { main_email: 'b@x.org', is_bot: null });
    expect(await all()).toEqual([true, true, true, true, true]);
  });

  test('People who arrive are one person after a merge, and as they were by themselves after it is undone', async () => {
    const { directory, context, put, isOnboarded, call } = await world();
    await put({ main_email: 'a@x.org', onboarded: false }, { main_email: 'b@x.org' });
    await mergePeople(directory, context, 'a@x.org', 'b@x.org');
    // Somebody who was said not to count is not brought in by an account that arrived.
    expect(await isOnboarded('a@x.org')).toBe(false);
    await unmergePerson(directory, context, 'b@x.org');
    expect([await isOnboarded('a@x.org'), await isOnboarded('b@x.org')]).toEqual([false, true]);

    await put({ main_email: 'c@x.org' });
    await mergePeople(directory, context, 'c@x.org', 'b@x.org');
    expect(await isOnboarded('c@x.org')).toBe(true);
    await call('c@x.org', true);
    expect(await isOnboarded('b@x.org')).toBe(false);
    await call('c@x.org', false);
    await unmergePerson(directory, context, 'b@x.org');
    expect([await isOnboarded('c@x.org'), await isOnboarded('b@x.org')]).toEqual([true, true]);
    await call('b@x.org', true);
    expect(await isOnboarded('b@x.org')).toBe(false);
  });

  test('People who arrive who were there before this was kept stay as they were', async () => {
    const { context, put, isOnboarded } = await world();
    await put({ main_email: 'a@x.org', onboarded: true }, { main_email: 'b@x.org', onboarded: false });
    await store().change(context.organisationId, (session) =>
      session.run(
        'UPDATE people SET onboarding = NULL, called_bot = NULL, stated_bot = NULL WHERE organisation_id = $1',
        [context.organisationId],
      ),
    );
    await put({ main_email: 'a@x.org', name: 'A' }, { main_email: 'b@x.org', name: 'B' });
    expect([await isOnboarded('a@x.org'), await isOnboarded('b@x.org')]).toEqual([true, false]);
  });
});
