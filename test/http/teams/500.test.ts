import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, startService } from '../../setup/running-app.ts';

const secret = 'plumb_0123456789abcdefghijklmnopqrstuvwxyzABCDE';
const fault = () =>
  Promise.reject(new Error(`SELECT * FROM people failed in /var/lib/plumb/store.duckdb for ${secret}`));

let service: Service;
beforeAll(async () => {
  service = await startService({
    parts: (app) => ({
      listings: { teams: fault, onboardedUsers: fault },
      directory: { now: app.now, store: { ...app.store, change: fault } as never },
    }),
  });
});
afterAll(() => service.close());

test.each([
  ['GET', '/teams', '{"detail":"Unexpected error: internal server error"}'],
  ['GET', '/users/onboarded-users-by-attributes', '{"detail":"Internal server error"}'],
  ['POST', '/users/onboarded-users-by-attributes', '{"detail":"Internal server error"}'],
  ['POST', '/users/offboarded-users-by-attributes', '{"detail":"Internal server error"}'],
])('A fault of ours in %s %s says nothing about itself', async (method, path, body) => {
  const answer = await service.request(method, path, {
    key: service.keys.owner,
    ...(method === 'POST' ? { body: { email_addresses: ['ada@example.com', 'barbara@example.com'] } } : {}),
  });
  expect(answer.status).toBe(500);
  expect(answer.text).toBe(body);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
});

test('The log tells the fault with the id of its request, and cuts secrets', async () => {
  const headers = { 'x-request-id': 'find-me' };
  await service.request('GET', '/teams', { key: service.keys.owner, headers });
  const line = service.log.find((entry) => entry.includes('find-me') && entry.includes('request failed'));
  expect(line).toContain('SELECT * FROM people failed');
  expect(line).not.toContain(secret);
});
