import { expect, test } from 'vitest';
import { unchangedService } from '../../setup/unchanged-service.ts';

const service = unchangedService();

const spans = ['auth', 'plan', 'wait', 'engine', 'shape', 'send'];
const filters = { start_date: '2024-01-01', end_date: '2024-01-31' };

/** The milliseconds of every span, by name. */
function timingsIn(header: string | string[] | undefined): Record<string, number> {
  const entries = String(header).split(', ');
  return Object.fromEntries(
    entries.map((entry) => {
      const [, name, ms] = /^(\w+);dur=(\d+(?:\.\d{1,2})?)$/.exec(entry) ?? [];
      return [name, Number(ms)];
    }),
  );
}

const ask = (path: string, body: object, headers = {}) =>
  service().request('POST', `/metrics/${path}`, { key: service().keys.owner, body, headers });

test.each<[string, string, object]>([
  ['one metric', 'pull-requests-count', { filters }],
  ['several', 'get-multiple-metrics', { metrics: ['pull-requests-count'], filters }],
  ['a comparison', 'benchmark', { benchmark_metric: 'cycle-time', date_field: 'merged_at', filters }],
  ['an explanation', 'pull-requests-count/explain', { filters }],
  ['the calendar', 'date-details', { filters }],
])('The answer of %s says where its time went', async (_name, path, body) => {
  const started = performance.now();
  const { status, headers } = await ask(path, body);
  const timings = timingsIn(headers['server-timing']);
  expect(status).toBe(200);
  expect(Object.keys(timings)).toEqual(spans);
  const all = Object.values(timings).reduce((sum, ms) => sum + ms, 0);
  expect(all).toBeGreaterThan(0);
  expect(all).toBeLessThanOrEqual(performance.now() - started + 1);
});

test('An answer from the cache spends no time in the engine', async () => {
  const body = { filters, date_level: 'week' };
  const answers = [];
  for (let i = 0; i < 3; i += 1) answers.push(await ask('pull-requests-count', body));
  const [first, ...others] = answers.map(({ headers }) => timingsIn(headers['server-timing']).engine);
  expect(first).toBeGreaterThan(0);
  expect(others).toEqual([0, 0]);
});

test('Refusals and listings say nothing of their time', async () => {
  expect((await ask('pull-requests-count', {})).headers['server-timing']).toBeUndefined();
  const teams = await service().request('GET', '/teams', { key: service().keys.owner });
  expect(teams.headers['server-timing']).toBeUndefined();
});
