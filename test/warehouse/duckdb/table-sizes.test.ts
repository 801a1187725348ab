import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pullRequestReviews } from '../../../src/catalogue/tables/pull-request-parts.ts';
import { CommitWatch } from '../../../src/warehouse/duckdb/organisation-lock.ts';
import { KeptTableSizes, TableSizes } from '../../../src/warehouse/duckdb/table-session.ts';
import type { TableReader } from '../../../src/warehouse/intake-port.ts';
import { fewRows, rowOf, type SomeWarehouse, someOrganisationId, someWarehouse } from '../some-warehouse.ts';
import { putRows } from '../table-writes.ts';

const review = (id: string) => rowOf(pullRequestReviews, { pr_review_id: id, pr_id: 'p' });
const count = async (reader: TableReader) => {
  const [all] = await reader.tally(pullRequestReviews, []);
  const some = await reader.select(pullRequestReviews, ['pr_review_id'], { column: 'pr_id', in: ['p'] });
  const grouped = await reader.tally(pullRequestReviews, ['pr_id']);
  return [all?.rows, some.length, grouped.length];
};

describe('sizes that are kept from one change to the next', () => {
  let some: SomeWarehouse;
  beforeAll(async () => {
    some = await someWarehouse(fewRows);
  });
  afterAll(() => some.close());

  test('An empty table is empty until a change writes to it, in that change and after it', async () => {
    const id = someOrganisationId();
    const { warehouse } = some;
    expect(await warehouse.change(id, count)).toEqual([0, 0, 0]);
    const seen = await warehouse.change(id, async (writer) => {
      const before = await count(writer);
      await putRows(writer, pullRequestReviews, [review('a')]);
      return [before, await count(writer)];
    });
    expect(seen).toEqual([
      [0, 0, 0],
      [1, 1, 1],
    ]);
    expect(await warehouse.change(id, count)).toEqual([1, 1, 1]);
  });

  test('What a change that failed had written is not there for the next one, nor does it hide what is', async () => {
    const id = someOrganisationId();
    const { warehouse } = some;
    await warehouse.change(id, count);
    const failed = warehouse.change(id, async (writer) => {
      await putRows(writer, pullRequestReviews, [review('a')]);
      await count(writer);
      throw new Error('stop');
    });
    await expect(failed).rejects.toThrow('stop');
    expect(await warehouse.change(id, count)).toEqual([0, 0, 0]);
  });

  test('Rows that are copied in are found, although the table was known to be empty', async () => {
    const { warehouse } = some;
    const [from, to] = [someOrganisationId(), someOrganisationId()];
    await warehouse.change(from, (writer) => putRows(writer, pullRequestReviews, [review('a'), review('b')]));
    await warehouse.change(to, count);
    const folder = await warehouse.makeCopyFolder();
    await warehouse.copyOut(from, folder);
    await warehouse.copyIn(to, folder);
    expect(await warehouse.change(to, count)).toEqual([2, 2, 1]);
  });
});

describe('what is known of sizes', () => {
  const counted = (size: number) => async () => size;
  const commit = (commits: CommitWatch) => commits.during(async () => {}, false);

  test('What is known of sizes grows with the rows that are written', async () => {
    const sizes = new TableSizes();
    expect(await sizes.of(pullRequestReviews, counted(2))).toBe(2);
    sizes.add(pullRequestReviews, 3);
    expect(await sizes.of(pullRequestReviews, counted(9))).toBe(5);
  });

  test('What is known of sizes is counted again after a count that failed', async () => {
    const sizes = new TableSizes();
    await expect(sizes.of(pullRequestReviews, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await sizes.of(pullRequestReviews, counted(1))).toBe(1);
  });

  test.each([
    ['its own commit', 1, true],
    ['no commit', 0, false],
    ['the commit of somebody else as well', 2, false],
  ])('What is known of sizes is kept after %s: %i', async (_, times, isKept) => {
    const [kept, commits] = [new KeptTableSizes(), new CommitWatch()];
    const first = kept.take('o', commits);
    for (let i = 0; i < times; i++) await commit(commits);
    first.keep();
    expect(kept.take('o', commits).sizes === first.sizes).toBe(isKept);
  });

  test('What is known of sizes is lost with a change that is not done, and with a commit between two changes', async () => {
    const [kept, commits] = [new KeptTableSizes(), new CommitWatch()];
    const first = kept.take('o', commits);
    expect(kept.take('o', commits).sizes).not.toBe(first.sizes);
    first.keep();
    await commit(commits);
    expect(kept.take('o', commits).sizes).not.toBe(first.sizes);
  });
});
