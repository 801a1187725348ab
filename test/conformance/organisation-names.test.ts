import { expect, test } from 'vitest';
import { openSignInMethods } from '../../src/access/sign-in-methods.ts';
import { createOrganisation, resolveOrganisation, setOrganisation } from '../../src/directory/organisations.ts';
import { findOrganisation, listOrganisations, unusableNames } from '../../src/store/organisation-rows.ts';
import { describeOnEveryStore, directoryOf, noon, sharedStore } from './stores.ts';

const actor = { via: 'demo' } as const;

describeOnEveryStore('names of organisations', (engine) => {
  const store = sharedStore(engine);
  const create = (name: string) =>
    createOrganisation(directoryOf(store()), actor, { name, ownerEmail: 'owner@example.com' });
  const rename = (organisationId: string, name: string) =>
    setOrganisation(directoryOf(store()), { organisationId, actor }, { name });
  const nameOf = async (id: string) => (await store().read((session) => findOrganisation(session, id)))?.name;

  test('Names of organisations are unique without regard to case, when one is made and when one is renamed', async () => {
    const { id } = await create('Acme');
    const other = await create('Initech');
    await expect(create(' aCME ')).rejects.toThrow("There is an organisation called 'aCME' already.");
    await expect(rename(other.id, 'acmE')).rejects.toThrow("There is an organisation called 'acmE' already.");
    expect(await nameOf(other.id)).toBe('Initech');
    expect((await rename(id, 'ACME')).name).toBe('ACME');
  });

  test('Names of organisations are no identifiers', async () => {
    const { id } = await create('Hooli');
    await expect(create(` ${id.toUpperCase()}`)).rejects.toThrow('names that look like identifiers');
    await expect(rename(id, '00000000-0000-0000-0000-000000000000')).rejects.toThrow('look like identifiers');
  });

  test('Only one of several who want the same name at the same time gets it', async () => {
    const ids = await Promise.all(['One', 'Two', 'Three'].map(async (name) => (await create(name)).id));
    const wanted = [...['Same', 'SAME', 'same'].map(create), ...ids.map((id) => rename(id, 'Same'))];
    const outcomes = await Promise.allSettled(wanted);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const named = (await store().read(listOrganisations)).filter(({ name }) => name.toLowerCase() === 'same');
    expect(named).toHaveLength(1);
  });

  const openidOf = (...organisations: string[]) => {
    const openid = { issuer: 'https://login.example', clientId: 'plumb', organisations, name: 'Login' };
    return openSignInMethods({ openid }, { store: store(), now: () => noon, onError: () => {} }).openid?.signIn;
  };

  test('Names of organisations say once and for all whose people may sign in with another service', async () => {
    const { id } = await create('Vandelay');
    const signIn = openidOf(id, 'vandelay');
    expect(await signIn?.organisations()).toEqual([id]);
    await rename(id, 'Kramerica');
    await create('Vandelay');
    expect(await signIn?.organisations()).toEqual([id]);
  });

  test('Names of organisations that are alike from before are kept, are named, and mean no organisation', async () => {
    const [first, second] = [await create('Globex'), await create('Globex 2')];
    await store().change(second.id, (session) =>
      session.run("UPDATE organisations SET name = 'GLOBEX' WHERE id = $1", [second.id]),
    );
    const meant = store().read((session) => resolveOrganisation(session, 'globex'));
    await expect(meant).rejects.toThrow(/2 organisations are called 'globex'\. Use an identifier: /);
    await expect(meant).rejects.toThrow(second.id);
    expect((await store().read((session) => resolveOrganisation(session, first.id))).id).toBe(first.id);
    await expect(openidOf('Hooli', ' GLOBEX', 'Umbrella')?.organisations()).rejects.toMatchObject({
      reason: 'bad-input',
      message: expect.stringMatching(
        /^PLUMB_OIDC_ORGANISATIONS is not usable: 2 organisations are called ' GLOBEX'\..* no organisation 'Umbrella'\./,
      ),
    });
    const named = unusableNames(await store().read(listOrganisations)).join();
    expect(named).toContain(first.id);
    expect(named).toContain(second.id);
    // Other settings of it can be saved, its name among them.
    expect((await rename(second.id, 'Globex')).name).toBe('Globex');
    expect((await rename(second.id, 'Massive Dynamic')).name).toBe('Massive Dynamic');
    await expect(rename(second.id, 'Globex')).rejects.toThrow('already');
  });
});
