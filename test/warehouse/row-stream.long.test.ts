import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pullRequests } from '../../src/catalogue/tables/pull-requests.ts';
import { rowOf, type SomeWarehouse, someOrganisationId, someWarehouse } from './some-warehouse.ts';

describe('a stream of rows with long texts', () => {
  let place: SomeWarehouse;
  beforeAll(async () => {
    place = await someWarehouse();
  });
  afterAll(() => place.close());

  test('keeps a batch at a time in memory, also when single texts are long', async () => {
    const id = someOrganisationId();
    const body = 'x'.repeat(3_000_000);
    for (let i = 0; i < 40; i += 10) {
      const rows = Array.from({ length: 10 }, (_, k) =>
        rowOf(pullRequests, { pr_id: `p${i + k}`, pr_created_at: i + k, pr_body: body }),
      );
      await place.warehouse.change(id, (session) => session.put(pullRequests, rows));
    }
    const sizes: number[] = [];
    for await (const batch of place.warehouse.stream(id, pullRequests, ['pr_id', 'pr_body'])) sizes.push(batch.length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(40);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(12);
    await place.warehouse.remove(id);
  });
});
