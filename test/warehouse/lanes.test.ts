import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { Refusal } from '../../src/refusal.ts';
import { type Lane, type LaneLimits, Lanes, type Leave, type Traveller } from '../../src/warehouse/duckdb/lanes.ts';

const limits: LaneLimits = { places: 4, light: 3, heavy: 2, writing: 1, waiting: 20, lightMs: 40 };

/** Lets everything happen that waits for nothing else. */
const settle = () => sleep(0);

interface Walk {
  readonly name: string;
  readonly done: Promise<void>;
  leave(): void;
}

/** Sends travellers in, and writes down in which order they got their places. */
class Road {
  readonly lanes: Lanes;
  readonly started: string[] = [];

  constructor(given: LaneLimits = limits) {
    this.lanes = new Lanes(given);
  }

  send(name: string, lane: Lane, more: Partial<Traveller> = {}): Walk {
    let leave: Leave | undefined;
    const done = this.lanes.enter({ organisationId: 'a', lane, ...more }).then((given) => {
      this.started.push(name);
      leave = given;
    });
    done.catch(() => {});
    return { name, done, leave: () => leave?.() };
  }
}

describe('statements', () => {
  test('run at once up to the number of places, and then as places are left', async () => {
    const road = new Road({ ...limits, light: 4, places: 2 });
    const [first] = ['a', 'b', 'c'].map((name) => road.send(name, 'light'));
    await settle();
    expect(road.started).toEqual(['a', 'b']);
    first?.leave();
    await settle();
    expect(road.started).toEqual(['a', 'b', 'c']);
  });

  test('that are heavy leave places for light ones, however many of them wait', async () => {
    const road = new Road();
    for (let i = 0; i < 10; i++) road.send(`heavy ${i}`, 'heavy');
    for (let i = 0; i < 10; i++) road.send(`writing ${i}`, 'writing');
    road.send('light', 'light');
    await settle();
    expect(road.started).toEqual(['heavy 0', 'heavy 1', 'writing 0', 'light']);
  });

  test('that are light never shut out the heavy ones and the writing ones', async () => {
    const road = new Road({ ...limits, places: 5 });
    for (let i = 0; i < 10; i++) road.send(`light ${i}`, 'light');
    await settle();
    road.send('writing', 'writing');
    road.send('heavy', 'heavy');
    await settle();
    expect(road.started).toEqual(['light 0', 'light 1', 'light 2', 'writing', 'heavy']);
  });

  test('that turn out slow give their light places back', async () => {
    const road = new Road();
    for (let i = 0; i < 4; i++) road.send(`slow ${i}`, 'light');
    await settle();
    expect(road.started).toEqual(['slow 0', 'slow 1', 'slow 2']);
    await vi.waitFor(() => expect(road.started).toEqual(['slow 0', 'slow 1', 'slow 2', 'slow 3']));
    road.send('heavy', 'heavy');
    await settle();
    expect(road.started).not.toContain('heavy');
  });

  test('that turned out slow make room when every place is taken, the youngest first', async () => {
    const road = new Road();
    const asked: string[] = [];
    const slow = ['a', 'b', 'c', 'd'].map((name) => road.send(name, 'light', { giveWay: () => asked.push(name) }));
    await vi.waitFor(() => expect(road.lanes.figures.heavy.running).toBe(4));
    expect(asked).toEqual([]);
    road.send('quick', 'light');
    await settle();
    expect(asked).toEqual(['d']);
    slow[3]?.leave();
    await settle();
    expect(road.started.at(-1)).toBe('quick');
    expect(asked).toEqual(['d']);
  });

  test('that began as heavy ones are never asked to make room', async () => {
    const road = new Road({ ...limits, places: 2 });
    const asked: string[] = [];
    for (const name of ['a', 'b']) road.send(name, 'heavy', { giveWay: () => asked.push(name) });
    road.send('quick', 'light');
    await sleep(limits.lightMs * 2);
    expect(asked).toEqual([]);
  });

  test('of organisations that have many take turns with those of one that has few', async () => {
    const road = new Road({ ...limits, light: 1 });
    const walks = new Map<string, Walk>();
    const send = (organisationId: string, count: number) => {
      for (let i = 0; i < count; i++) {
        const name = `${organisationId}${i}`;
        walks.set(name, road.send(name, 'light', { organisationId }));
      }
    };
    send('a', 5);
    send('b', 2);
    send('c', 1);
    for (let i = 0; i < 8; i++) {
      await settle();
      walks.get(road.started[i] ?? '')?.leave();
    }
    expect(road.started).toEqual(['a0', 'a1', 'b0', 'c0', 'a2', 'b1', 'a3', 'a4']);
  });

  test('whose callers give up leave the queue', async () => {
    const road = new Road({ ...limits, light: 1 });
    const first = road.send('first', 'light');
    const caller = new AbortController();
    const gone = road.send('gone', 'light', { signal: caller.signal });
    road.send('next', 'light');
    caller.abort(new Error('gave up'));
    await expect(gone.done).rejects.toThrow('gave up');
    first.leave();
    await settle();
    expect(road.started).toEqual(['first', 'next']);
    const late = road.send('late', 'light', { signal: caller.signal });
    await expect(late.done).rejects.toThrow('gave up');
  });

  test('that find too many waiting are refused and told when to come again, but writing ones never are', async () => {
    const road = new Road();
    for (let i = 0; i < limits.light + limits.waiting; i++) road.send(`light ${i}`, 'light');
    const refused = await road.send('one more', 'light').done.catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Refusal);
    expect(refused).toMatchObject({ reason: 'unavailable', hints: { retryAfterSeconds: 2 } });
    road.send('writing', 'writing');
    await settle();
    expect(road.started).toContain('writing');
  });

  test('that have waited for as long as they are willing to are refused', async () => {
    const road = new Road({ ...limits, light: 1 });
    road.send('first', 'light');
    await expect(road.send('impatient', 'light', { patienceMs: 20 }).done).rejects.toMatchObject({
      reason: 'unavailable',
    });
    expect(road.lanes.figures.light).toEqual({ running: 1, waiting: 0 });
  });

  test('may leave twice without letting two others in', async () => {
    const road = new Road({ ...limits, light: 1 });
    const [first] = ['a', 'b', 'c'].map((name) => road.send(name, 'light'));
    await settle();
    first?.leave();
    first?.leave();
    await settle();
    expect(road.started).toEqual(['a', 'b']);
  });
});
