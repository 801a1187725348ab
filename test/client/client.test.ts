import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ndjsonRows, Plumb, PlumbError } from '../../src/client/plumb.ts';
import { march, putRecords, startMetrics } from '../http/metrics/some-metrics.ts';
import type { Service } from '../setup/running-app.ts';

let service: Service;
let plumb: Plumb;
const may = { start_date: '2023-05-01', end_date: '2023-05-31' };
const many = 300;
beforeAll(async () => {
  service = await startMetrics();
  plumb = new Plumb({ url: `${service.url}/`, key: service.keys.owner });
  await putRecords(
    service,
    'pull_requests',
    Array.from({ length: many }, (_, n) => ({
      pr_id: `many-${n}`,
      pr_number: n,
      pr_title: `Größe ${'ä'.repeat(n)}`,
      source: 'github',
      repository: 'acme/many',
      person_email: 'ada@example.com',
      pr_state: 'open',
      pr_created_at: '2023-05-10T09:00:00Z',
    })),
  );
});
afterAll(() => service.close());

/** The global fetch, after some answers that are made up. */
function fetchAfter(...first: (() => Response | Promise<never>)[]): { fetch: typeof fetch; count: () => number } {
  let count = 0;
  return {
    count: () => count,
    fetch: async (...args) => {
      count += 1;
      return first.shift()?.() ?? fetch(...args);
    },
  };
}
const refused = (status: number, retryAfter?: string) => () =>
  new Response(
    '{"detail":"Later."}',
    retryAfter === undefined ? { status } : { status, headers: { 'retry-after': retryAfter } },
  );

test('Asks one metric, and gets what HTTP answers, with what its headers say', async () => {
  const body = { filters: { ...march, team: ['Nobody'] }, group_by: ['name'] as const, aggregation: 'AVG' as const };
  const none = await plumb.ask('cycle-time', body);
  expect(none).toEqual({ rows: [], isTruncated: false, total: undefined, unmatched: { team: ['Nobody'] } });
  const { rows } = await plumb.ask('cycle-time', { ...body, filters: march });
  const answer = await service.request('POST', '/metrics/cycle-time', {
    key: service.keys.owner,
    body: { ...body, filters: march },
  });
  expect(rows).toEqual(answer.json);
  const cut = await plumb.ask('pull-requests-count', { filters: may, group_by: ['pr_id'] });
  expect([cut.rows.length, cut.isTruncated, cut.total]).toEqual([200, true, many]);
  const chart = await plumb.ask('pull-requests-count', { filters: march, time_series_data: true });
  expect(chart).toMatchObject({ series: [{ data: [30] }], categories: ['Mar 2024'] });
});

test('Asks for verdicts, and for the values of others, as HTTP answers them', async () => {
  const post = async (path: string, body: object) =>
    (await service.request('POST', `/metrics/${path}`, { key: service.keys.owner, body })).json;
  const weeks = { start_date: '2024-03-17', end_date: '2024-03-30' };
  const compared = { filters: weeks, include_previous_period: true as const };
  const judged = await plumb.ask('pull-requests-count', compared, { verdict: true });
  expect(judged.results).toMatchObject([{ verdict: 'about_the_same', n: 14 }]);
  expect(judged).toMatchObject((await post('pull-requests-count?verdict=true', compared)) as object);
  const plain = await plumb.ask('pull-requests-count', compared);
  expect(plain).toMatchObject((await post('pull-requests-count', compared)) as object);
  expect(plain.results[0]).not.toHaveProperty('verdict');
  const among = { filters: march, date_field: 'merged_at', aggregation: 'MEDIAN' } as const;
  const benchmark = await plumb.benchmark('cycle-time', among);
  expect(benchmark).toMatchObject((await post('benchmark', { ...among, benchmark_metric: 'cycle-time' })) as object);
  expect(benchmark).toMatchObject({ meta: { aggregation: 'MEDIAN', organisations: 0 }, isTruncated: false });
});

