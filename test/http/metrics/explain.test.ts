import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Service } from '../../setup/running-app.ts';
import { march, putRecords, startMetrics } from './some-metrics.ts';

let service: Service;
beforeAll(async () => {
  service = await startMetrics();
  // Barbara is known and not onboarded. Only those who see everybody see her.
  const pullRequests = [
    { pr_id: 'barbara-in', pr_created_at: '2024-03-05T09:00:00Z' },
    { pr_id: 'barbara-out', pr_created_at: '2024-01-05T09:00:00Z' },
  ].map((one) => ({
    ...one,
    source: 'github',
    repository: 'acme/web',
    person_email: 'barbara@example.com',
    pr_state: 'open',
  }));
  await putRecords(service, 'pull_requests', pullRequests);
  await putRecords(service, 'ai_copilot', [
    { person_email: 'barbara@example.com', source: 'cursor', date: '2024-03-06', is_active: true },
  ]);
});
afterAll(() => service.close());

const valuesFor = async (role: keyof Service['keys'], metric: string, filters: object = march) => {
  const { json } = await service.request('POST', `/metrics/${metric}/explain`, {
    key: service.keys[role],
    body: { filters },
  });
  const { values, nearest } = json as { values: object; nearest: object };
  return { values, nearest };
};

test('Every row has one reason, and reasons about people that the caller does not see are not given', async () => {
  expect(await valuesFor('owner', 'pull-requests-count')).toEqual({
    values: {
      used: 30,
      left_out: [
        { reason: 'not onboarded', count: 1 },
        { reason: 'outside the window', count: 1 },
      ],
    },
    // Her rows would not be used, so they are not where to look.
    nearest: { before: null, after: null },
  });
  expect(await valuesFor('engineer', 'pull-requests-count')).toMatchObject({ values: { used: 10, left_out: [] } });
  const january = { start_date: '2024-01-01', end_date: '2024-01-31' };
  expect(await valuesFor('engineer', 'pull-requests-count', january)).toEqual({
    values: { used: 0, left_out: [{ reason: 'outside the window', count: 10 }] },
    nearest: { before: null, after: '2024-03-03' },
  });
});

test('A share names the people that it does not divide by, as far as the caller sees them', async () => {
  const { values } = await valuesFor('owner', 'adoption-rate');
  // Ada, Grace and Edsger; not Barbara, Donald and Åsa.
  expect(values).toEqual({ used: 3, left_out: [{ reason: 'not onboarded', count: 3 }] });
  expect((await valuesFor('owner', 'ai-adoption-rate')).values).toEqual(values);
  expect((await valuesFor('engineer', 'adoption-rate')).values).toEqual({ used: 1, left_out: [] });
});
