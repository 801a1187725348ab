import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Row } from '../../../src/catalogue/table.ts';
import { pullRequestEvents } from '../../../src/catalogue/tables/pull-request-events.ts';
import { keptRow } from '../../reference/written-world.ts';
import { type Service, startService } from '../../setup/running-app.ts';
import { putRecords } from './some-metrics.ts';

const many = 300_000;
const first = Date.parse('2024-01-01T00:00:00Z') / 1_000;

let service: Service;
let folder: string;
let warehouseFolder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumb-streams-'));
  // The rows are made in the same process, which is then late for a moment; that is not what is tried here.
  service = await startService({ parts: () => ({ load: { delayMostMs: 60_000 } }) });
  // Brings the tables into being; then rows are written as they are.
  await putRecords(service, 'pull_requests', [{ pr_id: 'pr-1', pr_created_at: '2024-01-01T00:00:00Z' }]);
  const { warehouse } = service.app;
  for (let from = 0; from < many; from += 50_000) {
    const rows = Array.from({ length: 50_000 }, (_, i) => eventRow(from + i));
    await warehouse.change(service.organisationId, (session) =>
      session.put(pullRequestEvents, rows as never, { areNew: true }),
    );
  }
  const copies = await warehouse.makeCopyFolder();
  warehouseFolder = join(copies, '..');
  await rm(copies, { recursive: true });
}, 240_000);
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

/** One every ten seconds, with everything in it that a format has to be careful about. */
const eventRow = (n: number): Row =>
  keptRow(pullRequestEvents, {
    pr_id: `pr-${n % 100}`,
    event_type: n % 3 === 0 ? 'labeled' : 'commented, "quoted"\nä',
    event_at: first + n * 10,
    event_url: `https://example.org/${'x'.repeat(200)}/${n}`,
    source: 'github',
    pr_title: n % 7 === 0 ? null : `=Title ${n % 50}`,
  });

const question = (filters: object) => ({
  metrics: ['pull-request-events-count'],
  filters,
  group_by: ['event_at', 'pr_id', 'event_type', 'event_url', 'pr_title'],
});
/** The first of them, few enough to be kept. */
const hour = { start_date: '2024-01-01T00:00:00Z', end_date: '2024-01-01T00:59:59Z' };
const rowsInHour = 360;
const whole = { start_date: '2024-01-01', end_date: '2024-03-01' };

const send = (path: string, body: unknown, accept: string) =>
  fetch(`${service.url}/metrics/${path}`, {
    method: 'POST',
    headers: { authorization: service.keys.owner, 'content-type': 'application/json', accept },
    body: JSON.stringify(body),
  });

test('rows that are streamed have the same bytes as rows that are not, in every text format', async () => {
  const one = { filters: hour, group_by: question({}).group_by, limit: 200 };
  for (const accept of ['application/json', 'application/x-ndjson', 'text/csv']) {
    const buffered = await (await send('get-multiple-metrics', question(hour), accept)).text();
    const streamed = await (await send('get-multiple-metrics', question(whole), accept)).text();
    const single = await (await send('pull-request-events-count', one, accept)).text();
    const end = accept === 'application/json' ? 1 : 0;
    expect([accept, streamed.startsWith(buffered.slice(0, buffered.length - end))]).toEqual([accept, true]);
    expect([accept, buffered.startsWith(single.slice(0, single.length - end))]).toEqual([accept, true]);
    expect(buffered.length).toBeGreaterThan(rowsInHour * 200);
    if (accept === 'application/json') {
      expect((JSON.parse(buffered) as unknown[]).length).toBe(rowsInHour);
      expect((JSON.parse(streamed) as unknown[]).length).toBe(many);
    }
  }
}, 120_000);

test('the same rows are in a Parquet file, streamed or not', async () => {
  const files = await Promise.all(
    [hour, whole].map(async (filters, i) => {
      const response = await send('get-multiple-metrics', question(filters), 'application/vnd.apache.parquet');
      const file = join(folder, `${i}.parquet`);
      await writeFile(file, Buffer.from(await response.arrayBuffer()));
      return file;
    }),
  );
  const connection = await (await DuckDBInstance.create()).connect();
  const value = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson()[0]?.map(String);
  const [few, all] = files;
  expect(await value(`SELECT count(*) FROM '${all}'`)).toEqual([String(many)]);
  expect(await value(`SELECT count(*) FROM (FROM '${few}' INTERSECT FROM '${all}')`)).toEqual([String(rowsInHour)]);
  expect(await value(`SELECT typeof(event_at), typeof(pr_title) FROM '${few}' LIMIT 1`)).toEqual(
    await value(`SELECT typeof(event_at), typeof(pr_title) FROM '${all}' LIMIT 1`),
  );
}, 120_000);

test('many rows need no more memory than few', async () => {
  const held = () => {
    const { heapUsed, external } = process.memoryUsage();
    return (heapUsed + external) / 1_048_576;
  };
  await (await send('get-multiple-metrics', question(hour), 'application/x-ndjson')).arrayBuffer();
  const before = held();
  const response = await send('get-multiple-metrics', question(whole), 'application/x-ndjson');
  expect(response.headers.get('x-cache')).toBe('MISS');
  expect(response.headers.get('transfer-encoding')).toBe('chunked');
  let [bytes, most] = [0, 0];
  const reader = response.body?.getReader();
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
    bytes += piece.value.length;
    most = Math.max(most, held());
  }
  expect(bytes / 1_048_576).toBeGreaterThan(100);
  expect(most - before).toBeLessThan(80);
}, 120_000);

test('whoever hangs up in the middle leaves nothing behind', async () => {
  for (const accept of ['application/x-ndjson', 'application/vnd.apache.parquet']) {
    const response = await send('get-multiple-metrics', question(whole), accept);
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
  }
  const stopping = new AbortController();
  const stopped = fetch(`${service.url}/metrics/get-multiple-metrics`, {
    method: 'POST',
    signal: stopping.signal,
    headers: { authorization: service.keys.owner, 'content-type': 'application/json' },
    body: JSON.stringify(question({ ...whole, pr_ids: [] })),
  }).catch(() => 'gone');
  await pause(30);
  stopping.abort();
  await stopped;
  const left = () => readdirSync(warehouseFolder).filter((name) => name.startsWith('copy-'));
  await expect.poll(left, { timeout: 20_000 }).toEqual([]);
  expect(service.log.join('')).not.toContain('request failed');
}, 120_000);
