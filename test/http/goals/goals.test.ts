import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { HttpAnswer, Service } from '../../setup/running-app.ts';
import { detailOf, organise, startMetrics } from '../metrics/some-metrics.ts';

let service: Service;
beforeAll(async () => {
  service = await startMetrics();
  const checkout = ['p', 'q', 'r', 's', 't'].map((name) => ({
    name: `Person ${name}`,
    main_email: `${name}@example.com`,
    access_role: 'Engineer' as const,
    onboarded: true,
    teams: ['Checkout'],
  }));
  await service.put(checkout);
});
afterAll(() => service.close());

const goal = {
  title: 'A pull request a day',
  metric: 'pull-requests-count',
  should_be: 'above',
  value: 7,
  period: 'week',
  visible_to: 'organisation',
};

type Key = 'owner' | 'manager' | 'engineer' | 'squadLead';
const put = (slug: string, body: unknown, by: Key = 'owner', headers = { 'if-none-match': '*' }): Promise<HttpAnswer> =>
  service.request('PUT', `/goals/${slug}`, { key: service.keys[by], body, headers });
const get = (path: string, by: Key = 'owner'): Promise<HttpAnswer> =>
  service.request('GET', path, { key: service.keys[by] });
const remove = (slug: string) => service.request('DELETE', `/goals/${slug}`, { key: service.keys.owner });

describe('A goal', () => {
  test('A goal is made with what was left out filled in, and says so to whoever reads it', async () => {
    const made = await put('daily', goal);
    const whole = {
      goal: 'daily',
      title: 'A pull request a day',
      metric: 'pull-requests-count',
      aggregation: null,
      filters: {},
      should_be: 'above',
      value: 7,
      period: 'week',
      // The Monday of the week in which it was made.
      from: '2024-04-08',
      until: null,
      visible_to: 'organisation',
    };
    expect([made.status, made.json]).toEqual([201, whole]);
    expect(Object.keys(made.json as object)).toEqual(Object.keys(whole));
    expect((await get('/goals/daily')).json).toEqual(whole);
    // The same again is the same goal.
    const again = await put('daily', made.json, 'owner', { 'if-match': made.headers.etag } as never);
    expect([again.status, again.headers.etag]).toEqual([200, made.headers.etag]);
    const later = { ...goal, period: 'month' };
    const changed = await put('daily', later, 'owner', { 'if-match': made.headers.etag } as never);
    expect(changed.json).toMatchObject({ period: 'month', from: '2024-04-08' });
    expect((await remove('daily')).status).toBe(204);
  });

  test('A goal has a row for each whole period, and the state of the last with enough values', async () => {
    await put('weekly', { ...goal, from: '2024-03-01' });
    const { status, json } = await get('/goals/weekly/history?periods=4');
    expect(status).toBe(200);
    expect(json).toEqual({
      goal: 'weekly',
      metric: 'pull-requests-count',
      aggregation: null,
      should_be: 'above',
      value: 7,
      state: 'missed',
      latest: { start_date: '2024-03-25', end_date: '2024-03-31', value: 6, n: 6, state: 'missed' },
      unit: null,
      data_through: '2024-03-31T00:00:00Z',
      periods: [
        { start_date: '2024-03-11', end_date: '2024-03-17', value: 7, n: 7, state: 'met' },
        { start_date: '2024-03-18', end_date: '2024-03-24', value: 7, n: 7, state: 'met' },
        { start_date: '2024-03-25', end_date: '2024-03-31', value: 6, n: 6, state: 'missed' },
        { start_date: '2024-04-01', end_date: '2024-04-07', value: 0, n: 0, state: 'incomplete' },
      ],
    });
    expect(((await get('/goals/weekly/history')).json as { periods: unknown[] }).periods).toHaveLength(26);
    expect(((await get('/goals/weekly/history?periods=104')).json as { periods: unknown[] }).periods).toHaveLength(104);
    const [listed] = (await get('/goals')).json as object[];
    expect(listed).toMatchObject({
      goal: 'weekly',
      state: 'missed',
      latest: { value: 6 },
      unit: null,
      owner: { name: 'Ada Lovelace' },
      may_change: true,
    });
    const [plain] = (await get('/goals?state=false')).json as object[];
    expect(plain).toMatchObject({ goal: 'weekly', may_change: true });
    expect(plain).not.toHaveProperty('state');
    expect((await get('/goals?state=maybe')).status).toBe(400);
    for (const periods of ['0', '105', '1.5', 'many'])
      expect((await get(`/goals/weekly/history?periods=${periods}`)).status).toBe(400);
    expect((await get('/goals/other/history')).status).toBe(404);
    await remove('weekly');
  });

  test('Whoever does not see everybody hears that, and no value', async () => {
    await put('weekly', goal);
    await put('of-checkout', { ...goal, filters: { team: ['Checkout'] } });
    const limited = { start_date: '2024-04-01', end_date: '2024-04-07', value: null, n: null, state: 'limited' };
    for (const by of ['engineer', 'squadLead'] as const) {
      for (const slug of ['weekly', 'of-checkout']) {
        const { json } = await get(`/goals/${slug}/history?periods=1`, by);
        expect(json).toEqual({
          goal: slug,
          metric: 'pull-requests-count',
          aggregation: null,
          should_be: 'above',
          value: 7,
          state: 'limited',
          latest: null,
          unit: null,
          data_through: null,
          periods: [limited],
        });
      }
      expect((await get('/goals', by)).json).toMatchObject([
        { goal: 'of-checkout', state: 'limited', latest: null },
        { goal: 'weekly', state: 'limited', latest: null },
      ]);
    }
    expect((await get('/goals/weekly/history', 'manager')).json).toMatchObject({ state: 'missed' });
    // A Manager who sees no team but their own is none who sees everybody.
    await organise(service, { team_restrictions: 'true' });
    expect((await get('/goals/weekly/history', 'manager')).json).toMatchObject({ state: 'limited' });
    await organise(service, { team_restrictions: 'false' });
    await remove('weekly');
    await remove('of-checkout');
  });

  test('A goal for fewer than five people says no more than that', async () => {
    await put('small', { ...goal, filters: { team: ['Payments'] } });
    expect((await get('/goals/small/history?periods=3')).json).toMatchObject({
      state: 'too_few',
      latest: null,
      periods: [{ state: 'too_few' }, { state: 'too_few' }, { state: 'incomplete' }],
    });
    await remove('small');
  });
});

