import { afterEach, expect, test } from 'vitest';
import { Drain } from '../../../src/http/drain.ts';
import { type Service, serveBeside } from '../../setup/running-app.ts';
import { unchangedService } from '../../setup/unchanged-service.ts';

const data = unchangedService();
let service: Service;
afterEach(() => service.close());

const path = '/users/onboarded-users-by-attributes';
const hugeText = { headers: { 'content-type': 'text/plain' }, body: 'x'.repeat(2_000_000) };

test('401, then 405, 404, 403, then 413 or 415, then 400', async () => {
  service = await serveBeside(data(), {});
  const { owner, engineer } = service.keys;
  const status = async (method: string, at: string, asked: object) => (await service.request(method, at, asked)).status;
  expect(await status('POST', `${path}?x=1`, { key: 'wrong', ...hugeText })).toBe(401);
  expect(await status('PUT', `${path}?x=1`, { key: 'wrong', ...hugeText })).toBe(401);
  expect(await status('PUT', `${path}?x=1`, { key: engineer, ...hugeText })).toBe(405);
  expect(await status('POST', `${path}/x?x=1`, { key: engineer, ...hugeText })).toBe(404);
  expect(await status('POST', `${path}?x=1`, { key: engineer, ...hugeText })).toBe(403);
  expect(
    await status('POST', `${path}?x=1`, { key: engineer, body: '{', headers: { 'content-type': 'application/json' } }),
  ).toBe(403);
  expect([413, 415]).toContain(await status('POST', `${path}?x=1`, { key: owner, ...hugeText }));
  expect(
    await status('POST', `${path}?x=1`, { key: owner, body: '{', headers: { 'content-type': 'text/plain' } }),
  ).toBe(415);
  expect(
    await status('POST', `${path}?x=1`, { key: owner, body: '{}', headers: { 'content-type': 'application/json' } }),
  ).toBe(400);
});

test('429 comes before 405, 404, 403 and 400', async () => {
  service = await serveBeside(data(), { rateLimit: 1 });
  const key = service.keys.engineer;
  expect((await service.request('GET', '/teams', { key })).status).toBe(200);
  for (const [method, at] of [
    ['DELETE', '/teams'],
    ['GET', '/teams/x'],
    ['POST', path],
    ['GET', '/teams?x=1'],
  ] as const) {
    expect((await service.request(method, at, { key })).status).toBe(429);
  }
});

test('503 comes before everything', async () => {
  const drain = new Drain();
  service = await serveBeside(data(), { rateLimit: 1, parts: () => ({ drain }) });
  await service.request('GET', '/teams', { key: service.keys.owner });
  drain.begin();
  for (const asked of [{}, { key: 'wrong' }, { key: service.keys.owner }]) {
    expect((await service.request('GET', '/teams', asked)).status).toBe(503);
    expect((await service.request('GET', '/nowhere', asked)).status).toBe(503);
  }
});
