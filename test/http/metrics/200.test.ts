import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Service } from '../../setup/running-app.ts';
import { asking, change, march, pullRequestsCount, putRecords, startMetrics } from './some-metrics.ts';

let now = new Date('2024-04-10T12:00:00Z');
let service: Service;
beforeAll(async () => {
  service = await startMetrics({ now: () => now });
});
afterAll(() => service.close());
const ask = asking(() => service);

describe('the form of an answer', () => {
  test('The form of an answer is an array of rows', async () => {
    const answer = await ask('pull-requests-count', { filters: march, group_by: ['repository'] });
    expect([answer.status, answer.json]).toEqual([
      200,
      [
        { date_level_not_set: true, repository: 'acme/api', pr_count: 15 },
        { date_level_not_set: true, repository: 'acme/web', pr_count: 15 },
      ],
    ]);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.headers['x-truncated']).toBeUndefined();
  });

  test('The form of an answer is a results object when the previous period is asked for', async () => {
    const body = { filters: march, aggregation: 'avg', include_previous_period: true };
    const answer = await ask('cycle-time', body);
    expect(answer.json).toMatchObject({
      results: [{ metric_name: 'cycle-time', unit: 'seconds', previous_value: null, change_percentage: null }],
      meta: { filters: march, previous_date_range: { start_date: '2024-02-01', end_date: '2024-02-29' } },
    });
  });

  test('The form of an answer is a chart when a series is asked for', async () => {
    const answer = await ask('pull-requests-count', { filters: march, date_level: 'month', time_series_data: true });
    expect(answer.json).toMatchObject({ series: [{ data: [pullRequestsCount] }], categories: ['Mar 2024'] });
  });

  test('The form of an answer is a row with a column for each of several metrics', async () => {
    const metrics = ['pull-requests-count', 'pull-requests-size'];
    const answer = await ask('get-multiple-metrics', {
      metrics,
      aggregations: { 'pull-requests-size': 'max' },
      filters: march,
    });
    expect(answer.json).toEqual([
      {
        date_level_not_set: true,
        pr_count: pullRequestsCount,
        max_additions: 290,
        max_deletions: 29,
        max_total_changes: 319,
      },
    ]);
  });

  test('The form of an answer is a comparison, which says how many organisations it would need', async () => {
    const body = { filters: march, benchmark_metric: 'pull-requests-size', date_field: 'merged_at' };
    const answer = await ask('benchmark', body);
    expect(answer.json).toMatchObject({
      results: [{ metric_name: 'pull-requests-size', benchmark_p50: null, percentile: null, unit: 'lines' }],
      meta: { filters: march, organisations_needed: 5 },
    });
  });

  test('The form of an answer is an explanation, whose own request lists the records', async () => {
    const answer = await ask('cycle-time/explain', { filters: march, aggregation: 'AVG' });
    const { rows_read, rows_request, sql } = answer.json as Record<string, never> & { rows_request: never };
    expect([answer.status, rows_read]).toEqual([200, pullRequestsCount]);
    expect(sql).toMatch(/SELECT/);
    const { path, body } = rows_request as { path: string; body: unknown };
    const rows = await service.request('POST', path, { key: service.keys.owner, body });
    expect(rows.json).toHaveLength(pullRequestsCount);
  });

  test('The form of an answer is the periods of a window', async () => {
    const answer = await ask('date-details', { filters: march, date_level: 'month' });
    expect(answer.json).toMatchObject([{ month_date: '2024-03-01', days: 31, is_current: false }]);
  });
});

