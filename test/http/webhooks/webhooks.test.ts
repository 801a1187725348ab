import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { WebhookIntake } from '../../../src/configured-sources/webhook-intake.ts';
import { Rereads } from '../../../src/jobs/rereads.ts';
import { times } from '../../setup/how-long.ts';
import { HookedService, secret, signed } from './hooked-service.ts';

let hooked: HookedService;
beforeAll(async () => {
  hooked = await HookedService.start({ isQuick: true });
});
afterAll(() => hooked.stop());
beforeEach(() => {
  hooked.provider.titles.clear();
  hooked.provider.reads.length = 0;
});

const mebibyte = 1024 * 1024;

describe('a webhook', () => {
  test('A webhook is accepted, and what it names is read as it is now', async () => {
    hooked.provider.titles.set(1, 'The newest title');

    const answer = await hooked.deliver({ body: '{"number": 1, "title": "an old title"}' });
    await hooked.rereads.settled();

    expect([answer.status, answer.json]).toEqual([202, { accepted: true }]);
    expect(await hooked.titles()).toEqual({ 'github:acme/web#1': 'The newest title' });
  });

  test('A webhook about something that is gone removes it', async () => {
    hooked.provider.titles.set(2, 'Soon gone');
    await hooked.deliver({ body: '{"number": 2}', delivery: 'there' });
    await hooked.rereads.settled();
    hooked.provider.titles.delete(2);
    await hooked.deliver({ body: '{"number": 2}', delivery: 'gone' });
    await hooked.rereads.settled();

    expect(await hooked.titles()).not.toHaveProperty('github:acme/web#2');
  });

  test('A webhook that is delivered again, or about an object that waits already, is one read', async () => {
    hooked.provider.titles.set(3, 'Once');
    await hooked.clock.holdDuring(async () => {
      for (const delivery of ['a', 'a', 'b']) await hooked.deliver({ body: '{"number": 3}', delivery });
    });
    await hooked.rereads.settled();

    expect(hooked.provider.reads).toEqual([3]);
    await hooked.deliver({ body: '{"number": 3}', delivery: 'a' });
    await hooked.rereads.settled();
    expect(hooked.provider.reads).toEqual([3]);
  });

  test('A webhook may be a form, and may be about nothing that is kept', async () => {
    hooked.provider.titles.set(4, 'From a form');
    const form = `payload=${encodeURIComponent('{"number": 4}')}`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };

    expect((await hooked.deliver({ body: form, headers })).status).toBe(202);
    expect((await hooked.deliver({ body: '{"zen": "Keep it plain"}', event: 'ping' })).status).toBe(202);
    await hooked.rereads.settled();

    expect(await hooked.titles()).toMatchObject({ 'github:acme/web#4': 'From a form' });
    expect(hooked.provider.reads).toEqual([4]);
  });

  test('A webhook of a provider that cannot sign has its token in the address, which no log repeats', async () => {
    const { id, token } = hooked.tokened;
    const calling = (query: string) =>
      hooked.service.request('POST', `/webhooks/tokened/${id}${query}`, { body: '{"number": 8}' });
    hooked.provider.titles.set(8, 'By token');

    for (const query of ['', '?token=', `?token=${token.slice(1)}`]) expect((await calling(query)).status).toBe(401);
    expect((await calling(`?token=${token}&page=1`)).status).toBe(400);
    expect(hooked.provider.reads).toEqual([]);
    expect((await calling(`?token=${token}`)).status).toBe(202);
    await hooked.rereads.settled();

    expect(await hooked.titles()).toMatchObject({ 'github:acme/web#8': 'By token' });
    expect(token).toHaveLength(43);
    expect(hooked.service.log.join('')).not.toContain(token.slice(1));
  });

  test('A webhook waits in the store while its provider is away, and is read by the next process', async () => {
    hooked.provider.failure = 500;
    const { app } = hooked.service;
    await hooked.deliver({ body: '{"number": 5}' });
    await hooked.rereads.close();
    expect(await hooked.openDeliveries()).toBe(1);

    hooked.provider.failure = undefined;
    hooked.provider.titles.set(5, 'After the outage');
    const next = new Rereads({
      directory: app.directory,
      ingest: app.ingest,
      prepare: hooked.prepare,
      onError: (error) => {
        throw error;
      },
    });
    await next.start();
    await next.settled();
    await next.close();

    expect(await hooked.titles()).toMatchObject({ 'github:acme/web#5': 'After the outage' });
    expect(await hooked.openDeliveries()).toBe(0);
  });
});

