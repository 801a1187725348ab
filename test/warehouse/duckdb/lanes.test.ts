import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type RequestTicket, ticketOf } from '../../../src/admission/ticket.ts';
import { Refusal } from '../../../src/refusal.ts';
import {
  type Lane,
  type LaneLimits,
  type LaneRequest,
  Lanes,
  type Leave,
  type Places,
} from '../../../src/warehouse/duckdb/lanes.ts';

const lightMs = 40;
const waiting = 20;
const usual: Places = { places: 4, light: 3, heavy: 2, writing: 1 };
/** One limit for everyone, so that only the lanes matter. */
const alike = (places: Partial<Places> = {}): LaneLimits => {
  const one = { ...usual, ...places };
  return { all: one, organisation: one, key: one, waiting: { all: waiting, organisation: 20, key: 20 }, lightMs };
};
/** Half of everything for an organisation, a quarter for a key. */
const shared: LaneLimits = {
  all: { places: 8, light: 8, heavy: 8, writing: 8 },
  organisation: { places: 4, light: 4, heavy: 4, writing: 4 },
  key: { places: 2, light: 2, heavy: 2, writing: 2 },
  waiting: { all: 12, organisation: 8, key: 5 },
  lightMs,
};
const by = (organisationId: string, keyId = 'key', maxMs = 60_000): { readonly ticket: RequestTicket } => ({
  ticket: ticketOf({ organisationId, keyId }, maxMs),
});

/** Time passes only when a test says so: a busy machine would otherwise make statements slow that are quick here. */
beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Lets everything happen that waits for nothing else. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

interface Walk {
  readonly name: string;
  readonly done: Promise<void>;
  leave(): void;
}

/** Sends requests in, and writes down in which order they got their places. */
class Road {
  readonly lanes: Lanes;
  readonly started: string[] = [];

  constructor(given: LaneLimits = alike()) {
    this.lanes = new Lanes(given);
  }

  send(name: string, lane: Lane, more: Partial<LaneRequest> = {}): Walk {
    let leave: Leave | undefined;
    const done = this.lanes.enter({ ...by('a'), lane, ...more }).then((given) => {
      this.started.push(name);
      leave = given;
    });
    done.catch(() => {});
    return { name, done, leave: () => leave?.() };
  }
}

