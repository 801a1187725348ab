import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { evaluate } from '../reference/evaluate.ts';
import type { QuestionBody } from '../reference/question.ts';
import { worldOf } from '../reference/written-world.ts';
import { type SomeWarehouse, someWarehouse } from '../warehouse/some-warehouse.ts';
import { differenceOf } from './agreement.ts';
import { type AskedWorld, putWorld } from './asked-world.ts';

const filters = { start_date: '2024-01-01', end_date: '2024-01-31' };
/** More than are kept in memory at once, with as many different numbers. */
const runs = Array.from({ length: 5_300 }, (_, i) => ({
  workflow_run_id: `w${i}`,
  workflow_name: `ä${i % 320}`,
  run_created_at: `2024-01-${String(1 + (i % 31)).padStart(2, '0')}T10:00:00Z`,
  run_conclusion: i % 3 === 0 ? 'success' : null,
  run_duration: (i * 7_919) % 1_009,
}));
const pullRequests = Array.from({ length: 150 }, (_, i) => ({
  pr_id: `p${i}`,
  pr_created_at: '2024-01-05T10:00:00Z',
  additions: (i * 37) % 101,
  deletions: i % 3 === 0 ? null : i % 5,
}));
const world = worldOf({ facts: { workflow_runs: runs, pull_requests: pullRequests } });

describe('many rows', () => {
  let some: SomeWarehouse;
  let asked: AskedWorld;
  beforeAll(async () => {
    some = await someWarehouse();
    asked = await putWorld(some.warehouse, world);
  });
  afterAll(() => some.close());

  const agrees = async (metric: string, body: QuestionBody): Promise<number | undefined> => {
    const { answer, total } = evaluate(world, 'organisation', metric, body);
    const said = await asked.ask('organisation', metric, body);
    expect(differenceOf(said.text, answer)).toBeUndefined();
    expect(said.total).toBe(total);
    return said.total;
  };

  test('Many rows come all, in order, where there is no limit on them', async () => {
    const body = {
      metrics: ['workflow-run-duration', 'workflow-runs-count'],
      filters,
      group_by: ['workflow_run_id', 'run_conclusion'],
      aggregations: { 'workflow-run-duration': 'MAX' },
    };
    expect(await agrees('get-multiple-metrics', body)).toBeUndefined();
  });

  test('Many rows are cut to the first 200 of an order, and it is said how many there are', async () => {
    const body = {
      filters,
      group_by: ['workflow_run_id'],
      aggregation: 'SUM',
      order_by: 'sum_workflow_run_duration',
      order_direction: 'DESC',
    };
    expect(await agrees('workflow-run-duration', body)).toBe(5_300);
    expect(await agrees('workflow-run-duration', { ...body, limit: 3 })).toBe(5_300);
    expect(await agrees('workflow-run-duration', { ...body, metric_min_value: 1_000, limit: 200 })).toBeUndefined();
  });

  test('Many rows are cut to the limit beside those of the period before', async () => {
    const body = { filters, group_by: ['workflow_name'], include_previous_period: true, order_by: 'value' };
    expect(await agrees('workflow-runs-count', body)).toBe(320);
  });

  test('Many rows are cut to the 200 largest series in a chart', async () => {
    const body = { filters, group_by: ['workflow_name'], time_series_data: true, date_level: 'week' };
    expect(await agrees('workflow-runs-count', body)).toBe(320);
    expect(await agrees('workflow-run-success-rate', body)).toBe(320);
  });

  test('Many rows are cut to 66 groups where every group has three series', async () => {
    const body = { filters, group_by: ['pr_id'], aggregation: 'SUM', time_series_data: true };
    expect(await agrees('pull-requests-size', body)).toBe(450);
  });
});
