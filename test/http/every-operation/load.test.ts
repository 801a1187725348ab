import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { stranger } from '../../../src/admission/ticket.ts';
import { HeldRefusals, Load } from '../../../src/http/admission/load-shedding.ts';

let load: Load;
afterEach(() => load.close());

const by = (organisationId: string, keyId = 'key') => ({ organisationId, keyId });

describe('requests under way', () => {
  const limits = { maxInFlight: 20, ofOrganisation: 10, ofKey: 5, ofStrangers: 4 };

  test('Requests under way are limited for each key, each organisation and all strangers, and for nobody by somebody else', () => {
    load = new Load(limits);
    const let5 = (key: string) => Array.from({ length: 6 }, () => load.enter(by('a', key)).isTooMuch);
    expect(let5('x')).toEqual([false, false, false, false, false, true]);
    // The refused ones count until they leave.
    expect(let5('y')).toEqual([false, false, false, false, true, true]);
    expect(load.enter(by('b')).isTooMuch).toBe(false);
    const strangers = Array.from({ length: 5 }, (_, i) => load.enter(stranger(`192.0.2.${i}`)).isTooMuch);
    expect(strangers).toEqual([false, false, false, false, true]);
  });

  test('Requests under way of somebody who has less than an equal part are let in when several others have filled everything', () => {
    load = new Load({ ...limits, ofKey: 10 });
    for (const organisation of ['a', 'b']) {
      for (let i = 0; i < 10; i += 1) expect(load.enter(by(organisation)).isTooMuch).toBe(false);
    }
    const visits = Array.from({ length: 7 }, () => load.enter(by('c')));
    expect(visits.map(({ isTooMuch }) => isTooMuch)).toEqual([false, false, false, false, false, false, true]);
    for (const visit of visits) visit.leave();
    expect(load.inFlight).toBe(20);
    expect(load.enter(by('c')).isTooMuch).toBe(false);
  });

  test('Requests under way with one secret that is not known yet leave room to other secrets of the same address', () => {
    load = new Load({ ofKey: 6 });
    const enter = (secret?: string) => load.enter(stranger('192.0.2.1'), 0, secret);
    const hammer = Array.from({ length: 5 }, () => enter('hammer'));
    expect(hammer.map(({ isTooMuch }) => isTooMuch)).toEqual([false, false, false, true, true]);
    for (const visit of hammer.slice(3)) visit.leave();
    expect([enter('other'), enter('third'), enter()].map(({ isTooMuch }) => isTooMuch)).toEqual([false, false, false]);
    // All of them together are limited as before, and what is known is counted for its key.
    expect(enter('fourth').isTooMuch).toBe(true);
    for (const visit of hammer) visit.become(by('a'));
    expect(enter('hammer').isTooMuch).toBe(false);
  });

  test('Requests under way are counted for the organisation that a stranger turned out to be of, and once only', () => {
    load = new Load(limits);
    const visits = Array.from({ length: 4 }, () => load.enter(stranger('192.0.2.1')));
    for (const visit of visits) visit.become(by('a'));
    expect(load.enter(stranger('192.0.2.1')).isTooMuch).toBe(false);
    for (const visit of visits) {
      visit.leave();
      visit.leave();
      visit.become(by('a'));
    }
    expect(load.inFlight).toBe(1);
  });
});

