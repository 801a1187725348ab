import { beforeEach, expect, test } from 'vitest';
import type { Principal } from '../../src/access/principal.ts';
import type { MetricAnswer, Served } from '../../src/query/collect-answer.ts';
import { type RawRequest, ResponseCache } from '../../src/query/response-cache.ts';

const ada: Principal = {
  organisationId: 'acme',
  keyId: 'key',
  personId: 'ada',
  role: 'Owner',
  permissions: [],
  visibility: 'organisation',
  timeZone: 'UTC',
  salaryVisibility: false,
};
const request: RawRequest = { principal: ada, metric: 'cycle-time', format: 'json', body: Buffer.from('{"a":1}') };
const bytes = Buffer.from('{}');

let version = 1;
let now = new Date('2024-01-01T10:00:00Z');
let responses: ResponseCache;
beforeEach(() => {
  version = 1;
  now = new Date('2024-01-01T10:00:00Z');
  responses = new ResponseCache(() => now.getTime());
});

const serve = (): Promise<Served<MetricAnswer>> =>
  responses.serve({
    key: 'q',
    version: () => String(version),
    find: async () => ({ form: 'document', document: {}, total: 7 }),
    bytes: () => 10,
  });

/** Answers the request and remembers it, as the routes do. */
async function answered(asked: RawRequest = request): Promise<void> {
  const served = await serve();
  responses.bytesOf(served.answer, asked.format, new AbortController().signal, () => bytes);
  responses.remember(asked, asked.format, { ...served, unmatched: { team: ['Nobody'] } });
}

test('What was sent is recalled, with its age and its notes', async () => {
  await answered();
  now = new Date('2024-01-01T10:00:25.900Z');
  expect(responses.recall(request)).toMatchObject({
    bytes,
    served: { isCached: true, ageSeconds: 25, answer: { total: 7 }, unmatched: { team: ['Nobody'] } },
  });
});

test.each<[string, Partial<RawRequest>]>([
  // The same key is somebody new when anything in the organisation changed: a role, a permission, a setting.
  ['its caller as they are since the directory changed', { principal: { ...ada } }],
  ['another key', { principal: { ...ada, keyId: 'other' } }],
  ['another metric', { metric: 'review-time' }],
  ['another format', { format: 'csv' }],
  ['other bytes', { body: Buffer.from('{"a":2}') }],
  ['no body', { body: undefined }],
])('Nothing is recalled for %s', async (_name, other) => {
  await answered();
  expect(responses.recall({ ...request, ...other })).toBeUndefined();
});

test('Nothing is recalled once the data changed, nor of the answer that was found since', async () => {
  await answered();
  version = 2;
  expect(responses.recall(request)).toBeUndefined();
  now = new Date('2024-01-01T10:00:01Z');
  await serve();
  expect(responses.recall(request)).toBeUndefined();
});

test('An answer found while the data changed is not remembered', async () => {
  const served = await serve();
  version = 2;
  responses.remember(request, 'json', served);
  version = 1;
  responses.bytesOf(served.answer, 'json', new AbortController().signal, () => bytes);
  expect(responses.recall(request)).toBeUndefined();
});

test('An answer that is not in the cache is not remembered either', () => {
  responses.remember(request, 'json', {
    answer: { form: 'document', document: {}, total: 7 },
    isCached: false,
    ageSeconds: 0,
  });
  expect(responses.recall(request)).toBeUndefined();
});

test.each([
  ['it is as old as an answer may be', '2024-01-01T10:05:00Z'],
  ['a day may have ended somewhere', '2024-01-01T10:15:00Z'],
  ['the clock was set back', '2024-01-01T09:59:59Z'],
])('Nothing is recalled when %s', async (_name, later) => {
  await answered();
  now = new Date(later);
  expect(responses.recall(request)).toBeUndefined();
});

test('An answer whose bytes would take too much of the cache stays, without them', async () => {
  responses = new ResponseCache(() => now.getTime(), 16 * 1_000);
  const served = await serve();
  const signal = new AbortController().signal;
  const long = Buffer.alloc(2_000);
  expect(responses.bytesOf(served.answer, 'json', signal, () => long)).toBe(long);
  expect(responses.bytesOf(served.answer, 'json', signal, () => bytes)).toBe(bytes);
  expect((await serve()).isCached).toBe(true);
});
