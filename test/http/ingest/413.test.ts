import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isLong } from '../../setup/how-long.ts';
import { countingPackedBytes } from '../../setup/packed-bytes.ts';
import { type HttpAnswer, type Service, startService } from '../../setup/running-app.ts';
import { asNdjson, keptPullRequests, ndjson, pullRequest } from './some-records.ts';

const path = '/ingest/pull_requests';
const mebibyte = 1_048_576;
let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** Sends chunk after chunk without saying how many there will be, until the answer comes. */
function stream(
  chunks: Iterable<Buffer>,
): Promise<Pick<HttpAnswer, 'status' | 'json'> & { readonly sentBytes: number }> {
  return new Promise((resolve, reject) => {
    let sentBytes = 0;
    let isAnswered = false;
    const sent = request(
      {
        port: service.port,
        host: '127.0.0.1',
        method: 'POST',
        path,
        agent: false,
        headers: { ...asNdjson, authorization: service.keys.owner },
      },
      async (response) => {
        isAnswered = true;
        let text = '';
        for await (const chunk of response) text += chunk;
        resolve({ status: response.statusCode ?? 0, json: JSON.parse(text), sentBytes });
      },
    );
    sent.on('error', (error) => {
      if (!isAnswered) reject(error);
    });
    void (async () => {
      for (const chunk of chunks) {
        if (isAnswered) break;
        sentBytes += chunk.length;
        if (!sent.write(chunk)) await new Promise((drained) => sent.once('drain', drained));
      }
      sent.end();
    })();
  });
}

/** A mebibyte in which there is no record. */
const blank = Buffer.alloc(mebibyte, `${' '.repeat(65_535)}\n`);
function* blanks(count: number): Generator<Buffer> {
  for (let i = 0; i < count; i += 1) yield blank;
}

test('64 MiB are taken', async () => {
  const body = Buffer.concat([...blanks(63), Buffer.from(ndjson([{ pr_id: 'x' }]).padEnd(mebibyte))]);
  const answer = await service.request('POST', path, { key: service.keys.owner, headers: asNdjson, body });
  expect([answer.status, answer.json]).toEqual([200, { accepted: 1, rejected: 0, errors: [] }]);
});

test('A body that says it is longer is refused before it is read', async () => {
  const begun = performance.now();
  const answer = await service.raw(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${service.keys.owner}\r\nContent-Type: application/x-ndjson\r\nContent-Length: ${64 * mebibyte + 1}\r\n\r\n`,
    9_000,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*at most 64 MiB is accepted/);
  expect(performance.now() - begun).toBeLessThan(10_000);
});

test('A body that does not say how long it is is cut off there, and what came before is kept', async () => {
  function* records(): Generator<Buffer> {
    yield Buffer.from(ndjson([pullRequest(1), pullRequest(2)]));
    yield* blanks(200);
  }
  const { status, json, sentBytes } = await stream(records());
  expect(status).toBe(413);
  expect(json).toEqual({
    detail:
      'The body is too large: at most 64 MiB is accepted, also when it is unpacked. The 2 records accepted before that stay. Sending them again changes nothing.',
  });
  expect(sentBytes).toBeLessThan(100 * mebibyte);
  expect((await keptPullRequests(service)).length).toBe(3);
});

test('A small body that unpacks to a very large one is cut off too', async () => {
  // Gzip may follow gzip: together they unpack to two gigabytes.
  const packed = gzipSync(blank);
  const body = Buffer.concat(Array.from({ length: 2_000 }, () => packed));
  const before = process.memoryUsage().rss;
  const headers = { ...asNdjson, 'content-encoding': 'gzip' };
  const [status, unpackedBytes] = await countingPackedBytes(async (packedBytes) => {
    const answer = await service.request('POST', path, { key: service.keys.owner, headers, body });
    return [answer.status, (packedBytes() / packed.length) * mebibyte];
  });
  expect(status).toBe(413);
  // What is unpacked at once may go beyond the limit.
  expect(unpackedBytes).toBeGreaterThan(64 * mebibyte);
  expect(unpackedBytes).toBeLessThan(100 * mebibyte);
  if (isLong) expect(process.memoryUsage().rss - before).toBeLessThan(300 * mebibyte);
});