describe('rows that do not all fit', () => {
  test('Rows that do not all fit are cut at the limit, and the headers say so', async () => {
    const answer = await ask('pull-requests-count', { filters: march, group_by: ['pr_id'], limit: 7 });
    expect(answer.json).toHaveLength(7);
    expect(answer.headers).toMatchObject({ 'x-truncated': 'true', 'x-total-rows': String(pullRequestsCount) });
    const again = await ask('pull-requests-count', { filters: march, group_by: ['pr_id'], limit: 7 });
    const third = await ask('pull-requests-count', { filters: march, group_by: ['pr_id'], limit: 7 });
    for (const { headers } of [again, third]) {
      expect(headers).toMatchObject({ 'x-cache': 'HIT', 'x-truncated': 'true', 'x-total-rows': '30' });
    }
  });

  test('Rows that do not all fit say so in a comparison too', async () => {
    const body = { filters: march, group_by: ['pr_id'], include_previous_period: true, limit: 4 };
    const answer = await ask('pull-requests-count', body);
    expect((answer.json as { results: unknown[] }).results).toHaveLength(4);
    expect(answer.headers).toMatchObject({ 'x-truncated': 'true', 'x-total-rows': '30' });
  });
});

describe('the format of rows', () => {
  const body = { filters: march, group_by: ['pr_id', 'pr_title', 'labels'], limit: 2 };
  const inFormat = (accept: string, path = 'pull-requests-count') => ask(path, body, { headers: { accept } });

  test('The format of rows is NDJSON', async () => {
    const answer = await inFormat('application/x-ndjson');
    expect(answer.headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
    expect(answer.text).toBe(
      '{"date_level_not_set":true,"pr_id":"pr-00","pr_title":"Change 0, \\"quoted\\" – ä","labels":[],"pr_count":1}\n' +
        '{"date_level_not_set":true,"pr_id":"pr-01","pr_title":"Change 1, \\"quoted\\" – ä","labels":["a"],"pr_count":1}\n',
    );
  });

  test('The format of rows is CSV', async () => {
    const answer = await inFormat('text/csv');
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    expect(answer.text.split('\r\n')).toEqual([
      'date_level_not_set,pr_id,pr_title,labels,pr_count',
      'true,pr-00,"Change 0, ""quoted"" – ä",[],1',
      'true,pr-01,"Change 1, ""quoted"" – ä","[""a""]",1',
      '',
    ]);
  });

  test('The format of rows is Parquet, the same bytes when it is kept', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plumb-parquet-'));
    const fetched = async () => {
      const response = await fetch(`${service.url}/metrics/pull-requests-count`, {
        method: 'POST',
        headers: {
          authorization: service.keys.owner,
          'content-type': 'application/json',
          accept: 'application/vnd.apache.parquet',
        },
        body: JSON.stringify(body),
      });
      expect(response.headers.get('content-type')).toBe('application/vnd.apache.parquet');
      return Buffer.from(await response.arrayBuffer());
    };
    const [first, second, third] = [await fetched(), await fetched(), await fetched()];
    expect(second.equals(first) && third.equals(first)).toBe(true);
    const file = join(folder, 'rows.parquet');
    await writeFile(file, first);
    const connection = await (await DuckDBInstance.create()).connect();
    const rows = await connection.runAndReadAll(`SELECT pr_id, pr_count FROM '${file}'`);
    expect(rows.getRowsJson()).toEqual([
      ['pr-00', '1'],
      ['pr-01', '1'],
    ]);
    await rm(folder, { recursive: true });
  });

  test('The format of rows does not change what is no rows', async () => {
    const answer = await ask(
      'pull-requests-count',
      { filters: march, time_series_data: true },
      { headers: { accept: 'text/csv' } },
    );
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.json).toHaveProperty('series');
  });

  test('The format of rows is JSON for whoever accepts nothing of it', async () => {
    expect((await inFormat('image/png')).headers['content-type']).toBe('application/json; charset=utf-8');
  });
});

