import { expect, test } from 'vitest';
import { unchangedService } from '../../setup/unchanged-service.ts';

const path = '/posthook/ingest';
const service = unchangedService();

const send = async (body: unknown, headers: Record<string, string> = {}, key = service().keys.owner) => {
  const answer = await service().request('POST', path, { key, headers, body });
  return { status: answer.status, detail: (answer.json as { detail?: string }).detail };
};

test.each([['Bearer'], ['Bearer '], ['Bearer not-a-key'], ['Basic abc'], ['']])('%s is no key', async (key) => {
  expect(await send({ schema_version: 1, tables: {} }, {}, key)).toMatchObject({ status: 401 });
});

test('Bearer is for the hook alone', async () => {
  const answer = await service().request('GET', '/teams', { key: `Bearer ${service().keys.owner}` });
  expect(answer.status).toBe(401);
});

test.each([
  [{ tables: {} }, 'schema_version is missing. It must be a whole number of 1 or more, such as 9 or "9".'],
  [{ schema_version: 0, tables: {} }, 'schema_version must not be 0. It must be a whole number of 1 or more'],
  [{ schema_version: -1, tables: {} }, 'schema_version must not be -1'],
  [{ schema_version: 1.5, tables: {} }, 'schema_version must not be 1.5'],
  [{ schema_version: '1.4', tables: {} }, 'schema_version must not be "1.4"'],
  [{ schema_version: '0', tables: {} }, 'schema_version must not be "0"'],
  [{ schema_version: '', tables: {} }, 'schema_version must not be ""'],
  [{ schema_version: 'v9', tables: {} }, 'schema_version must not be "v9"'],
  [{ schema_version: null, tables: {} }, 'schema_version must not be null'],
  [{ schema_version: true, tables: {} }, 'schema_version must not be true'],
  [{ schema_version: {}, tables: {} }, 'schema_version must not be {}'],
  [{ schema_version: 1 }, 'tables must be an object'],
  [{ schema_version: 1, tables: [] }, 'tables must be an object'],
  [{ schema_version: 1, tables: { sessions: {} } }, 'tables.sessions must be an array'],
  [[], 'The body must be a JSON object'],
])('%j is 400 and says why', async (body, why) => {
  expect(await send(body)).toEqual({ status: 400, detail: expect.stringContaining(why) });
});

const json = { 'content-type': 'application/json' };

test('What is no JSON is refused as such', async () => {
  expect(await send('', json)).toEqual({
    status: 400,
    detail: 'The body is empty: it must be a JSON object. /docs shows an example for each operation.',
  });
  expect(await send('{', json)).toEqual({ status: 400, detail: expect.stringContaining('The body is not JSON') });
  expect(await send(Buffer.from([0x22, 0xff, 0x22]), json)).toEqual({
    status: 400,
    detail: 'The body is not valid UTF-8.',
  });
  const deep = `{"schema_version":1,"tables":{"sessions":[{"id":${'['.repeat(50_000)}${']'.repeat(50_000)}}]}}`;
  expect(await send(deep, json)).toEqual({ status: 400, detail: expect.stringContaining('nested deeper') });
  expect(await send('{}', { 'content-type': 'application/x-ndjson' })).toMatchObject({ status: 415 });
});

test('A body over 64 MiB is 413', async () => {
  const answer = await service().raw(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${service().keys.owner}\r\nContent-Type: application/json\r\nContent-Length: ${64 * 1_048_576 + 1}\r\n\r\n`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*64 MiB/);
});
