import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Service } from '../../setup/running-app.ts';
import { march, putRecords, startMetrics } from './some-metrics.ts';

let service: Service;
beforeAll(async () => {
  service = await startMetrics({ rateLimit: 1_000 });
});
afterAll(() => service.close());

const path = '/metrics/pull-requests-count';
const question = (more: object = {}) => JSON.stringify({ filters: march, ...more });

/** The bytes of one or more requests, as their sender cuts them, and what comes back until the connection ends. */
async function exchange(pieces: readonly string[]): Promise<string> {
  const socket = connect(service.port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
  });
  const closed = new Promise((resolve, reject) => socket.once('close', resolve).once('error', reject));
  for (const piece of pieces) {
    socket.write(piece);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  await closed;
  return received;
}

const head = (body: string, more = ''): string =>
  `POST ${path} HTTP/1.1\r\nHost: plumb\r\nAuthorization: ${service.keys.owner}\r\nContent-Type: application/json\r\n${more}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
const closing = 'Connection: close\r\n';
const ask = (body: string, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${service.port}${path}`, {
    method: 'POST',
    headers: { authorization: service.keys.owner, 'content-type': 'application/json', ...headers },
    body,
  });
const answersIn = (received: string): string[] =>
  received.split(/(?=HTTP\/1\.1 )/).map((answer) => answer.slice(answer.indexOf('\r\n\r\n') + 4));

test('A repeated question has the bytes and the headers of one whose body was parsed', async () => {
  const body = question({ date_level: 'week' });
  await ask(body);
  // A charset is good, and keeps the hook from looking at the body.
  const parsed = await ask(body, { 'content-type': 'application/json; charset=utf-8' });
  await ask(body, { 'content-type': 'application/json; charset=utf-8' });
  const repeated = await ask(body);
  expect(repeated.headers.get('x-cache')).toBe('HIT');
  expect(await repeated.text()).toBe(await parsed.text());
  const names = (answer: Response) => [...answer.headers.keys()].sort();
  expect(names(repeated)).toEqual(names(parsed));
  const own = ['x-request-id', 'server-timing', 'date', 'age', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
  for (const name of names(repeated).filter((one) => !own.includes(one))) {
    expect(`${name}: ${repeated.headers.get(name)}`).toBe(`${name}: ${parsed.headers.get(name)}`);
  }
  const left = (answer: Response) => Number(answer.headers.get('x-ratelimit-remaining'));
  expect(left(repeated)).toBe(left(parsed) - 2);
});

test('Questions that take turns on one connection get their own answers, in their order', async () => {
  const [weeks, months] = [question({ date_level: 'week' }), question({ date_level: 'month' })];
  const [weekly, monthly] = [await (await ask(weeks)).text(), await (await ask(months)).text()];
  expect(weekly).not.toBe(monthly);
  const sent = [head(weeks) + weeks, head(months) + months, head(weeks) + weeks, head(months, closing) + months];
  expect(answersIn(await exchange([sent.join('')]))).toEqual([weekly, monthly, weekly, monthly]);
});

test('A body that comes in pieces is read to its end', async () => {
  const body = question({ date_level: 'week' });
  const whole = await (await ask(body)).text();
  const pieces = [head(body, closing), body.slice(0, 10), body.slice(10)];
  expect(answersIn(await exchange(pieces))).toEqual([whole]);
});

test.each([
  ['before a body', '', 'destroy'],
  ['within a body', '{"filters"', 'destroy'],
  ['before a body, and listens on', '', 'end'],
  ['within a body, and listens on', '{"filters"', 'end'],
] as const)('a caller who hangs up %s leaves nothing behind', async (name, sent, way) => {
  const body = question({ date_level: 'week' });
  const whole = await (await ask(body)).text();
  const id = name.replace(/\W+/g, '-');
  const lines = () => service.log.filter((line) => line.includes(`"${id}"`));
  const socket = connect(service.port, '127.0.0.1');
  const closed = new Promise((resolve) => socket.once('close', resolve));
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
  });
  socket.write(head(body, `X-Request-Id: ${id}\r\n`) + sent);
  await new Promise((resolve) => setTimeout(resolve, 50));
  socket[way]();
  await closed;
  expect(received.slice(0, 12)).toBe(way === 'end' ? 'HTTP/1.1 400' : '');
  // The request comes to its end at once, and nobody takes it for a fault of the service.
  await expect.poll(() => lines().length).toBe(1);
  expect(lines().join('')).not.toMatch(/request failed|"status":5/);
  expect(await (await ask(body)).text()).toBe(whole);
});

test('Texts that are not ASCII come as they are', async () => {
  const filters = { ...march, pull_requests_search_term: 'Change 0,' };
  const body = question({ filters, group_by: ['pr_title'] });
  for (let i = 0; i < 4; i += 1) expect(await (await ask(body)).text()).toContain('\\"quoted\\" – ä');
});

test('Long answers are compressed for who takes them', async () => {
  const body = question({ group_by: ['pr_id', 'pr_title'] });
  for (const coding of ['identity', 'identity', 'br', 'gzip']) {
    const answer = await ask(body, { 'accept-encoding': coding });
    expect(answer.headers.get('content-encoding')).toBe(coding === 'identity' ? null : coding);
    expect(await answer.text()).toContain('\\"quoted\\" – ä');
  }
});

test('New data and a revoked key end it at once', async () => {
  const body = question({ date_level: 'month' });
  await ask(body);
  expect((await ask(body)).headers.get('x-cache')).toBe('HIT');
  await putRecords(service, 'pull_requests', [
    {
      pr_id: 'one-more',
      source: 'github',
      repository: 'acme/web',
      pr_state: 'open',
      pr_created_at: '2024-03-31T09:00:00Z',
    },
  ]);
  expect((await ask(body)).headers.get('x-cache')).toBe('MISS');
  expect((await ask(body)).headers.get('x-cache')).toBe('HIT');
  const { keys, store } = service.app;
  const key = (await keys.list(service.organisationId)).find(({ hint }) => service.keys.owner.endsWith(hint));
  await keys.revoke(service.organisationId, { via: 'command', user: 'test' }, key?.id ?? '');
  expect(store.versionOf(service.organisationId)).toBeDefined();
  expect((await ask(body)).status).toBe(401);
});
