import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { incidents } from '../../../src/catalogue/tables/incidents.ts';
import { times } from '../../setup/how-long.ts';
import { IncidentsByTime, incident } from '../incidents-by-time.ts';
import {
  everyRow,
  type SomeWarehouse,
  someLimits,
  someOrganisationId,
  someWarehouse,
  tiny,
} from '../some-warehouse.ts';
import { putRows, removeRows } from '../table-writes.ts';

describe('reclustering', () => {
  let place: SomeWarehouse;
  beforeAll(async () => {
    place = await someWarehouse(someLimits, tiny);
  });
  afterAll(() => place.close());

  test('Changes nothing of what a table holds, whatever was put and removed before', async () => {
    const time = fc.option(fc.integer({ min: 0, max: 1_000 }), { freq: 6 });
    const batches = fc.array(
      fc.record({
        put: fc.array(fc.tuple(fc.nat({ max: 150 }), time), { maxLength: 60 }),
        remove: fc.array(fc.nat({ max: 150 }), { maxLength: 5 }),
      }),
      { minLength: 1, maxLength: 5 },
    );
    await fc.assert(
      fc.asyncProperty(batches, async (all) => {
        const id = someOrganisationId();
        const { warehouse } = place;
        for (const { put, remove } of all) {
          await warehouse.change(id, async (session) => {
            await putRows(
              session,
              incidents,
              put.map(([i, at]) => incident(i, at)),
            );
            await removeRows(session, incidents, { column: 'incident_id', in: remove.map((i) => `i${i}`) });
          });
          const [digests, rows] = [
            await warehouse.checksum(id),
            await warehouse.read(id, (s) => everyRow(s, incidents)),
          ];
          await warehouse.recluster(id);
          expect(await warehouse.checksum(id)).toEqual(digests);
          expect(await warehouse.read(id, (session) => everyRow(session, incidents))).toEqual(rows);
        }
        await warehouse.remove(id);
      }),
      { numRuns: times(2, 200) },
    );
  });
});

describe('a table that counts as large', () => {
  let place: SomeWarehouse;
  let table: IncidentsByTime;
  const size = times(100, 200);
  beforeEach(async () => {
    place = await someWarehouse(someLimits, tiny);
    table = new IncidentsByTime(place, someOrganisationId(), { rows: size, batch: 10 });
  });
  afterEach(() => place.close());

  /** How far the times of neighbouring rows lie apart, in all. */
  const disorder = () =>
    table.measure(
      'SELECT sum(apart)::INTEGER FROM (SELECT abs(epoch(opened_at) - lag(epoch(opened_at)) OVER (ORDER BY rowid)) AS apart FROM incidents)',
    );

  test('A table that counts as large and was filled in any order is brought into the order of time, readers undisturbed', async () => {
    await table.fill((i) => 1_500_000_000 + ((i * 79) % size) * 60);
    const asItCame = await disorder();
    await table.reclusterUnderReaders();
    expect(await disorder()).toBeLessThan(asItCame / 3);
  });

  test('A table that counts as large and is in order is left alone', async () => {
    await table.fill((i) => 1_500_000_000 + i * 60);
    await table.expectNothingToRecluster();
  });
});
