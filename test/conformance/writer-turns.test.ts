import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { ticketOf } from '../../src/admission/ticket.ts';
import { gate } from '../setup/gate.ts';
import { describeOnEveryStore, sharedStore } from './stores.ts';

describeOnEveryStore('the turn of a writer', (engine) => {
  const store = sharedStore(engine);
  const turns = () => store().writerTurns;
  /** What is known may be too old for a moment, on a machine that is busy. */
  const known = (id: string) => expect.poll(() => turns().published(id));

  test('The turn of a writer has a number that grows, and what is published is known at once', async () => {
    const id = randomUUID();
    await known(id).toEqual({ version: 0, dead: [] });
    const published: number[] = [];
    for (let i = 0; i < 3; i += 1) {
      published.push(
        await turns().inTurn(id, async ({ change, publish }) => {
          await publish();
          return change;
        }),
      );
      await known(id).toEqual({ version: published.at(-1), dead: [] });
    }
    expect(published).toEqual(published.toSorted((a, b) => a - b));
    expect(new Set(published).size).toBe(3);
  });

  test('The turn of a writer ends with the work, published or not; a number that is not published is dead, unless nothing has it', async () => {
    const id = randomUUID();
    const failed: number[] = [];
    const failing = turns().inTurn(id, async ({ change }) => {
      failed.push(change);
      throw new Error('the disk is full');
    });
    await expect(failing).rejects.toThrow('the disk is full');
    await turns().inTurn(id, async () => {}, { isUndone: true });
    const last = await turns().inTurn(id, async ({ change, publish }) => {
      await publish();
      return change;
    });
    await known(id).toEqual({ version: last, dead: failed });
    const undoing = await turns().inTurn(
      id,
      async ({ change, publish }) => {
        await publish();
        return change;
      },
      { isUndone: true },
    );
    await known(id).toEqual({ version: undoing, dead: [] });
  });

  test('The turn of a writer is one at a time for an organisation, and at the same time for two', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    let [atWork, most] = [0, 0];
    const work = async () => {
      atWork += 1;
      most = Math.max(most, atWork);
      await new Promise((resolve) => setTimeout(resolve, 5));
      atWork -= 1;
    };
    await Promise.all(Array.from({ length: 5 }, () => turns().inTurn(one, work, { isUndone: true })));
    expect(most).toBe(1);
    await turns().inTurn(one, () => turns().inTurn(other, work, { isUndone: true }), { isUndone: true });
  });

  test('The turn of a writer is waited for in fair order, and not for longer than the caller is willing to', async () => {
    const id = randomUUID();
    const busy = gate();
    const held = turns().inTurn(id, () => busy.passed, { isUndone: true });
    const order: string[] = [];
    const take = (keyId: string) => {
      const ticket = ticketOf({ organisationId: id, keyId }, 60_000);
      const note = async () => void order.push(keyId);
      return turns().inTurn(id, note, { ticket, isUndone: true });
    };
    const waiting = ['a', 'a', 'a', 'b'].map(take);
    const ticket = ticketOf({ organisationId: id, keyId: 'c' }, 20);
    const late = turns().inTurn(id, async () => {}, { ticket, isUndone: true });
    await expect(late).rejects.toMatchObject({ reason: 'unavailable' });
    busy.open();
    await Promise.all([held, ...waiting]);
    expect(order).toEqual(['a', 'b', 'a', 'a']);
  });
});
