import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Principal } from '../../src/access/principal.ts';
import { peopleCopy } from '../../src/catalogue/directory-copies.ts';
import { aiCopilot } from '../../src/catalogue/tables/ai-copilot.ts';
import { deployments } from '../../src/catalogue/tables/deployments.ts';
import { pullRequests } from '../../src/catalogue/tables/pull-requests.ts';
import { rowReader } from '../../src/query/answer-columns.ts';
import type { Metrics } from '../../src/query/answer-metric.ts';
import { metricsOver } from '../setup/metrics-over.ts';
import { someOwner } from '../setup/some-owner.ts';
import { rowOf, type SomeWarehouse, someOrganisationId, someWarehouse } from '../warehouse/some-warehouse.ts';
import { putRows } from '../warehouse/table-writes.ts';

const at = Date.UTC(2024, 2, 5) / 1_000;
const organisationId = someOrganisationId();
const owner = someOwner(organisationId);
const engineer: Principal = {
  ...owner,
  role: 'Engineer',
  visibility: { self: 'ann', teamIds: [], hasReports: false, leadsSquads: false },
};
const march = { start_date: '2024-03-01', end_date: '2024-03-31' };

describe('the service', () => {
  let place: SomeWarehouse;
  let metrics: Metrics;
  beforeAll(async () => {
    place = await someWarehouse();
    await place.warehouse.change(organisationId, async (session) => {
      const people = ['ann', 'bob'].map((id) =>
        rowOf(peopleCopy, { merged_user_id: id, name: id, onboarded: true, onboarded_by_name: false }),
      );
      await putRows(session, peopleCopy, people);
      const days = [9e25, 9e25, 1.5e308, 1.5e308, 1.5e308].map((cost_usd, i) =>
        rowOf(aiCopilot, { named_as: `n${i}`, source: i < 2 ? 'cursor' : 'claude-code', date: '2024-03-05', cost_usd }),
      );
      await putRows(session, aiCopilot, days);
      await putRows(session, deployments, [
        rowOf(deployments, {
          deployment_id: 'd1',
          deployed_at: at,
          status: 'success',
          is_production: true,
          merged_user_id: 'bob',
          person_login: 'bob-login',
          person_email: 'bob@example.org',
          person_name: 'Bob B.',
          pr_ids: '["1","2"]',
          prs_included: 2,
        }),
      ]);
      const prs = ['ann', 'bob'].map((merged_user_id, i) =>
        rowOf(pullRequests, { pr_id: String(i + 1), merged_user_id, deployment_id: 'd1', pr_created_at: at }),
      );
      await putRows(session, pullRequests, prs);
    });
    metrics = metricsOver(place.warehouse, () => new Date('2024-04-15T00:00:00Z'));
  });
  afterAll(() => place.close());

  const rows = async (who: Principal, metric: string, body: object) => {
    const { answer } = await metrics.single(who, metric, body);
    if (answer.form !== 'rows') throw new Error('not rows');
    return { shown: answer.rows.map(rowReader(answer.columns)), total: answer.total };
  };

  test.each([
    ['0002-01-01', '0004-01-31'],
    ['0999-12-31', '1000-01-31'],
    ['9900-01-01', '9900-01-02'],
  ])(
    'The service refuses years in which ten more, or as many before, cannot be written: %s',
    async (start_date, end_date) => {
      const asked = rows(owner, 'date-details', { filters: { start_date, end_date } });
      await expect(asked).rejects.toMatchObject({ reason: 'bad-input' });
    },
  );

  test.each([
    ['1000-01-01', '1002-01-31'],
    ['9890-01-01', '9899-12-31'],
  ])('The service takes every other year, and the period before: %s', async (start_date, end_date) => {
    const body = { filters: { start_date, end_date }, date_level: 'month' };
    expect((await rows(owner, 'date-details', body)).shown.length).toBeGreaterThan(20);
    await metrics.single(owner, 'pull-requests-count', { ...body, include_previous_period: true });
  });

  test('The service tells 200 periods at most, in the order that is asked for, and refuses what makes no sense of them', async () => {
    const filters = { start_date: '2023-01-01', end_date: '2023-12-31' };
    const { shown, total } = await rows(owner, 'date-details', {
      filters,
      order_by: 'day_date',
      order_direction: 'desc',
    });
    expect([shown.length, total, shown[0]?.day_date]).toEqual([200, 365, '2023-12-31']);
    const wrong = [
      { limit: 0 },
      { order_by: 'nonsense' },
      { group_by: 'x' },
      { group_by: ['x'] },
      { time_series_data: 'yes' },
    ];
    for (const more of wrong) {
      await expect(rows(owner, 'date-details', { filters, ...more })).rejects.toMatchObject({ reason: 'bad-input' });
    }
  });

  test('The service searches for fifty different words, and for no more', async () => {
    const words = (number: number) => Array.from({ length: number }, (_, i) => `w${i}`).join(' ');
    const asked = (term: string) =>
      rows(owner, 'pull-requests-count', { filters: { ...march, pull_requests_search_term: term } });
    expect((await asked(words(50))).shown).toEqual([{ date_level_not_set: true, pr_count: 0 }]);
    expect((await asked('w '.repeat(100))).shown).toHaveLength(1);
    await expect(asked(words(51))).rejects.toThrow('50 different words at most');
    await expect(asked('w '.repeat(101))).rejects.toThrow(
      'The filter pull_requests_search_term takes 200 characters at most, not 202.',
    );
  });

  test.each([
    ['The filter repositories', { filters: { ...march, repositories: ['NAME'] } }],
    ['The filter repositories', { filters: { ...march, repositories: [{ repository_name: 'NAME' }] } }],
    ['The filter member', { filters: { ...march, member: 'NAME' } }],
    ['start_date', { filters: { start_date: 'NAME' } }],
    ['order_by', { filters: march, order_by: 'NAME' }],
    ['Each item of group_by', { filters: march, group_by: ['NAME'] }],
  ])('The service takes a name of at most 1,000 characters: %s', async (place, body) => {
    const asked = (length: number) => {
      const named = JSON.stringify(body).replace('NAME', '😀'.repeat(length));
      return rows(owner, 'pull-requests-count', JSON.parse(named)).then(
        () => '',
        ({ reason, message }) => `${reason}: ${message}`,
      );
    };
    expect(await asked(1_000)).not.toContain('characters');
    expect(await asked(1_001)).toBe(`bad-input: ${place} takes 1000 characters at most, not 1001.`);
  });

  test('The service does not fail on numbers of any size', async () => {
    const body = { filters: march, aggregation: 'sum', group_by: ['source'] };
    const { shown } = await rows(owner, 'ai-total-cost', body);
    expect(shown).toMatchObject([
      { source: 'claude-code', sum_ai_total_cost: 0 },
      { source: 'cursor', sum_ai_total_cost: 1.8e26 },
    ]);
  });

  test('The service tells whoever sees a deployment by their pull request nothing of others in it', async () => {
    const columns = ['deployment_id', 'prs_included', 'pr_ids', 'name', 'person_login', 'person_email', 'person_name'];
    const body = { filters: march, group_by: columns };
    expect((await rows(engineer, 'deployment-frequency', body)).shown).toMatchObject([
      { prs_included: 1, pr_ids: null, name: null, person_login: null, person_email: null, person_name: null },
    ]);
    expect((await rows(owner, 'deployment-frequency', body)).shown).toMatchObject([
      { prs_included: 2, pr_ids: ['1', '2'], name: 'bob', person_login: 'bob-login', person_name: 'Bob B.' },
    ]);
  });

  test.each([
    ['deployment-frequency', 'They count whether or not the person who started them is in metrics.'],
    ['users-count', 'Only people in metrics count.'],
    [
      'pull-requests-count',
      'Leave out rows of people who are known and not in metrics. Rows of people who are not in the directory, and of bots, count where they have a value.',
    ],
  ])('The service explains who counts in %s', async (metric, sentence) => {
    const { document } = (await metrics.explain(owner, metric, { filters: march })).answer;
    expect(document).toMatchObject({ plan: expect.arrayContaining([sentence]) });
  });

  test('The service explains a window of instants as one, and how to list the records with the same filters', async () => {
    const filters = {
      start_date: '2024-03-01T12:00:00Z',
      end_date: '2024-03-02T00:59:59Z',
      ai_copilot_sources: ['cursor'],
    };
    const { document } = (await metrics.explain(owner, 'ai-complexity-score', { filters, aggregation: 'avg' })).answer;
    expect(document).toMatchObject({
      plan: expect.arrayContaining([
        'Keep rows with pr_merged_at from 2024-03-01T12:00:00.000Z on and before 2024-03-02T01:00:00.000Z.',
      ]),
      rows_request: { path: '/metrics/ai-pr-count', body: { filters, group_by: ['pr_id'] } },
    });
    const { rows_request } = document as { readonly rows_request: { readonly body: object } };
    expect((await rows(owner, 'ai-pr-count', rows_request.body)).shown).toEqual([]);
  });
});
