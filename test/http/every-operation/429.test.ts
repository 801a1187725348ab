import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { apiKeyKind, makeSecret } from '../../../src/access/secret-token.ts';
import { clientOf } from '../../../src/http/admission/rate-limits.ts';
import { type Service, serveBeside, startService } from '../../setup/running-app.ts';

/** What all of them serve; each test begins to count again. */
let data: Service;
beforeAll(async () => {
  data = await startService();
});
afterAll(() => data.close());

let now: Date;
let service: Service;
beforeEach(() => {
  now = new Date('2026-03-01T12:00:00Z');
});
afterEach(() => service.close());
const limited = (rateLimit: number, trustProxy: readonly string[] | false = false) =>
  serveBeside(data, { rateLimit, trustProxy, parts: () => ({ now: () => now }) });
const later = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1_000);
};

test('A key may ask so often in a minute, and the headers count along', async () => {
  service = await limited(3);
  const ask = (key: string) => service.request('GET', '/teams', { key });
  for (const remaining of ['2', '1', '0']) {
    const { status, headers } = await ask(service.keys.owner);
    expect([status, headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]).toEqual([200, '3', remaining]);
    expect(headers['x-ratelimit-reset']).toBe('60');
  }
  later(20);
  const refused = await ask(service.keys.owner);
  expect(refused.status).toBe(429);
  expect(refused.text).toBe('{"detail":"This key may send 3 requests a minute. Try again in 40 seconds."}');
  expect(refused.headers).toMatchObject({
    'retry-after': '40',
    'x-ratelimit-limit': '3',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': '40',
  });
  expect((await ask(service.keys.engineer)).status).toBe(200);
  later(40);
  expect((await ask(service.keys.owner)).status).toBe(200);
});

test('Refused operations count like answered ones', async () => {
  service = await limited(2);
  const key = service.keys.engineer;
  expect((await service.request('DELETE', '/teams', { key })).status).toBe(405);
  expect((await service.request('GET', '/teams/x', { key })).status).toBe(404);
  expect((await service.request('GET', '/teams', { key })).status).toBe(429);
});

test('After thirty wrong keys in a minute an address has to wait, but a good key from there still works', async () => {
  service = await limited(6_000);
  const guess = () => service.request('GET', '/teams', { key: makeSecret(apiKeyKind) });
  for (let i = 0; i < 30; i += 1) expect((await guess()).status).toBe(401);
  const refused = await guess();
  expect(refused.status).toBe(429);
  expect(refused.headers['retry-after']).toBe('60');
  expect((await service.request('GET', '/teams', { key: service.keys.owner })).status).toBe(200);
  expect((await service.request('GET', '/teams')).status).toBe(401);
  later(60);
  expect((await guess()).status).toBe(401);
});

test('A sign-in link that does not work counts as a wrong key', async () => {
  service = await limited(6_000);
  for (let i = 0; i < 30; i += 1) expect((await service.request('GET', '/sign-in/guess')).status).toBe(404);
  const refused = await service.request('GET', '/sign-in/guess');
  expect(refused.status).toBe(429);
  expect(refused.headers['content-type']).toBe('text/html; charset=utf-8');
  expect((await service.request('GET', await service.signInLink('ada@example.com'))).status).toBe(200);
});

test('Addresses are distinguished behind a trusted proxy, and only there', async () => {
  service = await limited(1, ['127.0.0.1']);
  const from = (address: string) => service.request('GET', '/teams', { headers: { 'x-forwarded-for': address } });
  expect((await from('192.0.2.1')).status).toBe(401);
  expect((await from('192.0.2.1')).status).toBe(429);
  expect((await from('192.0.2.2')).status).toBe(401);
  await service.close();
  service = await limited(1);
  expect((await from('192.0.2.1')).status).toBe(401);
  expect((await from('192.0.2.2')).status).toBe(429);
});

test('0 switches both limits off', async () => {
  service = await limited(0);
  for (let i = 0; i < 40; i += 1) {
    const answer = await service.request('GET', '/teams', { key: 'wrong' });
    expect(answer.status).toBe(401);
    expect(answer.headers['x-ratelimit-limit']).toBeUndefined();
  }
});

test('All addresses of an IPv6 network are one client, and an IPv4 address is one however it is written', async () => {
  expect(clientOf('2001:db8:1:2:aaaa::1')).toBe('2001:db8:1:2::/64');
  expect(clientOf('2001:0db8:0001:0002:bbbb:0:0:2')).toBe('2001:db8:1:2::/64');
  expect(clientOf('2001:db8:1:3::1')).toBe('2001:db8:1:3::/64');
  expect(clientOf('::1')).toBe('0:0:0:0::/64');
  expect(clientOf('::ffff:192.0.2.1')).toBe('192.0.2.1');
  expect(clientOf('192.0.2.1')).toBe('192.0.2.1');
});
