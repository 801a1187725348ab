import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Metrics } from '../../src/query/answer-metric.ts';
import type { Explanation } from '../../src/query/explain.ts';
import { explained } from '../reference/explained.ts';
import { timeoutMs, times } from '../setup/how-long.ts';
import { alwaysPublished } from '../setup/metrics-over.ts';
import { fewRows, type SomeWarehouse, someWarehouse } from '../warehouse/some-warehouse.ts';
import { principalOf, putWorld } from './asked-world.ts';
import { type AskedRequest, singleRequests } from './random-request.ts';
import { allMetrics, seed, seededWorld } from './seeded-worlds.ts';

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
async function both({ seeing, metric, body }: AskedRequest) {
  const principal = principalOf(organisationId, seeing, world.timeZone);
  const { order_by: _, order_direction: __, ...asked } = body;
  const { answer } = await metrics.explain(principal, metric, asked);
  const { values, nearest, date_field, deployment_sources } = answer.document as Explanation;
  const expected = explained(world, seeing, metric, body);
  return {
    said: { values, nearest, date_field, deployment_sources: bySource(deployment_sources) },
    expected: { ...expected, deployment_sources: bySource(expected.deployment_sources) },
  };
}

describe('an explanation tells as loops over rows do what became of every value', () => {
  // One after the other: each asks a handful of questions.
  test.each(allMetrics.map((metric) => ({ metric, name: metric.name })))(
    'of $name',
    ({ metric }) =>
      fc.assert(
        fc.asyncProperty(singleRequests(metric), async (request) => {
          const { said, expected } = await both(request);
          expect(said).toEqual(expected);
        }),
        { seed, numRuns: times(2, 60) },
      ),
    timeoutMs(60_000),
  );

  test('with the reasons that people ask about', async () => {
    const filters = { start_date: '2024-01-01', end_date: '2024-02-29' };
    const asked = ['cycle-time', 'lead-time-for-changes', 'contributors-count'].flatMap((metric) =>
      ['created_at', 'merged_at'].map((date_field) => ({
        seeing: 'organisation' as const,
        metric,
        body: { filters, date_field, ...(metric === 'contributors-count' ? {} : { aggregation: 'avg' }) },
      })),
    );
    const given = new Set<string>();
    for (const request of asked) {
      const { said, expected } = await both(request);
      expect(said).toEqual(expected);
      for (const { reason } of said.values.left_out) given.add(reason);
    }
    for (const reason of ['outside the window', 'open', 'bot', 'not onboarded', 'no deployment signal'])
      expect([...given]).toContain(reason);
  });
});

const bySource = (sources: readonly { readonly deployment_source: unknown; readonly count: number }[] | null) =>
  sources?.toSorted((a, b) => compared(a.deployment_source, b.deployment_source)) ?? null;

const compared = (a: unknown, b: unknown): number => String(a).localeCompare(String(b));

describe('where answers to surveys are anonymous', () => {
  test('those of too few are counted as left out, and no day of theirs is told', async () => {
    const owner = principalOf(organisationId, 'organisation', world.timeZone);
    const body = { filters: { start_date: '2020-01-01', end_date: '2025-12-31' } };
    const explain = async (respondentsLeast: number | undefined, filters: object = body.filters) =>
      (await metrics.explain({ ...owner, respondentsLeast }, 'survey-responses-count', { filters })).answer
        .document as Explanation;
    const all = await explain(undefined);
    expect(all.values.used).toBeGreaterThan(0);
    const none = await explain(1_000_000);
    expect(none.values).toEqual({
      used: 0,
      left_out: [{ reason: 'too few respondents', count: all.values.used }],
    });
    const elsewhere = await explain(1_000_000, { start_date: '2000-01-01', end_date: '2000-01-02' });
    expect(elsewhere.nearest).toEqual({ before: null, after: null });
    expect(elsewhere.values).toEqual({ used: 0, left_out: [] });
  });
});
