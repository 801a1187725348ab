import { expect, test } from 'vitest';
import { asking, detailOf, march, unchangedMetrics } from './some-metrics.ts';
import { wrongRequests } from './wrong-requests/all.ts';

const service = unchangedMetrics();
const ask = asking(service);

const asJson = { 'content-type': 'application/json' };

test('There are many ways to be wrong', () => {
  expect(wrongRequests.length).toBeGreaterThan(150);
});

test.each(
  wrongRequests.map((wrong) => ({ ...wrong, name: `${wrong.path} ${JSON.stringify(wrong.body)}`.slice(0, 100) })),
)('$name is $status, in words that help', async ({ path, body, status, detail }) => {
  const answer = await ask(path, body, typeof body === 'string' ? { headers: asJson } : {});
  expect([answer.status, detailOf(answer)]).toEqual([status, detail]);
  expect(Object.keys(answer.json as object)).toEqual(['detail']);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.headers['x-cache']).toBeUndefined();
});

test.each([
  ['{"filters":', 'The body is not valid JSON'],
  ['{filters:{}}', 'The body is not valid JSON'],
  ['\u0000', 'The body is not valid JSON'],
])('%j is refused as no JSON', async (body, detail) => {
  for (const path of ['pull-requests-count', 'get-multiple-metrics', 'benchmark', 'cycle-time/explain']) {
    const answer = await ask(path, body, { headers: asJson });
    expect([answer.status, detailOf(answer).slice(0, detail.length)]).toEqual([400, detail]);
  }
});

test('Bytes that are no UTF-8 are refused as such', async () => {
  const answer = await ask('pull-requests-count', Buffer.from([0x7b, 0xff, 0x7d]), { headers: asJson });
  expect([answer.status, detailOf(answer)]).toEqual([400, 'The body is not valid UTF-8.']);
});

test('A byte order mark before the body is no mistake', async () => {
  const body = `\uFEFF${JSON.stringify({ filters: march })}`;
  expect((await ask('pull-requests-count', body, { headers: asJson })).status).toBe(200);
});

test('No body at all is answered with what a body is', async () => {
  const answer = await service().request('POST', '/metrics/pull-requests-count', { key: service().keys.owner });
  expect([answer.status, detailOf(answer)]).toEqual([
    400,
    'The body must be a JSON object such as {"filters": {"start_date": "2024-01-01"}}.',
  ]);
});

test('A very long name is refused as quickly as a short one', async () => {
  const name = 'x'.repeat(1_000_000);
  for (const [path, body] of [
    ['get-multiple-metrics', { metrics: [name] }],
    ['pull-requests-count', { [name]: 1 }],
    ['pull-requests-count', { filters: { [name]: 1 } }],
    ['pull-requests-count', { filters: march, group_by: [name] }],
    ['pull-requests-count', { filters: march, order_by: name }],
  ] as const) {
    const began = performance.now();
    const answer = await ask(path, body);
    expect([400, 404]).toContain(answer.status);
    expect(answer.text.length).toBeLessThan(4_000);
    expect(performance.now() - began).toBeLessThan(10_000);
  }
});
