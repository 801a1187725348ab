import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import type { Writer, WriterTurn } from '../../src/store/writer-turns.ts';
import { gate } from '../setup/gate.ts';
import { describeWithPostgres, onDatabase } from '../setup/postgres.ts';
import { leasedStores, stalled } from './leased-stores.ts';

const ofCopies: Writer = { isOfCopies: true };

describeWithPostgres('copies of the directory beside records that are being written', () => {
  const { open, url } = leasedStores();
  let id: string;
  beforeEach(() => {
    id = randomUUID();
  });

  /** A writer that does not go on before it is told to. */
  async function begin(store: Store, { leaves = true, writer }: { leaves?: boolean; writer?: Writer } = {}) {
    const [begun, goesOn] = [gate(), gate()];
    let change = 0;
    const work = async (turn: WriterTurn) => {
      change = turn.change;
      if (leaves) await turn.leaveCopies();
      begun.open();
      await goesOn.passed;
      await turn.publish();
    };
    const done = store.writerTurns.inTurn(id, work, writer);
    done.catch(() => {});
    await begun.passed;
    return { change, done, goOn: () => goesOn.open() };
  }

  const published = async ({ change, publish }: WriterTurn) => {
    await publish();
    return change;
  };
  const lost = () => Promise.reject(new Error('lost'));
  const row = async () =>
    (
      await onDatabase(url(), `SELECT published::int, dead::int[] FROM data_versions WHERE organisation_id = '${id}'`)
    )[0];

  test('Copies of the directory beside records that are being written are published before the records, and show nothing of those', async () => {
    const [one, two] = [await open(), await open()];
    const first = await one.writerTurns.inTurn(id, published);
    const records = await begin(one);
    const copies: number[] = [];
    for (const store of [two, one, two]) copies.push(await store.writerTurns.inTurn(id, published, ofCopies));
    expect([first, ...copies, records.change]).toEqual([first, ...copies, records.change].toSorted((a, b) => a - b));
    expect(new Set([first, ...copies, records.change]).size).toBe(5);
    expect(await row()).toEqual({ published: copies[2], dead: [] });
    records.goOn();
    await records.done;
    expect(await row()).toEqual({ published: records.change, dead: [] });
    // Without a writer they have a turn like any other.
    const last = await two.writerTurns.inTurn(id, published, ofCopies);
    expect(last).toBeGreaterThan(records.change);
    expect(await one.writerTurns.inTurn(id, published)).toBeGreaterThan(last);
  });

  test('Copies of the directory beside records that are being written wait for a change that has not left them to others', async () => {
    const [one, two] = [await open(), await open()];
    const records = await begin(one, { leaves: false });
    let isDone = false;
    const copies = two.writerTurns.inTurn(id, published, ofCopies).finally(() => {
      isDone = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(isDone).toBe(false);
    records.goOn();
    expect(await copies).toBeGreaterThan(records.change);
  });

  test('Copies of the directory beside records that are being written are written by one at a time, and the records are published after them', async () => {
    const [one, two] = [await open(), await open()];
    const records = await begin(one);
    const copies = await begin(two, { writer: ofCopies });
    records.goOn();
    const others = one.writerTurns.inTurn(id, published, ofCopies);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await row()).toEqual({ published: 0, dead: [copies.change] });
    copies.goOn();
    await Promise.all([copies.done, records.done]);
    expect(await others).toBeGreaterThan(copies.change);
    expect((await row())?.dead).toEqual([]);
  });

  test('Copies of the directory beside records that are being written stay dead where they were not published, unless nothing was written', async () => {
    const [one, two] = [await open(), await open()];
    const records = await begin(one);
    let given = 0;
    const failing = async ({ change }: WriterTurn) => {
      given = change;
      await lost();
    };
    await expect(two.writerTurns.inTurn(id, failing, { ...ofCopies, isUndone: true })).rejects.toThrow('lost');
    expect((await row())?.dead).toEqual([]);
    await expect(two.writerTurns.inTurn(id, failing, ofCopies)).rejects.toThrow('lost');
    expect((await row())?.dead).toEqual([given]);
    const next = await two.writerTurns.inTurn(id, published, ofCopies);
    expect(next).toBeGreaterThan(given);
    records.goOn();
    await records.done;
    expect(await row()).toEqual({ published: records.change, dead: [given] });
  });

  test('Copies of the directory beside records that are being written of a server that stalled are dead once the records are published, and hold those up no longer than a turn', async () => {
    const [one, two] = [await open(), await open(stalled)];
    const records = await begin(one);
    const copies = await begin(two, { writer: ofCopies });
    records.goOn();
    await records.done;
    expect(await row()).toEqual({ published: records.change, dead: [copies.change] });
    copies.goOn();
    await expect(copies.done).rejects.toMatchObject({ reason: 'unavailable' });
    expect(await row()).toEqual({ published: records.change, dead: [copies.change] });
  });

  test('Copies of the directory beside records that are being written are dead where the turn of the records went to another server meanwhile', async () => {
    const [one, two] = [await open(stalled), await open()];
    const records = await begin(one);
    const copies = await begin(two, { writer: ofCopies });
    const next = await two.writerTurns.inTurn(id, published);
    copies.goOn();
    await expect(copies.done).rejects.toMatchObject({ reason: 'unavailable' });
    expect(await row()).toEqual({ published: next, dead: [copies.change, records.change] });
  });

  test('Copies of the directory beside records that are being written are not begun while writes are held', async () => {
    const [one, two] = [await open(), await open()];
    const records = await begin(one);
    const holding = two.holdWrites();
    await expect
      .poll(() =>
        two.writerTurns.inTurn(id, published, ofCopies).then(
          () => 'written',
          () => 'refused',
        ),
      )
      .toBe('refused');
    records.goOn();
    await (await holding).release();
    await two.writerTurns.inTurn(id, published, ofCopies);
  });

  test('Copies of the directory beside records that are being written of a change that fails are published all the same', async () => {
    const [one, two] = [await open(), await open()];
    const [begun, fails] = [gate(), gate()];
    const failing = one.writerTurns.inTurn(id, async ({ leaveCopies }) => {
      await leaveCopies();
      begun.open();
      await fails.passed;
      await lost();
    });
    failing.catch(() => {});
    await begun.passed;
    const copies = await begin(two, { writer: ofCopies });
    fails.open();
    await new Promise((resolve) => setTimeout(resolve, 100));
    copies.goOn();
    await copies.done;
    await expect(failing).rejects.toThrow('lost');
    expect(await row()).toMatchObject({ published: copies.change });
  });
});
