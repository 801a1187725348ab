import { expect, test } from 'vitest';
import { unchangedService } from '../../setup/unchanged-service.ts';

const service = unchangedService();

test.each([
  '/nothing',
  '/teamsters',
  '/Teams',
  '//teams',
  '/favicon.ico',
  '/%zz',
  '/%ff',
  '/..%2f..%2fetc/passwd',
  '/docs/guides/..%2f..%2fpackage.json',
  '/docs/guides/nothing',
  '/docs/metrics/nothing',
  '/docs/operations/nothing',
  '/admin',
  '/__proto__',
  `/${'x'.repeat(10_000)}`,
  `${'/'.repeat(15_000)}x`,
  `/x${'/'.repeat(15_000)}`,
])('%s is nowhere, with a key or without', async (path) => {
  for (const asked of [{}, { key: service().keys.owner }, { key: 'wrong' }]) {
    const answer = await service().request('GET', path, asked);
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
    const answer = await service().request(method, path, { key: service().keys.owner });
    expect([method, answer.status]).toEqual([method, 404]);
  }
});

test('A browser gets a page, and programs and operations what they always get', async () => {
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const page = await service().request('GET', '/nothing-here<b>', { headers: { accept } });
  expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  expect(page.text).toContain('<h1>There’s nothing at this address</h1>');
  expect(page.text).toContain('&#39;/nothing-here&lt;b&gt;&#39;');
  expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  const framed = await service().request('GET', '/nothing-here', { headers: { accept, cookie: 'plumb_session=any' } });
  expect([framed.status, framed.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  // The application itself, which asks whether the session is a real one before it shows anything.
  expect(framed.text.includes('<h1>')).toBe(false);
  for (const [path, asked] of [
    ['/nothing-here', { accept: 'application/json' }],
    ['/nothing-here', {}],
    ['/teams/1', { accept, authorization: service().keys.owner }],
  ] as const) {
    const answer = await service().request('GET', path, { headers: asked });
    expect([path, answer.status, answer.headers['content-type']]).toEqual([
      path,
      404,
      'application/json; charset=utf-8',
    ]);
  }
});

test('A slip of the hand is pointed out', async () => {
  const answer = await service().request('GET', '/teams/', { key: service().keys.owner });
  expect(answer.json).toEqual({ detail: "There is nothing at '/teams/'. Leave out the slash at its end: '/teams'." });
  const near = await service().request('GET', '/team', { key: service().keys.owner });
  expect(near.json).toEqual({ detail: "There is nothing at '/team'. Did you mean '/teams'?" });
});

test('A slash at the end is named to programs, and taken away for people', async () => {
  for (const [method, path, meant] of [
    ['POST', '/metrics/cycle-time/', '/metrics/cycle-time'],
    ['GET', '/metrics/cycle-time/?start_date=2024-01-01', '/metrics/cycle-time'],
    ['GET', '/metrics/cycle-time/explain//', '/metrics/cycle-time/explain'],
    ['POST', '/ingest/pull_requests/', '/ingest/pull_requests'],
  ] as const) {
    const { status, json } = await service().request(method, path, { key: service().keys.owner });
    expect([path, status, json]).toEqual([
      path,
      404,
      { detail: expect.stringContaining(`Leave out the slash at its end: '${meant}'.`) },
    ]);
    // Whoever has no key does not learn what there is.
    expect((await service().request(method, path)).status).toBe(401);
  }
  const page = await service().request('GET', '/delivery/?range=30d');
  expect([page.status, page.headers.location]).toEqual([308, '/delivery?range=30d']);
  for (const path of ['//evil.example/', '/%2fevil.example/', '/nothing/', '/delivery%2f']) {
    expect([path, (await service().request('GET', path)).status]).toEqual([path, 404]);
  }
});

test('A missing path comes before everything that is wrong with the body', async () => {
  const answer = await service().request('POST', '/users/onboarded-users', {
    key: service().keys.owner,
    headers: { 'content-type': 'text/plain' },
    body: 'x'.repeat(2_000_000),
  });
  expect(answer.status).toBe(404);
});
