import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildAdminApp } from '../../../src/http/admin.ts';
import { Drain } from '../../../src/http/drain.ts';
import { PrometheusMetrics } from '../../../src/http/prometheus.ts';
import { ask, type Service, startService } from '../../setup/running-app.ts';

const prometheus = new PrometheusMetrics();
const drain = new Drain();
let service: Service;
let admin: FastifyInstance;
let get: (path: string, method?: string) => ReturnType<typeof ask>;
beforeAll(async () => {
  service = await startService({ rateLimit: 3, parts: () => ({ prometheus, drain }) });
  admin = await buildAdminApp({ prometheus, drain, ready: async () => {}, logger: pino({ level: 'silent' }) });
  await admin.listen({ host: '127.0.0.1', port: 0 });
  const { port } = admin.server.address() as AddressInfo;
  get = (path, method = 'GET') => ask(port, method, path);
});
afterAll(async () => {
  await admin.close();
  await service.close();
});

test('Prometheus metrics count requests by method, route and status, and name neither organisation nor person', async () => {
  for (let i = 0; i < 4; i += 1) await service.request('GET', '/teams', { key: service.keys.owner });
  await service.request('GET', '/teams', { key: 'wrong' });
  await service.request('GET', '/nowhere/at/all');
  const link = await service.signInLink('grace@example.com');
  await service.request('GET', link);
  const { status, text, headers } = await get('/metrics');
  expect(status).toBe(200);
  expect(headers['content-type']).toMatch(/^text\/plain/);
  expect(text).toContain('plumb_http_request_duration_seconds_count{method="GET",route="/teams",status="200"} 3');
  expect(text).toContain('plumb_http_request_duration_seconds_count{method="GET",route="/teams",status="429"} 1');
  expect(text).toContain('plumb_http_request_duration_seconds_count{method="GET",route="(none)",status="404"} 1');
  expect(text).toContain(
    'plumb_http_request_duration_seconds_bucket{le="+Inf",method="GET",route="/teams",status="200"} 3',
  );
  expect(text).toMatch(/plumb_http_request_duration_seconds_sum\{method="GET",route="\/teams",status="200"\} \d+\.\d+/);
  expect(text).toContain('route="/sign-in/:token"');
  expect(text).toMatch(/plumb_http_requests_in_flight 0\b/);
  expect(text).toMatch(/plumb_http_authentication_failures_total 1\b/);
  expect(text).toMatch(/plumb_http_rate_limited_total 1\b/);
  expect(text).toContain('nodejs_eventloop_lag_seconds');
  expect(text).toContain('process_resident_memory_bytes');
  for (const name of [service.organisationId, 'Analytical', 'Grace', link.split('/')[2] ?? ''])
    expect(text).not.toContain(name);
});

test('Prometheus metrics are not served on the public port', async () => {
  expect((await service.request('GET', '/metrics')).status).toBe(401);
  expect((await service.request('GET', '/metrics', { key: service.keys.engineer })).status).toBe(404);
});

test('The admin port has health checks and nothing else', async () => {
  expect((await get('/livez')).text).toBe('{"status":"ok"}');
  expect((await get('/readyz')).text).toBe('{"status":"ready"}');
  expect((await get('/teams')).status).toBe(404);
  const wrong = await get('/metrics', 'POST');
  expect([wrong.status, wrong.headers.allow]).toEqual([405, 'GET, HEAD']);
});

test('Both ports know that the end has come', async () => {
  drain.begin();
  expect((await get('/readyz')).status).toBe(503);
  expect((await get('/livez')).status).toBe(200);
  expect((await service.request('GET', '/teams', { key: service.keys.engineer })).status).toBe(503);
  expect((await get('/metrics')).text).toContain('plumb_http_shed_total{reason="draining"} 1');
});
