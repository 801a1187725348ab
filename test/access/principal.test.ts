import { expect, test } from 'vitest';
import { actAs } from '../../src/access/principal.ts';
import { apiKeyKind, makeSecret } from '../../src/access/secret-token.ts';
import { mergePeople, unmergePerson } from '../../src/directory/merging.ts';
import { setOrganisation } from '../../src/directory/organisations.ts';
import { removePerson, setPerson } from '../../src/directory/people.ts';
import { describeOnOneStore, directoryOf, postgres, sharedStore, someOrganisation } from '../conformance/stores.ts';
import { actor, someAccess } from './some-access.ts';

const notValid = {
  reason: 'unauthenticated',
  message:
    'Invalid or missing API key. Send a valid key alone in the header Authorization. `plumb key create` makes one.',
};

describeOnOneStore('authentication', postgres, (engine) => {
  const store = sharedStore(engine);
  const begin = async () => {
    const access = someAccess(store());
    const organisation = await someOrganisation(store());
    const context = { organisationId: organisation.id, actor };
    const directory = directoryOf(store());
    const ada = await setPerson(
      directory,
      context,
      'ada@x.org',
      { access_role: 'Manager', permissions: ['can-view-salaries'] },
      { create: true },
    );
    const { id: keyId, key } = await access.keys.create(organisation.id, actor, { creatorId: ada.id, name: 'k' });
    return { ...access, ...organisation, context, directory, ada, keyId, key };
  };

  test('A key acts as its creator', async () => {
    const { authentication, id, ada, keyId, key } = await begin();
    expect(await authentication.authenticate(key)).toEqual({
      organisationId: id,
      keyId,
      personId: ada.id,
      role: 'Manager',
      permissions: ['can-view-salaries'],
      visibility: 'organisation',
      timeZone: 'UTC',
      salaryVisibility: false,
    });
  });

  test('A manager sees everyone, until managers are restricted to their teams and reports', async () => {
    const { authentication, key, directory, context, ada } = await begin();
    await setPerson(directory, context, 'ada@x.org', { managed_teams: ['Red'] });
    expect(await authentication.authenticate(key)).toMatchObject({ visibility: 'organisation' });
    await setOrganisation(directory, context, { team_restrictions: 'true', time_zone: 'Europe/Vienna' });
    expect(await authentication.authenticate(key)).toMatchObject({
      visibility: { self: ada.id, teamIds: [expect.any(String)], hasReports: true, leadsSquads: false },
      timeZone: 'Europe/Vienna',
    });
    await setPerson(directory, context, 'ada@x.org', { managed_teams: [] });
    expect(await authentication.authenticate(key)).toMatchObject({ visibility: { teamIds: [], hasReports: true } });
  });

  test.each([
    ['Engineer', false],
    ['Squad Lead', true],
  ] as const)(
    'from the next request on a key of somebody who becomes %s sees as much as they do',
    async (role, leads) => {
      const { authentication, key, directory, context, ada } = await begin();
      await setPerson(directory, context, 'ada@x.org', { access_role: role });
      const visibility = { self: ada.id, teamIds: [], hasReports: false, leadsSquads: leads };
      expect(await authentication.authenticate(key)).toMatchObject({ role, visibility });
      expect(await actAs(store(), context.organisationId, ada.id, 'ada@here')).toMatchObject({ role, visibility });
    },
  );

  test.each([undefined, '', ' ', 'nonsense', 'plumb_', `plumb_${'0'.repeat(39)}`, 'Basic abc'])(
    '%j is no key',
    async (header) => {
      const { authentication, reads } = await begin();
      await expect(authentication.authenticate(header)).rejects.toMatchObject(notValid);
      expect(reads()).toBe(0);
    },
  );

  test('A mistyped key is refused without looking anything up', async () => {
    const { authentication, reads, key } = await begin();
    for (let at = 6; at < key.length; at += 1) {
      const typo = `${key.slice(0, at)}${key[at] === 'a' ? 'b' : 'a'}${key.slice(at + 1)}`;
      await expect(authentication.authenticate(typo)).rejects.toMatchObject(notValid);
    }
    expect(reads()).toBe(0);
  });

  test('A well-formed key that nobody made is refused in the same words', async () => {
    const { authentication } = await begin();
    await expect(authentication.authenticate(makeSecret(apiKeyKind))).rejects.toMatchObject(notValid);
  });

  test.each(['Bearer ', 'bearer ', 'BEARER\t'])('%j before the key is refused, with what to do', async (prefix) => {
    const { authentication, key } = await begin();
    await expect(authentication.authenticate(`${prefix}${key}`)).rejects.toMatchObject({
      reason: 'unauthenticated',
      message: expect.stringContaining('Send the key alone'),
    });
  });

  test('A key that is used again costs no read until its organisation changes', async () => {
    const { authentication, reads, key, directory, context } = await begin();
    for (let i = 0; i < 5; i += 1) await authentication.authenticate(key);
    expect(reads()).toBe(1);
    await setPerson(directory, context, 'ada@x.org', { location: 'Wien' });
    for (let i = 0; i < 5; i += 1) await authentication.authenticate(key);
    expect(reads()).toBe(2);
  });

  test('A demotion, and a permission taken away, count from the next request', async () => {
    const { authentication, key, directory, context } = await begin();
    await authentication.authenticate(key);
    await setPerson(directory, context, 'ada@x.org', { access_role: 'Engineer', permissions: [] });
    expect(await authentication.authenticate(key)).toMatchObject({ role: 'Engineer', permissions: [] });
  });

  test('A key whose creator was removed stops working with the next request', async () => {
    const { authentication, keys, id, key, directory, context } = await begin();
    await authentication.authenticate(key);
    await removePerson(directory, context, 'ada@x.org');
    await expect(authentication.authenticate(key)).rejects.toMatchObject(notValid);
    expect((await keys.list(id))[0]?.creator_name).toBeNull();
  });

  test('A key whose creator was merged acts as the one they are now, and back again', async () => {
    const { authentication, key, directory, context, ownerId, ada } = await begin();
    await authentication.authenticate(key);
    await mergePeople(directory, context, 'owner@example.com', 'ada@x.org');
    expect(await authentication.authenticate(key)).toMatchObject({ personId: ownerId, role: 'Owner', permissions: [] });
    await unmergePerson(directory, context, 'ada@x.org');
    expect(await authentication.authenticate(key)).toMatchObject({ personId: ada.id, role: 'Manager' });
  });
});
