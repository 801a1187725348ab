import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { incidents } from '../../src/catalogue/tables/incidents.ts';
import { timeoutMs, times } from '../setup/how-long.ts';
import {
  everyRow,
  rowOf,
  type SomeWarehouse,
  someLimits,
  someOrganisationId,
  someWarehouse,
  tiny,
} from './some-warehouse.ts';

const incident = (i: number, opened_at: number | null, title = 'same') =>
  rowOf(incidents, { incident_id: `i${i}`, opened_at, title });

describe('reclustering', () => {
  let place: SomeWarehouse;
  beforeAll(async () => {
    place = await someWarehouse(someLimits, tiny);
  });
  afterAll(() => place.close());

  test(
    'changes nothing of what a table holds, whatever was put and removed before',
    async () => {
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
              await session.put(
                incidents,
                put.map(([i, at]) => incident(i, at)),
              );
              await session.remove(incidents, { column: 'incident_id', in: remove.map((i) => `i${i}`) });
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
        { numRuns: times(3, 200) },
      );
    },
    timeoutMs(60_000),
  );
});

describe('a table that counts as large', () => {
  let place: SomeWarehouse;
  const id = someOrganisationId();
  const size = 200;
  const path = () => join(place.place, `${id}.duckdb`);
  beforeEach(async () => {
    place = await someWarehouse(someLimits, tiny);
  });
  afterEach(() => place.close());

  const fill = async (timeOf: (i: number) => number) => {
    for (let from = 0; from < size; from += 10) {
      const rows = Array.from({ length: 10 }, (_, i) => incident(from + i, timeOf(from + i)));
      await place.warehouse.change(id, (session) => session.put(incidents, rows));
    }
  };

  /** How far the times of neighbouring rows lie apart, in all. */
  async function disorder(): Promise<number> {
    await place.warehouse.close();
    const instance = await DuckDBInstance.create(path());
    const connection = await instance.connect();
    const result = await connection.runAndReadAll(
      'SELECT sum(apart)::INTEGER FROM (SELECT abs(epoch(opened_at) - lag(epoch(opened_at)) OVER (ORDER BY rowid)) AS apart FROM incidents)',
    );
    connection.closeSync();
    instance.closeSync();
    await place.reopen();
    return Number(result.getRowsJS()[0]?.[0]);
  }

  test('and was filled in any order is brought into the order of time, readers undisturbed', async () => {
    await fill((i) => 1_500_000_000 + ((i * 79) % size) * 60);
    const asItCame = await disorder();
    const before = await place.warehouse.checksum(id);
    let isOver = false;
    const counts = new Set<number | undefined>();
    const reader = async () => {
      while (!isOver) {
        await place.warehouse.read(id, async (session) => {
          counts.add((await session.tally(incidents, []))[0]?.rows);
          counts.add((await session.tally(incidents, ['title']))[0]?.rows);
        });
      }
    };
    const readers = [reader(), reader()];
    await place.warehouse.recluster(id);
    isOver = true;
    await Promise.all(readers);
    expect([...counts]).toEqual([size]);
    expect(await place.warehouse.checksum(id)).toEqual(before);
    expect(await disorder()).toBeLessThan(asItCame / 3);
  });

  test('and is in order is left alone', async () => {
    await fill((i) => 1_500_000_000 + i * 60);
    await place.reopen();
    const { mtimeMs } = statSync(path());
    await place.warehouse.recluster(id);
    expect(statSync(path()).mtimeMs).toBe(mtimeMs);
    expect(existsSync(`${path()}.wal`) && statSync(`${path()}.wal`).size > 0).toBe(false);
  });
});
