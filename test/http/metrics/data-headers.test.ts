import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Service } from '../../setup/running-app.ts';
import { march, organise, putRecords, startMetrics } from './some-metrics.ts';

let service: Service;
beforeAll(async () => {
  service = await startMetrics({ corsOrigins: ['https://pages.example'] });
});
afterAll(() => service.close());

const window = `start_date=${march.start_date}&end_date=${march.end_date}`;
const get = (path: string, headers: Record<string, string> = {}, key = service.keys.owner) =>
  service.request('GET', `/metrics/${path}`, { key, headers });
const post = (metric: string, body: object, key = service.keys.owner) =>
  service.request('POST', `/metrics/${metric}`, { key, body: { filters: march, ...body } });
const saidBy = ({ headers }: { readonly headers: object }) => {
  const { 'x-data-through': through, 'x-visibility': visibility } = headers as Record<string, unknown>;
  return [through, visibility];
};

const thirtieth = '2024-03-31T00:00:00Z';
const count = 'pull-requests-count';

test('Every answer of a metric says up to when its data are complete and whose they are', async () => {
  const said = [thirtieth, 'organisation'];
  const asked = [
    await post(count, {}),
    await post(count, {}),
    await post(count, { include_previous_period: true }),
    await post(count, { time_series_data: true }),
    await post('get-multiple-metrics', { metrics: [count, 'cycle-time'], aggregations: { 'cycle-time': 'AVG' } }),
    await post('benchmark', { benchmark_metric: count, date_field: 'created_at' }),
    await post(`${count}/explain`, {}),
    ...(await Promise.all(
      ['json', 'ndjson', 'csv', 'parquet'].map((form) => get(`${count}?${window}&format=${form}`)),
    )),
    await get(`${count}/chart.svg?${window}`),
  ];
  expect(asked.map(({ status }) => status)).toEqual(asked.map(() => 200));
  expect(asked.map(saidBy)).toEqual(asked.map(() => said));
  const held = await get(`${count}?${window}`, {
    'if-none-match': String((await get(`${count}?${window}`)).headers.etag),
  });
  expect([held.status, ...saidBy(held)]).toEqual([304, ...said]);
  const meta = [asked[2], asked[3], asked[5]].map((answer) => (answer?.json as { meta: object } | undefined)?.meta);
  expect(meta).toEqual(meta.map(() => expect.objectContaining({ data_through: thirtieth })));
});

test('A table without rows has no moment, and several tables have the earliest', async () => {
  expect(saidBy(await post('issues-count', {}))).toEqual([undefined, 'organisation']);
  const both = { metrics: [count, 'reviews-count'] };
  expect(saidBy(await post('get-multiple-metrics', both))[0]).toBe('2024-03-02T00:00:00Z');
});

test('The visibility follows the role alone', async () => {
  const visibility = async (key: string) => saidBy(await post(count, {}, key))[1];
  expect(await visibility(service.keys.engineer)).toBe('self');
  expect(await visibility(service.keys.manager)).toBe('organisation');
  // They lead no squad: the role alone decides.
  expect(await visibility(service.keys.squadLead)).toBe('squads');
  await organise(service, { team_restrictions: 'true' });
  expect(await visibility(service.keys.manager)).toBe('teams');
  await organise(service, { team_restrictions: 'false' });
});

test('Periods are those of the data of a metric, which the caller has to be allowed to ask', async () => {
  const days = { filters: march, date_level: 'day', order_by: 'day_date', order_direction: 'desc', limit: 1 };
  const answer = await post('date-details', days);
  expect(saidBy(answer)).toEqual([thirtieth, 'organisation']);
  expect(answer.json).toMatchObject([{ day_date: '2024-03-31', is_complete: true, previous_end_date: null }]);
  expect(saidBy(await post('date-details', { ...days, metric: 'reviews-count' }))[0]).toBe('2024-03-02T00:00:00Z');
  const address = `date-details?${window}&metric=issues-count&previous_start_date=2023-03-01&previous_end_date=2023-03-31`;
  const got = await get(`${address}&date_level=month`);
  expect(saidBy(got)).toEqual([undefined, 'organisation']);
  expect(got.json).toMatchObject([{ previous_start_date: '2023-03-01', previous_end_date: '2023-03-31' }]);
  // First whether there is such a metric, then whether they may ask it, then everything else.
  const wrong = { nonsense: 1 };
  const engineer = service.keys.engineer;
  const asked = [
    await post('date-details', { ...wrong, metric: 'issues-cuont' }, engineer),
    await post('date-details', { ...wrong, metric: 'salary' }, engineer),
    await post('date-details', { ...wrong, metric: 'issues-count' }, engineer),
    await post('date-details', { metric: 'date-details' }),
    await post('date-details', { metric: 5 }),
    await get(`date-details?${window}&metric=salary`, {}, engineer),
    await post(count, { metric: 'issues-count' }),
  ];
  expect(asked.map(({ status }) => status)).toEqual([404, 403, 400, 400, 400, 403, 400]);
});

test('Pages of other origins may read both headers', async () => {
  const { headers } = await get(`${count}?${window}`, { origin: 'https://pages.example' });
  expect(String(headers['access-control-expose-headers'])).toContain('X-Data-Through');
  expect(String(headers['access-control-expose-headers'])).toContain('X-Visibility');
});

test('A repeated question costs no statement, and new data move the moment', async () => {
  const { app } = service;
  await post(count, {});
  await post(count, {});
  const spies = [
    vi.spyOn(app.warehouse, 'read'),
    vi.spyOn(app.warehouse, 'ask'),
    vi.spyOn(app.store, 'read'),
    vi.spyOn(app.store, 'change'),
  ];
  for (let i = 0; i < 3; i += 1) expect(saidBy(await post(count, {}))[0]).toBe(thirtieth);
  expect((await post(count, {})).headers['x-cache']).toBe('HIT');
  expect(spies.map((spy) => spy.mock.calls.length)).toEqual([0, 0, 0, 0]);
  await putRecords(service, 'pull_requests', [
    { pr_id: 'later', source: 'github', repository: 'acme/web', pr_created_at: '2024-04-02T08:00:00Z' },
  ]);
  const reads = spies[0]?.mock.calls.length ?? 0;
  expect(saidBy(await post(count, {}))[0]).toBe('2024-04-03T00:00:00Z');
  expect(saidBy(await post('cycle-time', { aggregation: 'AVG' }))[0]).toBe('2024-04-03T00:00:00Z');
  // The rows of a table are looked at once for each version of the data.
  expect((spies[0]?.mock.calls.length ?? 0) - reads).toBe(1);
  for (const spy of spies) spy.mockRestore();
});
