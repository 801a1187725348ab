import { createHmac } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { describeOnEveryStore } from '../conformance/stores.ts';
import { type ReceivedBody, receivingHost } from './receiving-host.ts';
import { sendingWorld } from './sending-world.ts';

const hour = 3_600_000;

describeOnEveryStore('messages', (engine) => {
  const { queue, sender, webhook, content, origin, deliveries, later, organisationId, messages, store } =
    sendingWorld(engine);
  const hosts: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const host of hosts.splice(0)) await host.close();
  });
  const hostThat = async (...given: Parameters<typeof receivingHost>) => {
    const host = await receivingHost(...given);
    hosts.push(host);
    return host;
  };

  test('A message is sent once, signed, and then only its status and time are kept', async () => {
    const host = await hostThat();
    await queue({ origin, receiver: webhook(host.url), content });
    const one = await sender();
    await one.settled();
    await one.settled();
    expect(host.received).toHaveLength(1);
    const { headers, body } = host.received[0] as ReceivedBody;
    const [delivery] = await deliveries();
    expect(headers['x-plumb-signature-256']).toBe(
      `sha256=${createHmac('sha256', 'shared').update(body).digest('hex')}`,
    );
    expect(headers['x-plumb-delivery']).toBe(delivery?.id);
    expect(JSON.parse(body)).toMatchObject({
      delivery: delivery?.id,
      alert: 'lead-time',
      title: content.title,
      data: content.data,
    });
    expect(delivery).toMatchObject({ state: 'sent', status: '200', tries: 1, nextTryAt: null, origin });
    expect(delivery?.receiver).toEqual({ webhook: `127.0.0.1:${host.port}/…hook` });
    const [row] = await store().read((session) =>
      session.rows<{ address: null; content: null }>('SELECT address, content FROM messages'),
    );
    expect(row).toEqual({ address: null, content: null });
  });

  test('What waits is not readable in the store', async () => {
    const host = await hostThat();
    await queue({ origin, receiver: webhook(host.url), content });
    const [row] = await store().read((session) => session.rows<{ address: string }>('SELECT address FROM messages'));
    expect(row?.address).toMatch(/^v2\./);
    expect(row?.address).not.toContain(host.url);
  });

  test('Tries go on with growing pauses for 24 hours from the first one, and then it failed', async () => {
    const host = await hostThat((response) => response.writeHead(500).end());
    await queue({ origin, receiver: webhook(host.url), content, notBefore: new Date('2026-11-16T18:00:00Z') });
    const one = await sender();
    await one.settled();
    expect(host.received).toHaveLength(0);
    later(10 * hour);
    const pauses: number[] = [];
    for (;;) {
      await one.settled();
      const [delivery] = await deliveries();
      if (delivery?.state !== 'queued' || !delivery.nextTryAt || !delivery.triedAt) break;
      const pauseMs = delivery.nextTryAt.getTime() - delivery.triedAt.getTime();
      pauses.push(pauseMs);
      // A moment too early is too early.
      later(pauseMs - 1);
      await one.settled();
      later(1);
    }
    expect(pauses.slice(0, 4)).toEqual([30_000, 60_000, 120_000, 240_000]);
    expect(pauses.slice(0, -1)).toEqual(pauses.slice(0, -1).toSorted((a, b) => a - b));
    expect(Math.max(...pauses)).toBe(hour);
    expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBe(24 * hour);
    expect(host.received).toHaveLength(pauses.length + 1);
    expect(new Set(host.received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(host.received.map(({ headers }) => headers['x-plumb-delivery'])).size).toBe(1);
    expect(await deliveries()).toMatchObject([{ state: 'failed', status: '500', tries: pauses.length + 1 }]);
  });

  test('A receiver that names a time is not asked before it', async () => {
    const answers = ['7200', 'Mon, 16 Nov 2026 13:00:00 GMT', '90000'];
    const host = await hostThat((response) => response.writeHead(429, { 'retry-after': answers.shift() ?? '' }).end());
    await queue({ origin, receiver: webhook(host.url), content });
    const one = await sender();
    await one.settled();
    expect((await deliveries())[0]?.nextTryAt).toEqual(new Date('2026-11-16T10:00:00Z'));
    later(2 * hour);
    await one.settled();
    expect((await deliveries())[0]?.nextTryAt).toEqual(new Date('2026-11-16T13:00:00Z'));
    later(3 * hour);
    await one.settled();
    // After the 24 hours nobody may ask any more.
    expect(await deliveries()).toMatchObject([{ state: 'failed', status: '429', tries: 3 }]);
  });

  test('Hosts that refuse, hang, cut, leave HTTP and lead elsewhere are tried again, and hold up no other receiver', async () => {
    const elsewhere = await hostThat();
    const good = await hostThat();
    const ways = {
      hangs: await hostThat(() => {}),
      cuts: await hostThat((response) => response.socket?.destroy()),
      leaves: await hostThat((response) =>
        response.socket?.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
      ),
      redirects: await hostThat((response) => response.writeHead(302, { location: elsewhere.url }).end()),
      refuses: { url: 'http://127.0.0.1:9/hook' },
      forbidden: { url: 'http://169.254.169.254/hook' },
      private: { url: 'http://10.0.0.1/hook' },
    };
    const all = Object.values(ways).map(({ url }) => ({ origin, receiver: webhook(url), content }));
    await queue(...all, { origin, receiver: webhook(good.url), content });
    const one = await sender({ timeoutMs: 150 });
    await one.settled();
    expect(good.received).toHaveLength(1);
    expect(elsewhere.received).toHaveLength(0);
    const found = await deliveries();
    const statuses = found.filter(({ state }) => state === 'queued').map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([
      '302',
      'connection broken',
      'connection broken',
      'connection refused',
      'link-local address',
      'no answer in time',
      'private address',
    ]);
  });

  test('The same delivery is queued once, and keeps its first content', async () => {
    const host = await hostThat();
    const receiver = webhook(host.url);
    const deliveryId = 'goal-missed/2026-W46';
    await queue({ origin, receiver, content, deliveryId });
    await queue({ origin, receiver, content: { ...content, title: 'Another' }, deliveryId });
    await (await sender()).settled();
    await queue({ origin, receiver, content: { ...content, title: 'A third' }, deliveryId });
    await (await sender()).settled();
    expect(host.received.map(({ body }) => JSON.parse(body).title)).toEqual([content.title]);
  });

  test('A transaction that is undone sends nothing', async () => {
    const host = await hostThat();
    const undone = store().change(organisationId(), async (session) => {
      await messages().queue(session, [{ origin, receiver: webhook(host.url), content }]);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await (await sender()).settled();
    expect(host.received).toHaveLength(0);
  });

  test('Who has stopped gets nothing, others do, and what is removed is not sent', async () => {
    const host = await hostThat();
    const [stopped, other] = [webhook(`${host.url}/a`), webhook(`${host.url}/b`)];
    const set = (isStopped: boolean) =>
      store().change(organisationId(), (session) =>
        messages().setStopped(session, { via: 'mail' }, { origin, receiverKey: stopped.key, isStopped }),
      );
    await queue({ origin, receiver: stopped, content });
    await set(true);
    await queue({ origin, receiver: stopped, content }, { origin, receiver: other, content });
    await (await sender()).settled();
    expect(host.received.map(({ path }) => path)).toEqual(['/hook/b']);
    expect([...(await messages().stopped(organisationId(), origin))]).toEqual([stopped.key]);
    await set(false);
    await queue({ origin, receiver: stopped, content });
    await queue({ origin: { ...origin, slug: 'other' }, receiver: stopped, content });
    await store().change(organisationId(), (session) => messages().forget(session, origin));
    await (await sender()).settled();
    expect(host.received.map(({ path, body }) => [path, JSON.parse(body).alert])).toEqual([
      ['/hook/b', 'lead-time'],
      ['/hook/a', 'other'],
    ]);
  });
});
