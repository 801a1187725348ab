import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Service } from '../../setup/running-app.ts';
import { signIn } from '../../setup/signed-in.ts';
import { march, startMetrics } from '../metrics/some-metrics.ts';

const listed = 'https://grafana.acme.example';
let service: Service;
beforeAll(async () => {
  service = await startMetrics({ corsOrigins: [listed, 'http://localhost:3000'] });
});
afterAll(() => service.close());

const address = `/metrics/pull-requests-count?start_date=${march.start_date}&end_date=${march.end_date}`;
const allowed = 'access-control-allow-origin';

test('A page of a listed origin may ask with a key, and read the answer and its headers', async () => {
  const { owner } = service.keys;
  for (const [method, path, body] of [
    ['GET', address],
    ['POST', '/metrics/pull-requests-count', { filters: march }],
    ['GET', '/teams'],
    ['GET', '/metrics/nope'],
  ] as const) {
    const answer = await service.request(method, path, { key: owner, headers: { origin: listed }, body });
    expect([path, answer.headers[allowed]]).toEqual([path, listed]);
    expect(answer.headers['access-control-expose-headers']).toContain('X-Unmatched-Filters');
    expect(answer.headers.vary).toContain('Origin');
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
  }
  // A mistake in the key is one that its page has to show.
  const wrong = await service.request('GET', '/teams', { key: 'plumb_wrong', headers: { origin: listed } });
  expect([wrong.status, wrong.headers[allowed]]).toEqual([401, listed]);
});

test('The browser of an allowed origin is told so beforehand, without a key', async () => {
  for (const path of ['/metrics/cycle-time', '/metrics/cycle-time/explain', '/catalogue']) {
    const answer = await service.request('OPTIONS', path, {
      headers: {
        origin: listed,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    });
    expect([path, answer.status, answer.headers[allowed]]).toEqual([path, 204, listed]);
    expect(answer.headers['access-control-allow-methods']).toBe('GET, HEAD, POST, PUT, DELETE');
    expect(answer.headers['access-control-allow-headers']).toContain('Authorization');
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
  }
});

test('No other page may: its browser is told nothing', async () => {
  for (const origin of ['https://evil.example', 'null', `${listed}.evil.example`, 'http://grafana.acme.example']) {
    const asked = await service.request('GET', address, { key: service.keys.owner, headers: { origin } });
    expect([origin, asked.status, asked.headers[allowed]]).toEqual([origin, 200, undefined]);
    expect(asked.headers.vary).toContain('Origin');
    const before = await service.request('OPTIONS', '/metrics/cycle-time', {
      headers: { origin, 'access-control-request-method': 'POST' },
    });
    expect([origin, before.status, before.headers[allowed]]).toEqual([origin, 401, undefined]);
  }
});

test('A listed origin with a session is refused like any other, whatever it asks', async () => {
  const { cookie } = await signIn(service, 'ada@example.com');
  for (const [method, path, body] of [
    ['GET', address],
    ['POST', '/metrics/pull-requests-count', { filters: march }],
    ['GET', '/app/session'],
  ] as const) {
    for (const origin of [listed, 'https://evil.example']) {
      const answer = await service.request(method, path, { headers: { cookie, origin }, body });
      expect([path, answer.status, answer.headers[allowed]]).toEqual([path, 403, undefined]);
    }
    const own = await service.request(method, path, { headers: { cookie, origin: service.url }, body });
    expect([path, own.status]).toEqual([path, 200]);
  }
});

test('What pages and people use is for no other origin', async () => {
  for (const path of ['/app/session', '/sign-in', '/', '/ingest/pull_requests', '/mcp']) {
    const answer = await service.request('OPTIONS', path, {
      headers: { origin: listed, 'access-control-request-method': 'GET' },
    });
    expect([path, answer.headers[allowed]]).toEqual([path, undefined]);
  }
});
