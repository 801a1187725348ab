import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Row } from '../../../src/catalogue/table.ts';
import { pullRequestEvents } from '../../../src/catalogue/tables/pull-request-parts.ts';
import { keptRow } from '../../reference/written-world.ts';
import { type Service, startService } from '../../setup/running-app.ts';
import { addRows } from '../../warehouse/table-writes.ts';
import { putRecords } from './some-metrics.ts';

/** A service with more events than an answer is put together of. */
export interface ManyEvents extends Service {
  readonly warehouseFolder: string;
  send(path: string, body: unknown, accept: string): Promise<Response>;
}

const first = Date.parse('2024-01-01T00:00:00Z') / 1_000;
const batchRows = 10_000;

/** Each with an address of so many letters, which are sent in less time than as many bytes of short rows. */
export async function startManyEvents(many: number, letters = 200): Promise<ManyEvents> {
  const service = await startService();
  // Brings the tables into being; then rows are written as they are.
  await putRecords(service, 'pull_requests', [{ pr_id: 'pr-1', pr_created_at: '2024-01-01T00:00:00Z' }]);
  const { warehouse } = service.app;
  for (let from = 0; from < many; from += batchRows) {
    const rows = Array.from({ length: Math.min(batchRows, many - from) }, (_, i) => eventRow(from + i, letters));
    await warehouse.change(service.organisationId, (session) => addRows(session, pullRequestEvents, rows as never));
  }
  const copies = await warehouse.makeCopyFolder();
  await rm(copies, { recursive: true });
  return {
    ...service,
    warehouseFolder: join(copies, '..'),
    send: (path, body, accept) =>
      fetch(`${service.url}/metrics/${path}`, {
        method: 'POST',
        headers: { authorization: service.keys.owner, 'content-type': 'application/json', accept },
        body: JSON.stringify(body),
      }),
  };
}

/** One every ten seconds, with everything in it that a format has to be careful about. */
const eventRow = (n: number, letters: number): Row =>
  keptRow(pullRequestEvents, {
    pr_id: `pr-${n % 100}`,
    event_type: n % 3 === 0 ? 'labeled' : 'commented, "quoted"\nä',
    event_at: first + n * 10,
    event_url: `https://example.org/${'x'.repeat(letters)}/${n}`,
    source: 'github',
    pr_title: n % 7 === 0 ? null : `=Title ${n % 50}`,
  });

export const question = (filters: object) => ({
  metrics: ['pull-request-events-count'],
  filters,
  group_by: ['event_at', 'pr_id', 'event_type', 'event_url', 'pr_title'],
});

/** The first of them, few enough to be kept. */
export const hour = { start_date: '2024-01-01T00:00:00Z', end_date: '2024-01-01T00:59:59Z' };
export const rowsInHour = 360;
export const whole = { start_date: '2024-01-01', end_date: '2024-03-01' };
