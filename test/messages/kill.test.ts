import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SeededRandom } from '../../src/demo/seeded-random.ts';
import { quickStore } from '../conformance/stores.ts';
import { bundleScript } from '../setup/bundled-script.ts';
import { times } from '../setup/how-long.ts';
import { seed } from '../setup/seed.ts';
import { type ReceivedBody, receivingHost } from './receiving-host.ts';
import { sendingWorld } from './sending-world.ts';

const kills = times(2, 100);
const count = 24;
/** From the arrival of a body to the moment when everything about it is noted, about. */
const notingMs = 30;

const folder = mkdtempSync(join(tmpdir(), 'plumb-messages-kill-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let script = '';
beforeAll(async () => {
  script = await bundleScript(join(import.meta.dirname, 'sending-process.ts'), folder);
});

const { queue, sender, webhook, content, origin, deliveries, store, home } = sendingWorld(quickStore);

const deliveryOf = ({ headers }: ReceivedBody): string => String(headers['x-plumb-delivery']);

test.each(Array.from({ length: kills }, (_, at) => at))(
  `A process that is killed while it sends loses nothing, and only what was on its way comes again (kill %i, seed ${seed})`,
  async (kill) => {
    const random = new SeededRandom(`messages ${seed} ${kill}`);
    const at = 1 + Math.floor(random.next() * (count - 2));
    const laterMs = random.next() * notingMs;
    let whenAsked = (_received: number): void => {};
    const answer = (response: ServerResponse) => {
      whenAsked(host.received.length);
      setTimeout(() => response.end('ok'), random.next() * 10);
    };
    const host = await receivingHost(answer);
    // Two messages of one receiver wait for one another; those of different ones go at the same time.
    const messages = Array.from({ length: count }, (_, n) => ({
      origin,
      receiver: webhook(`${host.url}/${n % 8}`),
      content,
      deliveryId: `d${n}`,
    }));
    await queue(...messages);
    const { databaseUrl = '' } = home();
    const child = spawn(process.execPath, [script, home().folder, databaseUrl, '2026-11-16T08:00:00Z'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    whenAsked = (received) => {
      if (received === at) void pause(laterMs).then(() => child.kill('SIGKILL'));
    };
    const [, signal] = await once(child, 'exit');
    expect(signal).toBe('SIGKILL');
    whenAsked = () => {};
    const before = host.received.map(deliveryOf);
    const taken = await store().read((session) =>
      session.rows<{ id: string }>("SELECT id FROM messages WHERE holder IS NOT NULL AND state = 'queued'"),
    );
    const onTheirWay = new Set(taken.map(({ id }) => id));
    const next = await sender({ timeoutMs: 5_000 });
    await expect
      .poll(
        async () => {
          await next.settled();
          return (await deliveries()).filter(({ state }) => state !== 'sent').length;
        },
        { timeout: 10_000, interval: 100 },
      )
      .toBe(0);
    const all = host.received.map(deliveryOf);
    expect(new Set(all).size).toBe(count);
    const again = all.filter((id, place) => all.indexOf(id) !== place);
    expect(again.filter((id) => !onTheirWay.has(id) || !before.includes(id))).toEqual([]);
    expect(new Set(again).size).toBe(again.length);
    for (const id of again) {
      const bodies = host.received.filter((one) => deliveryOf(one) === id).map(({ body }) => body);
      expect(new Set(bodies).size).toBe(1);
    }
    await host.close();
  },
);

test('Three processes over one store send each message once, also while one of them ends', async () => {
  const random = new SeededRandom(`three ${seed}`);
  const host = await receivingHost((response) => void setTimeout(() => response.end('ok'), random.next() * 15));
  const all = Array.from({ length: 60 }, (_, n) => ({
    origin,
    receiver: webhook(`${host.url}/${n % 20}`),
    content,
    deliveryId: `d${n}`,
  }));
  const senders = [
    await sender({ timeoutMs: 5_000 }),
    await sender({ timeoutMs: 5_000 }),
    await sender({ timeoutMs: 5_000 }),
  ];
  for (const one of senders) one.start();
  await queue(...all);
  for (const one of senders) one.wake();
  await expect.poll(() => host.received.length).toBeGreaterThan(10);
  await senders[0]?.close();
  await expect
    .poll(async () => (await deliveries()).filter(({ state }) => state === 'sent').length, { timeout: 10_000 })
    .toBe(60);
  expect(host.received.map(deliveryOf).toSorted()).toEqual(all.map(({ deliveryId }) => deliveryId).toSorted());
  await host.close();
});
