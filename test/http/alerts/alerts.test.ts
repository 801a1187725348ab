import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { HttpAnswer, Service } from '../../setup/running-app.ts';
import { detailOf, startMetrics } from '../metrics/some-metrics.ts';

let service: Service;
beforeAll(async () => {
  service = await startMetrics();
});
afterAll(() => service.close());

type Key = 'owner' | 'manager' | 'engineer' | 'squadLead';
const put = (path: string, body: unknown, by: Key = 'owner', headers = { 'if-none-match': '*' }): Promise<HttpAnswer> =>
  service.request('PUT', path, { key: service.keys[by], body, headers });
const get = (path: string, by: Key = 'owner'): Promise<HttpAnswer> =>
  service.request('GET', path, { key: service.keys[by] });
const post = (path: string, by: Key = 'owner') => service.request('POST', path, { key: service.keys[by] });

const ownMail = { email: 'ada@example.com' };
const behind = { rule: { source_behind: { hours: 6 } }, to: [ownMail] };

describe('An alert', () => {
  test('An alert is shown as it was written, with what was left out filled in', async () => {
    const made = await put('/alerts/behind', { rule: { source_behind: {} }, to: [ownMail] });
    expect([made.status, made.json]).toEqual([201, { alert: 'behind', ...behind }]);
    const written = {
      alert: 'slow-reviews',
      rule: {
        unusual: { metric: 'pickup-time', aggregation: 'MEDIAN', filters: { team: ['Payments'] }, period: 'week' },
      },
      to: [ownMail, { email: 'grace@example.com' }],
      quiet: { from: '18:00', until: '08:00', weekends: true },
    };
    expect((await put('/alerts/slow-reviews', written)).json).toEqual(written);
    expect((await get('/alerts/slow-reviews')).json).toEqual(written);
    const waiting = { waiting: { for: 'review', hours: 48, filters: {} } };
    expect((await put('/alerts/waiting', { rule: { waiting: { for: 'review' } }, to: [ownMail] })).json).toMatchObject({
      rule: waiting,
    });
  });

  test.each([
    [{ ...behind, rule: {} }, 'rule must have exactly one of'],
    [{ ...behind, rule: { source_behind: { hours: 0 } } }, 'hours must be a whole number'],
    [{ ...behind, rule: { goal_missed: { goal: 'nothing' } } }, "there is no goal 'nothing'"],
    [{ ...behind, rule: { unusual: { metric: 'cycle-times', period: 'week' } } }, "there is no metric 'cycle-times'"],
    [{ ...behind, rule: { unusual: { metric: 'cycle-time', period: 'week' } } }, 'needs an aggregation'],
    [{ ...behind, rule: { unusual: { metric: 'users-count', period: 'week' } } }, 'not over time'],
    [{ ...behind, rule: { unusual: { metric: 'pull-requests-count', period: 'day' } } }, 'period must be one of'],
    [{ ...behind, rule: { waiting: { for: 'lunch' } } }, 'for must be one of review, merge, deploy'],
    [
      { ...behind, rule: { waiting: { for: 'review', filters: { start_date: '2024-01-01' } } } },
      'leave start_date out',
    ],
    [{ ...behind, to: [] }, "'to' must be a list"],
    [{ ...behind, to: [{ email: 'stranger@example.com' }] }, 'no address of a person in this organisation'],
    [{ ...behind, quiet: { from: '18:00' } }, 'from and until go together'],
    [{ ...behind, quiet: { from: '18:00', until: '18:00' } }, 'must be two times'],
    [{ ...behind, quiet: { from: '6pm', until: '08:00' } }, 'quiet.from must be a time'],
    [{ ...behind, colour: 'red' }, "unknown field 'colour'"],
  ])('%j is refused', async (written, why) => {
    const answer = await put('/alerts/wrong', written);
    expect([answer.status, detailOf(answer)]).toEqual([400, expect.stringContaining(why)]);
  });

  test('Engineers and Squad Leads send to their own address only', async () => {
    for (const [by, own] of [
      ['engineer', 'edsger@example.com'],
      ['squadLead', 'asa@example.com'],
    ] as const) {
      const refused = await put(`/alerts/${by.toLowerCase()}`, behind, by);
      expect([refused.status, detailOf(refused)]).toEqual([
        403,
        expect.stringContaining('Only Managers and Owners send'),
      ]);
      expect((await put(`/alerts/${by.toLowerCase()}`, { ...behind, to: [{ email: own }] }, by)).status).toBe(201);
    }
    expect((await put('/alerts/by-manager', behind, 'manager')).status).toBe(201);
  });

  test('What goes to others names nobody, and is not about salaries or surveys', async () => {
    const others = [{ email: 'grace@example.com' }];
    const ofOne = { waiting: { for: 'review', filters: { member: ['Edsger Dijkstra'] } } };
    const survey = { unusual: { metric: 'survey-responses-count', period: 'month' } };
    for (const rule of [ofOne, survey]) {
      const refused = await put('/alerts/named', { rule, to: others });
      expect([refused.status, detailOf(refused)]).toEqual([
        400,
        expect.stringContaining('can only go to an address of its owner'),
      ]);
    }
    expect((await put('/alerts/named', { rule: ofOne, to: [ownMail] })).status).toBe(201);
  });

  test('An alert is seen by its owner and by Owners alone', async () => {
    await put('/alerts/managers-own', { ...behind, to: [{ email: 'grace@example.com' }] }, 'manager');
    expect((await get('/alerts/managers-own', 'manager')).status).toBe(200);
    expect((await get('/alerts/managers-own')).status).toBe(200);
    expect((await get('/alerts/managers-own', 'engineer')).status).toBe(404);
    for (const path of ['/alerts/managers-own/deliveries']) expect((await get(path, 'engineer')).status).toBe(404);
    expect((await post('/alerts/managers-own/test', 'engineer')).status).toBe(404);
  });

  test('An example goes to everybody whom the alert tells, and is among its deliveries', async () => {
    await put('/alerts/tried', { ...behind, to: [ownMail, { email: 'grace@example.com' }] });
    const { status, json } = await post('/alerts/tried/test');
    expect([status, json]).toEqual([202, { sent: 2 }]);
    const deliveries = (await get('/alerts/tried/deliveries')).json as {
      receiver: object;
      title: string;
    }[];
    expect(deliveries.map(({ receiver, title }) => ({ receiver, title }))).toEqual(
      expect.arrayContaining([
        { receiver: ownMail, title: 'A test of the alert tried' },
        { receiver: { email: 'grace@example.com' }, title: 'A test of the alert tried' },
      ]),
    );
  });
});

