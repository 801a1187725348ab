import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { orderColumn, type Row, storedColumns, type Table } from '../../src/catalogue/table.ts';
import { incidents } from '../../src/catalogue/tables/incidents.ts';
import { pullRequests } from '../../src/catalogue/tables/pull-requests.ts';
import type { IntakePort } from '../../src/warehouse/intake-port.ts';
import type { MovingPort } from '../../src/warehouse/moving-port.ts';
import { storedTables } from '../../src/warehouse/schema.ts';
import { clickhouseAvailable } from '../setup/clickhouse.ts';
import { isEmulated } from '../setup/emulated-engine.ts';
import { isLong } from '../setup/how-long.ts';
import { seed } from '../setup/seed.ts';
import { anyRows } from './any-rows.ts';
import { someClickHouse } from './clickhouse/some-clickhouse.ts';
import { byKey, everyRow, fewRows, rowOf, someOrganisationId, someWarehouse } from './some-warehouse.ts';
import { putRows, removeRows } from './table-writes.ts';

type Engine = IntakePort & { readonly moving: MovingPort };
/** What ClickHouse sorts rows of a table by: whether by a date, and the types of the key. */
const orderOf = (table: Table): string =>
  JSON.stringify([orderColumn(table) !== undefined, ...table.key.map((column) => storedColumns(table).get(column))]);
/**
 * Outside the long run one table with columns of every type, and one of each order. That every table arrives is seen where
 * whole stores are moved.
 */
const tables: readonly Table[] = isEmulated
  ? [pullRequests]
  : storedTables.filter(
      (table, at) =>
        isLong || table === pullRequests || storedTables.findIndex((one) => orderOf(one) === orderOf(table)) === at,
    );

