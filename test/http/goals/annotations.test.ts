import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HttpAnswer, type Service, startService } from '../../setup/running-app.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

type Key = 'owner' | 'manager' | 'engineer' | 'squadLead';
const put = (slug: string, body: unknown, by: Key = 'owner'): Promise<HttpAnswer> =>
  service.request('PUT', `/annotations/${slug}`, { key: service.keys[by], body, headers: { 'if-none-match': '*' } });
const namesSeen = async (query = '', by: Key = 'owner'): Promise<unknown> => {
  const { json, status } = await service.request('GET', `/annotations${query}`, { key: service.keys[by] });
  return status === 200 ? (json as { annotation: string }[]).map(({ annotation }) => annotation) : status;
};
const detailOf = ({ json }: HttpAnswer): string => (json as { detail: string }).detail;

test('An annotation is made, read, listed by days and removed', async () => {
  const written = {
    at: '2026-03-02',
    title: 'Copilot for everybody',
    kind: 'rollout',
    filters: { team: ['payments'] },
  };
  const made = await put('copilot', written);
  const whole = {
    annotation: 'copilot',
    at: '2026-03-02',
    until: null,
    title: 'Copilot for everybody',
    kind: 'rollout',
    filters: { team: ['Payments'] },
  };
  expect([made.status, made.json]).toEqual([201, whole]);
  expect(Object.keys(made.json as object)).toEqual(Object.keys(whole));
  await put('freeze', { at: '2026-02-20', until: '2026-03-01', title: 'Freeze' });
  expect((await service.request('GET', '/annotations/freeze', { key: service.keys.engineer })).json).toMatchObject({
    kind: 'other',
    filters: {},
  });
  expect(await namesSeen()).toEqual(['copilot', 'freeze']);
  expect(await namesSeen('?start_date=2026-03-01&end_date=2026-03-01')).toEqual(['freeze']);
  expect(await namesSeen('?start_date=2026-03-02')).toEqual(['copilot']);
  expect(await namesSeen('?end_date=2026-02-19')).toEqual([]);
  expect(await namesSeen('?start_date=2026-03-02&end_date=2026-03-01')).toBe(400);
  expect(await namesSeen('?start_date=March')).toBe(400);
  for (const slug of ['copilot', 'freeze']) {
    const { status } = await service.request('DELETE', `/annotations/${slug}`, { key: service.keys.owner });
    expect(status).toBe(204);
  }
});

test('Managers and Owners make annotations, and those of a team are for those who see the team', async () => {
  const about = (team?: string) => ({ at: '2026-03-02', title: 'x', ...(team ? { filters: { team: [team] } } : {}) });
  expect((await put('a', about(), 'engineer')).status).toBe(403);
  expect((await put('a', about(), 'squadLead')).status).toBe(403);
  expect((await put('everybody', about(), 'manager')).status).toBe(201);
  await put('of-payments', about('Payments'));
  await put('of-platform', about('Platform'));
  expect(await namesSeen('', 'manager')).toEqual(['everybody', 'of-payments', 'of-platform']);
  expect(await namesSeen('', 'engineer')).toEqual(['everybody', 'of-platform']);
  expect(await namesSeen('', 'squadLead')).toEqual(['everybody']);
  const hidden = await service.request('GET', '/annotations/of-payments', { key: service.keys.engineer });
  expect(hidden.status).toBe(404);
});

test.each([
  [{ title: 'x' }, /at is missing/],
  [{ at: '2 March', title: 'x' }, /at must be a day such as/],
  [{ at: '2026-03-02', until: '2026-03-01', title: 'x' }, /until must not be before at/],
  [{ at: '2026-03-02' }, /title is missing/],
  [{ at: '2026-03-02', title: 'a\nb' }, /one line/],
  [{ at: '2026-03-02', title: 'x', kind: 'party' }, /kind must be one of release, incident/],
  [{ at: '2026-03-02', title: 'x', filters: { member: ['ada'] } }, /unknown field 'member'/],
  [{ at: '2026-03-02', title: 'x', filters: { team: ['Paymens'] } }, /no team 'Paymens'\. Did you mean 'Payments'/],
  [{ at: '2026-03-02', title: 'x', filters: { repositories: [5] } }, /repositories takes/],
  [[], /must have the fields/],
])('%j is no annotation', async (body, says) => {
  const answer = await put('wrong', body);
  expect([answer.status, detailOf(answer)]).toEqual([400, expect.stringMatching(says)]);
});
