import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storedColumns } from '../../src/catalogue/table.ts';
import { pullRequests } from '../../src/catalogue/tables/pull-requests.ts';
import { storedTables } from '../../src/warehouse/schema.ts';
import { times } from '../setup/how-long.ts';
import { anyRows, lastSecond } from './any-rows.ts';
import {
  byKey,
  everyRow,
  fewRows,
  rowOf,
  type SomeWarehouse,
  someLimits,
  someOrganisationId,
  someWarehouse,
  tiny,
} from './some-warehouse.ts';
import { patchRows, putRows, removeRows } from './table-writes.ts';

describe('what is put into a warehouse comes out of it', () => {
  const places: SomeWarehouse[] = [];
  const id = someOrganisationId();
  beforeAll(async () => {
    places.push(await someWarehouse(fewRows), await someWarehouse(someLimits, tiny));
  });
  afterAll(async () => {
    for (const place of places) await place.close();
  });

  test.each(storedTables.map((table) => [table.name, table] as const))(
    'What is put into a warehouse comes out of it unchanged, whatever it is: %s',
    async (_, table) => {
      await fc.assert(
        fc.asyncProperty(anyRows(table), async (rows) => {
          for (const { warehouse } of places) {
            await warehouse.change(id, (session) => putRows(session, table, rows as never));
            const columns = [...storedColumns(table).keys()];
            const found = await warehouse.read(id, async (session) => {
              const [first] = table.key;
              const where = { column: first ?? '', in: rows.map((row) => row[first ?? ''] ?? null) };
              return {
                all: await everyRow(session, table),
                byKey: byKey(table, (await session.select(table, columns as never, where)) as never),
              };
            });
            expect(found.all).toEqual(byKey(table, rows));
            expect(found.byKey).toEqual(found.all);
            await warehouse.change(id, (session) => removeRows(session, table, { all: [] }));
          }
        }),
        { numRuns: times(1, 60) },
      );
    },
  );

  test('What is put into a warehouse comes out of it numbers are exact to the last bit, and times reach from 1970 to the end of 9999', async () => {
    const { warehouse } = places[0] as SomeWarehouse;
    const id = someOrganisationId();
    const numbers = [0.1, 1e-7, 5e-324, 123456789.123, 1e21, 1 / 3, Number.MAX_VALUE, -1.5, 0];
    const rows = numbers.map((complexity_score, i) =>
      rowOf(pullRequests, {
        pr_id: `p${i}`,
        complexity_score,
        additions: i % 2 === 0 ? Number.MAX_SAFE_INTEGER : -Number.MAX_SAFE_INTEGER,
        pr_created_at: i % 2 === 0 ? 0 : lastSecond,
      }),
    );
    await warehouse.change(id, (session) => putRows(session, pullRequests, rows));
    expect(await warehouse.read(id, (session) => everyRow(session, pullRequests))).toEqual(rows);
  });

  test('A key of five hundred characters names one row', async () => {
    const { warehouse } = places[0] as SomeWarehouse;
    const id = someOrganisationId();
    const long = '🦆'.repeat(250);
    const row = (pr_id: string, pr_number: number) => rowOf(pullRequests, { pr_id, pr_number });
    await warehouse.change(id, (session) => putRows(session, pullRequests, [row(long, 1), row(`${long}x`, 2)]));
    await warehouse.change(id, (session) => putRows(session, pullRequests, [row(long, 3)]));
    const found = await warehouse.read(id, (session) =>
      session.select(pullRequests, ['pr_number'], { column: 'pr_id', in: [long] }),
    );
    expect(found).toEqual([{ pr_number: 3 }]);
  });

  test('What is put into a warehouse comes out of it of several rows with one key in one go the last one counts', async () => {
    const { warehouse } = places[0] as SomeWarehouse;
    const id = someOrganisationId();
    const rows = [1, 2, 3].map((pr_number) => rowOf(pullRequests, { pr_id: 'same', pr_number }));
    await warehouse.change(id, (session) => putRows(session, pullRequests, rows));
    const read = () => warehouse.read(id, (session) => session.select(pullRequests, ['pr_number']));
    expect(await read()).toEqual([{ pr_number: 3 }]);
    const patches = [5, 4].map((pr_number) => ({ pr_id: 'same', pr_number }));
    await warehouse.change(id, (session) => patchRows(session, pullRequests, ['pr_number'], patches));
    expect(await read()).toEqual([{ pr_number: 4 }]);
  });
});
