import { afterAll, beforeAll, expect, test } from 'vitest';
import { march, startMetrics } from '../http/metrics/some-metrics.ts';
import type { HttpRequest, Service } from '../setup/running-app.ts';

let service: Service;
let failing = false;
beforeAll(async () => {
  service = await startMetrics({
    rateLimit: 40,
    parts: ({ metrics }) => ({
      metrics: {
        admit: metrics.admit.bind(metrics),
        single: (...question) => {
          if (failing) throw new Error('secret words of a bug');
          return metrics.single(...question);
        },
        multiple: metrics.multiple.bind(metrics),
        benchmark: metrics.benchmark.bind(metrics),
        explain: metrics.explain.bind(metrics),
      },
    }),
  });
});
afterAll(() => service.close());

const counting = { metric: 'pull-requests-count', filters: march };
const message = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'query_metric', arguments: counting },
};
const send = (asked: HttpRequest = {}) =>
  service.request('POST', '/mcp', { key: service.keys.owner, body: message, ...asked });

test('A message is answered at once, without a session, whatever the caller accepts', async () => {
  const answer = await send({ headers: { accept: 'application/json' } });
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.headers['mcp-session-id']).toBeUndefined();
  expect(answer.json).toMatchObject({ id: 1, result: { structuredContent: { rows: [{ pr_count: 30 }] } } });
  const notified = await send({ body: { jsonrpc: '2.0', method: 'notifications/initialized' } });
  expect([notified.status, notified.text]).toEqual([202, '']);
});

test('A key is needed, alone or after Bearer; a session is none', async () => {
  expect((await send({ key: `Bearer ${service.keys.engineer}` })).status).toBe(200);
  const { status, json } = await service.request('POST', '/mcp', { body: message });
  expect([status, json]).toEqual([401, { detail: expect.stringContaining('Invalid or missing API key.') }]);
  expect((await send({ key: 'Bearer nothing' })).status).toBe(401);
  const link = await service.signInLink('ada@example.com');
  const page = await service.request('POST', link, {
    headers: { origin: service.url, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'password=correct+horse+battery+staple',
  });
  const cookie = String(page.headers['set-cookie']).split(';')[0] ?? '';
  expect(cookie).not.toBe('undefined');
  const signedIn = { cookie, origin: service.url };
  expect((await service.request('GET', '/teams', { headers: signedIn })).status).toBe(200);
  expect((await service.request('POST', '/mcp', { headers: signedIn, body: message })).status).toBe(401);
});

test('Pages of other sites are refused', async () => {
  expect((await send({ headers: { origin: 'https://evil.example' } })).status).toBe(403);
  expect((await send({ headers: { origin: 'null' } })).status).toBe(403);
  expect((await send({ headers: { origin: service.url } })).status).toBe(200);
});

test('MCP over HTTP takes POST alone, and one message at a time', async () => {
  for (const method of ['GET', 'DELETE', 'PUT']) {
    // The official client asks by GET first, with the key as it has it.
    for (const key of [service.keys.owner, `Bearer ${service.keys.owner}`]) {
      const answer = await service.request(method, '/mcp', { key });
      expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
    }
  }
  expect((await service.request('GET', '/mcp')).status).toBe(401);
  expect(await send({ body: [message, message] })).toMatchObject({
    status: 400,
    json: { detail: 'Send one message at a time: the body must be an object, not a list.' },
  });
  for (const body of [{}, { jsonrpc: '1.0' }, '{"jsonrpc":', Buffer.alloc(0)]) {
    const headers = { 'content-type': 'application/json' };
    const answer = await send({ body, headers });
    expect([answer.status, Object.keys(answer.json as object)]).toEqual([400, ['detail']]);
  }
  expect((await send({ headers: { 'mcp-protocol-version': 'x' } })).status).toBe(400);
  expect((await service.request('POST', '/mcp?key=x', { key: service.keys.owner, body: message })).status).toBe(400);
  const large = await send({ body: { ...message, params: { ...message.params, padding: 'x'.repeat(1_100_000) } } });
  expect(large.status).toBe(413);
});

test('Parameters of a wrong type are named, and are no error of the server', async () => {
  const wrong = async (method: string, params: unknown) => {
    const { json } = await send({ body: { jsonrpc: '2.0', id: 1, method, params } });
    const { code, message: words } = (json as { error: { code: number; message: string } }).error;
    expect(code).toBe(-32602);
    return words;
  };
  const calling = (given: object) => wrong('tools/call', { name: 'query_metric', arguments: counting, ...given });
  for (const given of ['x', 5, [], [counting], null]) {
    expect(await calling({ arguments: given })).toContain(
      'arguments must be an object such as {"search": "lead time"}, not',
    );
  }
  for (const name of [5, null, {}])
    expect(await calling({ name })).toContain('name must be the name of a tool: find_metrics');
  expect(await wrong('tools/call', {})).toContain('name must be the name of a tool');
  expect(await wrong('resources/read', { uri: 5 })).toContain('uri must be plumb://catalogue or plumb://glossary');
  const { json } = await send({ body: { jsonrpc: '2.0', id: 1, method: 'tools/burn' } });
  expect(json).toMatchObject({ error: { code: -32601, message: expect.stringContaining("no method 'tools/burn'") } });
});

test('A bug of ours says nothing about itself to an agent, and everything to the log', async () => {
  failing = true;
  const answer = await send();
  failing = false;
  expect(answer.json).toMatchObject({
    result: { isError: true, content: [{ type: 'text', text: 'Internal server error' }] },
  });
  expect(service.log.join('')).toContain('secret words of a bug');
});

test('Every call counts as one request of its key', async () => {
  const remaining = async () => Number((await send({ key: service.keys.manager })).headers['x-ratelimit-remaining']);
  const before = await remaining();
  expect(await remaining()).toBe(before - 1);
  // Also a call that looks for near names, which asks more than one question itself.
  const filters = { ...march, repositories: ['acme/wbe'], squad_ids: ['nobody'] };
  const refused = { ...message, params: { name: 'query_metric', arguments: { ...counting, filters } } };
  const { headers, text } = await send({ key: service.keys.manager, body: refused });
  expect(text).toContain("Did you mean 'acme/web'?");
  expect(Number(headers['x-ratelimit-remaining'])).toBe(before - 2);
  const statuses = [];
  for (let i = 0; i < before - 1; i += 1) statuses.push((await send({ key: service.keys.manager })).status);
  expect(statuses.at(-2)).toBe(200);
  expect(statuses.at(-1)).toBe(429);
});
