import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { soon, times } from '../../setup/how-long.ts';
import { unchangedService } from '../../setup/unchanged-service.ts';

const service = unchangedService();

const alive = async () =>
  expect((await service().request('GET', '/teams', { key: service().keys.owner })).status).toBe(200);

const bodyOf = (text: string): unknown => JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4));

test.each<[string, string, number]>([
  ['no HTTP at all', 'hello there\r\n\r\n', 400],
  ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
  ['a header without a colon', 'GET /livez HTTP/1.1\r\nHost: x\r\nBroken\r\n\r\n', 400],
  ['two lengths', 'POST /teams HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx', 400],
  [
    'length and chunks',
    'POST /teams HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
  ],
  ['huge headers', `GET /livez HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(40_000)}\r\n\r\n`, 431],
  ['a huge address', `GET /${'x'.repeat(40_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 414],
  ['no host', 'GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ['a strange expectation', 'GET /livez HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nConnection: close\r\n\r\n', 417],
])('%s gets a detail and an id', async (_name, bytes, status) => {
  const text = await service().raw(Buffer.from(bytes, 'latin1'));
  expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(text.toLowerCase()).toMatch(/\r\nx-request-id: [0-9a-f-]{36}\r\n/);
  expect(text.toLowerCase()).toContain('\r\ncontent-type: application/json; charset=utf-8\r\n');
  expect(Object.keys(bodyOf(text) as object)).toEqual(['detail']);
  await alive();
});

test('Rubbish behind a good request does not harm its answer', async () => {
  const text = await service().raw(
    `GET /teams HTTP/1.1\r\nHost: x\r\nAuthorization: ${service().keys.owner}\r\n\r\n\x00\x01rubbish rubbish\r\n\r\n`,
  );
  expect(text).toMatch(
    /^HTTP\/1\.1 200 OK[\s\S]*"team_name":"Payments"[\s\S]*HTTP\/1\.1 400 Bad Request[\s\S]*"detail"/,
  );
  await alive();
});

test('Pipelined requests are answered in order', async () => {
  const one = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const text = await service().raw(
    `${one('/livez')}${one('/teams')}${one('/nowhere')}GET /readyz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
  );
  expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['200', '401', '404', '200']);
});

test.each([
  ['OPTIONS * HTTP/1.1', 404],
  ['GET http://x/livez HTTP/1.1', 200],
  ['GET http://x HTTP/1.1', 303],
  ['GET https://x/teams?a=b HTTP/1.1', 401],
  ['GET /teams\\..\\.. HTTP/1.1', 404],
  ['GET /./teams HTTP/1.1', 404],
  ['GET /teams;a=b HTTP/1.1', 404],
  ['GET /livez HTTP/1.0', 200],
])('%s', async (line, status) => {
  const text = await service().raw(`${line}\r\nHost: x\r\nConnection: close\r\n\r\n`);
  expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});

test('A caller that leaves in the middle of its body harms nobody', async () => {
  await service().raw(
    `POST /users/onboarded-users-by-attributes HTTP/1.1\r\nHost: x\r\nAuthorization: ${service().keys.owner}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"emai`,
    200,
  );
  await alive();
  const connections = () =>
    new Promise<number>((resolve) => service().httpApp.server.getConnections((_error, count) => resolve(count)));
  await expect.poll(connections, soon).toBe(0);
});

test('A body that is no good HTTP is refused as such', async () => {
  const text = await service().raw(
    `POST /users/onboarded-users-by-attributes HTTP/1.1\r\nHost: x\r\nAuthorization: ${service().keys.owner}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
  );
  expect(text).toMatch(/^HTTP\/1\.1 400 /);
  expect(bodyOf(text)).toEqual({ detail: 'The request is not valid HTTP.' });
});

test('Whoever never finishes its headers is cut off', async () => {
  const began = performance.now();
  const socket = connect(service().port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => {});
  socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n');
  const drip = setInterval(() => socket.write('X-Slow: 1\r\n'), 500);
  await new Promise((resolve) => socket.on('close', resolve));
  clearInterval(drip);
  // After ten seconds. Node.js by itself waits six times as long.
  expect(performance.now() - began).toBeLessThan(40_000);
  const text = Buffer.concat(chunks).toString();
  expect(text).toMatch(/^HTTP\/1\.1 408 /);
  expect(bodyOf(text)).toEqual({ detail: 'The request did not arrive in time. Send it again, faster.' });
});

test('Very many quick odd requests later it still works', async () => {
  // Every way to put them together comes twice in 240.
  const batches = times(6, 25);
  const methods = ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PATCH', 'HEAD'];
  const paths = [
    '/teams',
    '/%',
    '/%c0%ae',
    '/teams?%',
    '//',
    '/?',
    '/#',
    '/users/%2e%2e/teams',
    '/sign-in/%00',
    '/docs/%2e%2e/',
  ];
  const bodies = [undefined, '', '{', '[]', '{"a":1}', 'null'];
  for (let batch = 0; batch < batches; batch += 1) {
    const statuses = await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        const n = batch * 40 + i;
        const body = bodies[n % bodies.length];
        const answer = await service().request(methods[n % methods.length] ?? 'GET', paths[n % paths.length] ?? '/', {
          ...(n % 3 === 0 ? { key: service().keys.owner } : {}),
          ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
        });
        return answer.status;
      }),
    );
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
  }
  await alive();
});
