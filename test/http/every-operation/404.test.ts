import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, startService } from '../../setup/running-app.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test.each([
  '/nothing',
  '/teamsters',
  '/Teams',
  '//teams',
  '/favicon.ico',
  '/%zz',
  '/%ff',
  '/..%2f..%2fetc/passwd',
  '/docs/static/..%2f..%2fpackage.json',
  '/docs/static/nothing.js',
  '/admin',
  '/__proto__',
  `/${'x'.repeat(10_000)}`,
])('%s is nowhere, with a key or without', async (path) => {
  for (const asked of [{}, { key: service.keys.owner }, { key: 'wrong' }]) {
    const answer = await service.request('GET', path, asked);
    expect(answer.status).toBe(404);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(Object.keys(answer.json as object)).toEqual(['detail']);
    expect(answer.text).not.toContain('node_modules');
  }
});

test.each([
  '/teams/',
  '/teams/1',
  '/users',
  '/metrics',
  '/metrics/cycle-time/plan',
  '/ingest',
  '/ingest/pull_requests/1',
  '/posthook',
  '/catalogue/tables',
  '/teams/%00',
])('%s is nowhere for whoever has a key', async (path) => {
  for (const method of ['GET', 'POST', 'DELETE']) {
    const answer = await service.request(method, path, { key: service.keys.owner });
    expect([method, answer.status]).toEqual([method, 404]);
  }
});

test('a slip of the hand is pointed out', async () => {
  const answer = await service.request('GET', '/teams/', { key: service.keys.owner });
  expect(answer.json).toEqual({ detail: "There is nothing at '/teams/'. Did you mean '/teams'?" });
});

test('a missing path comes before everything that is wrong with the body', async () => {
  const answer = await service.request('POST', '/users/onboarded-users', {
    key: service.keys.owner,
    headers: { 'content-type': 'text/plain' },
    body: 'x'.repeat(2_000_000),
  });
  expect(answer.status).toBe(404);
});
