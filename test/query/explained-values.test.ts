import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Metrics } from '../../src/query/answer-metric.ts';
import type { Explanation } from '../../src/query/explain.ts';
import { explained } from '../reference/explained.ts';
import { timeoutMs, times } from '../setup/how-long.ts';
import { alwaysPublished } from '../setup/metrics-over.ts';
import { fewRows, type SomeWarehouse, someWarehouse } from '../warehouse/some-warehouse.ts';
import { principalOf, putWorld } from './asked-world.ts';
import { singleRequests } from './random-request.ts';
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

/** Every reason that was given in some answer. */
const given = new Set<string>();

describe('an explanation tells as loops over rows do what became of every value', () => {
  test.concurrent.each(allMetrics.map((metric) => ({ metric, name: metric.name })))(
    'of $name',
    ({ metric }) =>
      fc.assert(
        fc.asyncProperty(singleRequests(metric), async ({ seeing, metric: name, body }) => {
          const principal = principalOf(organisationId, seeing, world.timeZone);
          const { order_by: _, order_direction: __, ...asked } = body;
          const { answer } = await metrics.explain(principal, name, asked);
          const { values, nearest, date_field, deployment_sources } = answer.document as Explanation;
          for (const { reason } of values.left_out) given.add(reason);
          const sources = deployment_sources?.toSorted((a, b) => compared(a.deployment_source, b.deployment_source));
          const { deployment_sources: expectedSources, ...expected } = explained(world, seeing, name, body);
          expect({ values, nearest, date_field }).toEqual(expected);
          expect(sources ?? null).toEqual(
            expectedSources?.toSorted((a, b) => compared(a.deployment_source, b.deployment_source)) ?? null,
          );
        }),
        { seed, numRuns: times(3, 100) },
      ),
    timeoutMs(60_000),
  );

  test('and among them were the reasons that people ask about', () => {
    for (const reason of ['outside the window', 'open', 'bot', 'not onboarded', 'no deployment signal'])
      expect([...given]).toContain(reason);
  });
});

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