describe('an answer that was given before', () => {
  const body = { filters: march, group_by: ['name'] };
  const cached = async (asked = {}, question: unknown = body) => {
    const { headers, text } = await ask('contributors-count', question, asked);
    return { cache: headers['x-cache'], age: headers.age, text };
  };

  test('An answer that was given before is kept for five minutes, says how old it is, and is the same', async () => {
    const first = await cached();
    expect(first).toMatchObject({ cache: 'MISS', age: '0' });
    for (const seconds of [0, 0, 100, 150]) {
      now = new Date(now.getTime() + seconds * 1_000);
      expect(await cached()).toMatchObject({ cache: 'HIT', text: first.text });
    }
    expect((await cached()).age).toBe('250');
    now = new Date(now.getTime() + 50_000);
    expect(await cached()).toMatchObject({ cache: 'MISS', age: '0', text: first.text });
  });

  test('An answer that was given before is recognised however it is spelled', async () => {
    await cached();
    const spelled = { group_by: ['name', 'name'], filters: { ...march, member: [], team: null }, metric_min_value: 0 };
    expect((await cached({}, spelled)).cache).toBe('HIT');
  });

  test('An answer that was given before is not given to somebody who sees something else', async () => {
    const mine = await cached();
    const theirs = await cached({ key: service.keys.engineer });
    expect(theirs.cache).toBe('MISS');
    expect(theirs.text).not.toBe(mine.text);
    expect((await cached({ key: service.keys.engineer })).cache).toBe('HIT');
    expect((await cached({ key: service.keys.engineer })).text).toBe(theirs.text);
  });

  test('An answer that was given before is dropped by new data, by onboarding and by a change of role, at once', async () => {
    const three = async () => [await cached(), await cached(), await cached()].map(({ cache }) => cache);
    await three();
    expect(await three()).toEqual(['HIT', 'HIT', 'HIT']);
    await putRecords(service, 'pull_requests', [{ pr_id: 'pr-99', pr_created_at: '2024-03-09T00:00:00Z' }]);
    expect(await three()).toEqual(['MISS', 'HIT', 'HIT']);
    await change(service, 'grace@example.com', { onboarded: false });
    const without = await cached();
    expect(without.cache).toBe('MISS');
    expect(without.text).not.toContain('Grace');
    await change(service, 'grace@example.com', { onboarded: true });
    expect((await cached()).text).toContain('Grace');
    const engineer = { key: service.keys.engineer };
    for (let i = 0; i < 3; i += 1) expect((await cached(engineer)).text).not.toContain('Ada');
    await change(service, 'edsger@example.com', { access_role: 'Owner' });
    expect((await cached(engineer)).text).toContain('Ada');
    await change(service, 'edsger@example.com', { access_role: 'Engineer' });
    expect((await cached(engineer)).text).not.toContain('Ada');
  });

  test('An answer that was given before is found again when the day turns, where today is its end', async () => {
    now = new Date('2024-04-10T23:59:30Z');
    const open = { filters: { start_date: '2024-04-09' }, date_level: 'day', time_series_data: true };
    const days = async () => {
      const answer = await ask('pull-requests-count', open);
      return (answer.json as { categories: string[] }).categories.length;
    };
    expect([await days(), await days(), await days()]).toEqual([2, 2, 2]);
    now = new Date('2024-04-11T00:00:10Z');
    expect(await days()).toBe(3);
  });

  test('An answer that was given before is not mistaken for one with a query parameter', async () => {
    const asked = { metrics: ['pull-requests-count'], filters: march };
    for (let i = 0; i < 3; i += 1) expect((await ask('get-multiple-metrics', asked)).status).toBe(200);
    expect((await ask('get-multiple-metrics?x=1', asked)).status).toBe(400);
  });
});

test('A burst of one question is one query', async () => {
  const { warehouse } = service.app;
  const body = { filters: march, group_by: ['pr_number'] };
  let asked = 0;
  const own = warehouse.ask.bind(warehouse);
  warehouse.ask = (...args) => {
    asked += 1;
    return own(...args);
  };
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask('pull-requests-count', body)));
  warehouse.ask = own;
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(asked).toBe(1);
});

test('An engineer’s key shows that engineer and nobody else', async () => {
  const body = { filters: march, group_by: ['name'] };
  const answer = await ask('contributors-count', body, { key: service.keys.engineer });
  expect(answer.json).toEqual([{ date_level_not_set: true, name: 'Edsger Dijkstra', contributors_count: 1 }]);
});
