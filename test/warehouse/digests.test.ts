import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { incidents } from '../../src/catalogue/tables/incidents.ts';
import type { TableDigest } from '../../src/warehouse/maintenance-port.ts';
import { storedTables } from '../../src/warehouse/schema.ts';
import { fewRows, rowOf, type SomeWarehouse, someOrganisationId, someWarehouse } from './some-warehouse.ts';
import { putRows, removeRows } from './table-writes.ts';

const incident = (incident_id: string, title: string | null = null, url: string | null = null) =>
  rowOf(incidents, { incident_id, title, url });

describe('the digest of a table', () => {
  let place: SomeWarehouse;
  beforeAll(async () => {
    place = await someWarehouse(fewRows);
  });
  afterAll(() => place.close());

  /** All in one file: a file for each would take most of the time. */
  const id = someOrganisationId();
  async function digestOf(...rows: never[]): Promise<TableDigest | undefined> {
    await place.warehouse.change(id, (session) => removeRows(session, incidents, { all: [] }));
    for (const row of rows) await place.warehouse.change(id, (session) => putRows(session, incidents, [row]));
    const digests = await place.warehouse.checksum(id);
    expect(digests.map(({ table }) => table)).toEqual(storedTables.map(({ name }) => name));
    return digests.find(({ table }) => table === 'incidents');
  }

  test('The digest of a table is the same for the same rows in any order', async () => {
    const rows = [incident('a', 'x'), incident('b'), incident('c', '')];
    const digest = await digestOf(...rows);
    expect(digest).toMatchObject({ rows: 3 });
    expect(await digestOf(...rows.toReversed())).toEqual(digest);
  });

  test('The digest of a table differs where a value differs, is missing, empty, or in another column', async () => {
    const digests = [
      await digestOf(incident('a', 'x')),
      await digestOf(incident('a', 'y')),
      await digestOf(incident('a', '')),
      await digestOf(incident('a')),
      await digestOf(incident('a', null, 'x')),
      await digestOf(incident('a', 'x'), incident('b')),
      await digestOf(incident('b', 'x'), incident('a')),
      await digestOf(),
    ];
    expect(new Set(digests.map((one) => JSON.stringify(one))).size).toBe(digests.length);
  });

  test('The digest of a table of rows with two swapped values is not the same', async () => {
    const one = await digestOf(incident('a', 'x'), incident('b', 'y'));
    expect(await digestOf(incident('a', 'y'), incident('b', 'x'))).not.toEqual(one);
  });
});

describe('looking through a warehouse', () => {
  test('Looking through a warehouse finds keys that are there twice', async () => {
    const place = await someWarehouse(fewRows);
    try {
      const id = someOrganisationId();
      await place.warehouse.change(id, (session) => putRows(session, incidents, [incident('a'), incident('b')]));
      expect(await place.warehouse.check(id)).toEqual([]);
      await place.warehouse.close();
      const instance = await DuckDBInstance.create(join(place.place, `${id}.duckdb`));
      const connection = await instance.connect();
      await connection.run("INSERT INTO incidents SELECT * FROM incidents WHERE incident_id = 'a'");
      connection.closeSync();
      instance.closeSync();
      await place.reopen();
      expect(await place.warehouse.check(id)).toEqual(['incidents has several rows for one key, 1 time']);
    } finally {
      await place.close();
    }
  });
});
