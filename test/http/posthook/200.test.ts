import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { posthookSessions } from '../../../src/catalogue/tables/posthook-sessions.ts';
import { type Service, startService } from '../../setup/running-app.ts';

const path = '/posthook/ingest';
let service: Service;
beforeAll(async () => {
  service = await startService({ isQuick: true });
});
afterAll(() => service.close());

const payload = (id: string, engineer_email: string) => ({
  schema_version: 1,
  tables: {
    sessions: [{ id, engineer_email, started_at: '2026-01-05T09:00:00Z' }],
    event_line_ranges: [{ id: 'r1', session_id: id, path: 'a.ts', lines: 5 }],
  },
});

const kept = async (id: string) =>
  (
    await service.app.warehouse.read(service.organisationId, (session) =>
      session.select(posthookSessions, ['merged_user_id', 'generated_lines'], { column: 'session_id', in: [id] }),
    )
  )[0];

test('The hook sends its key behind Bearer, others send it alone', async () => {
  for (const [i, key] of [
    service.keys.owner,
    `Bearer ${service.keys.owner}`,
    `bearer  ${service.keys.owner}`,
  ].entries()) {
    const answer = await service.request('POST', path, { key, body: payload(`s${i}`, 'grace@example.com') });
    expect([answer.status, answer.json]).toEqual([200, { accepted: 2, rejected: 0, errors: [], ignored: [] }]);
    expect(await kept(`s${i}`)).toEqual({
      merged_user_id: await service.idOf('grace@example.com'),
      generated_lines: 5,
    });
  }
});

test('Everybody may send their own sessions, and nobody but an Owner those of others', async () => {
  const { engineer, manager } = service.keys;
  const own = await service.request('POST', path, { key: engineer, body: payload('own', 'Edsger@example.com') });
  expect(own.json).toMatchObject({ accepted: 2, rejected: 0 });
  const foreign = await service.request('POST', path, { key: manager, body: payload('foreign', 'edsger@example.com') });
  expect(foreign.status).toBe(200);
  expect(foreign.json).toMatchObject({
    accepted: 0,
    rejected: 2,
    errors: [
      { table: 'sessions', line: 1, detail: expect.stringContaining('engineer_email') },
      { table: 'event_line_ranges', line: 1, detail: expect.stringContaining("session 'foreign'") },
    ],
  });
  expect(await kept('foreign')).toBeUndefined();
});

test('A payload of very many rows is taken in several changes, packed or not', async () => {
  // Ten thousand are one change.
  const ranges = Array.from({ length: 10_500 }, (_, i) => ({
    id: i,
    session_id: 'big',
    path: `f${i % 50}.ts`,
    lines: 1,
  }));
  const body = gzipSync(
    JSON.stringify({ schema_version: '9', tables: { event_line_ranges: ranges, sessions: [{ id: 'big' }] } }),
  );
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const answer = await service.request('POST', path, { key: service.keys.owner, headers, body });
  expect([answer.status, answer.json]).toEqual([200, { accepted: 10_501, rejected: 0, errors: [], ignored: [] }]);
  expect(await kept('big')).toMatchObject({ generated_lines: 10_500 });
});

test.each([1, 9, 10, 1_000, '1', '9', '12'])('A hook of version %j is taken', async (schema_version) => {
  const { tables } = payload('versions', 'grace@example.com');
  const body = { schema_version, tables: { ...tables, moods: [{ mood: 'good' }] } };
  const answer = await service.request('POST', path, { key: service.keys.owner, body });
  expect([answer.status, answer.json]).toEqual([
    200,
    { accepted: 2, rejected: 0, errors: [], ignored: ['tables.moods'] },
  ]);
});
