import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { storedColumns } from '../../../src/catalogue/table.ts';
import { incidents } from '../../../src/catalogue/tables/incidents.ts';
import { openEmbeddedWarehouse } from '../../../src/warehouse/duckdb/warehouse.ts';
import { schemaVersion, storedTables } from '../../../src/warehouse/schema.ts';
import { everyRow, rowOf, someLimits, someOrganisationId } from '../some-warehouse.ts';
import { patchRows, putRows } from '../table-writes.ts';

describe('a file that another Plumb wrote', () => {
  /** Written once, and copied for each test. */
  let original: string;
  let folder: string;
  const id = someOrganisationId();
  const row = rowOf(incidents, { incident_id: 'i1', title: 'down', opened_at: 1_700_000_000, severity: 'high' });

  /** What another Plumb would have left: the file is changed while no warehouse has it open. */
  async function meddle(...statements: string[]): Promise<void> {
    const instance = await DuckDBInstance.create(join(folder, 'warehouse', `${id}.duckdb`));
    const connection = await instance.connect();
    for (const sql of statements) await connection.run(sql);
    connection.closeSync();
    instance.closeSync();
  }

  const withWarehouse = async <T>(
    work: (warehouse: Awaited<ReturnType<typeof openEmbeddedWarehouse>>) => Promise<T>,
  ) => {
    const warehouse = await openEmbeddedWarehouse(folder, someLimits);
    try {
      return await work(warehouse);
    } finally {
      await warehouse.close();
    }
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'plumb-migrations-'));
    await withWarehouse((warehouse) => warehouse.change(id, (session) => putRows(session, incidents, [row])));
    original = folder;
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'plumb-migrations-'));
    cpSync(original, folder, { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  afterAll(() => rmSync(original, { recursive: true }));

  const forgotten = "UPDATE state SET layout = 'older'";

  test('A file that another Plumb wrote and that lacks columns and tables is given them, with its rows as they were', async () => {
    await meddle('ALTER TABLE incidents DROP COLUMN severity', 'DROP TABLE issues', 'DROP TABLE people', forgotten);
    await withWarehouse(async (warehouse) => {
      expect(await warehouse.read(id, (session) => everyRow(session, incidents))).toEqual([
        { ...(row as object), severity: null },
      ]);
      for (const table of storedTables) {
        await warehouse.read(id, (session) => session.select(table, [...storedColumns(table).keys()] as never));
      }
      await warehouse.change(id, (session) => putRows(session, incidents, [row]));
      expect(await warehouse.read(id, (session) => everyRow(session, incidents))).toEqual([row]);
    });
  });

  test('A file that another Plumb wrote and whose copies of the directory lack something is published to again', async () => {
    const shown = () => withWarehouse((warehouse) => warehouse.read(id, (session) => session.directoryVersion()));
    await withWarehouse((warehouse) => warehouse.change(id, (session) => session.setDirectoryVersion(7)));
    await meddle('ALTER TABLE incidents DROP COLUMN severity', forgotten);
    expect(await shown()).toBe(7);
    await meddle('ALTER TABLE teams DROP COLUMN team_name_key', forgotten);
    expect(await shown()).toBe(0);
    await withWarehouse((warehouse) => warehouse.change(id, (session) => session.setDirectoryVersion(7)));
    await meddle('DROP TABLE person_emails', forgotten);
    expect(await shown()).toBe(0);
  });

  test('A file that another Plumb wrote and that keeps a column in another type is converted', async () => {
    await meddle('ALTER TABLE incidents ALTER COLUMN opened_at SET DATA TYPE DATE', forgotten);
    await withWarehouse(async (warehouse) => {
      const [found] = await warehouse.read(id, (session) => session.select(incidents, ['opened_at']));
      expect(found).toEqual({ opened_at: 1_699_920_000 });
    });
  });

  test('A file that another Plumb wrote and that cannot be converted is left as it was, and refused every time', async () => {
    await meddle(
      'ALTER TABLE incidents ALTER COLUMN opened_at SET DATA TYPE VARCHAR',
      "UPDATE incidents SET opened_at = 'yesterday'",
      'ALTER TABLE incidents DROP COLUMN severity',
      forgotten,
    );
    await withWarehouse(async (warehouse) => {
      for (let i = 0; i < 2; i++) {
        // What the engine says names a value of a row: it is for the log, and never in the answer.
        await expect(warehouse.read(id, (session) => everyRow(session, incidents))).rejects.toMatchObject({
          reason: 'unavailable',
          message: expect.not.stringContaining('yesterday'),
          cause: { message: expect.stringContaining('yesterday') },
        });
      }
    });
    await meddle("UPDATE incidents SET opened_at = NULL WHERE opened_at = 'yesterday'");
    await withWarehouse(async (warehouse) => {
      const expected = { ...(row as object), opened_at: null, severity: null };
      expect(await warehouse.read(id, (session) => everyRow(session, incidents))).toEqual([expected]);
    });
  });

  test('A file that another Plumb wrote and that has a column more keeps it', async () => {
    await meddle("ALTER TABLE incidents ADD COLUMN more VARCHAR DEFAULT 'kept'", forgotten);
    await withWarehouse(async (warehouse) => {
      await warehouse.change(id, (session) =>
        patchRows(session, incidents, ['title'], [{ incident_id: 'i1', title: 'up' }]),
      );
      expect(await warehouse.read(id, (session) => everyRow(session, incidents))).toEqual([
        { ...(row as object), title: 'up' },
      ]);
    });
    await meddle("CREATE TABLE seen AS SELECT error('gone') FROM incidents WHERE more IS DISTINCT FROM 'kept'");
  });

  test('A file that another Plumb wrote is not looked through again once it is as it should be', async () => {
    await meddle('ALTER TABLE incidents DROP COLUMN severity');
    await withWarehouse((warehouse) =>
      expect(warehouse.read(id, (session) => everyRow(session, incidents))).rejects.toThrow(/severity/),
    );
  });

  test('A file that another Plumb wrote and that is newer is refused in words, and left alone', async () => {
    await meddle(`UPDATE state SET schema_version = ${schemaVersion + 1}`);
    await withWarehouse(async (warehouse) => {
      await expect(warehouse.read(id, (session) => everyRow(session, incidents))).rejects.toMatchObject({
        reason: 'conflict',
        message: expect.stringContaining(
          `was written by a newer Plumb (schema ${schemaVersion + 1}; this one knows ${schemaVersion})`,
        ),
      });
      const other = someOrganisationId();
      expect(await warehouse.read(other, (session) => everyRow(session, incidents))).toEqual([]);
    });
    await meddle(`UPDATE state SET schema_version = ${schemaVersion}`);
    await withWarehouse(async (warehouse) => {
      expect(await warehouse.read(id, (session) => everyRow(session, incidents))).toEqual([row]);
    });
  });
});