// Not tried again: what a failed attempt leaves would be read by the start of the next.
test('What a server has kept that has ended for good is read by another that runs', { retry: 0 }, async () => {
  const { app } = hooked.service;
  const another = new Rereads({
    directory: app.directory,
    ingest: app.ingest,
    prepare: hooked.prepare,
    onError: (error) => {
      throw error;
    },
    leftAfterMs: 200,
  });
  onTestFinished(() => another.close());
  await another.start();
  hooked.provider.titles.set(6, 'Left behind');
  const gone = new WebhookIntake({ store: app.store, sources: hooked.sources, now: app.now, kept: () => {} });
  const body = Buffer.from('{"number": 6}');
  const headers = {
    'x-hub-signature-256': signed(body),
    'x-github-event': 'pull_request',
    'x-github-delivery': 'left',
  };
  await gone.receive({ kind: 'hooked', sourceId: hooked.sourceId, headers, body });
  await expect.poll(() => hooked.openDeliveries()).toBe(0);
  expect(await hooked.titles()).toMatchObject({ 'github:acme/web#6': 'Left behind' });
  expect(hooked.provider.reads).toEqual([6]);
});

describe('a webhook that is refused', () => {
  const body = '{"number": 9}';
  const notSigned = { detail: 'Unknown source, or the signature is not that of its secret.' };

  test.each([
    ['a wrong signature', () => hooked.deliver({ body, signature: signed(body, 'another secret') })],
    ['a signature of another body', () => hooked.deliver({ body, signature: signed(`${body} `) })],
    ['no signature', () => hooked.deliver({ body, signature: undefined })],
    [
      'a signature of another form',
      () => hooked.deliver({ body, signature: signed(body).replace('sha256=', 'sha1=') }),
    ],
    [
      'a source without a secret',
      () => hooked.call(`/webhooks/hooked/${hooked.withoutSecretId}`, { body, signature: signed(body, '') }),
    ],
    ['an unknown id', () => hooked.call('/webhooks/hooked/9c3b2a10-0000-4000-8000-000000000000', { body })],
    ['a source of another kind', () => hooked.call(`/webhooks/github/${hooked.sourceId}`, { body })],
    ['an unknown kind', () => hooked.call(`/webhooks/nothing/${hooked.sourceId}`, { body })],
  ])('%s gets the same 401', async (_name, call) => {
    const answer = await call();

    expect([answer.status, answer.json]).toEqual([401, notSigned]);
    expect(await hooked.openDeliveries()).toBe(0);
    expect(hooked.service.log.join('')).not.toContain(secret);
  });

  test('A webhook that is refused has to be JSON, once its signature is good', async () => {
    expect((await hooked.deliver({ body: '{"number": ' })).status).toBe(400);
    expect((await hooked.deliver({ body: '{"number": ', signature: signed('') })).status).toBe(401);
  });

  test('A webhook that is refused is too large past 25 MiB, however it is sent', async () => {
    const fitting = Buffer.from(JSON.stringify({ number: 1, text: 'x'.repeat(times(2, 24) * mebibyte) }));
    const large = Buffer.alloc(25 * mebibyte + 1, 32);

    expect((await hooked.deliver({ body: fitting, event: 'ping', delivery: 'fitting' })).status).toBe(202);
    const refused = await hooked.deliver({ body: large, delivery: 'large', signature: signed('') });
    expect([refused.status, refused.json]).toEqual([
      413,
      { detail: 'The body is too large: at most 25 MiB is accepted.' },
    ]);
  });

  test('A webhook that is refused by its method is told which one', async () => {
    const answer = await hooked.service.request('GET', `/webhooks/hooked/${hooked.sourceId}`);

    expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
  });
});

test('A webhook waits in the store while the settings of its source keep it from being opened', async () => {
  const { app } = hooked.service;
  await hooked.rereads.close();
  await hooked.deliver({ body: '{"number": 6}' });
  const retried = new Promise<void>((waits, onError) => {
    const sleep = async (ms: number, signal: AbortSignal) => {
      if (ms < 60_000) return;
      waits();
      await new Promise((_, stopped) => signal.addEventListener('abort', () => stopped(signal.reason)));
    };
    const prepare: typeof hooked.prepare = async (row) => {
      const ready = await hooked.prepare(row);
      return { ...ready, settings: { ...ready.settings, token: 'two\nlines' } };
    };
    const rereads = new Rereads({
      directory: app.directory,
      ingest: app.ingest,
      prepare,
      onError,
      clock: { now: () => Date.now(), sleep },
    });
    onTestFinished(() => rereads.close());
    void rereads.start();
  });
  await retried;
  expect(await hooked.openDeliveries()).toBe(1);
});
