import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Service } from '../../setup/running-app.ts';
import { asking, putRecords, startMetrics } from './some-metrics.ts';

let service: Service;
beforeAll(async () => {
  service = await startMetrics();
  await putRecords(service, 'people', [
    { main_email: 'hal@example.org', name: 'Hal', teams: ['Space'], logins: { github: 'hal', gitlab: 'hal-9000' } },
  ]);
  const pullRequest = (n: number, source: string, person_login: string, person_is_bot: boolean) => ({
    pr_id: `hal-${n}`,
    source,
    person_login,
    person_is_bot,
    pr_created_at: '2024-02-05T09:00:00Z',
  });
  await putRecords(service, 'pull_requests', [
    ...[1, 2, 3].map((n) => pullRequest(n, 'github', 'hal', false)),
    ...[4, 5].map((n) => pullRequest(n, 'gitlab', 'hal-9000', true)),
  ]);
});
afterAll(() => service.close());

const filters = { start_date: '2024-02-01', end_date: '2024-02-29' };
const ask = asking(() => service);
const rows = async (body: object) => (await ask('pull-requests-count', { filters, ...body })).json as unknown[];

async function halHas(own: number, nobody: number): Promise<void> {
  const apart = (name: string, value: string) => [
    { date_level_not_set: true, [name]: value, pr_count: own },
    ...(nobody > 0 ? [{ date_level_not_set: true, [name]: null, pr_count: nobody }] : []),
  ];
  expect(await rows({})).toEqual([{ date_level_not_set: true, pr_count: 5 }]);
  expect(await rows({ group_by: ['name'] })).toEqual(apart('name', 'Hal'));
  expect(await rows({ group_by: ['team_name'] })).toEqual(apart('team_name', 'Space'));
  expect(await rows({ filters: { ...filters, team: ['Space'] } })).toEqual([
    { date_level_not_set: true, pr_count: own },
  ]);
  expect(await rows({ filters: { ...filters, member: ['Hal'] } })).toEqual([
    { date_level_not_set: true, pr_count: own },
  ]);
}

test('What a bot account of a person did counts in totals, and as theirs only once they are onboarded by name', async () => {
  await halHas(3, 2);
  const byName = { email_addresses: ['hal@example.org'] };
  const path = '/users/onboarded-users-by-attributes';
  const answer = await service.request('POST', path, { key: service.keys.owner, body: byName });
  expect(answer.status).toBe(200);
  await halHas(5, 0);
});
