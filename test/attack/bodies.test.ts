import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AttackedServer, attackedServer } from './attacked-server.ts';
import { attacks } from './body-shapes.ts';

let server: AttackedServer;
beforeAll(async () => {
  server = await attackedServer();
});
afterAll(() => server.close());

test.each(attacks)(
  '$name: the sender is told, and others are answered',
  async ({ path, asked, status, says }) => {
    const body = await asked();
    const { result, statuses } = await server.meanwhile(server.send(path, body));
    expect([result.status, result.text]).toEqual([status, expect.stringMatching(says)]);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(server.isAlive()).toBe(true);
  },
  120_000,
);

test('What is unknown is listed up to a hundred, whatever its names are', async () => {
  const fields = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`${i}`.padEnd(900, 'x'), i]));
  const { status, json } = await server.send('/posthook/ingest', {
    body: { schema_version: 9, tables: { sessions: [{ id: 's', ...fields }], ...fields }, ...fields },
  });
  const { ignored, ...rest } = json as { ignored: string[] };
  expect([status, rest]).toEqual([200, { accepted: 1, rejected: 0, errors: [] }]);
  expect(ignored.length).toBe(100);
  expect(Math.max(...ignored.map((name) => name.length))).toBeLessThanOrEqual(101);
});

test('The first hundred errors are listed, and all of them are counted', async () => {
  const body = '{"pr_id":""}\n'.repeat(20_000);
  const headers = { 'content-type': 'application/x-ndjson' };
  const { json } = await server.send('/ingest/pull_requests', { headers, body });
  const { errors, ...counted } = json as { errors: { line: number }[] };
  expect(counted).toEqual({ accepted: 0, rejected: 20_000 });
  expect(errors.map(({ line }) => line)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
});

test('What was accepted before a body is refused stays, and is said', async () => {
  const body = gzipSync(`${'{"pr_id":"kept"}\n'.repeat(3)}${'\n'.repeat(1_000_000)}`);
  const headers = { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' };
  const { result, statuses } = await server.meanwhile(server.send('/ingest/pull_requests', { headers, body }));
  expect([result.status, result.json]).toEqual([
    413,
    {
      detail:
        'The body has more than 1,000,000 records: at most 1,000,000 are accepted, blank lines counted. Send them in several bodies. The 3 records accepted before that stay. Sending them again changes nothing.',
    },
  ]);
  expect(new Set(statuses)).toEqual(new Set([200]));
});

/** A body that says it is large, and of which a byte comes each second. */
function drip(path: string, type: string): Socket {
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${server.key}\r\nContent-Type: ${type}\r\nContent-Length: 20000000\r\n\r\n`,
  );
  const timer = setInterval(() => socket.write(' '), 1_000);
  socket.on('close', () => clearInterval(timer));
  return socket;
}

test('Bodies that drip hold nobody up, not even their own organisation', async () => {
  const drips = [
    drip('/ingest/pull_requests', 'application/x-ndjson'),
    drip('/ingest/issues', 'application/json'),
    ...Array.from({ length: 10 }, () => drip('/posthook/ingest', 'application/json')),
  ];
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  const large = `${'{"pr_id":"large"}\n'.repeat(3)}${`${' '.repeat(9_999)}\n`.repeat(300)}`;
  const headers = { 'content-type': 'application/x-ndjson' };
  const { result, statuses } = await server.meanwhile(
    Promise.all([
      server.send('/ingest/pull_requests', { headers, body: large }),
      server.send('/ingest/pull_requests', {
        headers: { ...headers, 'content-encoding': 'gzip' },
        body: gzipSync(large),
      }),
      server.send('/posthook/ingest', { body: { schema_version: 9, tables: { sessions: [{ id: 's' }] } } }),
    ]),
  );
  expect(result.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(drips.filter(({ destroyed }) => destroyed)).toEqual([]);
  for (const socket of drips) socket.destroy();
});
