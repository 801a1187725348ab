import { Agent } from 'node:http';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { apiKeyKind, makeSecret, signInKind } from '../../src/access/secret-token.ts';
import type { Store } from '../../src/store/store.ts';
import { asNdjson, ndjson } from '../http/ingest/some-records.ts';
import { isLong, times } from '../setup/how-long.ts';
import { type Service, type ServiceOptions, startService } from '../setup/running-app.ts';
import { freshQuestion, Hammer, post, send, startTwo, type TwoOrganisations } from './two-organisations.ts';

/** The one who asks without end does so from this process, which is slow at it while other tests run. */
const timeout = 300_000;
const count = (statuses: readonly number[], status: number) => statuses.filter((one) => one === status).length;

/** A fifth of what a key and an organisation may have under way, and many more connections than that. */
const parts = isLong ? {} : { load: { ofKey: 50, ofOrganisation: 100 } };
const connections = times(96, 480);

let service: TwoOrganisations;
beforeAll(async () => {
  service = await startTwo({ parts: () => parts });
});
afterAll(() => service.close());

test(`While ${connections} connections of one key ask, another organisation and another key are answered every time`, {
  timeout,
}, async () => {
  const { port, otherKey, keys } = service;
  const agent = new Agent({ keepAlive: true });
  const hammer = await Hammer.connect(port, keys.owner, connections, { pauseMs: 1_000 });
  hammer.begin();
  await expect.poll(() => hammer.sent.length, { timeout: 60_000 }).toBeGreaterThan(0);
  const [other, sameOrganisation]: [number[], number[]] = [[], []];
  for (let i = 0; i < 40; i += 4) {
    const asked = Array.from({ length: 4 }, (_, n) => post(port, otherKey, freshQuestion(1_000_000 + i + n), agent));
    sameOrganisation.push((await post(port, keys.manager, freshQuestion(2_000_000 + i), agent)).status);
    for (const { status } of await Promise.all(asked)) other.push(status);
  }
  await hammer.end();
  agent.destroy();
  expect([count(other, 200), count(sameOrganisation, 200)]).toEqual([40, 10]);
  // Whoever hammers is told to come back, and nothing else goes wrong.
  expect(hammer.count(503)).toBeGreaterThan(0);
  expect(hammer.count(200) + hammer.count(503)).toBe(hammer.sent.length);
  expect(service.log.filter((line) => line.includes('request failed'))).toEqual([]);
});

test('Connections of one key that nobody has used yet leave room to another key of the same address', async () => {
  const fresh = await startService({ parts: () => ({ load: { ofKey: 20 } }) });
  onTestFinished(() => fresh.close());
  let lookUp = () => {};
  const isLookedUp = new Promise<void>((resolve) => {
    lookUp = resolve;
  });
  const { read } = fresh.app.store;
  (fresh.app.store as { read: Store['read'] }).read = (work, turn) => isLookedUp.then(() => read(work, turn));
  const ask = async (key: string) =>
    (await send(fresh.port, { path: '/teams', headers: { authorization: key } })).status;
  const statuses: number[] = [];
  const asked = Array.from({ length: 30 }, async () => statuses.push(await ask(fresh.keys.owner)));
  // All that find no place are refused at once. One that came after the look-up would find a place.
  await expect.poll(() => statuses.length, { timeout: 30_000 }).toBe(20);
  const other = ask(fresh.keys.manager);
  lookUp();
  expect(await other).toBe(200);
  await Promise.all(asked);
  expect([count(statuses, 200), count(statuses, 503)]).toEqual([10, 20]);
});

let number = 3_000_000;
/** Another one also where a test is tried again. */
const nextNumber = () => {
  number += 1;
  return number;
};

test('What is refused at once, and asked again at once, keeps nobody waiting for all its connections', {
  timeout,
}, async () => {
  const { port, otherKey, keys } = service;
  const agent = new Agent({ keepAlive: true });
  const hammer = await Hammer.connect(port, keys.owner, 40, { question: () => ({ filters: { start_date: 'never' } }) });
  await post(port, otherKey, freshQuestion(nextNumber()), agent);
  hammer.begin();
  await expect.poll(() => hammer.sent.length, { timeout: 60_000 }).toBeGreaterThan(0);
  const meanwhile: number[] = [];
  for (let i = 0; i < 9; i += 1) {
    const before = hammer.sent.length;
    expect((await post(port, otherKey, freshQuestion(nextNumber()), agent)).status).toBe(200);
    meanwhile.push(hammer.sent.length - before);
  }
  await hammer.end();
  agent.destroy();
  expect(hammer.count(400)).toBe(hammer.sent.length);
  // Without turns of their own, 40 are answered in each of the turns of the event loop that a question takes.
  expect(meanwhile.sort((a, b) => a - b)[4]).toBeLessThan(72);
});

