import type { WriterTurns } from '../store/writer-turns.ts';
import { filesUsual, type WarehouseLimits } from './duckdb/limits.ts';
import { openEmbeddedWarehouse } from './duckdb/warehouse.ts';
import type { EmbeddedWarehouse } from './warehouse.ts';

export { engineVersion } from './duckdb/engine-version.ts';
export { hasLeftCopies, type WarehouseFile, warehouseFilesIn, warehouseFolder } from './duckdb/warehouse-files.ts';

export interface WarehouseSettings {
  /** A data folder that this process owns. */
  readonly folder: string;
  readonly limits?: WarehouseLimits;
  /** What open files may take of the memory, beside what the engine counts, in bytes. */
  readonly openFilesBytes?: number;
  /** The turns of its writers, which the store has. Absent where nobody else can write, such as in a copy. */
  readonly writerTurns?: WriterTurns;
}

export const openWarehouse = ({
  folder,
  limits,
  openFilesBytes,
  writerTurns,
}: WarehouseSettings): Promise<EmbeddedWarehouse> =>
  openEmbeddedWarehouse(
    folder,
    openFilesBytes === undefined ? limits : { ...limits, files: filesUsual(openFilesBytes) },
    undefined,
    writerTurns,
  );