describe.skipIf(!clickhouseAvailable)('rows on their way between engines', () => {
  const closing: (() => Promise<void>)[] = [];
  let duckdb: Engine;
  let clickhouse: Engine;
  beforeAll(async () => {
    const [files, server] = [await someWarehouse(fewRows), await someClickHouse()];
    closing.push(files.close, server.close);
    [duckdb, clickhouse] = [files.warehouse, server.warehouse];
  });
  afterAll(async () => {
    for (const close of closing) await close();
  });

  const put = (engine: Engine, id: string, table: Table, rows: readonly Row[]) =>
    engine.change(id, (writer) => putRows(writer, table, rows as never));
  const rowsIn = (engine: Engine, id: string, table: Table) => engine.read(id, (reader) => everyRow(reader, table));

  test('Stay what they are, and have one digest everywhere', async () => {
    const [first, second, third] = [someOrganisationId(), someOrganisationId(), someOrganisationId()];
    for (const table of tables) {
      const rows = fc.sample(anyRows(table), { numRuns: 1, seed }).flat();
      await put(duckdb, first, table, rows);
      const digest = await duckdb.moving.digest(first, table);
      expect(digest.rows).toBe(rows.length);
      await clickhouse.moving.rowsIn(first, table, duckdb.moving.rowsOut(first, table));
      expect(await clickhouse.moving.digest(first, table)).toEqual(digest);
      await duckdb.moving.rowsIn(second, table, clickhouse.moving.rowsOut(first, table));
      expect(await rowsIn(duckdb, second, table)).toEqual(byKey(table, rows));
      expect(await duckdb.moving.digest(second, table)).toEqual(digest);
      // One table with columns of every type says enough of readers, and of the way from one folder to another.
      if (!isLong && table !== pullRequests) continue;
      expect(await rowsIn(clickhouse, first, table)).toEqual(byKey(table, rows));
      await duckdb.moving.rowsIn(third, table, duckdb.moving.rowsOut(second, table));
      expect(await rowsIn(duckdb, third, table)).toEqual(byKey(table, rows));
    }
  });

  const incident = (incident_id: string, fields: Row = {}) => rowOf(incidents, { incident_id, ...fields });

  test.each(['DuckDB', 'ClickHouse'])(
    'Have another digest in %s once one is missing, added or changed, empty, or elsewhere',
    async (name) => {
      const engine = name === 'DuckDB' ? duckdb : clickhouse;
      // A file of its own for each would take most of the time; ClickHouse has one table for all organisations.
      const one = someOrganisationId();
      const digestOf = async (...rows: Row[]) => {
        const id = name === 'DuckDB' ? one : someOrganisationId();
        await engine.change(id, async (writer) => {
          if (id === one) await removeRows(writer, incidents, { all: [] });
          await putRows(writer, incidents, rows as never);
        });
        return engine.moving.digest(id, incidents);
      };
      const digests = [
        await digestOf(incident('a', { title: 'x', url: 'y' })),
        await digestOf(incident('a', { title: 'xy', url: '' })),
        await digestOf(incident('a', { title: 'n', url: 'y' })),
        await digestOf(incident('a', { url: 'y' })),
        await digestOf(incident('a', { title: '', url: 'y' })),
        await digestOf(incident('a', { title: 'y', url: 'x' })),
        await digestOf(incident('a', { title: 'x', url: 'y', opened_at: 0 })),
        await digestOf(incident('a', { title: 'x', url: 'y' }), incident('b')),
        await digestOf(incident('a'), incident('b', { title: 'x', url: 'y' })),
      ];
      digests.push(await digestOf(incident('every column')));
      const { key }: Table = incidents;
      // DuckDB looks at every column; ClickHouse, which takes longer, at one of each type.
      const typesLeft = new Set(storedColumns(incidents).values());
      for (const [column, type] of storedColumns(incidents)) {
        if (!key.includes(column) && (name === 'DuckDB' || isLong || typesLeft.delete(type))) {
          digests.push(await digestOf(incident('every column', { [column]: type === 'text' ? 'z' : 1 })));
        }
      }
      expect(new Set(digests.map((one) => JSON.stringify(one))).size).toBe(digests.length);
    },
  );

  test('Go in many portions where there are many, in order, and without those that were replaced or removed', async () => {
    const [id, back] = [someOrganisationId(), someOrganisationId()];
    const rows = Array.from({ length: 5_000 }, (_, i) =>
      incident(`i${i}`, { opened_at: i % 50 === 0 ? null : 1_600_000_000 + i * 600, title: `title ${i}` }),
    );
    const portion = { rows: 1_500, bytes: 1_000_000 };
    await put(duckdb, id, incidents, rows);
    await put(duckdb, id, incidents, rows.slice(100, 200));
    await duckdb.change(id, (writer) => removeRows(writer, incidents, { column: 'incident_id', in: ['i7', 'i4999'] }));
    const kept = rows.filter((row: Row) => row.incident_id !== 'i7' && row.incident_id !== 'i4999');
    const sizes: number[] = [];
    const counted = async function* (engine: Engine) {
      for await (const one of engine.moving.rowsOut(id, incidents, { portion })) {
        sizes.push(one.rows);
        yield one;
      }
    };
    await clickhouse.moving.rowsIn(id, incidents, counted(duckdb));
    expect(sizes.splice(0).length).toBeGreaterThan(3);
    await put(clickhouse, id, incidents, [incident('i8', { title: 'other' })]);
    await put(clickhouse, id, incidents, [rows[8] ?? {}]);
    await duckdb.moving.rowsIn(back, incidents, counted(clickhouse));
    expect(sizes.length).toBeGreaterThan(3);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(portion.rows);
    expect(await rowsIn(duckdb, back, incidents)).toEqual(byKey(incidents, kept));
    const digest = await duckdb.moving.digest(id, incidents);
    expect(await clickhouse.moving.digest(id, incidents, { portion })).toEqual(digest);
    expect(await duckdb.moving.digest(back, incidents)).toEqual(digest);
  });

  test.each(['DuckDB', 'ClickHouse'])('Leave nothing in %s where the way was broken off', async (name) => {
    const engine = name === 'DuckDB' ? duckdb : clickhouse;
    const [id, other] = [someOrganisationId(), someOrganisationId()];
    await put(duckdb, id, incidents, [incident('a')]);
    const broken = async function* () {
      yield* duckdb.moving.rowsOut(id, incidents);
      throw new Error('broken off');
    };
    await expect(engine.moving.rowsIn(other, incidents, broken())).rejects.toThrow('broken off');
    await put(engine, other, incidents, [incident('b')]);
    expect(await rowsIn(engine, other, incidents)).toEqual([incident('b')]);
    expect(await engine.moving.digest(other, incidents)).toMatchObject({ rows: 1 });
  });
});
