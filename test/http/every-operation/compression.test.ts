import { request as nodeRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fastify from 'fastify';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compressAnswer } from '../../../src/http/answer/compression.ts';
import { errorHandler } from '../../../src/http/errors.ts';
import { RequestLog } from '../../../src/http/request-log.ts';
import type { Service } from '../../setup/running-app.ts';
import { signIn } from '../../setup/signed-in.ts';
import { march, startMetrics } from '../metrics/some-metrics.ts';

let service: Service;
beforeAll(async () => {
  service = await startMetrics();
});
afterAll(() => service.close());

/** The bytes as they were sent: fetch would decompress them. */
const bytesOf = (path: string, headers: Record<string, string>, body?: object) =>
  new Promise<{ status: number; headers: Record<string, unknown>; bytes: Buffer }>((resolve, reject) => {
    const method = body ? 'POST' : 'GET';
    const type = body ? { 'content-type': 'application/json' } : {};
    const sent = nodeRequest(
      { port: service.port, path, method, agent: false, headers: { ...headers, ...type } },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(chunks) }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body && JSON.stringify(body));
  });

const decoded = { br: brotliDecompressSync, gzip: gunzipSync } as const;
const window = `start_date=${march.start_date}&end_date=${march.end_date}`;
const rows = `/metrics/pull-requests-count?${window}&group_by=pr_id,pr_title,repository`;

describe('an answer', () => {
  test('An answer is compressed as the caller likes best, and is the same bytes then', async () => {
    const key = { authorization: service.keys.owner };
    const body = { filters: march, group_by: ['pr_id', 'pr_title', 'repository'] };
    for (const [path, sent] of [
      [rows],
      ['/metrics/pull-requests-count', body],
      ['/catalogue'],
      ['/openapi.json'],
    ] as const) {
      const plain = await bytesOf(path, key, sent);
      expect([path, plain.status, plain.headers['content-encoding']]).toEqual([path, 200, undefined]);
      expect(plain.headers.vary).toContain('Accept-Encoding');
      for (const [accept, encoding] of [
        ['gzip, deflate, br, zstd', 'br'],
        ['gzip', 'gzip'],
        ['br;q=0.1, gzip', 'gzip'],
        ['*', 'br'],
      ] as const) {
        const packed = await bytesOf(path, { ...key, 'accept-encoding': accept }, sent);
        expect([path, accept, packed.headers['content-encoding']]).toEqual([path, accept, encoding]);
        expect(packed.headers.vary).toContain('Accept-Encoding');
        expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2);
        expect(decoded[encoding](packed.bytes).equals(plain.bytes)).toBe(true);
      }
      for (const accept of ['identity', 'zstd', 'br;q=0, gzip;q=0', 'x'.repeat(600)]) {
        const { headers, bytes } = await bytesOf(path, { ...key, 'accept-encoding': accept }, sent);
        expect([path, accept, headers['content-encoding']]).toEqual([path, accept, undefined]);
        expect(bytes.equals(plain.bytes)).toBe(true);
      }
    }
  });

  test('An answer has the same tag compressed or not', async () => {
    const key = { authorization: service.keys.owner };
    const { headers } = await bytesOf(rows, { ...key, 'accept-encoding': 'br' });
    expect(headers.vary).toBe('Authorization, Cookie, Accept, Accept-Encoding');
    const again = await bytesOf(rows, { ...key, 'accept-encoding': 'gzip', 'if-none-match': String(headers.etag) });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
  });

  test('An answer stays as it is where it is short, or packed already', async () => {
    const headers = { authorization: service.keys.owner, 'accept-encoding': 'br' };
    for (const path of [
      `/metrics/pull-requests-count?${window}`,
      `${rows}&format=parquet`,
      '/metrics/nope',
      '/livez',
    ]) {
      expect([path, (await bytesOf(path, headers)).headers['content-encoding']]).toEqual([path, undefined]);
    }
  });

  test('An answer stays as it is where a page of another site has a browser ask: its length would tell what is in it', async () => {
    const { cookie } = await signIn(service, 'ada@example.com');
    const encodingOf = async (headers: Record<string, string>) =>
      (await bytesOf(rows, { 'accept-encoding': 'br', ...headers })).headers['content-encoding'];
    expect(await encodingOf({ cookie, 'sec-fetch-site': 'same-origin' })).toBe('br');
    expect(await encodingOf({ cookie, 'sec-fetch-site': 'none' })).toBe('br');
    expect(await encodingOf({ cookie })).toBe('br');
    expect(await encodingOf({ cookie, 'sec-fetch-site': 'cross-site' })).toBeUndefined();
    expect(await encodingOf({ cookie, 'sec-fetch-site': 'same-site' })).toBeUndefined();
    expect(await encodingOf({ authorization: service.keys.owner, 'sec-fetch-site': 'cross-site' })).toBe('br');
  });

  test('An answer that may show a secret is never compressed', async () => {
    const ada = await signIn(service, 'ada@example.com');
    for (const path of [
      '/app/session',
      '/app/keys',
      '/app/people',
      '/sign-in',
      await service.signInLink('grace@example.com'),
    ]) {
      const { status, headers } = await bytesOf(path, {
        ...(path.startsWith('/app') ? { cookie: ada.cookie } : {}),
        'accept-encoding': 'br, gzip',
      });
      expect([path, status, headers['content-encoding']]).toEqual([path, 200, undefined]);
    }
  });
});

