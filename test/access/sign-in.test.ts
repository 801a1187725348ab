import { expect, test } from 'vitest';
import { makeSecret, signInKind } from '../../src/access/secret-token.ts';
import { signInHours } from '../../src/access/sign-in-links.ts';
import { removePerson, setPerson } from '../../src/directory/people.ts';
import { describeOnOneStore, directoryOf, postgres, sharedStore, someOrganisation } from '../conformance/stores.ts';
import { actor, someAccess } from './some-access.ts';

const gone = { reason: 'not-found', message: expect.stringContaining('does not work') };
const used = { reason: 'not-found', message: expect.stringContaining('was used already') };
const password = 'correct horse battery';

describeOnOneStore('a sign-in link', postgres, (engine) => {
  const store = sharedStore(engine);
  const begin = async () => {
    const access = someAccess(store());
    const organisation = await someOrganisation(store());
    return {
      ...access,
      ...organisation,
      token: await access.signIns.create(organisation.id, actor, organisation.ownerId),
    };
  };

  test('A sign-in link lets the person in that it was made for', async () => {
    const { signIns, authentication, token, id, ownerId } = await begin();
    const redeemed = await signIns.redeem(token, password);
    expect(redeemed).toMatchObject({ organisationId: id, organisationName: 'Example', personId: ownerId });
    expect(await authentication.authenticateSession(redeemed.token)).toMatchObject({
      personId: ownerId,
      role: 'Owner',
    });
  });

  test('A sign-in link can be looked at without being used up', async () => {
    const { signIns, token, ownerId } = await begin();
    for (let i = 0; i < 3; i += 1) expect((await signIns.peek(token)).personId).toBe(ownerId);
    await signIns.redeem(token, password);
    await expect(signIns.peek(token)).rejects.toMatchObject(used);
  });

  test('A sign-in link works once, even when twenty try at the same moment', async () => {
    const { signIns, sessions, authentication, token } = await begin();
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => signIns.redeem(token, password)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    // Passwords are hashed a few at a time: where that is slow, some are refused for having waited.
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    for (const refusal of refused) if (refusal.reason !== 'unavailable') expect(refusal).toMatchObject(used);
    const [redeemed] = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    const principal = await authentication.authenticateSession(redeemed?.token);
    expect(await sessions.list(principal)).toHaveLength(1);
  });

  test('A sign-in link works until its day is over', async () => {
    const [early, late] = [await begin(), await begin()];
    early.pass(signInHours * 3_600 - 1);
    await early.signIns.redeem(early.token, password);
    late.pass(signInHours * 3_600);
    await expect(late.signIns.redeem(late.token, password)).rejects.toMatchObject(gone);
  });

  test('A sign-in link that is mistyped or invented is refused like one that was used', async () => {
    const { signIns, token } = await begin();
    await expect(signIns.peek(makeSecret(signInKind))).rejects.toMatchObject(gone);
    await expect(signIns.redeem(`${token.slice(0, -1)}?`, password)).rejects.toMatchObject(gone);
    await expect(signIns.redeem('', password)).rejects.toMatchObject(gone);
  });

  test('A sign-in link of a person who was removed lets nobody in', async () => {
    const { signIns, id } = await begin();
    const directory = directoryOf(store());
    const context = { organisationId: id, actor };
    const ada = await setPerson(directory, context, 'ada@x.org', {}, { create: true });
    const token = await signIns.create(id, actor, ada.id);
    await removePerson(directory, context, 'ada@x.org');
    await expect(signIns.redeem(token, password)).rejects.toMatchObject(gone);
  });

  test('A sign-in link ends with the one that is used: whoever finds it later cannot set another password', async () => {
    const { signIns, token, id, ownerId } = await begin();
    const ada = await setPerson(directoryOf(store()), { organisationId: id, actor }, 'ada@x.org', {}, { create: true });
    const [other, hers] = [await signIns.create(id, actor, ownerId), await signIns.create(id, actor, ada.id)];
    await signIns.redeem(other, password);
    await expect(signIns.peek(token)).rejects.toMatchObject(gone);
    await expect(signIns.redeem(token, password)).rejects.toMatchObject(gone);
    await expect(signIns.peek(other)).rejects.toMatchObject(used);
    expect((await signIns.peek(hers)).personId).toBe(ada.id);
    // One that is made afterwards works again.
    await signIns.redeem(await signIns.create(id, actor, ownerId), password);
  });

  test('A sign-in link is not used up by a password that is refused', async () => {
    const { signIns, token } = await begin();
    for (const bad of ['', 'short', 'x'.repeat(201), ' Owner@example.com']) {
      await expect(signIns.redeem(token, bad)).rejects.toMatchObject({ reason: 'bad-input' });
    }
    await signIns.redeem(token, password);
  });

  test('A sign-in link gives a new password in place of a forgotten one, and ends what the old one had begun', async () => {
    const { signIns, passwordSignIn, authentication, token, id, ownerId } = await begin();
    const first = await signIns.redeem(token, password);
    const again = await signIns.create(id, actor, ownerId);
    await authentication.authenticateSession(first.token);
    const second = await signIns.redeem(again, 'another one to remember');
    await expect(authentication.authenticateSession(first.token)).rejects.toMatchObject({ reason: 'unauthenticated' });
    await authentication.authenticateSession(second.token);
    await setPerson(directoryOf(store()), { organisationId: id, actor }, ownerId, {
      emails: ['owner@example.com', `${id}@x.org`],
    });
    const wrong = passwordSignIn.signIn(`${id}@x.org`, password, '::1');
    await expect(wrong).rejects.toMatchObject({ reason: 'unauthenticated' });
    expect(await passwordSignIn.signIn(`${id}@X.org `, 'another one to remember', '::1')).toMatchObject({
      kind: 'signed-in',
    });
  });
});
