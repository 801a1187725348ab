import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { serviceTicket, ticketOf } from '../../../src/admission/ticket.ts';
import { pullRequests } from '../../../src/catalogue/tables/pull-requests.ts';
import { Engine } from '../../../src/warehouse/duckdb/engine.ts';
import { schemaOf } from '../../../src/warehouse/duckdb/organisation-file.ts';

const quickly = { seconds: 10 };
const organisationId = '00000000-0000-4000-8000-000000000001';
const counted = `SELECT count(*) FROM ${schemaOf(organisationId)}.${pullRequests.name}`;

test('A file that was detached under a reader is attached again once the reader has left', async () => {
  const place = mkdtempSync(join(tmpdir(), 'plumb-attached-'));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  const engine = await Engine.open(place, {});
  onTestFinished(() => engine.close());
  const run = (connection: Awaited<ReturnType<Engine['take']>>, sql: string) =>
    connection.perform({ sql, values: [] }, quickly);

  const release = await engine.hold(organisationId, ticketOf(serviceTicket(organisationId), 10_000));
  const reader = await engine.take();
  await run(reader, 'BEGIN');
  await run(reader, counted);
  await engine.detach(organisationId);
  release();
  const again = engine.hold(organisationId, ticketOf(serviceTicket(organisationId), 10_000));
  await sleep(100);
  await run(reader, 'COMMIT');
  await engine.giveBack(reader, true);
  (await again)();
  await engine.use(async (connection) => {
    expect((await run(connection, counted)).rowCount).toBe(1);
  });
});
