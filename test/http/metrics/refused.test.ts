import { afterEach, expect, test } from 'vitest';
import { Drain } from '../../../src/http/drain.ts';
import { type Service, serveBeside } from '../../setup/running-app.ts';
import { unchangedService } from '../../setup/unchanged-service.ts';
import { asking, detailOf, march } from './some-metrics.ts';

const data = unchangedService();
let service: Service;
afterEach(() => service.close());
const ask = asking(() => service);

const asJson = { 'content-type': 'application/json' };
const operations = ['pull-requests-count', 'get-multiple-metrics', 'benchmark', 'cycle-time/explain'];
const huge = { body: 'x'.repeat(1_100_000) };

test('A body over 1 MiB is 413, one that is no JSON 415', async () => {
  service = await serveBeside(data(), {});
  const asText = { headers: { 'content-type': 'text/plain' } };
  for (const path of operations) {
    const large = await ask(path, huge.body, { headers: asJson });
    expect([path, large.status, detailOf(large)]).toEqual([
      path,
      413,
      'The body is too large: at most 1 MiB is accepted.',
    ]);
    const text = await ask(path, '{}', asText);
    expect([path, text.status, detailOf(text)]).toEqual([
      path,
      415,
      'The body must be JSON, sent with the header Content-Type: application/json.',
    ]);
    const packed = await ask(path, '{}', { headers: { ...asJson, 'content-encoding': 'gzip' } });
    expect([path, packed.status]).toEqual([path, 415]);
    const latin = await ask(path, '{}', { headers: { 'content-type': 'application/json; charset=latin1' } });
    expect([path, latin.status]).toEqual([path, 415]);
  }
});

test('Any other method is 405 and says which is taken', async () => {
  service = await serveBeside(data(), {});
  for (const path of [...operations, 'nothing-like-it']) {
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const answer = await service.request(method, `/metrics/${path}`, { key: service.keys.engineer });
      expect([path, method, answer.status, answer.headers.allow]).toEqual([path, method, 405, 'GET, HEAD, POST']);
    }
  }
});

test('The order of checks where the path names the metric: 401, 405, 404, 403, 413 or 415, 400', async () => {
  service = await serveBeside(data(), {});
  const { owner, engineer } = service.keys;
  const status = async (method: string, path: string, asked: object) =>
    (await service.request(method, path, asked)).status;
  const mess = { headers: { 'content-type': 'text/plain' }, ...huge };
  expect(await status('POST', '/metrics/nope?x=1', { key: 'wrong', ...mess })).toBe(401);
  expect(await status('PUT', '/metrics/nope?x=1', { key: 'wrong', ...mess })).toBe(401);
  expect(await status('PUT', '/metrics/nope?x=1', { key: engineer, ...mess })).toBe(405);
  expect(await status('POST', '/metrics/nope?x=1', { key: engineer, ...mess })).toBe(404);
  expect(await status('POST', '/metrics/nope/explain?x=1', { key: engineer, ...mess })).toBe(404);
  expect(await status('POST', '/metrics/survey-responses-count?x=1', { key: engineer, ...mess })).toBe(403);
  expect(await status('POST', '/metrics/survey-responses-count/explain?x=1', { key: engineer, ...mess })).toBe(403);
  const broken = { headers: asJson, body: '{' };
  expect(await status('POST', '/metrics/survey-responses-count?x=1', { key: engineer, ...broken })).toBe(403);
  expect([413, 415]).toContain(await status('POST', '/metrics/survey-responses-count?x=1', { key: owner, ...mess }));
  expect(await status('POST', '/metrics/survey-responses-count?x=1', { key: owner, ...broken })).toBe(400);
});

test('The order where the body names it: 401, 413 or 415, a body that cannot be read, 404, 403, other 400s', async () => {
  service = await serveBeside(data(), {});
  const { owner, engineer } = service.keys;
  const named = { 'get-multiple-metrics': (name: string) => ({ metrics: [name] }), benchmark: nameIt };
  for (const [path, body] of Object.entries(named)) {
    const at = `${path}?x=1`;
    const status = async (sent: unknown, asked: object) => (await ask(at, sent, asked)).status;
    const nonsense = { filters: 5, nonsense: true };
    expect(await status(huge.body, { key: 'wrong' })).toBe(401);
    expect([413, 415]).toContain(await status(huge.body, { key: engineer }));
    expect(await status('{', { key: engineer, headers: asJson })).toBe(400);
    expect(await status({ ...body('nope'), ...nonsense }, { key: engineer })).toBe(404);
    expect(await status({ ...body('survey-responses-count'), ...nonsense }, { key: engineer })).toBe(403);
    expect(await status({ ...body('survey-responses-count'), ...nonsense }, { key: owner })).toBe(400);
  }
});
const nameIt = (name: string) => ({ benchmark_metric: name });

test('429 and 503 come before everything', async () => {
  const drain = new Drain();
  service = await serveBeside(data(), { rateLimit: 1, parts: () => ({ drain }) });
  await ask('pull-requests-count', { filters: march });
  for (const path of [...operations, 'nothing-like-it']) expect((await ask(path, '{')).status).toBe(429);
  drain.begin();
  for (const path of [...operations, 'nothing-like-it']) {
    const answer = await ask(path, '{', { key: 'wrong' });
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
  }
});
