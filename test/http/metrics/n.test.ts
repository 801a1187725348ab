import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Service } from '../../setup/running-app.ts';
import { manyAt, manyPullRequests, unchangedMany } from './many-pull-requests.ts';
import { asking, march, pullRequestsCount, startMetrics } from './some-metrics.ts';

let service: Service;
beforeAll(async () => {
  service = await startMetrics();
});
afterAll(() => service.close());
const ask = asking(() => service);
const askMany = asking(unchangedMany());

const average = { filters: march, aggregation: 'AVG' };

describe('n=true', () => {
  test('n=true adds how many rows have the value, each answer kept apart from the one without it', async () => {
    for (const _ of ['found', 'kept', 'recalled']) {
      const [plain, counted] = [await ask('pickup-time', average), await ask('pickup-time?n=true', average)];
      // Only one of the thirty was reviewed.
      expect(plain.json).toEqual([{ date_level_not_set: true, avg_pickup_time: 1_800 }]);
      expect(counted.json).toEqual([{ date_level_not_set: true, avg_pickup_time: 1_800, n: 1 }]);
    }
    expect((await ask('pickup-time?n=true', average)).headers['x-cache']).toBe('HIT');
  });

  test('n=true counts only what the caller may see', async () => {
    const own = { key: service.keys.engineer };
    expect((await ask('cycle-time?n=true', average)).json).toMatchObject([{ n: pullRequestsCount }]);
    expect((await ask('cycle-time?n=true', average, own)).json).toMatchObject([{ n: pullRequestsCount / 3 }]);
  });

  test('n=true is in results, in charts and in every format of rows', async () => {
    const compared = await ask('cycle-time?n=true', { ...average, include_previous_period: true });
    expect(compared.json).toMatchObject({ results: [{ metric_name: 'cycle-time', n: pullRequestsCount }] });
    const chart = await ask('cycle-time?n=true', {
      aggregation: 'AVG',
      filters: { start_date: '2024-02-01', end_date: '2024-03-31' },
      time_series_data: true,
    });
    expect(chart.json).toMatchObject({ series: [{ n: [0, pullRequestsCount] }] });
    const as = async (accept: string) =>
      (await ask('pickup-time?n=true', average, { headers: { accept } })).text.trimEnd();
    expect(await as('text/csv')).toBe('date_level_not_set,avg_pickup_time,n\r\ntrue,1800,1');
    expect(JSON.parse(await as('application/x-ndjson'))).toMatchObject({ n: 1 });
  });

  test('n=true is a whole number in a Parquet file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plumb-n-'));
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    try {
      const answer = await fetch(`${service.url}/metrics/pickup-time?n=true`, {
        method: 'POST',
        headers: {
          authorization: service.keys.owner,
          'content-type': 'application/json',
          accept: 'application/vnd.apache.parquet',
        },
        body: JSON.stringify(average),
      });
      const path = join(folder, 'rows.parquet');
      await writeFile(path, Buffer.from(await answer.arrayBuffer()));
      const read = await connection.runAndReadAll(`SELECT n, typeof(n) FROM read_parquet('${path}')`);
      expect(read.getRowsJson()).toEqual([['1', 'BIGINT']]);
    } finally {
      connection.closeSync();
      instance.closeSync();
      await rm(folder, { recursive: true });
    }
  });

  test('n=true is there once for each of several metrics, and rows can be ordered by it', async () => {
    const several = { filters: march, metrics: ['cycle-time', 'pickup-time'], group_by: ['repository'] };
    const aggregations = { 'cycle-time': 'AVG', 'pickup-time': 'AVG' };
    const answer = await ask('get-multiple-metrics?n=true', { ...several, aggregations });
    expect(answer.json).toMatchObject([
      { repository: 'acme/api', n_cycle_time: 15, n_pickup_time: 0, avg_pickup_time: null },
      { repository: 'acme/web', n_cycle_time: 15, n_pickup_time: 1 },
    ]);
    expect(Object.keys((answer.json as object[])[0] ?? {})).toEqual([
      'date_level_not_set',
      'repository',
      'avg_cycle_time',
      'n_cycle_time',
      'avg_pickup_time',
      'n_pickup_time',
    ]);
    const ordered = { ...average, group_by: ['repository'], order_by: 'n', order_direction: 'DESC' };
    expect((await ask('pickup-time?n=true', ordered)).json).toMatchObject([{ repository: 'acme/web', n: 1 }, { n: 0 }]);
    expect((await ask('pickup-time', ordered)).status).toBe(400);
  });

  test('n=true is in an answer of many rows, which is sent as it is read', async () => {
    const long = {
      metrics: ['pull-requests-size'],
      aggregations: { 'pull-requests-size': 'SUM' },
      filters: manyAt,
      group_by: ['pr_id'],
    };
    const rows = (await askMany('get-multiple-metrics?n=true', long)).json as { n_pull_requests_size: number }[];
    const counts = rows.map((row) => row.n_pull_requests_size);
    expect(counts).toHaveLength(manyPullRequests.length);
    expect([counts.filter((n) => n === 1).length, counts.filter((n) => n === 0).length]).toEqual([2_525, 2_525]);
    const csv = await askMany('get-multiple-metrics?n=true', long, { headers: { accept: 'text/csv' } });
    expect(csv.text.split('\r\n')[0]?.split(',').at(-1)).toBe('n_pull_requests_size');
  });

  test('n=true stands beside the own value of a comparison', async () => {
    const asked = { filters: march, benchmark_metric: 'pickup-time', date_field: 'merged_at' };
    const counts = ((await ask('benchmark?n=true', asked)).json as { results: object[] }).results;
    expect(counts).toMatchObject([
      { metric_name: 'pickup-time', n: 1 },
      { metric_name: 'cycle-time', n: pullRequestsCount },
      { metric_name: 'review-time', n: 1 },
    ]);
    const without = ((await ask('benchmark', asked)).json as { results: object[] }).results;
    expect(without.some((result) => 'n' in result)).toBe(false);
  });
});
