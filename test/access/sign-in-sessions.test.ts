import { expect, test } from 'vitest';
import { LastUsed } from '../../src/access/last-used.ts';
import { mergePeople } from '../../src/directory/merging.ts';
import { removePerson, setPerson } from '../../src/directory/people.ts';
import { auditEntries } from '../../src/store/audit.ts';
import { describeOnOneStore, directoryOf, postgres, sharedStore, someOrganisation } from '../conformance/stores.ts';
import { dump } from '../safety/filled-store.ts';
import { actor, someAccess } from './some-access.ts';

const ended = { reason: 'unauthenticated', message: expect.stringContaining('Sign in again') };
const hour = 3_600;
const day = 24 * hour;

describeOnOneStore('a session', postgres, (engine) => {
  const store = sharedStore(engine);
  const begin = async () => {
    const access = someAccess(store());
    const organisation = await someOrganisation(store());
    const context = { organisationId: organisation.id, actor };
    const ada = await setPerson(directoryOf(store()), context, `ada-${organisation.id}@x.org`, {}, { create: true });
    const { token } = await access.sessions.begin(organisation.id, ada.id, 'password');
    return { ...access, ...organisation, context, ada, token };
  };

  test('A session makes the same principal as a key of the same person, counted by the person', async () => {
    const { authentication, keys, sessions, id, ada, token } = await begin();
    const { key } = await keys.create(id, actor, { creatorId: ada.id, name: 'k' });
    const { keyId: _, ...byKey } = await authentication.authenticate(key);
    const { keyId, session, ...bySession } = await authentication.authenticateSession(token);
    expect(bySession).toEqual(byKey);
    expect(session).toMatchObject({ method: 'password' });
    const other = await sessions.begin(id, ada.id, 'link');
    expect(await authentication.authenticateSession(other.token)).toMatchObject({
      keyId,
      session: { method: 'link' },
    });
  });

  test('A session is kept as a hash, and its beginning and its end are in the audit log', async () => {
    const { authentication, sessions, id, ada, token } = await begin();
    const everything = JSON.stringify(await dump(store()));
    expect(everything).not.toContain(token.slice(14, 40));
    await sessions.end(await authentication.authenticateSession(token), 'here');
    const [last, first] = await store().read((session) => auditEntries(session, id, 2));
    expect(first).toMatchObject({ action: 'session.begin', actor: ada.id, via: 'sign-in' });
    expect(last).toMatchObject({ action: 'session.end', actor: ada.id, via: 'session' });
  });

  test('A session ends after twelve hours without a use, and every use starts them again', async () => {
    const { authentication, token, pass } = await begin();
    for (let i = 0; i < 3; i += 1) {
      pass(12 * hour - 1);
      await authentication.authenticateSession(token);
    }
    pass(12 * hour);
    await expect(authentication.authenticateSession(token)).rejects.toMatchObject(ended);
  });

  test('A session remembers its uses over a restart', async () => {
    const { authentication, token, pass, clock } = await begin();
    const used = new LastUsed(store(), () => {});
    pass(11 * hour);
    used.note(await authentication.authenticateSession(token), clock());
    await used.close();
    pass(11 * hour);
    const elsewhere = someAccess(store());
    elsewhere.pass(22 * hour);
    await elsewhere.authentication.authenticateSession(token);
    elsewhere.pass(2 * hour);
    const later = someAccess(store());
    later.pass(24 * hour);
    await expect(later.authentication.authenticateSession(token)).rejects.toMatchObject(ended);
  });

  test('A session that is used at one server has not ended at another, which has not seen it for long', async () => {
    const { authentication, token, pass, clock } = await begin();
    const elsewhere = someAccess(store());
    await elsewhere.authentication.authenticateSession(token);
    const used = new LastUsed(store(), () => {});
    pass(8 * hour);
    used.note(await authentication.authenticateSession(token), clock());
    await used.close();
    elsewhere.pass(16 * hour);
    await elsewhere.authentication.authenticateSession(token);
  });

  test('A session ends after thirty days however much it is used', async () => {
    const { authentication, token, pass } = await begin();
    for (let i = 0; i < 59; i += 1) {
      pass(12 * hour - 1);
      await authentication.authenticateSession(token);
    }
    pass(30 * day - 59 * (12 * hour - 1));
    await expect(authentication.authenticateSession(token)).rejects.toMatchObject(ended);
  });

  test('A session ends with the person', async () => {
    const { authentication, token, context, ada } = await begin();
    await authentication.authenticateSession(token);
    await removePerson(directoryOf(store()), context, ada.id);
    await expect(authentication.authenticateSession(token)).rejects.toMatchObject(ended);
    const { sessions } = await dump(store());
    expect(sessions?.filter(({ person_id }) => person_id === ada.id)).toEqual([]);
  });

  test('A session follows what the person becomes', async () => {
    const { authentication, token, context, ada } = await begin();
    expect(await authentication.authenticateSession(token)).toMatchObject({ role: 'Engineer' });
    await setPerson(directoryOf(store()), context, ada.id, { access_role: 'Owner' });
    expect(await authentication.authenticateSession(token)).toMatchObject({ role: 'Owner', personId: ada.id });
    const grace = await setPerson(directoryOf(store()), context, `grace-${ada.id}@x.org`, {}, { create: true });
    await mergePeople(directoryOf(store()), context, grace.id, ada.id);
    expect(await authentication.authenticateSession(token)).toMatchObject({ personId: grace.id });
  });

  test('A session is one of fifty at most: one more ends the one that was not used for longest', async () => {
    const { authentication, sessions, id, ada, token, pass } = await begin();
    const tokens = [token];
    for (let i = 0; i < 50; i += 1) {
      pass(1);
      tokens.push((await sessions.begin(id, ada.id, 'password')).token);
    }
    await expect(authentication.authenticateSession(tokens[0])).rejects.toMatchObject(ended);
    const principal = await authentication.authenticateSession(tokens[1]);
    expect(await sessions.list(principal)).toHaveLength(50);
  });

  test.each(['', 'plumbsession_x', 'nonsense'])('A session is not what %j is', async (token) => {
    const { authentication, reads } = await begin();
    const before = reads();
    await expect(authentication.authenticateSession(token)).rejects.toMatchObject(ended);
    await expect(authentication.authenticateSession(undefined)).rejects.toMatchObject(ended);
    expect(reads()).toBe(before);
  });
});