test('Records that one key sends without end keep neither readers nor other senders out', { timeout }, async () => {
  const { port, keys, app, organisationId } = service;
  const second = await app.keys.create(
    organisationId,
    { via: 'demo' },
    { creatorId: await service.idOf('ada@example.com'), name: 'second' },
  );
  const put = (key: string, n: number) =>
    send(
      port,
      { method: 'POST', path: '/ingest/incidents', headers: { authorization: key, ...asNdjson } },
      ndjson(Array.from({ length: times(1, 20) }, (_, i) => ({ incident_id: `${n}-${i}` }))),
    );
  // Of one key 17 find a place at least: one under way and 16 that wait.
  const flood = Array.from({ length: times(20, 60) }, (_, n) => put(keys.owner, n));
  const others = Array.from({ length: 5 }, (_, n) => put(second.key, 100 + n));
  // A change of the directory, which readers must see, does not wait for all those records either.
  const onboarded = service.request('POST', '/users/onboarded-users-by-attributes', {
    key: keys.owner,
    body: { email_addresses: ['barbara@example.com'] },
  });
  const asked = await post(port, keys.manager, freshQuestion(1));
  expect(asked.status).toBe(200);
  expect((await onboarded).status).toBe(200);
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  expect(count(statuses, 200)).toBeGreaterThanOrEqual(17);
  expect(count(statuses, 200) + count(statuses, 503)).toBe(flood.length);
});

/** Counts what is read of the store from now on. */
function countReads(store: Store): () => number {
  const { read } = store;
  let reads = 0;
  (store as { read: Store['read'] }).read = (work, turn) => {
    reads += 1;
    return read(work, turn);
  };
  return () => reads;
}

/**
 * Sends many at once, of which none is known to be wrong when the last one comes, until one is over the limit. Where they
 * wait for longer than two seconds, they are refused for that, and others take their place.
 */
async function sentUntilRefused(guess: () => Promise<number>): Promise<number[]> {
  const statuses: number[] = [];
  for (let round = 0; round < 50 && count(statuses, 429) === 0; round += 1) {
    statuses.push(...(await Promise.all(Array.from({ length: times(45, 150) }, guess))));
  }
  expect(count(statuses, 429)).toBeGreaterThan(0);
  expect(statuses.filter((status) => ![401, 404, 429, 503].includes(status))).toEqual([]);
  return statuses;
}

/** What is spared for an address over its limit, and the one look-up that is under way when the limit is reached. */
const spareLookUps = 5 + 1;

async function startLimited(options: ServiceOptions): Promise<Service> {
  const limited = await startService({ rateLimit: 6_000, ...options });
  onTestFinished(() => limited.close());
  return limited;
}

test('Keys that are made up do not reach the store once their address is over its limit', { timeout }, async () => {
  let now = Date.parse('2026-03-01T12:00:00Z');
  const limited = await startLimited({ now: () => new Date(now), trustProxy: ['127.0.0.1'] });
  const { port, keys } = limited;
  const ask = async (key: string, from = '192.0.2.1') =>
    (await send(port, { path: '/teams', headers: { authorization: key, 'x-forwarded-for': from } })).status;
  expect(await ask(keys.owner)).toBe(200);
  const reads = countReads(limited.app.store);
  const guess = () => ask(makeSecret(apiKeyKind));
  const first = await sentUntilRefused(guess);
  expect(count(first, 401)).toBe(30);
  expect(reads()).toBeLessThanOrEqual(30 + spareLookUps);
  const before = reads();
  const second = await Promise.all(Array.from({ length: times(20, 50) }, guess));
  expect(count(second, 429) + count(second, 503)).toBe(second.length);
  expect(reads() - before).toBeLessThanOrEqual(spareLookUps);
  // A key that is known needs no look-up, and other addresses are not concerned.
  const known = reads();
  expect(await ask(keys.owner)).toBe(200);
  expect(reads()).toBe(known);
  expect(await ask(makeSecret(apiKeyKind), '192.0.2.2')).toBe(401);
  // A good key that is new here gets in as soon as it comes again, although the guesses go on.
  expect(await ask(keys.engineer)).toBe(429);
  now += 1_000;
  await Promise.all(Array.from({ length: times(10, 20) }, guess));
  expect(await ask(keys.engineer)).toBe(200);
  expect(await ask(keys.engineer)).toBe(200);
});

test('Sign-in links that are made up do not reach the store either', async () => {
  const limited = await startLimited({ now: () => new Date('2026-03-01T12:00:00Z') });
  const link = await limited.signInLink('ada@example.com');
  const reads = countReads(limited.app.store);
  const open = async (path: string) => (await send(limited.port, { path })).status;
  const statuses = await sentUntilRefused(() => open(`/sign-in/${makeSecret(signInKind)}`));
  expect(count(statuses, 404)).toBe(30);
  expect(reads()).toBeLessThanOrEqual(30 + spareLookUps);
  // The link was not seen before; what is spared is used up, so it works when it is opened again.
  expect(await open(link)).toBe(429);
  expect(await open(link)).toBe(200);
});
