import { afterEach, expect, test, vi } from 'vitest';
import { MemoryWriterTurns } from '../../../src/store/writer-turns.ts';
import type { ClickHouseEngine } from '../../../src/warehouse/clickhouse/engine.ts';
import { tooSlow } from '../../../src/warehouse/clickhouse/engine-failures.ts';
import { ClickHouseWarehouse } from '../../../src/warehouse/clickhouse/warehouse.ts';
import { gate } from '../../setup/gate.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('An organisation whose rows take too long to remove is still there', async () => {
  const engine = {
    run: () => Promise.reject(tooSlow(600, undefined)),
  } as Partial<ClickHouseEngine> as ClickHouseEngine;
  const turns = new MemoryWriterTurns();
  const warehouse = new ClickHouseWarehouse({ engine, writerTurns: turns, place: {}, tables: { layout: 2 } });
  await turns.inTurn('o1', ({ publish }) => publish());
  await expect(warehouse.remove('o1')).rejects.toMatchObject({
    reason: 'unavailable',
    message: expect.stringContaining('takes ClickHouse more than 10 minutes'),
  });
  expect(warehouse.holds('o1')).toBe(true);
});

test('All rows of an organisation are removed within the time of one statement', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const given: number[] = [];
  const run: ClickHouseEngine['run'] = async (_statement, seconds = 0) => {
    given.push(seconds);
    vi.advanceTimersByTime(50_000);
    if (seconds < 50) throw tooSlow(seconds, undefined);
  };
  const engine = { run } as Partial<ClickHouseEngine> as ClickHouseEngine;
  const turns = new MemoryWriterTurns();
  const warehouse = new ClickHouseWarehouse({ engine, writerTurns: turns, place: {}, tables: { layout: 2 } });
  await turns.inTurn('o1', ({ publish }) => publish());
  await expect(warehouse.remove('o1')).rejects.toMatchObject({
    message: expect.stringContaining('takes ClickHouse more than 10 minutes'),
  });
  expect(given.slice(0, 3)).toEqual([600, 550, 500]);
  expect(given).toHaveLength(13);
  expect(warehouse.holds('o1')).toBe(true);
});

test('A removal does not wait for a write that may take minutes, and has removed nothing then', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const run = vi.fn(async () => {});
  const engine = { run } as Partial<ClickHouseEngine> as ClickHouseEngine;
  const turns = new MemoryWriterTurns();
  const warehouse = new ClickHouseWarehouse({ engine, writerTurns: turns, place: {}, tables: { layout: 2 } });
  const [stuck, begun] = [gate(), gate()];
  const writing = turns.inTurn('o1', async ({ publish }) => {
    begun.open();
    await stuck.passed;
    await publish();
  });
  await begun.passed;
  const refused = expect(warehouse.remove('o1')).rejects.toMatchObject({
    reason: 'unavailable',
    message: expect.stringContaining('still being written'),
  });
  await vi.advanceTimersByTimeAsync(46_000);
  await refused;
  stuck.open();
  await writing;
  expect(run).not.toHaveBeenCalled();
  expect(warehouse.holds('o1')).toBe(true);
  await warehouse.remove('o1');
  expect(warehouse.holds('o1')).toBe(false);
});