test('Pieces of a streamed answer go out as they come', async () => {
  const app = fastify({ forceCloseConnections: true });
  app.addHook('onSend', compressAnswer);
  const bodies: PassThrough[] = [];
  app.get('/', (_request, reply) => {
    const body = new PassThrough();
    bodies.push(body);
    body.write('first');
    return reply.type('text/csv').send(body);
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  try {
    for (const encoding of ['gzip', 'br']) {
      const { port } = app.server.address() as AddressInfo;
      const answer = await fetch(`http://127.0.0.1:${port}`, { headers: { 'accept-encoding': encoding } });
      expect(answer.headers.get('content-encoding')).toBe(encoding);
      const reader = answer.body?.getReader();
      const first = await reader?.read();
      expect(Buffer.from(first?.value ?? []).toString()).toBe('first');
      // Whoever hangs up ends what the answer is made of.
      await reader?.cancel();
      await expect.poll(() => bodies.at(-1)?.destroyed).toBe(true);
    }
  } finally {
    await app.close();
  }
});

test('A reader who leaves before the first piece of a compressed answer is no fault, and an answer that fails by itself is one', async () => {
  const lines: string[] = [];
  const log = new RequestLog(pino({}, { write: (line) => void lines.push(line) }), undefined);
  const app = fastify({ forceCloseConnections: true });
  app.addHook('onRequest', async (request, reply) => log.arrived(request, reply));
  app.addHook('onSend', compressAnswer);
  app.setErrorHandler(errorHandler(log));
  const bodies: PassThrough[] = [];
  // The body of a question has been read when its caller leaves, so Node does not call the request aborted.
  app.post('/', (_request, reply) => {
    const body = new PassThrough();
    bodies.push(body);
    return reply.type('text/csv').send(body);
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const ask = (signal?: AbortSignal) =>
    fetch(`http://127.0.0.1:${port}`, {
      method: 'POST',
      body: '{}',
      headers: { 'accept-encoding': 'br', 'content-type': 'application/json' },
      signal: signal ?? null,
    });
  const said = (message: string) => lines.filter((line) => line.includes(message)).length;
  try {
    const leaving = new AbortController();
    const left = ask(leaving.signal).catch(() => 'gone');
    await expect.poll(() => bodies.length).toBe(1);
    leaving.abort();
    expect(await left).toBe('gone');
    await expect.poll(() => said('request abandoned by the caller')).toBe(1);
    await expect.poll(() => bodies[0]?.destroyed).toBe(true);
    expect(said('request failed')).toBe(0);
    const failing = ask();
    await expect.poll(() => bodies.length).toBe(2);
    bodies[1]?.destroy(new Error('the rows are gone'));
    expect((await failing).status).toBe(500);
    expect(said('the rows are gone')).toBe(1);
  } finally {
    await app.close();
  }
});