test('Goes through all rows, and stops when nobody wants more', async () => {
  const asked = { filters: may, group_by: ['pr_number', 'pr_title'], metric_min_value: 1 } as const;
  const titles = new Map<number | null, string | null>();
  for await (const { pr_number, pr_title } of plumb.rows('pull-requests-count', asked)) titles.set(pr_number, pr_title);
  expect(titles.size).toBe(many);
  expect(titles.get(299)).toBe(`Größe ${'ä'.repeat(299)}`);
  let seen = 0;
  for await (const _row of plumb.rows('pull-requests-count', asked)) {
    seen += 1;
    if (seen === 3) break;
  }
  expect(seen).toBe(3);
  // None of them was merged.
  const merged = plumb.rows('pull-requests-count', { ...asked, date_field: 'merged_at' });
  expect((await merged.next()).done).toBe(true);
  const sizes = [];
  const size = { filters: march, aggregation: 'MAX', date_field: 'merged_at', date_level: 'month' } as const;
  for await (const row of plumb.rows('pull-requests-size', size)) sizes.push(row);
  expect(sizes).toEqual([{ month_date: '2024-03-01', max_additions: 290, max_deletions: 29, max_total_changes: 319 }]);
});

test('Says what was wrong', async () => {
  const strange = new Plumb({ url: service.url, key: 'nothing' });
  const error = await strange.ask('users-count', { filters: {} }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(PlumbError);
  expect(error).toMatchObject({
    status: 401,
    message: expect.stringContaining('Invalid or missing API key.'),
    requestId: expect.any(String),
  });
});

test('Sends again what could not be answered at the moment', async () => {
  const sent = fetchAfter(refused(503, '0'), refused(429, '0'), refused(502, '0'), () =>
    Promise.reject(new TypeError('fetch failed')),
  );
  const patient = new Plumb({ url: service.url, key: service.keys.owner, fetch: sent.fetch });
  expect((await patient.ask('users-count', { filters: {} })).rows).toHaveLength(1);
  expect(sent.count()).toBe(5);
  const hopeless = fetchAfter(refused(503, '0'), refused(503, '0'), refused(503, '0'));
  const impatient = new Plumb({ url: service.url, key: service.keys.owner, fetch: hopeless.fetch, retries: 1 });
  await expect(impatient.ask('users-count', { filters: {} })).rejects.toMatchObject({ status: 503, message: 'Later.' });
  expect(hopeless.count()).toBe(2);
  const wrong = fetchAfter(refused(400), refused(400));
  const hasty = new Plumb({ url: service.url, key: service.keys.owner, fetch: wrong.fetch });
  await expect(hasty.ask('users-count', { filters: {} })).rejects.toMatchObject({ status: 400 });
  expect(wrong.count()).toBe(1);
});

test('Ends when it is told to, also while it waits', async () => {
  const controller = new AbortController();
  const waiting = fetchAfter(() => {
    setTimeout(() => controller.abort(new Error('enough')), 10);
    return refused(503, '3600')();
  });
  const patient = new Plumb({ url: service.url, key: service.keys.owner, fetch: waiting.fetch });
  const asked = patient.ask('users-count', { filters: {} }, { signal: controller.signal });
  await expect(asked).rejects.toThrow('enough');
  expect(waiting.count()).toBe(1);
  const ended = plumb.rows('pull-requests-count', { filters: may }, { signal: AbortSignal.abort(new Error('before')) });
  await expect(ended.next()).rejects.toThrow('before');
});

test('Waits a minute at most, whatever the server says', async () => {
  vi.useFakeTimers();
  try {
    const sent = fetchAfter(refused(503, '3600'), () => new Response('[]'));
    const asked = new Plumb({ url: 'http://plumb', key: 'k', fetch: sent.fetch }).ask('users-count', { filters: {} });
    await vi.advanceTimersByTimeAsync(59_000);
    expect(sent.count()).toBe(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await asked).rows).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});

test('Ends the request where nobody wants more rows', async () => {
  let isEnded = false;
  const body = new ReadableStream({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('{"pr_count":1}\n')),
    cancel: () => {
      isEnded = true;
    },
  });
  for await (const row of ndjsonRows(body)) {
    expect(row).toEqual({ pr_count: 1 });
    break;
  }
  expect(isEnded).toBe(true);
});

test('Gives every text as it was sent, wherever the network cuts the answer', async () => {
  const row = { pr_title: 'Größe: 5 € 🚀' };
  const bytes = new TextEncoder().encode(`${JSON.stringify(row)}\n`);
  for (let at = 1; at < bytes.length; at += 1) {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const part of [bytes.subarray(0, at), bytes.subarray(at)]) controller.enqueue(part);
        controller.close();
      },
    });
    const rows: unknown[] = [];
    for await (const read of ndjsonRows(body)) rows.push(read);
    expect(rows, `cut after ${at} bytes`).toEqual([row]);
  }
});

