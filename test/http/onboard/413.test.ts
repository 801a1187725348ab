import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, startService } from '../../setup/running-app.ts';

const path = '/users/onboarded-users-by-attributes';
let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const bodyOf = (bytes: number): string => {
  const frame = '{"github_usernames":["barbara"]}';
  return frame + ' '.repeat(bytes - frame.length);
};
const headers = { 'content-type': 'application/json' };

test('One mebibyte is taken, one byte more is not', async () => {
  const key = service.keys.owner;
  expect((await service.request('POST', path, { key, headers, body: bodyOf(1_048_576) })).status).toBe(200);
  const answer = await service.request('POST', path, { key, headers, body: bodyOf(1_048_577) });
  expect(answer.status).toBe(413);
  expect(answer.text).toBe('{"detail":"The body is too large: at most 1 MiB is accepted."}');
});

test('A body of unknown length is cut off at the same size, and the caller still reads why', async () => {
  const status = await new Promise((resolve, reject) => {
    const sent = request(
      {
        port: service.port,
        host: '127.0.0.1',
        method: 'POST',
        path,
        headers: { ...headers, authorization: service.keys.owner },
      },
      (response) => resolve(response.statusCode),
    );
    sent.on('error', reject);
    for (let i = 0; i < 5; i += 1) sent.write(' '.repeat(1_000_000));
    sent.end('{}');
  });
  expect(status).toBe(413);
});

test('A very large body is answered too, and not by a broken connection', async () => {
  const answer = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { ...headers, authorization: service.keys.owner },
    body: bodyOf(20_000_000),
  });
  expect(answer.status).toBe(413);
  expect(answer.headers.get('connection')).toBe('keep-alive');
  expect(await answer.json()).toEqual({ detail: 'The body is too large: at most 1 MiB is accepted.' });
});
