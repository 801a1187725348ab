import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pullRequests } from '../../src/catalogue/tables/pull-requests.ts';
import { rowReader } from '../../src/query/answer-columns.ts';
import type { Metrics } from '../../src/query/answer-metric.ts';
import { metricsOver } from '../setup/metrics-over.ts';
import { someOwner } from '../setup/some-owner.ts';
import { rowOf, type SomeWarehouse, someOrganisationId, someWarehouse } from '../warehouse/some-warehouse.ts';
import { putRows } from '../warehouse/table-writes.ts';

const at = Date.UTC(2024, 2, 5) / 1_000;
const organisationId = someOrganisationId();

/** Each has one text, or none at all. */
const texts = [
  { pr_title: 'A Red door' },
  { pr_body: 'red paint' },
  { pr_summary: 'infraRED' },
  { pr_title: 'blue' },
  {},
];

describe('a search for words', () => {
  let place: SomeWarehouse;
  let metrics: Metrics;
  beforeAll(async () => {
    place = await someWarehouse();
    await place.warehouse.change(organisationId, (session) =>
      putRows(
        session,
        pullRequests,
        texts.map((row, i) => rowOf(pullRequests, { pr_id: `p${i}`, pr_created_at: at, ...row })),
      ),
    );
    metrics = metricsOver(place.warehouse, () => new Date('2024-04-15T00:00:00Z'));
  });
  afterAll(() => place.close());

  const found = async (term: string): Promise<unknown[]> => {
    const filters = { start_date: '2024-03-01', end_date: '2024-03-31', pull_requests_search_term: term };
    const { answer } = await metrics.single(someOwner(organisationId), 'pull-requests-count', {
      filters,
      group_by: ['pr_id'],
    });
    if (answer.form !== 'rows') throw new Error('not rows');
    return answer.rows.map(rowReader(answer.columns)).map((row) => row.pr_id);
  };

  test('A search for words finds rows by any of their texts, whatever others are missing, and never those that have none', async () => {
    expect(await found('RED')).toEqual(['p0', 'p1', 'p2']);
    expect(await found('red door')).toEqual(['p0']);
    expect(await found("red' OR true --")).toEqual([]);
  });
});
