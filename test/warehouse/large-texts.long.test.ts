import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pullRequests } from '../../src/catalogue/tables/pull-requests.ts';
import { rowOf, type SomeWarehouse, someOrganisationId, someWarehouse } from './some-warehouse.ts';

describe('a large answer', () => {
  let place: SomeWarehouse;
  beforeAll(async () => {
    place = await someWarehouse({ threads: 2, memory: '3GB' });
  });
  afterAll(() => place.close());

  test('may have texts that are together longer than any text may be', async () => {
    const id = someOrganisationId();
    const body = 'x'.repeat(3_900_000);
    const count = 150;
    for (let from = 0; from < count; from += 10) {
      const rows = Array.from({ length: 10 }, (_, i) =>
        rowOf(pullRequests, { pr_id: `p${from + i}`, pr_created_at: from + i, pr_body: `${from + i}${body}` }),
      );
      await place.warehouse.change(id, (session) => session.put(pullRequests, rows));
    }
    let seen = 0;
    for (const from of [0]) {
      const where = {
        all: [
          { column: 'pr_created_at', atLeast: from },
          { column: 'pr_created_at', atMost: from + count },
        ],
      };
      const found = await place.warehouse.read(id, (session) =>
        session.select(pullRequests, ['pr_number', 'pr_created_at', 'pr_body'], where),
      );
      for (const { pr_created_at, pr_body } of found) {
        expect(pr_body?.length).toBe(body.length + String(pr_created_at).length);
        expect(pr_body?.startsWith(`${pr_created_at}x`)).toBe(true);
        seen += 1;
      }
    }
    expect(seen).toBe(count);
  }, 180_000);
});
