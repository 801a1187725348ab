import { expect, test } from 'vitest';
import { LastUsed } from '../../src/access/last-used.ts';
import type { Store } from '../../src/store/store.ts';
import { describeOnOneStore, noon, postgres, sharedStore, someOrganisation } from '../conformance/stores.ts';
import { actor, someAccess } from './some-access.ts';

const later = new Date(noon.getTime() + 1_234);

describeOnOneStore('when a key was last used', postgres, (engine) => {
  const store = sharedStore(engine);
  const begin = async () => {
    const { id, ownerId } = await someOrganisation(store());
    const { keys } = someAccess(store());
    const made = await keys.create(id, actor, { creatorId: ownerId, name: 'k' });
    return { id, keyId: made.id, lastUsedAt: async () => (await keys.list(id))[0]?.last_used_at };
  };

  // What a replica knows is uncertain for a moment where the database answers late.
  const knowsVersion = (id: string, version: number) => expect.poll(() => store().versionOf(id)).toBe(version);

  test('When a key was last used is written together for all keys, the newest time of each, and raises no version', async () => {
    const [a, b] = [await begin(), await begin()];
    const lastUsed = new LastUsed(store(), () => {});
    await knowsVersion(a.id, 2);
    lastUsed.note({ keyId: a.keyId }, noon);
    lastUsed.note({ keyId: a.keyId }, later);
    lastUsed.note({ keyId: b.keyId }, noon);
    expect(await a.lastUsedAt()).toBeNull();
    await lastUsed.flush();
    expect([await a.lastUsedAt(), await b.lastUsedAt()]).toEqual([later, noon]);
    await knowsVersion(a.id, 2);
    await lastUsed.close();
  });

  test('When a key was last used never goes back, when another replica knows better', async () => {
    const { keyId, lastUsedAt } = await begin();
    const [here, there] = [new LastUsed(store(), () => {}), new LastUsed(store(), () => {})];
    here.note({ keyId }, later);
    there.note({ keyId }, noon);
    await here.close();
    await there.close();
    expect(await lastUsedAt()).toEqual(later);
  });

  test('When a key was last used is kept for the next time when it cannot be written, without losing what came meanwhile', async () => {
    const { keyId, lastUsedAt } = await begin();
    const other = await begin();
    const failures: unknown[] = [];
    let isDown = true;
    let lastUsed: LastUsed;
    const flaky = {
      note: async (work: Parameters<Store['note']>[0]) => {
        if (!isDown) return store().note(work);
        lastUsed.note({ keyId }, later);
        throw new Error('down');
      },
    } as Store;
    lastUsed = new LastUsed(flaky, (error) => failures.push(error));
    lastUsed.note({ keyId }, noon);
    lastUsed.note({ keyId: other.keyId }, noon);
    await lastUsed.flush();
    expect(failures).toHaveLength(1);
    isDown = false;
    await lastUsed.close();
    expect([await lastUsedAt(), await other.lastUsedAt()]).toEqual([later, noon]);
  });
});
