import { ClickHouseEngine } from '../../src/warehouse/clickhouse/engine.ts';
import { clickhouseAvailable } from '../setup/clickhouse.ts';
import { isEmulated } from '../setup/emulated-engine.ts';
import { batchedQuestions } from '../warehouse/clickhouse/batched-questions.ts';
import { someClickHouse } from '../warehouse/clickhouse/some-clickhouse.ts';
import { MemoryWarehouse } from '../warehouse/memory/memory-warehouse.ts';
import { someLimits, someWarehouse, tiny } from '../warehouse/some-warehouse.ts';
import { warehouseConformance } from './warehouse-conformance.ts';

// Every metric is asked of it in every form where the service is compared with loops over rows.
warehouseConformance('DuckDB', async () => ({ ...(await someWarehouse()), asksFew: true }));
warehouseConformance('DuckDB, where a few rows count as many', () => someWarehouse(someLimits, tiny));
warehouseConformance('memory', async () => {
  const warehouse = new MemoryWarehouse();
  return { warehouse, close: () => warehouse.close() };
});
warehouseConformance(
  'ClickHouse',
  async () => {
    const opened = await someClickHouse();
    if (!isEmulated) return { ...opened, asksFew: true };
    const engine = new ClickHouseEngine(opened.url);
    return {
      warehouse: opened.warehouse,
      asksFew: true,
      batched: batchedQuestions(opened.warehouse, engine),
      async close() {
        await engine.close();
        await opened.close();
      },
    };
  },
  { isAvailable: clickhouseAvailable },
);
