import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Service, serveBeside, startService } from '../../setup/running-app.ts';
import { asJson, asNdjson, keptPullRequests, ndjson, pullRequest } from './some-records.ts';

const path = '/ingest/pull_requests';
const arrivalMs = 700;
let service: Service;
beforeAll(async () => {
  service = await startService({
    parts: () => ({ arrivalMs, arrival: { patienceMs: 2_500, bytesASecond: 16_384 } }),
  });
});
afterAll(() => service.close());

const send = async (body: string | Buffer, headers: Record<string, string> = asNdjson, at = path) => {
  const answer = await service.request('POST', at, { key: service.keys.owner, headers, body });
  return { status: answer.status, detail: (answer.json as { detail?: string }).detail ?? '' };
};

test('401, 405, 404, 403, 415 and 400, in this order', async () => {
  const { owner, engineer, manager, squadLead } = service.keys;
  const ask = async (method: string, at: string, key: string, type = 'text/plain') => {
    const body = '{';
    return (await service.request(method, at, { key, headers: { 'content-type': type }, body })).status;
  };
  expect(await ask('PUT', '/ingest/pull_request?x=1', 'wrong')).toBe(401);
  expect(await ask('PUT', '/ingest/pull_request?x=1', engineer)).toBe(405);
  expect(await ask('POST', '/ingest/pull_request?x=1', engineer)).toBe(404);
  for (const key of [engineer, manager, squadLead]) expect(await ask('POST', `${path}?x=1`, key)).toBe(403);
  expect(await ask('POST', `${path}?x=1`, owner)).toBe(415);
  expect(await ask('POST', `${path}?x=1`, owner, 'application/json')).toBe(400);
});

test('An unknown table is answered with the names of the tables', async () => {
  const { status, detail } = await send('', asNdjson, '/ingest/pull_request');
  expect(status).toBe(404);
  expect(detail).toMatch(
    /^Table 'pull_request' does not exist\. Did you mean 'pull_requests'\? Tables: people, .*incidents\.$/,
  );
  expect((await send('', asNdjson, '/ingest/user_metrics')).status).toBe(404);
  expect((await send('', asNdjson, '/ingest/constructor')).status).toBe(404);
  expect((await send('', asNdjson, `/ingest/${'x'.repeat(9_000)}`)).detail.length).toBeLessThan(700);
});

test('Who may not send records learns what it needs', async () => {
  const answer = await service.request('POST', path, { key: service.keys.engineer, headers: asNdjson, body: '' });
  expect(answer.json).toEqual({
    detail:
      'Sending records needs a key whose creator has the role Owner. The creator of this key has the role Engineer.',
  });
});

test.each([
  [{ 'content-type': 'application/x-www-form-urlencoded' }, 'application/x-ndjson'],
  [{ 'content-type': 'application/octet-stream' }, 'application/x-ndjson'],
  [{ 'content-type': 'text/csv' }, 'application/x-ndjson'],
  [{}, 'application/x-ndjson'],
  [{ 'content-type': 'application/x-ndjson; charset=utf-16' }, 'UTF-8'],
  [{ ...asNdjson, 'content-encoding': 'br' }, 'gzip'],
])('%j is 415 and says what is taken', async (headers, taken) => {
  const { status, detail } = await send(ndjson([pullRequest(1)]), headers);
  expect([status, detail]).toEqual([415, expect.stringContaining(taken)]);
});

test('Without a body and its type nobody knows what is meant', async () => {
  expect((await service.request('POST', path, { key: service.keys.owner })).status).toBe(415);
});

test.each<[string, string | Buffer, Record<string, string>, string]>([
  ['an array that is not closed', '[{"pr_id": "a"}, {"pr_id": "b"}', asJson, 'its array is not closed'],
  ['an array that something follows', '[{"pr_id": "a"}] x', asJson, 'something follows the end of its array'],
  ['an object', '{"pr_id": "a"}', asJson, 'it is no JSON array'],
  ['nothing, called JSON', '', asJson, 'it is empty'],
  ['UTF-16', Buffer.from('\ufeff{}', 'utf16le'), asNdjson, 'UTF-16'],
  ['no gzip, called gzip', '{"pr_id": "a"}', { ...asNdjson, 'content-encoding': 'gzip' }, 'it is not gzip'],
])('%s is 400 and says so', async (_name, body, headers, why) => {
  expect(await send(body, headers)).toEqual({ status: 400, detail: expect.stringContaining(why) });
});

