import { expect, test } from 'vitest';
import { MemoryWriterTurns } from '../../../src/store/memory-writer-turns.ts';
import type { ClickHouseEngine } from '../../../src/warehouse/clickhouse/engine.ts';
import { tooSlow } from '../../../src/warehouse/clickhouse/engine-failures.ts';
import { ClickHouseWarehouse } from '../../../src/warehouse/clickhouse/warehouse.ts';

test('an organisation whose rows take too long to remove is still there', async () => {
  const engine = {
    run: () => Promise.reject(tooSlow(600, undefined)),
  } as Partial<ClickHouseEngine> as ClickHouseEngine;
  const turns = new MemoryWriterTurns();
  const warehouse = new ClickHouseWarehouse({ engine, writerTurns: turns, place: {} });
  await turns.inTurn('o1', ({ publish }) => publish());
  await expect(warehouse.remove('o1')).rejects.toMatchObject({
    reason: 'unavailable',
    message: expect.stringContaining('takes ClickHouse more than 10 minutes'),
  });
  expect(warehouse.holds('o1')).toBe(true);
});