describe('What is no goal', () => {
  const wrong: readonly (readonly [what: string, change: object, says: RegExp])[] = [
    ['a person', { filters: { member: ['ada'] } }, /cannot be filtered by member/],
    ['a pull request', { filters: { pr_ids: ['pr-00'] } }, /cannot be filtered by pr_ids/],
    ['a search', { filters: { pull_requests_search_term: 'x' } }, /cannot be filtered by pull_requests_search_term/],
    ['an issue', { filters: { issue_ids: ['x'] } }, /cannot be filtered by issue_ids/],
    ['a session', { metric: 'posthook-sessions-count', filters: { session_id: 'x' } }, /session_id/],
    ['a run', { metric: 'workflow-runs-count', filters: { workflow_run_ids: ['x'] } }, /workflow_run_ids/],
    ['days', { filters: { start_date: '2024-03-01' } }, /no start_date among its filters/],
    ['salaries', { metric: 'salary' }, /about salaries/],
    ['surveys', { metric: 'survey-responses-count' }, /answers to surveys/],
    ['people', { metric: 'users-count' }, /not over time/],
    ['a text', { metric: 'ai-favourite-model' }, /with a text/],
    ['groups', { metric: 'reviews-by-time-of-day' }, /always split by/],
    ['periods', { metric: 'date-details' }, /does not exist|no goals/],
    ['an unknown metric', { metric: 'pull-request-count' }, /Did you mean 'pull-requests-count'/],
    ['a foreign filter', { filters: { branches: ['main'] } }, /cannot be filtered by 'branches'/],
    ['an unknown team', { filters: { team: ['Checkuot'] } }, /there is no team 'Checkuot'\. Did you mean 'Checkout'/],
    ['no aggregation', { metric: 'pickup-time' }, /needs an aggregation/],
    ['days as periods', { period: 'day' }, /week, month, quarter/],
    ['no side', { should_be: undefined }, /should_be is missing/],
    ['no value', { value: undefined }, /value must be a number/],
    ['an end before the beginning', { from: '2024-03-01', until: '2024-02-29' }, /until must not be before from/],
    ['no day', { from: '2024-02-30' }, /from must be a day/],
    ['an unknown field', { target: 5 }, /unknown field 'target'/],
    ['another name', { goal: 'other' }, /name in the address/],
  ];
  test.each(wrong)('A goal cannot be about %s', async (_what, change, says) => {
    const answer = await put('wrong', { ...goal, ...change });
    expect([answer.status, detailOf(answer)]).toEqual([400, expect.stringMatching(says)]);
  });

  test('What others see comes from Managers and Owners, and everybody has goals of their own', async () => {
    expect((await put('mine', goal, 'engineer')).status).toBe(403);
    expect((await put('mine', { ...goal, visible_to: { team: 'Platform' } }, 'squadLead')).status).toBe(403);
    expect((await put('mine', { ...goal, visible_to: 'me' }, 'engineer')).status).toBe(201);
    expect((await get('/goals/mine', 'manager')).status).toBe(404);
    expect((await get('/goals/mine/history', 'manager')).status).toBe(404);
    expect((await get('/goals/mine/history', 'engineer')).json).toMatchObject({ state: 'limited' });
    await remove('mine');
  });
});

