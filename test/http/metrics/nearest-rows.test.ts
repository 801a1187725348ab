import { expect, test } from 'vitest';
import { asking, march, unchangedMetrics } from './some-metrics.ts';

const service = unchangedMetrics();
const post = asking(service);
const nearest = async (path: string, body: object, key = service().keys.owner) => {
  const { status, headers } = await post(path, body, { key });
  return status === 200 ? headers['x-nearest-rows'] : status;
};

const count = 'pull-requests-count';
const february = { start_date: '2024-02-01', end_date: '2024-02-29' };
const april = { start_date: '2024-04-01', end_date: '2024-04-05' };
const gap = { start_date: '2024-03-02', end_date: '2024-03-02' };

test('An answer without a value says where rows are, in every form, found or kept, by a body or an address', async () => {
  for (const _ of ['found', 'kept']) {
    for (const more of [
      {},
      { group_by: ['repository'] },
      { date_level: 'week' },
      { include_previous_period: true },
      { date_level: 'day', time_series_data: true },
    ]) {
      expect([more, await nearest(count, { filters: february, ...more })]).toEqual([more, 'after=2024-03-01']);
      expect([more, await nearest(count, { filters: april, ...more })]).toEqual([more, 'before=2024-03-30']);
    }
    expect(await nearest('cycle-time', { filters: april, aggregation: 'avg' })).toBe('before=2024-03-30');
    expect(await nearest('review-rate', { filters: april })).toBe('before=2024-03-30');
    const several = { metrics: [count, 'reviews-count'], filters: april, group_by: ['repository'] };
    expect(await nearest('get-multiple-metrics', several)).toBe('before=2024-03-30');
  }
  const got = await service().request('GET', `/metrics/${count}?start_date=2024-04-01&end_date=2024-04-05`, {
    key: service().keys.owner,
  });
  expect(got.headers['x-nearest-rows']).toBe('before=2024-03-30');
});

test('A comparison without a value of its own says where the caller’s rows are', async () => {
  const compared = (filters: object, key?: string, benchmark_metric = 'cycle-time') =>
    nearest('benchmark', { benchmark_metric, date_field: 'merged_at', filters }, key);
  for (const _ of ['found', 'kept']) expect(await compared(april)).toBe('before=2024-03-30');
  expect(await compared(gap, service().keys.engineer)).toBe('after=2024-03-03');
  expect(await compared(march)).toBeUndefined();
  // The cycle time stands beside the review time, and has a value.
  expect(await compared(gap, service().keys.owner, 'review-time')).toBeUndefined();
});

test('Both sides are named where there are rows on both, and only rows that the caller sees and asks for', async () => {
  const api = { ...gap, repositories: ['api'], member: ['Ada Lovelace'] };
  expect(await nearest(count, { filters: { ...gap, repositories: ['web'] } })).toBe(
    'before=2024-03-01, after=2024-03-03',
  );
  expect(await nearest(count, { filters: api })).toBe('after=2024-03-04');
  // Edsger has every third pull request, and sees no others.
  expect(await nearest(count, { filters: gap }, service().keys.engineer)).toBe('after=2024-03-03');
  expect(await nearest(count, { filters: { ...gap, repositories: ['nothing'] } })).toBeUndefined();
});

test('An answer with a value says nothing of the kind, nor one that a minimum has emptied', async () => {
  expect(await nearest(count, { filters: march })).toBeUndefined();
  expect(await nearest(count, { filters: march, group_by: ['repository'], metric_min_value: 100 })).toBeUndefined();
  expect(await nearest('changes-requested-rate', { filters: march })).toBeUndefined();
  expect(await nearest('users-count', { filters: { member: ['nobody'] } })).toBeUndefined();
});
