import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, serveBeside } from '../../setup/running-app.ts';
import { unchangedService } from '../../setup/unchanged-service.ts';

const service = unchangedService();
let proxied: Service;
beforeAll(async () => {
  proxied = await serveBeside(service(), { trustProxy: true });
});
afterAll(() => proxied.close());

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const everywhere = [
  ['GET', '/teams'],
  ['DELETE', '/'],
  ['GET', '/nowhere'],
  ['GET', '/livez'],
  ['GET', '/readyz'],
  ['GET', '/'],
  ['GET', '/docs'],
  ['GET', '/docs/guides/asking'],
  ['GET', '/openapi.json'],
  ['GET', '/sign-in/x'],
  ['GET', '/stop/x'],
] as const;

test.each(everywhere)('%s %s carries a request id and the headers that keep browsers safe', async (method, path) => {
  const { headers } = await service().request(method, path);
  expect(headers['x-request-id']).toMatch(uuid);
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
  });
  expect(headers['content-security-policy']).toMatch(/default-src 'none'/);
  expect(headers['content-security-policy']).toMatch(/frame-ancestors 'none'/);
  expect(headers['content-security-policy']).not.toMatch(/https?:/);
  expect(headers['strict-transport-security']).toBeUndefined();
  expect(headers['x-powered-by']).toBeUndefined();
});

test('Answers of the interface are not to be kept', async () => {
  const { headers } = await service().request('GET', '/teams', { key: service().keys.owner });
  expect(headers['cache-control']).toBe('no-store');
});

test.each(['a', 'req-1', 'A.b_c~d-9', 'x'.repeat(128), '00-4bf92f3577b34da6a3ce929d0e0e4736-01'])(
  'The sane request id %s is echoed and logged',
  async (id) => {
    const { headers } = await service().request('GET', '/teams', { headers: { 'x-request-id': id } });
    expect(headers['x-request-id']).toBe(id);
    await expect.poll(() => service().log.some((line) => line.includes(`"reqId":"${id}"`))).toBe(true);
  },
);

test.each(['', 'two words', 'x'.repeat(129), '"quoted"', '<script>', 'a,b', 'a;b'])(
  'The odd request id %j is replaced',
  async (id) => {
    const { headers } = await service().request('GET', '/teams', { headers: { 'x-request-id': id } });
    expect(headers['x-request-id']).toMatch(uuid);
  },
);

test('Only https, as reported by a trusted proxy, is pinned to https', async () => {
  const https = { headers: { 'x-forwarded-proto': 'https' } };
  expect((await proxied.request('GET', '/livez', https)).headers['strict-transport-security']).toMatch(/^max-age=\d+/);
  expect((await proxied.request('GET', '/livez')).headers['strict-transport-security']).toBeUndefined();
  expect((await service().request('GET', '/livez', https)).headers['strict-transport-security']).toBeUndefined();
});
