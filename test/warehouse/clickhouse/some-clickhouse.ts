import { MemoryWriterTurns, type WriterTurns } from '../../../src/store/writer-turns.ts';
import { openClickHouseWarehouse } from '../../../src/warehouse/clickhouse/warehouse.ts';
import { freshTables } from '../../setup/clickhouse.ts';

/** Tables of the caller's own, in a database of their own. */
export async function someClickHouse(turns: WriterTurns = new MemoryWriterTurns()) {
  const tables = await freshTables();
  const warehouse = await openClickHouseWarehouse({ url: tables.url, cluster: tables.cluster }, turns);
  return {
    url: tables.url,
    warehouse,
    async close() {
      await warehouse.close();
      await tables.drop();
    },
  };
}
