import { expect, test } from 'vitest';
import { makeSecret, signInKind } from '../../src/access/secret-token.ts';
import { signInHours } from '../../src/access/sign-in.ts';
import { removePerson, setPerson } from '../../src/directory/people.ts';
import { describeOnEveryStore, directoryOf, sharedStore, someOrganisation } from '../conformance/stores.ts';
import { actor, someAccess } from './some-access.ts';

const gone = { reason: 'not-found', message: expect.stringContaining('does not work') };

describeOnEveryStore('a sign-in link', (engine) => {
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

  test('lets the person in that it was made for', async () => {
    const { signIns, authentication, token, id, ownerId } = await begin();
    const redeemed = await signIns.redeem(token, 'laptop');
    expect(redeemed).toMatchObject({ organisationId: id, organisationName: 'Example', personId: ownerId });
    expect(await authentication.authenticate(redeemed.key)).toMatchObject({ personId: ownerId, role: 'Owner' });
  });

  test('can be looked at without being used up', async () => {
    const { signIns, token, ownerId } = await begin();
    for (let i = 0; i < 3; i += 1) expect((await signIns.peek(token)).personId).toBe(ownerId);
    await signIns.redeem(token, 'laptop');
    await expect(signIns.peek(token)).rejects.toMatchObject(gone);
  });

  test('works once, even when twenty try at the same moment', async () => {
    const { signIns, keys, token, id } = await begin();
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => signIns.redeem(token, 'laptop')));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(gone);
    expect(await keys.list(id)).toHaveLength(1);
  });

  test('works until its day is over', async () => {
    const [early, late] = [await begin(), await begin()];
    early.pass(signInHours * 3_600 - 1);
    await early.signIns.redeem(early.token, 'laptop');
    late.pass(signInHours * 3_600);
    await expect(late.signIns.redeem(late.token, 'laptop')).rejects.toMatchObject(gone);
  });

  test('that is mistyped or invented is refused like one that was used', async () => {
    const { signIns, token } = await begin();
    await expect(signIns.peek(makeSecret(signInKind))).rejects.toMatchObject(gone);
    await expect(signIns.redeem(`${token.slice(0, -1)}?`, 'x')).rejects.toMatchObject(gone);
    await expect(signIns.redeem('', 'x')).rejects.toMatchObject(gone);
  });

  test('of a person who was removed lets nobody in', async () => {
    const { signIns, id } = await begin();
    const directory = directoryOf(store());
    const context = { organisationId: id, actor };
    const ada = await setPerson(directory, context, 'ada@x.org', {}, { create: true });
    const token = await signIns.create(id, actor, ada.id);
    await removePerson(directory, context, 'ada@x.org');
    await expect(signIns.redeem(token, 'laptop')).rejects.toMatchObject(gone);
  });

  test('is not used up when no key could be made', async () => {
    const { signIns, token } = await begin();
    await expect(signIns.redeem(token, ' ')).rejects.toMatchObject({ reason: 'bad-input' });
    await signIns.redeem(token, 'laptop');
  });
});
