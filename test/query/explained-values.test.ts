import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Metric } from '../../src/catalogue/metric.ts';
import { Metrics } from '../../src/query/answer-metric.ts';
import type { Explanation } from '../../src/query/explain.ts';
import { explained } from '../reference/explained.ts';
import type { World } from '../reference/world.ts';
import { isLong, times } from '../setup/how-long.ts';
import { alwaysPublished } from '../setup/metrics-over.ts';
import { fewRows, type SomeWarehouse, someWarehouse } from '../warehouse/some-warehouse.ts';
import { principalOf, putWorld } from './asked-world.ts';
import { type AskedRequest, singleRequests } from './random-request.ts';
import { allMetrics, seededWorld, seedOf } from './seeded-worlds.ts';

const { world } = seededWorld(0);
let some: SomeWarehouse;
let metrics: Metrics;
let organisationId: string;
beforeAll(async () => {
  some = await someWarehouse(fewRows);
  ({ organisationId } = await putWorld(some.warehouse, world));
  metrics = new Metrics({
    tables: some.warehouse,
    directory: alwaysPublished,
    benchmarks: { organisations: async () => [] },
    now: () => world.now,
  });
});
afterAll(() => some.close());

/** What is said and what loops over rows find, of the same request. */
async function both({ seeing, metric, body }: AskedRequest, where: World = world, id: string = organisationId) {
  const principal = principalOf(id, seeing, where.timeZone);
  const { order_by: _, order_direction: __, ...asked } = body;
  const { answer } = await metrics.explain(principal, metric, asked);
  const { values, nearest, date_field, deployment_sources } = answer.document as Explanation;
  const expected = explained(where, seeing, metric, body);
  return {
    said: { values, nearest, date_field, deployment_sources: bySource(deployment_sources) },
    expected: { ...expected, deployment_sources: bySource(expected.deployment_sources) },
  };
}

describe('an explanation tells as loops over rows do what became of every value', () => {
  // Outside the long run one of each table and kind.
  const isFirst = ({ table, kind }: Metric, at: number) =>
    allMetrics.findIndex((one) => one.table === table && one.kind === kind) === at;
  const told = allMetrics.filter((metric, at) => isLong || isFirst(metric, at));

  // One after the other: each asks a handful of questions.
  test.each(told.map((metric) => ({ metric, name: metric.name })))(
    'An explanation tells as loops over rows do what became of every value of $name',
    ({ metric }) =>
      fc.assert(
        fc.asyncProperty(singleRequests(metric), async (request) => {
          const { said, expected } = await both(request);
          expect(said).toEqual(expected);
        }),
        { seed: seedOf(metric), numRuns: times(1, 60) },
      ),
  );

  test('An explanation tells as loops over rows do what became of every value with the reasons that people ask about', async () => {
    const [somebody] = world.people;
    const seen = Date.UTC(2024, 0, 15) / 1_000;
    const plain = { ...world.facts.pull_requests[0], merged_user_id: null, is_bot: false, pr_created_at: seen };
    const merged = { ...plain, pr_state: 'merged', pr_merged_at: seen, lead_time: null, is_promotion_pr: false };
    const rows = [
      { ...plain, pr_state: 'open', pr_merged_at: null, lead_time: null },
      { ...merged, is_bot: true },
      { ...merged, deployment_attribution_status: 'before_first_signal' },
      { ...merged, merged_user_id: somebody?.merged_user_id ?? null },
      { ...merged, lead_time: 60, deployment_source: 'workflow_run' },
      { ...merged, lead_time: 60, pr_created_at: seen - 100 * 86_400 },
      { ...merged, merged_user_id: somebody?.merged_user_id ?? null, pr_created_at: seen - 100 * 86_400 },
    ];
    const oneLeft: World = {
      ...world,
      people: world.people.map((one, i) => (i === 0 ? { ...one, onboarded: false, onboarded_by_name: false } : one)),
      facts: { ...world.facts, pull_requests: rows.map((row, i) => ({ ...row, pr_id: `told ${i}` })) },
    };
    const { organisationId: id } = await putWorld(some.warehouse, oneLeft);
    const request: AskedRequest = {
      seeing: 'organisation',
      metric: 'lead-time-for-changes',
      body: {
        filters: { start_date: '2024-01-01', end_date: '2024-02-29' },
        date_field: 'created_at',
        aggregation: 'avg',
      },
    };
    const { said, expected } = await both(request, oneLeft, id);
    expect(said).toEqual(expected);
    expect(said.values).toEqual({
      used: 1,
      left_out: [
        // Also that of somebody who is not onboarded.
        { reason: 'outside the window', count: 2 },
        ...['bot', 'no deployment signal', 'not onboarded', 'open'].map((reason) => ({ reason, count: 1 })),
      ],
    });
    const share = await both(
      { seeing: 'organisation', metric: 'adoption-rate', body: { filters: february } },
      oneLeft,
      id,
    );
    expect(share.said.values.left_out).toContainEqual({ reason: 'not onboarded', count: notOnboarded(oneLeft) });
    expect(share.said).toEqual(share.expected);
    expect(said.nearest).toMatchObject({ before: expect.stringMatching(/^2023-10-0[67]$/), after: null });
    expect(said.deployment_sources).toEqual([{ deployment_source: 'workflow_run', count: 1 }]);
  });
});

const february = { start_date: '2024-02-01', end_date: '2024-02-29' };
const notOnboarded = ({ people }: World): number => people.filter(({ onboarded }) => onboarded !== true).length;

const bySource = (sources: readonly { readonly deployment_source: unknown; readonly count: number }[] | null) =>
  sources?.toSorted((a, b) => compared(a.deployment_source, b.deployment_source)) ?? null;

const compared = (a: unknown, b: unknown): number => String(a).localeCompare(String(b));

const notOnboardedIn = ({ values }: Explanation): number =>
  values.left_out.find(({ reason }) => reason === 'not onboarded')?.count ?? 0;

describe('where answers to surveys are anonymous', () => {
  test('Answers of too few people are counted as left out, and their days stay hidden', async () => {
    const owner = principalOf(organisationId, 'organisation', world.timeZone);
    const body = { filters: { start_date: '2020-01-01', end_date: '2025-12-31' } };
    const explain = async (minRespondents: number | undefined, filters: object = body.filters) =>
      (await metrics.explain({ ...owner, minRespondents }, 'survey-responses-count', { filters })).answer
        .document as Explanation;
    const all = await explain(undefined);
    expect(all.values.used).toBeGreaterThan(0);
    const none = await explain(1_000_000);
    expect(none.values).toEqual({
      used: 0,
      // Who of them is onboarded is not told, either.
      left_out: [{ reason: 'too few respondents', count: all.values.used + notOnboardedIn(all) }],
    });
    const elsewhere = await explain(1_000_000, { start_date: '2000-01-01', end_date: '2000-01-02' });
    expect(elsewhere.nearest).toEqual({ before: null, after: null });
    expect(elsewhere.values).toEqual({ used: 0, left_out: [] });
  });
});