describe('when the event loop is late', () => {
  const late = 10_000;
  /** How many of so many are turned away. */
  const begin = (organisationId: string, many: number, keyId = 'key') => {
    let refused = 0;
    for (let i = 0; i < many; i += 1) {
      const visit = load.enter(by(organisationId, keyId));
      if (visit.isTooMuch) refused += 1;
      visit.leave();
    }
    return refused;
  };

  test('Whoever sends most has to send less, more so the longer it lasts, and everybody else does not', () => {
    load = new Load();
    const all = () => [begin('busy', 2_000), begin('busy', 300, 'other'), begin('quiet', 300)];
    expect(all()).toEqual([0, 0, 0]);
    load.sample(late);
    expect(all()).toEqual([1_000, 0, 0]);
    load.sample(late);
    expect(all()).toEqual([1_500, 0, 0]);
    load.sample(0);
    expect(all()).toEqual([1_000, 0, 0]);
    load.sample(0);
    expect(all()).toEqual([0, 0, 0]);
  });

  test('Many keys of one organisation have to send less together', () => {
    load = new Load();
    begin('busy', 600);
    load.sample(late);
    const refused = ['a', 'b', 'c', 'd'].map((key) => begin('busy', 300, key));
    expect(refused).toEqual([0, 0, 300, 300]);
  });

  test('Nobody is turned away who sends little, and large bodies count for more', () => {
    load = new Load();
    begin('busy', 10);
    load.sample(late);
    expect(begin('busy', 200)).toBe(0);
    const large = Array.from({ length: 16 }, () => load.enter(by('large'), 1_048_576));
    expect(large.filter(({ isTooMuch }) => isTooMuch)).toHaveLength(2);
  });

  test('One body of any size is taken from whoever sends nothing else', () => {
    load = new Load();
    load.sample(late);
    const bodies = Array.from({ length: 2 }, () => load.enter(by('large'), 64 * 1_048_576));
    expect(bodies.map(({ isTooMuch }) => isTooMuch)).toEqual([false, true]);
  });
});

describe('when requests of a key are refused for having waited too long', () => {
  /** Those that are refused leave at once. */
  const letIn = (many: number, keyId = 'key') =>
    Array.from({ length: many }, () => load.enter(by('a', keyId))).filter((visit) => {
      if (visit.isTooMuch) visit.leave();
      return !visit.isTooMuch;
    });

  test('No more of that key are let in than are answered in a second, until there is room again', () => {
    load = new Load();
    const first = letIn(250);
    expect(first).toHaveLength(250);
    for (const [i, visit] of first.entries()) visit.leave(i >= 60);
    load.sample(0, 500);
    const second = letIn(400);
    expect(second).toHaveLength(120);
    // Other keys of the organisation find room, and so does another organisation.
    expect(letIn(130, 'other')).toHaveLength(120);
    expect(letIn(20, 'third')).toHaveLength(16);
    expect(load.enter(by('b')).isTooMuch).toBe(false);
    for (let i = 0; i < 40; i += 1) load.sample(0, 500);
    expect(letIn(250)).toHaveLength(250 - second.length);
  });

  test('Some are let in whatever happens', () => {
    load = new Load();
    for (const visit of letIn(100)) visit.leave(true);
    load.sample(0, 500);
    const some = letIn(100);
    expect(some).toHaveLength(16);
    // Whatever made them late is over once nothing is under way.
    for (const visit of some) visit.leave();
    load.sample(0, 500);
    load.sample(0, 500);
    expect(letIn(100)).toHaveLength(100);
  });
});

test('Refusals that come one after another to one organisation are held back, those of others are not', async () => {
  load = new Load({ refusalsAtOnce: 2 });
  const took = async (organisationId: string) => {
    const began = performance.now();
    await new Promise<void>((resolve) => load.refuse(by(organisationId), resolve));
    return performance.now() - began >= 990;
  };
  expect(await Promise.all([took('a'), took('a'), took('a'), took('b')])).toEqual([false, false, true, false]);
});

test('Refusals that are held are sent within two seconds, however late the timers are', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const clock = performance.now.bind(performance);
  let lateMs = 0;
  const now = vi.spyOn(performance, 'now').mockImplementation(() => clock() + lateMs);
  onTestFinished(() => now.mockRestore());
  const held = new HeldRefusals();
  const began = performance.now();
  const sentAfter: number[] = [];
  for (let i = 0; i < 300; i += 1) held.add(() => sentAfter.push(performance.now() - began));
  vi.advanceTimersByTime(300);
  // Turns of the event loop that took so long that a dozen ticks were left out.
  lateMs = 600;
  vi.advanceTimersByTime(3_000);
  expect(sentAfter).toHaveLength(300);
  expect(Math.min(...sentAfter)).toBeGreaterThanOrEqual(1_000);
  expect(Math.max(...sentAfter)).toBeLessThan(2_000);
  expect(new Set(sentAfter).size).toBeGreaterThan(5);
});
