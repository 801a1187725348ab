import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { incidents } from '../../src/catalogue/tables/incidents.ts';
import type { Warehouse } from '../../src/warehouse/warehouse.ts';
import { timeoutMs } from '../setup/how-long.ts';
import { rowOf, type SomeWarehouse, someOrganisationId, someWarehouse } from './some-warehouse.ts';

const incident = (i: number, opened_at: number) => rowOf(incidents, { incident_id: `i${i}`, opened_at, title: 'same' });

describe('a large table', () => {
  let place: SomeWarehouse;
  const id = someOrganisationId();
  const size = 380_000;
  beforeEach(async () => {
    place = await someWarehouse();
  });
  afterEach(() => place.close());

  const fill = async (warehouse: Warehouse, timeOf: (i: number) => number) => {
    const batch = 95_000;
    for (let from = 0; from < size; from += batch) {
      const rows = Array.from({ length: batch }, (_, i) => incident(from + i, timeOf(from + i)));
      await warehouse.change(id, (session) => session.put(incidents, rows));
    }
  };

  /** How many stretches as large as a row group hold rows of one day, on average over all days. */
  async function spread(): Promise<number> {
    await place.warehouse.close();
    const instance = await DuckDBInstance.create(join(place.place, `${id}.duckdb`));
    const connection = await instance.connect();
    const result = await connection.runAndReadAll(
      'SELECT avg(spread)::DOUBLE FROM (SELECT count(DISTINCT rowid // 122880) AS spread FROM incidents GROUP BY opened_at::DATE)',
    );
    connection.closeSync();
    instance.closeSync();
    await place.reopen();
    return Number(result.getRowsJS()[0]?.[0]);
  }

  test(
    'that was filled in any order is brought into the order of time, readers undisturbed',
    async () => {
      await fill(place.warehouse, (i) => 1_500_000_000 + ((i * 7_919) % size) * 60);
      expect(await spread()).toBeGreaterThan(3);
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
      expect(await spread()).toBeLessThan(2);
    },
    timeoutMs(120_000),
  );

  test('that is in order is left alone', async () => {
    await fill(place.warehouse, (i) => 1_500_000_000 + i * 60);
    const path = join(place.place, `${id}.duckdb`);
    await place.reopen();
    const { mtimeMs } = statSync(path);
    await place.warehouse.recluster(id);
    expect(statSync(path).mtimeMs).toBe(mtimeMs);
    expect(existsSync(`${path}.wal`) && statSync(`${path}.wal`).size > 0).toBe(false);
  }, 60_000);
});
