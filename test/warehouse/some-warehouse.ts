import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Row, storedColumns, type Table, type Value } from '../../src/catalogue/table.ts';
import type { Tuning } from '../../src/warehouse/duckdb/limits.ts';
import { openEmbeddedWarehouse, type WarehouseLimits } from '../../src/warehouse/duckdb/warehouse.ts';
import type { TableReader } from '../../src/warehouse/intake-port.ts';
import type { EmbeddedWarehouse } from '../../src/warehouse/warehouse.ts';
import { threadsForFewRows } from '../setup/how-long.ts';
import { throwAway } from '../setup/thrown-away.ts';

/** Two threads wherever the tests run: what goes wrong between threads needs more than one. */
export const someLimits: WarehouseLimits = { threads: 2, memory: '512MB' };

/** For tests of what is asked of a few rows, not of how the engine answers it. */
export const fewRows: WarehouseLimits = { ...someLimits, threads: threadsForFewRows ?? 2 };

/** So small that a handful of rows is treated like millions. */
export const tiny: Tuning = {
  largeRows: 3,
  reclusterFromRows: 3,
  groupRows: 4,
  quietLogBytes: 1_000_000_000,
  unusedBytes: 1_000_000_000,
  compactedBytes: 1_000_000_000,
  sortedRows: 7,
  sortedBytes: 400,
  aheadBytes: 10_000,
};

export interface SomeWarehouse {
  readonly folder: string;
  readonly warehouse: EmbeddedWarehouse;
  /** The folder of the engine's own files. */
  readonly place: string;
  reopen(): Promise<EmbeddedWarehouse>;
  close(): Promise<void>;
}

export async function someWarehouse(limits: WarehouseLimits = someLimits, tuning?: Tuning): Promise<SomeWarehouse> {
  const folder = mkdtempSync(join(tmpdir(), 'plumb-warehouse-'));
  let warehouse = await openEmbeddedWarehouse(folder, limits, tuning);
  return {
    folder,
    place: join(folder, 'warehouse'),
    get warehouse() {
      return warehouse;
    },
    async reopen() {
      await warehouse.close();
      warehouse = await openEmbeddedWarehouse(folder, limits, tuning);
      return warehouse;
    },
    async close() {
      await throwAway(folder);
      await warehouse.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const someOrganisationId = (): string => randomUUID();

/** A whole row: what is not given is missing. */
export function rowOf(table: Table, given: Row): never {
  const row: Record<string, Value> = {};
  for (const column of storedColumns(table).keys()) row[column] = given[column] ?? null;
  return row as never;
}

/** Every row of a table, whole, in an order of its own. */
export async function everyRow(session: TableReader, table: Table): Promise<Row[]> {
  const columns = [...storedColumns(table).keys()];
  const rows = (await session.select(table, columns as never)) as unknown as Row[];
  return byKey(table, rows);
}

export function byKey(table: Table, rows: readonly Row[]): Row[] {
  const keyOf = (row: Row) => JSON.stringify(table.key.map((column) => row[column]));
  return rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}