test('Damaged gzip says how much was kept before the damage, and that is kept', async () => {
  const records = Array.from({ length: 5_500 }, (_, i) => ({ ...pullRequest(i), pr_id: `d${i}` }));
  const packed = gzipSync(ndjson(records));
  const { status, detail } = await send(packed.subarray(0, packed.length - 200), {
    ...asNdjson,
    'content-encoding': 'gzip',
  });
  expect(status).toBe(400);
  const [, count] =
    /its gzip data is cut short or damaged\. The (\d+) records accepted before that stay/.exec(detail) ?? [];
  const rows = (await keptPullRequests(service)).filter(({ pr_id }) => pr_id?.startsWith('d'));
  expect(rows.length).toBe(Number(count));
  expect(rows.length).toBeGreaterThanOrEqual(5_000);
});

test('An ordinary body that drips in is cut off, one of records may take its time', async () => {
  // As patient as it is by default: what drips in here takes longer on a slow machine.
  const patient = await serveBeside(service, { parts: () => ({ arrivalMs }) });
  onTestFinished(() => patient.close());
  const talk = (head: string, drops: number, after = '') =>
    new Promise<string>((resolve) => {
      const socket = connect(patient.port, '127.0.0.1');
      let text = '';
      let sent = 0;
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('error', () => {});
      socket.write(head);
      const drip = setInterval(() => {
        sent += 1;
        socket.write(sent < drops ? ' ' : after);
        if (sent >= drops) clearInterval(drip);
      }, 200);
      socket.on('close', () => {
        clearInterval(drip);
        resolve(text);
      });
    });
  const head = (at: string, type: string, length: number) =>
    `POST ${at} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${patient.keys.owner}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;
  const record = ndjson([pullRequest(77)]);
  const [ordinary, refused, records] = await Promise.all([
    talk(head('/users/onboarded-users-by-attributes', 'application/json', 1_000), 20),
    talk(head('/users/onboarded-users-by-attributes', 'application/json', 1_000).replace(/plumb_/, 'plump_'), 20),
    talk(head(path, 'application/x-ndjson', 9 + record.length), 10, record),
  ]);
  expect(ordinary).toMatch(/^HTTP\/1\.1 408 /);
  expect(refused).toMatch(/^HTTP\/1\.1 401 /);
  expect(records).toMatch(/^HTTP\/1\.1 200 [\s\S]*"accepted":1/);
});

/** Sends pieces one after the other, with a pause before each, and reads the answer. */
async function sentSlowly(pieces: readonly string[], pauseMs: number, length: number): Promise<string> {
  const socket = connect(service.port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${service.keys.owner}\r\nContent-Type: application/x-ndjson\r\nContent-Length: ${length}\r\n\r\n`,
  );
  for (const piece of pieces) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    if (socket.destroyed || text !== '') break;
    socket.write(piece);
  }
  await closed;
  return text;
}

test('A body of records that comes to a halt is cut off, with what was kept of it', async () => {
  const record = ndjson([pullRequest(78)]);
  const answer = await sentSlowly([record, ...Array(20).fill(' ')], 400, 2_000_000);
  expect(answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*connection: close/i);
  expect(answer).toContain(
    'The body came too slowly: at least 16 KiB a second are needed. Send it again, faster. The one record accepted before that stays. Sending it again changes nothing.',
  );
});

test('A body on a slow line is taken, however long it takes', async () => {
  // A hundred and sixty kilobytes a second, or a tenth of that on a slow machine, for longer than a sender may be silent.
  const line = `${' '.repeat(31_999)}\n`;
  const pieces = [ndjson([pullRequest(79)]), ...Array(20).fill(line)];
  const answer = await sentSlowly(pieces, 200, Buffer.byteLength(pieces.join('')));
  expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*"accepted":1/);
});
