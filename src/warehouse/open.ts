import { Refusal } from '../refusal.ts';
import type { WriterTurns } from '../store/writer-turns.ts';
import { openServedClickHouse } from './clickhouse/served-warehouse.ts';
import type { ClickHouseSettings } from './clickhouse/set-up.ts';
import { type ClickHouseWarehouse, openClickHouseWarehouse } from './clickhouse/warehouse.ts';
import { defaultFiles, type WarehouseLimits } from './duckdb/limits.ts';
import { openEmbeddedWarehouse } from './duckdb/warehouse.ts';
import type { EmbeddedWarehouse, ServedWarehouse } from './warehouse.ts';

export { engineVersion } from './duckdb/engine.ts';
export { hasLeftCopies, warehouseFilesIn, warehouseFolder } from './duckdb/organisation-file.ts';

export interface WarehouseSettings {
  /** A data folder that this process owns. */
  readonly folder: string;
  readonly limits?: WarehouseLimits;
  /** The memory of open files, beside what the engine counts, in bytes. */
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
    openFilesBytes === undefined ? limits : { ...limits, files: defaultFiles(openFilesBytes) },
    undefined,
    writerTurns,
  );

/** The tables of a service, and the same as files of this process where that is what they are. */
export interface OpenedTables {
  readonly warehouse: ServedWarehouse;
  readonly embedded: EmbeddedWarehouse | undefined;
}

/** ClickHouse where an address is given, else files in the data folder. Nothing else knows which of them it is. */
export async function openTables(
  settings: WarehouseSettings & { readonly writerTurns: WriterTurns },
  tablesUrl: string | undefined,
): Promise<OpenedTables> {
  if (tablesUrl === undefined) {
    const embedded = await openWarehouse(settings);
    return { warehouse: embedded, embedded };
  }
  const { folder, limits = {}, writerTurns } = settings;
  const { statementSeconds, spoolBytes } = limits;
  const place = { ...placeOf(tablesUrl), folder, statementSeconds, spoolBytes };
  return { warehouse: await openServedClickHouse(place, writerTurns), embedded: undefined };
}

/** Tables elsewhere without a folder: for copying, where no questions are answered. */
export const openTablesElsewhere = (tablesUrl: string, writerTurns: WriterTurns): Promise<ClickHouseWarehouse> =>
  openClickHouseWarehouse(placeOf(tablesUrl), writerTurns);

/**
 * Reads the parts of a tables address: the server, the cluster if the address names one (the tables are then on all of
 * its servers), the user for questions where that is not the user who writes, and what one question may take.
 */
function placeOf(tablesUrl: string): Pick<ClickHouseSettings, 'url' | 'cluster' | 'questions'> {
  const url = new URL(tablesUrl);
  const take = (name: string) => {
    const value = url.searchParams.get(name) ?? undefined;
    url.searchParams.delete(name);
    return value;
  };
  const cluster = take('cluster');
  const [user, password] = [take('query_user'), take('query_password')];
  const limits = Object.fromEntries(
    questionLimits.flatMap((name) => {
      const value = take(name);
      if (value === undefined) return [];
      if (/^\d+$/.test(value)) return [[name, value]];
      throw new Refusal('bad-input', `${name} in the address of the tables must be a whole number, not '${value}'.`);
    }),
  );
  const account = user === undefined ? undefined : { user, password: password ?? '' };
  return { url: url.href, cluster, questions: { account, limits } };
}

const questionLimits = ['max_memory_usage', 'max_result_rows'] as const;