describe('The chart of a metric', () => {
  const chart = async (more = '', by: Key = 'owner'): Promise<string> => {
    const window = 'start_date=2024-03-01&end_date=2024-03-31&date_level=week';
    return (await get(`/metrics/pull-requests-count/chart.svg?${window}${more}`, by)).text;
  };

  test('A chart has the lines of goals whose bars it shows, for whoever sees all of them', async () => {
    const before = await chart();
    expect(before).not.toContain('Goal 7');
    await put('weekly', { ...goal, from: '2024-03-01' });
    expect(await chart()).toContain('>Goal 7<');
    expect(await chart('&group_by=repository')).toContain('>Goal 7<');
    expect(await chart('&include_previous_period=true')).toContain('>Goal 7<');
    expect(await chart('&repositories=acme/web')).not.toContain('Goal 7');
    expect(await chart('', 'engineer')).not.toContain('Goal 7');
    await remove('weekly');
    expect(await chart()).toBe(before);
  });

  test('A chart has the goals that its reader has for themselves, and not those of others', async () => {
    await put('of-edsger', { ...goal, title: 'Mine', visible_to: 'me', from: '2024-03-01' }, 'engineer');
    // An Owner may read it.
    expect((await get('/goals/of-edsger')).status).toBe(200);
    expect(await chart()).not.toContain('Goal 7');
    await put('of-ada', { ...goal, visible_to: 'me', value: 8, from: '2024-03-01' });
    expect(await chart()).toContain('>Goal 8<');
    expect(await chart('', 'manager')).not.toContain('Goal 8');
    for (const slug of ['of-edsger', 'of-ada']) await remove(slug);
  });

  test('A chart has the annotations that its filters do not exclude, as far as its reader sees them', async () => {
    const annotate = (slug: string, body: object) =>
      service.request('PUT', `/annotations/${slug}`, {
        key: service.keys.owner,
        headers: { 'if-none-match': '*' },
        body: { at: '2024-03-12', kind: 'rollout', ...body },
      });
    await annotate('everywhere', { title: 'Merge queue' });
    await annotate('of-web', { title: 'New router', filters: { repositories: ['acme/web'] } });
    await annotate('of-payments', { title: 'Payments moved', filters: { team: ['Payments'] } });
    const flagsIn = (svg: string) =>
      ['Merge queue', 'New router', 'Payments moved'].filter((one) => svg.includes(`>${one}<`));
    expect(flagsIn(await chart())).toEqual(['Merge queue', 'New router', 'Payments moved']);
    expect(flagsIn(await chart('&repositories=api'))).toEqual(['Merge queue', 'Payments moved']);
    expect(flagsIn(await chart('&team=Platform&repositories=web'))).toEqual(['Merge queue', 'New router']);
    // Somebody of another team does not even learn that there is one.
    expect(await chart('', 'engineer')).not.toContain('Payments moved');
    expect(flagsIn(await chart('', 'engineer'))).toEqual(['Merge queue', 'New router']);
    for (const slug of ['everywhere', 'of-web', 'of-payments'])
      await service.request('DELETE', `/annotations/${slug}`, { key: service.keys.owner });
  });
});
