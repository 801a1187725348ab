import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hour, type ManyEvents, question, rowsInHour, startManyEvents, whole } from './many-events.ts';

/** More than are kept; ten megabytes, which is more than waits between two ends of a connection. */
const many = 6_000;

let service: ManyEvents;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumb-streams-'));
  service = await startManyEvents(many, 1_700);
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});
const send = (...given: Parameters<ManyEvents['send']>) => service.send(...given);

/** Up to when the data are complete, and whose they are. */
const said = ['2024-01-02T00:00:00Z', 'organisation'];
const saidBy = ({ headers }: Response) => [headers.get('x-data-through'), headers.get('x-visibility')];

test('Rows that are streamed have the same bytes as rows that are not, in every text format, and say the same of the data', async () => {
  const one = { filters: hour, group_by: question({}).group_by, limit: 200 };
  for (const accept of ['application/json', 'application/x-ndjson', 'text/csv']) {
    const answers = [
      await send('get-multiple-metrics', question(hour), accept),
      await send('get-multiple-metrics', question(whole), accept),
    ] as const;
    expect(answers.map(saidBy)).toEqual([said, said]);
    const [buffered, streamed] = await Promise.all([answers[0].text(), answers[1].text()]);
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
});

test('The same rows are in a Parquet file, streamed or not', async () => {
  const files = await Promise.all(
    [hour, whole].map(async (filters, i) => {
      const response = await send('get-multiple-metrics', question(filters), 'application/vnd.apache.parquet');
      expect(saidBy(response)).toEqual(said);
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
});

test('Whoever hangs up in the middle leaves nothing behind', async () => {
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
  const left = () => readdirSync(service.warehouseFolder).filter((name) => name.startsWith('copy-'));
  await expect.poll(left).toEqual([]);
  expect(service.log.join('')).not.toContain('request failed');
});
