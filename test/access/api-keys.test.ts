import { expect, test } from 'vitest';
import { describeOnOneStore, postgres, sharedStore, someOrganisation } from '../conformance/stores.ts';
import { dump } from '../safety/filled-store.ts';
import { actor, someAccess } from './some-access.ts';

const notValid = {
  reason: 'unauthenticated',
  message:
    'Invalid or missing API key. Send a valid key alone in the header Authorization. `plumb key create` makes one.',
};

describeOnOneStore('API keys', postgres, (engine) => {
  const store = sharedStore(engine);
  const begin = async () => ({ ...(await someOrganisation(store())), ...someAccess(store()) });

  test('A key is shown once and kept nowhere', async () => {
    const { id, ownerId, keys, signIns } = await begin();
    const { key } = await keys.create(id, actor, { creatorId: ownerId, name: 'ci' });
    const token = await signIns.create(id, actor, ownerId);
    const password = 'correct horse battery';
    const redeemed = await signIns.redeem(token, password);
    const everything = JSON.stringify(await dump(store()));
    expect(everything).not.toContain(password);
    for (const secret of [key, token, redeemed.token]) {
      expect(everything).not.toContain(secret);
      expect(everything).not.toContain(secret.slice(8, 30));
    }
    expect(JSON.stringify(await keys.list(id))).not.toContain(key.slice(8, 30));
  });

  test('Keys are listed with all that is known of them, of their own organisation only', async () => {
    const { id, ownerId, keys, clock } = await begin();
    const other = await begin();
    await other.keys.create(other.id, actor, { creatorId: other.ownerId, name: 'theirs' });
    const expiresAt = new Date('2030-01-01T00:00:00Z');
    const made = await keys.create(id, actor, { creatorId: ownerId, name: ' ci ', expiresAt });
    expect(await keys.list(id)).toEqual([
      {
        id: made.id,
        name: 'ci',
        hint: made.key.slice(-4),
        creator_id: ownerId,
        creator_name: 'owner@example.com',
        creator_role: 'Owner',
        holder_id: ownerId,
        created_at: clock(),
        expires_at: expiresAt,
        revoked_at: null,
        last_used_at: null,
      },
    ]);
  });

  test('A key without a name, or that has expired before it begins, is refused', async () => {
    const { id, ownerId, keys, clock } = await begin();
    await expect(keys.create(id, actor, { creatorId: ownerId, name: ' ' })).rejects.toMatchObject({
      reason: 'bad-input',
    });
    await expect(keys.create(id, actor, { creatorId: ownerId, name: 'k', expiresAt: clock() })).rejects.toMatchObject({
      reason: 'bad-input',
    });
    expect(await keys.list(id)).toEqual([]);
  });

  test('A revoked key stops working with the next request, and revoking it again is no mistake', async () => {
    const { id, ownerId, keys, authentication } = await begin();
    const { id: keyId, key } = await keys.create(id, actor, { creatorId: ownerId, name: 'k' });
    await authentication.authenticate(key);
    await keys.revoke(id, actor, keyId);
    await expect(authentication.authenticate(key)).rejects.toMatchObject(notValid);
    const [{ revoked_at } = { revoked_at: null }] = await keys.list(id);
    await keys.revoke(id, actor, keyId);
    expect(revoked_at).not.toBeNull();
    expect((await keys.list(id))[0]?.revoked_at).toEqual(revoked_at);
  });

  test('A key of another organisation can be neither revoked nor rotated', async () => {
    const [mine, theirs] = [await begin(), await begin()];
    const { id: keyId, key } = await theirs.keys.create(theirs.id, actor, { creatorId: theirs.ownerId, name: 'k' });
    await expect(mine.keys.revoke(mine.id, actor, keyId)).rejects.toMatchObject({ reason: 'not-found' });
    await expect(mine.keys.rotate(mine.id, actor, keyId, 0)).rejects.toMatchObject({ reason: 'not-found' });
    await theirs.authentication.authenticate(key);
  });

  test('An expired key stops working at the very second', async () => {
    const { id, ownerId, keys, authentication, clock, pass } = await begin();
    const { key } = await keys.create(id, actor, {
      creatorId: ownerId,
      name: 'k',
      expiresAt: new Date(clock().getTime() + 60_000),
    });
    pass(59);
    await authentication.authenticate(key);
    pass(1);
    await expect(authentication.authenticate(key)).rejects.toMatchObject(notValid);
  });

  test('After a rotation both keys work for the overlap, then only the new one', async () => {
    const { id, ownerId, keys, authentication, pass } = await begin();
    const old = await keys.create(id, actor, { creatorId: ownerId, name: 'ci' });
    const next = await keys.rotate(id, actor, old.id, 3_600);
    pass(3_599);
    await authentication.authenticate(old.key);
    expect((await authentication.authenticate(next.key)).personId).toBe(ownerId);
    pass(1);
    await expect(authentication.authenticate(old.key)).rejects.toMatchObject(notValid);
    await authentication.authenticate(next.key);
    await expect(keys.rotate(id, actor, old.id, 10)).rejects.toMatchObject({ reason: 'conflict' });
    expect((await keys.list(id)).map(({ name }) => name)).toEqual(['ci', 'ci']);
  });

  test('A rotation renews the life of a key and never prolongs the old one', async () => {
    const { id, ownerId, keys, clock, pass } = await begin();
    const expiresAt = new Date(clock().getTime() + 100_000);
    const old = await keys.create(id, actor, { creatorId: ownerId, name: 'ci', expiresAt });
    pass(90);
    const next = await keys.rotate(id, actor, old.id, 3_600);
    const expiries = new Map((await keys.list(id)).map((key) => [key.id, key.expires_at]));
    expect(expiries.get(old.id)).toEqual(expiresAt);
    expect(expiries.get(next.id)).toEqual(new Date(clock().getTime() + 100_000));
  });
});
