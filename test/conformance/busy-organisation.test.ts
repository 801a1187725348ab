import { expect, test } from 'vitest';
import { findOrganisation } from '../../src/store/organisation-rows.ts';
import { describeOnEveryStore, sharedStore, someOrganisation } from './stores.ts';

describeOnEveryStore('an organisation with many changes waiting', (engine) => {
  const store = sharedStore(engine);

  test('An organisation with many changes waiting holds up nobody who reads, and on PostgreSQL no other organisation either', async () => {
    const busy = await someOrganisation(store());
    const other = await someOrganisation(store());
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const first = store().change(busy.id, () => held);
    const waiting = Array.from({ length: 40 }, () => store().change(busy.id, async () => {}));
    const began = performance.now();
    expect(await store().read((session) => findOrganisation(session, other.id))).toMatchObject({ id: other.id });
    if (engine.name === 'PostgreSQL') await store().change(other.id, async () => {});
    expect(performance.now() - began).toBeLessThan(10_000);
    letGo();
    await Promise.all([first, ...waiting]);
  });
});
