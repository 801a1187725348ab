import type { WarehouseLimits } from './duckdb/limits.ts';
import { openEmbeddedWarehouse } from './duckdb/warehouse.ts';
import type { EmbeddedWarehouse } from './warehouse.ts';

export interface WarehouseSettings {
  /** A data folder that this process owns. */
  readonly folder: string;
  readonly limits?: WarehouseLimits;
}

export const openWarehouse = ({ folder, limits }: WarehouseSettings): Promise<EmbeddedWarehouse> =>
  openEmbeddedWarehouse(folder, limits);