test('Takes an answer that breaks off for no answer', async () => {
  const cut = fetchAfter(() => new Response('{"pr_count":1}\n{"pr_cou'));
  const unlucky = new Plumb({ url: service.url, key: service.keys.owner, fetch: cut.fetch });
  const rows = unlucky.rows('pull-requests-count', { filters: may });
  expect((await rows.next()).value).toEqual({ pr_count: 1 });
  await expect(rows.next()).rejects.toThrow('broke off');
});

test('Reads goals with their periods, and what happened on which days', async () => {
  const made = { key: service.keys.owner, headers: { 'if-none-match': '*' } };
  const goal = { title: 'Daily', metric: 'pull-requests-count', should_be: 'above', value: 7, period: 'week' };
  await service.request('PUT', '/goals/daily', { ...made, body: goal });
  expect(await plumb.goals()).toMatchObject([{ goal: 'daily', value: 7, state: 'too_few', may_change: true }]);
  const { periods, ...history } = await plumb.goalHistory('daily', { periods: 2 });
  expect(history).toMatchObject({ goal: 'daily', metric: 'pull-requests-count', should_be: 'above' });
  expect(periods).toHaveLength(2);
  await expect(plumb.goalHistory('a/b')).rejects.toMatchObject({ status: 404 });
  await service.request('PUT', '/annotations/freeze', { ...made, body: { at: '2024-03-05', title: 'Freeze' } });
  expect(await plumb.annotations()).toMatchObject([{ annotation: 'freeze', at: '2024-03-05', kind: 'other' }]);
  expect(await plumb.annotations({ start_date: '2024-03-06' })).toEqual([]);
});

test('Boards are listed, read, made, replaced and removed', async () => {
  const board = { title: 'Weekly', panels: [{ metric: 'pull-requests-count', view: 'number' }] } as const;
  const made = await plumb.boards.make('weekly', board);
  expect(made.document).toEqual({ board: 'weekly', ...board });
  await expect(plumb.boards.make('weekly', board)).rejects.toMatchObject({ status: 412 });
  expect(await plumb.boards.read('weekly')).toEqual(made);
  expect(await plumb.boards.list()).toMatchObject([
    { board: 'weekly', may_change: true, owner: { name: 'Ada Lovelace' } },
  ]);
  const replaced = await plumb.boards.replace('weekly', { ...board, title: 'Every week' }, made.etag);
  expect(replaced.document.title).toBe('Every week');
  await expect(plumb.boards.replace('weekly', board, made.etag)).rejects.toMatchObject({ status: 412 });
  await expect(plumb.boards.remove('weekly', { etag: made.etag })).rejects.toMatchObject({ status: 412 });
  await plumb.boards.remove('weekly');
  expect(await plumb.boards.list()).toEqual([]);
});

test('Alerts and digests are made, tried and removed', async () => {
  const to = [{ email: 'ada@example.com' }];
  const { document, etag } = await plumb.alerts.make('behind', { rule: { source_behind: { hours: 6 } }, to });
  expect(document).toEqual({ alert: 'behind', rule: { source_behind: { hours: 6 } }, to });
  expect(await plumb.alerts.test('behind')).toBe(1);
  expect(await plumb.alerts.deliveries('behind')).toMatchObject([
    { receiver: to[0], title: 'A test of the alert behind' },
  ]);
  await plumb.alerts.remove('behind', { etag });
  expect(await plumb.alerts.list()).toEqual([]);
  const digest = { board: null, every: 'monday 08:00', filters: {}, to };
  expect((await plumb.digests.make('monday', digest)).document).toEqual({ digest: 'monday', ...digest });
});

test('A change is not sent again where the server cannot answer', async () => {
  const { fetch, count } = fetchAfter(refused(503, '0'), refused(503, '0'));
  const patient = new Plumb({ url: service.url, key: service.keys.owner, fetch });
  await expect(patient.boards.make('once', { title: 'Once', panels: [] })).rejects.toMatchObject({ status: 503 });
  expect(count()).toBe(1);
  expect(await patient.boards.list()).toEqual([]);
  expect(count()).toBe(3);
});
