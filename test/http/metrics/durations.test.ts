import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Service } from '../../setup/running-app.ts';
import { manyAt, unchangedMany } from './many-pull-requests.ts';
import { asking, march, startMetrics } from './some-metrics.ts';

let service: Service;
beforeAll(async () => {
  service = await startMetrics();
});
afterAll(() => service.close());
const ask = asking(() => service);
const askMany = asking(unchangedMany());

/** An hour from the first commit to opening. */
const body = { filters: { ...march, pr_ids: ['pr-00'] }, group_by: ['pr_id', 'coding_time'] };
const seconds = '?durations=seconds';

describe('intervals that rows are grouped by', () => {
  test('Intervals that rows are grouped by are ISO 8601 durations, or seconds where they are asked for, each kept apart', async () => {
    for (const _ of ['found', 'kept', 'recalled']) {
      expect((await ask('pull-requests-count', body)).json).toMatchObject([{ coding_time: 'PT1H' }]);
      expect((await ask(`pull-requests-count${seconds}`, body)).json).toMatchObject([{ coding_time: 3_600 }]);
    }
  });

  test('Intervals that rows are grouped by are seconds in every form and format', async () => {
    const several = { ...body, metrics: ['pull-requests-count'] };
    expect((await ask(`get-multiple-metrics${seconds}`, several)).json).toMatchObject([{ coding_time: 3_600 }]);
    const compared = await ask(`pull-requests-count${seconds}`, { ...body, include_previous_period: true });
    expect(compared.json).toMatchObject({ results: [{ group_by: { coding_time: 3_600 } }] });
    const chart = await ask(`pull-requests-count${seconds}`, { ...body, time_series_data: true });
    expect(chart.json).toMatchObject({ series: [{ name: 'pr-00/3600' }] });
    const as = async (accept: string) =>
      (await ask(`pull-requests-count${seconds}`, body, { headers: { accept } })).text.trimEnd();
    expect(await as('text/csv')).toBe('date_level_not_set,pr_id,coding_time,pr_count\r\ntrue,pr-00,3600,1');
    expect(JSON.parse(await as('application/x-ndjson'))).toMatchObject({ coding_time: 3_600 });
  });

  test('Intervals that rows are grouped by are the same column of a Parquet file either way', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plumb-durations-'));
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    try {
      for (const query of ['', seconds]) {
        const answer = await fetch(`${service.url}/metrics/pull-requests-count${query}`, {
          method: 'POST',
          headers: {
            authorization: service.keys.owner,
            'content-type': 'application/json',
            accept: 'application/vnd.apache.parquet',
          },
          body: JSON.stringify(body),
        });
        const path = join(folder, 'rows.parquet');
        await writeFile(path, Buffer.from(await answer.arrayBuffer()));
        const read = await connection.runAndReadAll(
          `SELECT coding_time, typeof(coding_time) FROM read_parquet('${path}')`,
        );
        expect(read.getRowsJson()).toEqual([[3_600, 'DOUBLE']]);
      }
    } finally {
      connection.closeSync();
      instance.closeSync();
      await rm(folder, { recursive: true });
    }
  });

  test('Intervals that rows are grouped by are seconds in an answer of many rows, too', async () => {
    const long = {
      metrics: ['pull-requests-count'],
      filters: manyAt,
      group_by: ['pr_id', 'coding_time'],
    };
    const shown = async (query: string) =>
      new Set(
        ((await askMany(`get-multiple-metrics${query}`, long)).json as { coding_time: unknown }[]).map(
          (row) => row.coding_time,
        ),
      );
    expect(await shown('')).toEqual(new Set(['PT1M5S']));
    expect(await shown(seconds)).toEqual(new Set([65]));
  });

  test('Intervals that rows are grouped by change nothing in explanations and benchmarks', async () => {
    const benchmark = { filters: march, benchmark_metric: 'cycle-time', date_field: 'merged_at' };
    for (const [path, asked] of [
      ['pull-requests-count/explain', body],
      ['benchmark', benchmark],
    ] as const) {
      const { status, text } = await ask(`${path}${seconds}`, asked);
      expect([path, status, text]).toEqual([path, 200, (await ask(path, asked)).text]);
    }
  });
});

describe('a metric that has no rows of a group', () => {
  test('A metric that has no rows of a group is 0 where it counts or sums, and null otherwise, in every form', async () => {
    // Only Ada used an assistant in March, and only pull requests have sizes.
    const asked = (fold: string) => ({
      metrics: ['pull-requests-count', 'accepted-lines', 'pull-requests-size'],
      aggregations: { 'accepted-lines': fold, 'pull-requests-size': fold },
      filters: march,
      group_by: ['name'],
    });
    const row = async (fold: string) =>
      ((await ask('get-multiple-metrics', asked(fold))).json as { name: string }[]).find(({ name }) =>
        /Grace/.test(name),
      );
    expect(await row('SUM')).toMatchObject({ pr_count: 10, sum_accepted_lines: 0 });
    expect(await row('AVG')).toMatchObject({ pr_count: 10, avg_accepted_lines: null });
    const results = async (fold: string) => {
      const answer = await ask('get-multiple-metrics', { ...asked(fold), include_previous_period: true });
      const { results: all } = answer.json as { results: { metric_name: string; group_by: { name: string } }[] };
      return all.find(({ metric_name, group_by }) => metric_name === 'accepted-lines' && /Grace/.test(group_by.name));
    };
    expect(await results('SUM')).toMatchObject({ value: 0, previous_value: 0 });
    expect(await results('MAX')).toMatchObject({ value: null, previous_value: null });
    const chart = await ask('get-multiple-metrics', { ...asked('SUM'), time_series_data: true });
    const { metrics } = chart.json as { metrics: Record<string, { series: { name: string; data: number[] }[] }> };
    expect(metrics['accepted-lines']?.series.find(({ name }) => /Grace/.test(name))?.data).toEqual([0]);
  });
});