describe('statements', () => {
  test('Statements run at once up to the number of places, and then as places are left', async () => {
    const road = new Road(alike({ light: 4, places: 2 }));
    const [first] = ['a', 'b', 'c'].map((name) => road.send(name, 'light'));
    await settle();
    expect(road.started).toEqual(['a', 'b']);
    first?.leave();
    await settle();
    expect(road.started).toEqual(['a', 'b', 'c']);
  });

  test('Statements that are heavy leave places for light ones, however many of them wait', async () => {
    const road = new Road();
    for (let i = 0; i < 10; i++) road.send(`heavy ${i}`, 'heavy');
    for (let i = 0; i < 10; i++) road.send(`writing ${i}`, 'writing');
    road.send('light', 'light');
    await settle();
    expect(road.started).toEqual(['heavy 0', 'heavy 1', 'writing 0', 'light']);
  });

  test('Statements that are light never shut out the heavy ones and the writing ones', async () => {
    const road = new Road(alike({ places: 5 }));
    for (let i = 0; i < 10; i++) road.send(`light ${i}`, 'light');
    await settle();
    road.send('writing', 'writing');
    road.send('heavy', 'heavy');
    await settle();
    expect(road.started).toEqual(['light 0', 'light 1', 'light 2', 'writing', 'heavy']);
  });

  test('Statements that turn out slow give their light places back', async () => {
    const road = new Road();
    for (let i = 0; i < 4; i++) road.send(`slow ${i}`, 'light');
    await settle();
    expect(road.started).toEqual(['slow 0', 'slow 1', 'slow 2']);
    await vi.waitFor(() => expect(road.started).toEqual(['slow 0', 'slow 1', 'slow 2', 'slow 3']));
    road.send('heavy', 'heavy');
    await settle();
    expect(road.started).not.toContain('heavy');
  });

  test('Statements that turned out slow make room when every place is taken, the youngest first', async () => {
    const road = new Road();
    const asked: string[] = [];
    const slow = ['a', 'b', 'c', 'd'].map((name) => road.send(name, 'light', { giveWay: () => asked.push(name) }));
    await vi.waitFor(() => expect(road.lanes.occupancy.heavy.running).toBe(4));
    expect(asked).toEqual([]);
    road.send('quick', 'light');
    await settle();
    expect(asked).toEqual(['d']);
    slow[3]?.leave();
    await settle();
    expect(road.started.at(-1)).toBe('quick');
    expect(asked).toEqual(['d']);
  });

  test('Statements that began as heavy ones are never asked to make room', async () => {
    const road = new Road(alike({ places: 2 }));
    const asked: string[] = [];
    for (const name of ['a', 'b']) road.send(name, 'heavy', { giveWay: () => asked.push(name) });
    road.send('quick', 'light');
    await pass(lightMs * 2);
    expect(asked).toEqual([]);
  });

  test('Statements of organisations that have many take turns with those of one that has few', async () => {
    const road = new Road(alike({ light: 1 }));
    const walks = new Map<string, Walk>();
    const send = (organisationId: string, count: number) => {
      for (let i = 0; i < count; i++) {
        const name = `${organisationId}${i}`;
        walks.set(name, road.send(name, 'light', by(organisationId)));
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

  test('Statements whose callers give up leave the queue', async () => {
    const road = new Road(alike({ light: 1 }));
    const first = road.send('first', 'light');
    const caller = new AbortController();
    const gone = road.send('gone', 'light', { ticket: { ...by('a').ticket, signal: caller.signal } });
    road.send('next', 'light');
    caller.abort(new Error('gave up'));
    await expect(gone.done).rejects.toThrow('gave up');
    first.leave();
    await settle();
    expect(road.started).toEqual(['first', 'next']);
    const late = road.send('late', 'light', { ticket: { ...by('a').ticket, signal: caller.signal } });
    await expect(late.done).rejects.toThrow('gave up');
  });

  test('Statements that find too many waiting are refused and told when to come again, but writing ones never are', async () => {
    const road = new Road();
    for (let i = 0; i < usual.light + waiting; i++) road.send(`light ${i}`, 'light');
    const refused = await road.send('one more', 'light').done.catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Refusal);
    expect(refused).toMatchObject({ reason: 'unavailable', hints: { retryAfterSeconds: 2 } });
    road.send('writing', 'writing');
    await settle();
    expect(road.started).toContain('writing');
  });

  test('Statements that have waited for as long as they are willing to are refused', async () => {
    const road = new Road(alike({ light: 1 }));
    road.send('first', 'light');
    const { done } = road.send('impatient', 'light', by('a', 'key', 20));
    await pass(20);
    await expect(done).rejects.toMatchObject({ reason: 'unavailable' });
    expect(road.lanes.occupancy.light).toEqual({ running: 1, waiting: 0 });
  });

  test('Statements may leave twice without letting two others in', async () => {
    const road = new Road(alike({ light: 1 }));
    const [first] = ['a', 'b', 'c'].map((name) => road.send(name, 'light'));
    await settle();
    first?.leave();
    first?.leave();
    await settle();
    expect(road.started).toEqual(['a', 'b']);
  });

  test('Statements of the keys of one organisation take turns, within the turns of organisations', async () => {
    const road = new Road(alike({ light: 1 }));
    const walks = new Map<string, Walk>();
    const send = (organisationId: string, keyId: string, count: number) => {
      for (let i = 0; i < count; i++) {
        const name = `${organisationId}-${keyId}${i}`;
        walks.set(name, road.send(name, 'light', by(organisationId, keyId)));
      }
    };
    send('a', 'x', 4);
    send('a', 'y', 2);
    send('b', 'z', 2);
    for (let i = 0; i < 8; i++) {
      await settle();
      walks.get(road.started[i] ?? '')?.leave();
    }
    expect(road.started).toEqual(['a-x0', 'a-x1', 'b-z0', 'a-y0', 'b-z1', 'a-x2', 'a-y1', 'a-x3']);
  });

  test('Statements that continue what has begun go before those of the same key that have not', async () => {
    const road = new Road(alike({ light: 1 }));
    const first = road.send('first', 'light');
    road.send('new', 'light');
    road.send('continued', 'light', { isFirst: true });
    await settle();
    first.leave();
    await settle();
    expect(road.started).toEqual(['first', 'continued']);
  });

  test('Statements of one key, and of one organisation, leave places for others, whatever lane they are in', async () => {
    const road = new Road(shared);
    for (let i = 0; i < 4; i++) road.send(`light ${i}`, 'light', by('a', 'x'));
    for (let i = 0; i < 4; i++) road.send(`heavy ${i}`, 'heavy', by('a', 'y'));
    for (let i = 0; i < 2; i++) road.send(`other key ${i}`, 'light', by('a', 'z'));
    road.send('other organisation', 'light', by('b'));
    road.send('writing', 'writing', by('b', 'w'));
    await settle();
    expect(road.started).toEqual(['light 0', 'light 1', 'heavy 0', 'heavy 1', 'other organisation', 'writing']);
  });

  test('Statements of a key that has all its places taken by slow ones give way to its quick ones, and nobody else does', async () => {
    const road = new Road(shared);
    const asked: string[] = [];
    const giving = (name: string, keyId: string) =>
      road.send(name, 'light', { ...by('a', keyId), giveWay: () => asked.push(name) });
    const slow = ['x0', 'x1'].map((name) => giving(name, 'x'));
    giving('y0', 'y');
    await vi.waitFor(() => expect(road.lanes.occupancy.heavy.running).toBe(3));
    road.send('quick', 'light', by('a', 'x'));
    await settle();
    expect(asked).toEqual(['x1']);
    slow[1]?.leave();
    await settle();
    expect(road.started.at(-1)).toBe('quick');
  });

  test('Statements that find too many of their own key or organisation waiting are refused, and those of others are not', async () => {
    const road = new Road(shared);
    const outcomes = async (walks: readonly Walk[]) => {
      await settle();
      const states = walks.map(({ done }) =>
        Promise.race([done.then(() => 'in'), settle().then(() => 'waits')]).catch(() => 'no'),
      );
      const all = await Promise.all(states);
      return { in: count(all, 'in'), waits: count(all, 'waits'), no: count(all, 'no') };
    };
    const send = (organisationId: string, keyId: string, many: number) =>
      Array.from({ length: many }, (_, i) => road.send(`${keyId}${i}`, 'light', by(organisationId, keyId)));
    expect(await outcomes(send('a', 'x', 20))).toEqual({ in: 2, waits: 5, no: 13 });
    expect(await outcomes(send('a', 'y', 20))).toEqual({ in: 2, waits: 3, no: 15 });
    expect(await outcomes(send('b', 'z', 5))).toEqual({ in: 2, waits: 3, no: 0 });
  });

  test('Statements of whoever has the most waiting are refused when too many wait in all', async () => {
    const road = new Road({ ...shared, waiting: { all: 10, organisation: 8, key: 8 } });
    const first = Array.from({ length: 10 }, (_, i) => road.send(`a${i}`, 'light', by('a')));
    const others = Array.from({ length: 6 }, (_, i) => road.send(`b${i}`, 'light', by('b')));
    await expect(first[9]?.done).rejects.toMatchObject({ reason: 'unavailable' });
    await expect(first[8]?.done).rejects.toMatchObject({ reason: 'unavailable' });
    expect(road.lanes.occupancy.light).toEqual({ running: 4, waiting: 10 });
    // Two of six run, four wait; of the others two of ten run and six wait. One more of the smaller one has its room.
    const one = road.send('c', 'light', by('c'));
    await one.done;
    for (const walk of others) walk.leave();
  });

  test('Statements that may not wait any longer are refused in whichever lane their request waits by then', async () => {
    const road = new Road(alike({ light: 1, heavy: 1 }));
    const [light, heavy] = [road.send('light', 'light'), road.send('heavy', 'heavy')];
    const asked = by('a', 'key', 80);
    const waited = road.send('waited', 'light', asked);
    await pass(lightMs - 10);
    light.leave();
    await waited.done;
    let isRefused = false;
    const again = road.send('again', 'heavy', { ...asked, isFirst: true }).done.catch((error: unknown) => {
      isRefused = true;
      return error;
    });
    await pass(49);
    expect(isRefused).toBe(false);
    await pass(1);
    expect(isRefused).toBe(true);
    expect(await again).toMatchObject({ reason: 'unavailable' });
    heavy.leave();
  });
});

const count = (all: readonly string[], what: string): number => all.filter((one) => one === what).length;
