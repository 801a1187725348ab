import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Budget, type Hold } from '../../src/admission/budget.ts';
import { type Ticket, ticketOf } from '../../src/admission/ticket.ts';
import { Refusal } from '../../src/refusal.ts';

const limits = {
  shares: { all: 3, organisation: 2, key: 1 },
  waiting: { organisation: 4, key: 3 },
  crowded: () => new Refusal('unavailable', 'crowded'),
};
const entry = (ticket: Ticket, signal?: AbortSignal) => ({ ticket: { ...ticket, signal } });
const by = (organisationId: string, keyId: string, maxMs = 60_000) => ticketOf({ organisationId, keyId }, maxMs);

test('Organisations take turns, then keys, and neither takes all places', async () => {
  const turns = new Budget(limits);
  const order: string[] = [];
  const places = new Map<string, Hold>();
  for (const [organisation, key, name] of [
    ['a', 'x', 'ax0'],
    ['a', 'x', 'ax1'],
    ['a', 'x', 'ax2'],
    ['a', 'y', 'ay0'],
    ['a', 'z', 'az0'],
    ['b', 'k', 'b0'],
    ['c', 'k', 'c0'],
  ] as const) {
    void turns.hold(entry(by(organisation, key))).then((place) => {
      order.push(name);
      places.set(name, place);
    });
  }
  await sleep(0);
  expect(order).toEqual(['ax0', 'ay0', 'b0']);
  for (const [i, name] of ['ax0', 'ay0', 'b0', 'ax1', 'c0'].entries()) {
    places.get(name)?.release();
    await sleep(0);
    expect(order.length).toBe(Math.min(7, i + 4));
  }
  expect(order.slice(3)).toEqual(['ax1', 'c0', 'az0', 'ax2']);
});

test('Too many waiting of one key or organisation are refused, those of others never', async () => {
  const turns = new Budget(limits);
  const outcome = (key: string, organisation = 'a') =>
    turns.hold(entry(by(organisation, key))).then(
      () => 'in',
      (error: Refusal) => error.message,
    );
  const all = [...Array.from({ length: 5 }, () => outcome('x')), ...Array.from({ length: 3 }, () => outcome('y'))];
  const states = await Promise.all(all.map((one) => Promise.race([one, sleep(5, 'waits')])));
  expect(states).toEqual(['in', 'waits', 'waits', 'waits', 'crowded', 'in', 'waits', 'crowded']);
  expect(await outcome('k', 'b')).toBe('in');
  // The service's own work has no waiting time, and is not counted.
  const own = turns.hold({ ticket: { organisationId: 'a', keyId: 'x' } });
  expect(await Promise.race([own.then(() => 'in'), sleep(5, 'waits')])).toBe('waits');
});

test('Whoever gives up, or has waited for too long, leaves the queue at once', async () => {
  const turns = new Budget({ ...limits, shares: { all: 1, organisation: 1, key: 1 } });
  const place = await turns.hold(entry(by('a', 'x')));
  const caller = new AbortController();
  const gone = turns.hold(entry(by('a', 'x'), caller.signal));
  const late = turns.hold(entry(by('b', 'y', 20)));
  const next = turns.hold(entry(by('c', 'z')));
  caller.abort(new Error('hung up'));
  await expect(gone).rejects.toThrow('hung up');
  await expect(late).rejects.toThrow('crowded');
  expect(turns.waiting).toBe(1);
  place.release();
  place.release();
  await next;
  expect(turns.waiting).toBe(0);
});

test('Nobody waits for more than two seconds in all', async () => {
  const turns = new Budget({ ...limits, shares: { all: 1, organisation: 1, key: 1 } });
  await turns.hold(entry(by('a', 'x')));
  const began = performance.now();
  await expect(turns.hold(entry(ticketOf({ organisationId: 'b', keyId: 'y' })))).rejects.toThrow('crowded');
  expect(performance.now() - began).toBeLessThan(6_000);
});

test('Work that fails gives its turn back', async () => {
  const turns = new Budget(limits);
  const failing = turns.take(entry(by('a', 'x')), () => Promise.reject(new Error('failed')));
  await expect(failing).rejects.toThrow('failed');
  expect(await turns.take(entry(by('a', 'x')), async () => 'next')).toBe('next');
});
