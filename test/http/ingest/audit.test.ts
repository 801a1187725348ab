import { afterAll, beforeAll, expect, test } from 'vitest';
import { factTables } from '../../../src/catalogue/tables/all-tables.ts';
import { auditEntries } from '../../../src/store/audit.ts';
import { type Service, startService } from '../../setup/running-app.ts';
import { asNdjson, ndjson } from './some-records.ts';

let service: Service;
let now = new Date('2024-04-10T12:00:00Z');
beforeAll(async () => {
  service = await startService({ now: () => now });
});
afterAll(() => service.close());

async function imports(): Promise<object[]> {
  const entries = await service.app.store.read((session) => auditEntries(session, service.organisationId, 1_000));
  return entries
    .filter(({ action }) => action === 'records.import')
    .map(({ subject, via, key_id, details }) => ({
      subject,
      via,
      hasKey: key_id !== null,
      ...JSON.parse(details ?? ''),
    }));
}

const send = (path: string, body: string, headers: Readonly<Record<string, string>> = asNdjson) =>
  service.request('POST', path, { key: service.keys.owner, headers, body });

test('A body is one entry with all the rows that were kept, however many changes it takes', async () => {
  const incidents = Array.from({ length: 6_001 }, (_, i) => ({
    incident_id: `i${i}`,
    opened_at: '2024-01-01T00:00:00Z',
  }));
  const before = service.app.store.versionOf(service.organisationId);
  expect((await send('/ingest/incidents', ndjson([...incidents, { opened_at: 'never' }]))).json).toMatchObject({
    accepted: 6_001,
    rejected: 1,
  });
  expect(await imports()).toEqual([{ subject: 'incidents', via: 'api', hasKey: true, rows: 6_001 }]);
  expect(service.app.store.versionOf(service.organisationId)).toBe(before);
  now = new Date('2024-04-10T12:01:00Z');
  await send('/ingest/teams', ndjson([{ team_name: 'New' }]));
  expect(await imports()).toEqual([
    { subject: 'teams', via: 'api', hasKey: true, rows: 1 },
    { subject: 'incidents', via: 'api', hasKey: true, rows: 6_001 },
  ]);
});

test('Nothing is kept of a body whose entry cannot be written', async () => {
  const { store, warehouse } = service.app;
  const note = store.note;
  Object.assign(store, { note: () => Promise.reject(new Error('no space left on device')) });
  const { status } = await send('/ingest/incidents', ndjson([{ incident_id: 'unaudited' }]));
  Object.assign(store, { note });
  expect(status).toBe(500);
  const rows = await warehouse.read(service.organisationId, (session) =>
    session.select(factTables.incidents, ['incident_id']),
  );
  expect(rows.some(({ incident_id }) => incident_id === 'unaudited')).toBe(false);
});

test('What the hook sends with one key in a clock hour is one entry', async () => {
  const json = { 'content-type': 'application/json' };
  const session = (id: string) =>
    JSON.stringify({
      schema_version: 1,
      tables: { sessions: [{ id, engineer_email: 'ada@example.com', started_at: now }] },
    });
  const hooks = async () => (await imports()).filter((entry) => (entry as { subject: string }).subject === 'posthook');
  for (const id of ['a', 'b', 'c']) expect((await send('/posthook/ingest', session(id), json)).status).toBe(200);
  expect(await hooks()).toEqual([{ subject: 'posthook', via: 'api', hasKey: true, rows: 3 }]);
  now = new Date('2024-04-10T13:00:00Z');
  await send('/posthook/ingest', session('d'), json);
  expect(await hooks()).toEqual([
    { subject: 'posthook', via: 'api', hasKey: true, rows: 1 },
    { subject: 'posthook', via: 'api', hasKey: true, rows: 3 },
  ]);
});
