import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '../setup/running-app.ts';

/** In place of a million. */
const maxRecords = 10;
let service: Service;
beforeAll(async () => {
  service = await startService({ parts: () => ({ maxRecords }) });
});
afterAll(() => service.close());

async function send(path: string, type: string, body: string): Promise<readonly [status: number, detail: string]> {
  const headers = { 'content-type': type };
  const answer = await service.request('POST', path, { key: service.keys.owner, headers, body });
  return [answer.status, (answer.json as { detail?: string }).detail ?? ''];
}
const repeated = (value: (i: number) => string, count: number): string =>
  Array.from({ length: count }, (_, i) => value(i)).join(',');

describe('what a hook sends has a limit of rows', () => {
  const hooked = (tables: string) => `{"schema_version":1,"tables":{${tables}}}`;
  // The two fields of the body and a table count as rows do.
  const shapes: readonly (readonly [what: string, bodyOf: (count: number) => string])[] = [
    ['rows', (count) => hooked(`"sessions":[${repeated(() => '{}', count - 3)}]`)],
    ['rows of a table that nobody knows', (count) => hooked(`"other":[${repeated(() => '{}', count - 3)}]`)],
    ['tables that nobody knows', (count) => hooked(repeated((i) => `"t${i}":[]`, count - 2))],
    ['fields', (count) => `{${repeated((i) => `"f${i}":1`, count - 2)},"schema_version":1,"tables":{}}`],
  ];

  test.each(shapes)('Whatever is counted: %s', async (_, bodyOf) => {
    const path = '/posthook/ingest';
    expect(await send(path, 'application/json', bodyOf(maxRecords))).toEqual([200, '']);
    expect(await send(path, 'application/json', bodyOf(maxRecords + 1))).toEqual([
      413,
      'The body has more than 10 rows: at most 10 are accepted. Send them in several bodies.',
    ]);
  });
});

describe('a body of records has a limit of them', () => {
  const shapes: readonly (readonly [what: string, type: string, bodyOf: (count: number) => string])[] = [
    ['an array', 'application/json', (count) => `[${repeated(() => '{}', count)}]`],
    ['lines', 'application/x-ndjson', (count) => '{}\n'.repeat(count)],
    ['blank lines', 'application/x-ndjson', (count) => '\n'.repeat(count)],
  ];

  test.each(shapes)('Whatever it is made of: %s', async (_, type, bodyOf) => {
    const path = '/ingest/pull_requests';
    expect(await send(path, type, bodyOf(maxRecords))).toEqual([200, '']);
    const [status, detail] = await send(path, type, bodyOf(maxRecords + 1));
    expect([status, detail]).toEqual([
      413,
      expect.stringContaining('The body has more than 10 records: at most 10 are accepted, blank lines counted.'),
    ]);
  });
});
