import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { peopleCopy } from '../../src/catalogue/directory-copies.ts';
import { issues } from '../../src/catalogue/tables/issues.ts';
import { pullRequests } from '../../src/catalogue/tables/pull-requests.ts';
import { rowReader } from '../../src/query/answer-columns.ts';
import type { Metrics } from '../../src/query/answer-metric.ts';
import { metricsOver } from '../setup/metrics-over.ts';
import { seed } from '../setup/seed.ts';
import { someOwner } from '../setup/some-owner.ts';
import { rowOf, type SomeWarehouse, someOrganisationId, someWarehouse } from '../warehouse/some-warehouse.ts';
import { putRows } from '../warehouse/table-writes.ts';

const organisationId = someOrganisationId();
const owner = someOwner(organisationId);
const filters = { start_date: '2024-01-01', end_date: '2024-12-31' };
const at = Date.parse('2024-03-01T00:00:00Z') / 1_000;

/** Groups of whole numbers, and groups of fractions, each of some size. */
const seeded = { seed, numRuns: 60 };
const wholes = fc.sample(fc.array(fc.integer({ min: 0, max: 3_000_000 }), { minLength: 1, maxLength: 40 }), seeded);
const fractions = fc.sample(
  fc.array(fc.double({ min: 0, max: 1_000, noNaN: true }), { minLength: 1, maxLength: 40 }),
  seeded,
);

/** In twentieths, with whole numbers only: nothing is rounded but the last division. */
function exactly(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const twentieths = (percent / 5) * (sorted.length - 1);
  const [below = 0, above = 0] = [sorted[Math.floor(twentieths / 20)], sorted[Math.ceil(twentieths / 20)]];
  return (below * 20 + (above - below) * (twentieths % 20)) / 20;
}

describe('percentiles', () => {
  let place: SomeWarehouse;
  let metrics: Metrics;
  beforeAll(async () => {
    place = await someWarehouse();
    await place.warehouse.change(organisationId, async (session) => {
      await putRows(session, peopleCopy, [
        rowOf(peopleCopy, { merged_user_id: 'ann', name: 'Ann', onboarded: true, onboarded_by_name: false }),
      ]);
      const prs = wholes.flatMap((group, g) =>
        group.map((value, i) =>
          rowOf(pullRequests, {
            pr_id: `${g}-${i}`,
            merged_user_id: 'ann',
            repository: String(g),
            pr_created_at: at,
            pr_merged_at: at,
            cycle_time: value,
            lead_time: value,
          }),
        ),
      );
      await putRows(session, pullRequests, prs);
      const points = fractions.flatMap((group, g) =>
        group.map((value, i) =>
          rowOf(issues, {
            issue_id: `${g}-${i}`,
            merged_user_id: 'ann',
            project_id: String(g),
            created_at: at,
            story_points: value,
          }),
        ),
      );
      await putRows(session, issues, points);
    });
    metrics = metricsOver(place.warehouse, () => new Date('2025-01-01T00:00:00Z'));
  });
  afterAll(() => place.close());

  const rows = async (metric: string, body: object) => {
    const { answer } = await metrics.single(owner, metric, { filters, ...body });
    if (answer.form !== 'rows') throw new Error('not rows');
    return answer.rows.map(rowReader(answer.columns));
  };

  test.each([
    ['median', 50],
    ['p75', 75],
    ['p90', 90],
    ['p95', 95],
  ])('%s of whole numbers is the exact multiple of a twentieth', async (aggregation, percent) => {
    const answer = await rows('cycle-time', { aggregation, group_by: ['repository'] });
    for (const row of answer) {
      expect(row[`${aggregation}_cycle_time`]).toBe(exactly(wholes[Number(row.repository)] ?? [], percent));
    }
    expect(answer).toHaveLength(wholes.length);
  });

  test('Percentiles so is that of metrics that are percentiles themselves', async () => {
    for (const row of await rows('lead-time-for-changes-p50', { group_by: ['repository'] })) {
      expect(row.lead_time_for_changes_p50).toBe(exactly(wholes[Number(row.repository)] ?? [], 50));
    }
  });

  test.each(['median', 'p75', 'p90', 'p95'])('%s of other numbers has 12 digits', async (aggregation) => {
    const answer = await rows('story-points', { aggregation, group_by: ['project_id'] });
    for (const row of answer) {
      const value = Number(row[`${aggregation}_story_points`]);
      expect(value).toBe(Number(value.toPrecision(12)));
      const [low, high] = [
        Math.min(...(fractions[Number(row.project_id)] ?? [])),
        Math.max(...(fractions[Number(row.project_id)] ?? [])),
      ];
      expect(value).toBeGreaterThanOrEqual(low * (1 - 1e-11));
      expect(value).toBeLessThanOrEqual(high * (1 + 1e-11));
    }
    expect(answer).toHaveLength(fractions.length);
    // A single record is no exception.
    const alone = await rows('story-points', { aggregation, group_by: ['issue_id'], limit: 200 });
    for (const row of alone) {
      const [group = 0, i = 0] = String(row.issue_id).split('-').map(Number);
      expect(row[`${aggregation}_story_points`]).toBe(Number(fractions[group]?.[i]?.toPrecision(12)));
    }
  });
});
