import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { peopleCopy } from '../../../src/catalogue/directory-copies.ts';
import { issues } from '../../../src/catalogue/tables/issues.ts';
import type { Query, QuerySession } from '../../../src/query/plan.ts';
import { planOf } from '../../../src/query/planner.ts';
import { readMultiple } from '../../../src/query/reading/metric-request.ts';
import { someOwner } from '../../setup/some-owner.ts';
import { rowOf, type SomeWarehouse, someOrganisationId, someWarehouse } from '../some-warehouse.ts';
import { putRows } from '../table-writes.ts';

const day = 86_400;
const issue = (i: number, person: string) =>
  rowOf(issues, { issue_id: `i${i}`, created_at: (i + 1) * day, merged_user_id: person, is_bot: false });
const person = (id: string, onboarded: boolean) =>
  rowOf(peopleCopy, { merged_user_id: id, name: id, onboarded, onboarded_by_name: onboarded, sources: '[]' });

describe('a question of several statements', () => {
  let place: SomeWarehouse;
  const id = someOrganisationId();
  const owner = someOwner(id);
  const query: Query = planOf(
    readMultiple(
      { filters: { start_date: '1970-01-01', end_date: '1970-12-31' }, metrics: ['issues-count'] },
      { principal: owner, now: new Date(0) },
    ),
    owner,
  );
  const count = async (session: QuerySession) => (await session.rows(query))[0]?.at(-1) ?? 0;
  const put = (from: number, many: number, name = 'ann') =>
    place.warehouse.change(id, (session) =>
      putRows(
        session,
        issues,
        Array.from({ length: many }, (_, i) => issue(from + i, name)),
      ),
    );
  const publish = (onboarded: boolean) =>
    place.warehouse.change(id, async (session) => {
      await putRows(session, peopleCopy, [person('ann', true), person('bob', onboarded)]);
      await session.setDirectoryVersion(onboarded ? 1 : 2);
    });

  beforeAll(async () => {
    place = await someWarehouse();
    await publish(true);
    await put(0, 3);
  });
  afterAll(() => place.close());

  test('A question of several statements is answered from one state, also when something is committed between them', async () => {
    let runs = 0;
    const seen = await place.warehouse.ask(id, async (session) => {
      runs += 1;
      const before = await count(session);
      if (runs === 1) await put(3, 2);
      return [before, await count(session)];
    });
    expect(seen).toEqual([5, 5]);
    expect(runs).toBe(2);
  });

  test('A question of several statements is asked once where nothing is committed meanwhile', async () => {
    let runs = 0;
    await place.warehouse.ask(id, async (session) => {
      runs += 1;
      return [await count(session), await count(session)];
    });
    expect(runs).toBe(1);
  });

  test('A question of several statements leaves out whoever was offboarded, from the moment that it is published', async () => {
    await put(10, 4, 'bob');
    const ask = () => place.warehouse.ask(id, count);
    expect(await ask()).toBe(9);
    await publish(false);
    expect(await ask()).toBe(5);
    await publish(true);
    expect(await ask()).toBe(9);
  });

  test('A question of several statements does not mix the directory of one moment with the rows of another', async () => {
    let runs = 0;
    const seen = await place.warehouse.ask(id, async (session) => {
      runs += 1;
      if (runs === 1) await publish(false);
      return count(session);
    });
    expect(seen).toBe(5);
    expect(runs).toBe(2);
  });
});
