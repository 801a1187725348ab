import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { putCursor } from '../../src/store/cursors.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { gate } from '../setup/gate.ts';
import { describeOnEveryStore, noon, sharedStore, someOrganisation } from './stores.ts';

describeOnEveryStore('a hold on writes', (engine) => {
  const store = sharedStore(engine);
  const refused = { reason: 'unavailable', message: expect.stringContaining('being moved') };
  const writes = (there: Store, id: string): (() => Promise<unknown>)[] => [
    () => there.change(id, (session) => putCursor(session, 's', 't', 'v', noon)),
    () => there.note((session) => session.run("UPDATE organisations SET name = 'Other' WHERE id = $1", [id])),
    () => there.writerTurns.inTurn(id, ({ publish }) => publish()),
  ];

  test('A hold on writes refuses every kind of write and no read, until it is released', async () => {
    const { id } = await someOrganisation(store());
    const hold = await store().holdWrites();
    for (const write of writes(store(), id)) await expect(write()).rejects.toMatchObject(refused);
    await expect(store().holdWrites()).rejects.toMatchObject(refused);
    expect(await store().read((session) => session.rows('SELECT 1 AS one'))).toEqual([{ one: 1 }]);
    await hold.confirm();
    await hold.release();
    const [change, , turn] = writes(store(), id);
    await change?.();
    await turn?.();
  });

  test('A hold on writes waits for those who are writing, a change and a turn', async () => {
    const { id } = await someOrganisation(store());
    const [changing, taking] = [gate(), gate()];
    const done: string[] = [];
    const change = store().change(id, async (session) => {
      await putCursor(session, 's', 't', 'v', noon);
      await changing.passed;
      done.push('change');
    });
    const begun = gate();
    const turn = store().writerTurns.inTurn(randomUUID(), async ({ publish }) => {
      begun.open();
      await taking.passed;
      await publish();
      done.push('turn');
    });
    await begun.passed;
    const held = store()
      .holdWrites()
      .then((hold) => {
        done.push('held');
        return hold;
      });
    changing.open();
    await change;
    taking.open();
    await turn;
    await (await held).release();
    expect(done).toEqual(['change', 'turn', 'held']);
  });

  if (engine.name !== 'PostgreSQL') return;
  test('A hold on writes holds for other processes, too', async () => {
    const place = await engine.place();
    const [one, two] = await Promise.all([openStore(place), openStore(place)]);
    const { id } = await someOrganisation(one);
    const hold = await one.holdWrites();
    for (const write of writes(two, id)) await expect(write()).rejects.toMatchObject(refused);
    await hold.release();
    await writes(two, id)[0]?.();
    await Promise.all([one.close(), two.close()]);
    await place.remove();
  });
});