describe('A digest', () => {
  const monday = { board: null, every: 'monday 08:00', to: [ownMail] };

  test('A digest is shown as it was written', async () => {
    const made = await put('/digests/monday', { ...monday, filters: { team: ['Payments'] } });
    expect([made.status, made.json]).toEqual([201, { digest: 'monday', ...monday, filters: { team: ['Payments'] } }]);
    expect((await get('/digests/monday')).json).toEqual(made.json);
    expect((await get('/digests')).json).toEqual([expect.objectContaining({ digest: 'monday', may_change: true })]);
    expect((await get('/digests/monday', 'engineer')).status).toBe(404);
  });

  test.each([
    [{ ...monday, every: 'noon' }, 'every must be'],
    [{ ...monday, board: 'nothing' }, "there is no board 'nothing'"],
    [{ ...monday, filters: { colour: ['red'] } }, 'colour'],
    [{ ...monday, filters: { end_date: '2024-01-01' } }, 'leave end_date out'],
    [{ ...monday, to: [{ email: 'grace@example.com' }], filters: { member: ['Ada Lovelace'] } }, 'names a person'],
  ])('%j is refused', async (written, why) => {
    const answer = await put('/digests/wrong', written);
    expect([answer.status, detailOf(answer)]).toEqual([400, expect.stringContaining(why)]);
  });

  test('A board that names people goes to its reader alone', async () => {
    const panels = [{ metric: 'pull-requests-count', request: { group_by: ['name'] }, view: 'bar' }];
    expect((await put('/boards/people', { title: 'People', panels })).status).toBe(201);
    const refused = await put('/digests/people', { ...monday, board: 'people', to: [{ email: 'grace@example.com' }] });
    expect([refused.status, detailOf(refused)]).toEqual([400, expect.stringContaining('grouped by name')]);
    expect((await put('/digests/people', { ...monday, board: 'people' })).status).toBe(201);
  });
});
