import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiKeyKind, makeSecret } from '../../../src/access/secret-token.ts';
import { removePerson } from '../../../src/directory/people.ts';
import { type Service, startService } from '../../setup/running-app.ts';

let clock = new Date('2026-03-01T12:00:00Z');
let service: Service;
beforeAll(async () => {
  service = await startService({ now: () => clock });
});
afterAll(() => service.close());

const notValid =
  '{"detail":"Invalid or missing API key. Send a valid key alone in the header Authorization. `plumb key create` makes one."}';
const actor = { via: 'command', user: 'test' } as const;

const operations = [
  ['GET', '/teams'],
  ['HEAD', '/teams'],
  ['GET', '/users/onboarded-users-by-attributes'],
  ['POST', '/users/onboarded-users-by-attributes'],
  ['POST', '/users/offboarded-users-by-attributes'],
  ['DELETE', '/teams'],
  ['OPTIONS', '/teams'],
  ['TRACE', '/teams'],
  ['PROPFIND', '/users'],
  ['GET', '/teams/'],
  ['GET', '/teams/unknown'],
  ['GET', '/users'],
  ['GET', '/%75sers/%zz'],
  ['POST', '/metrics/cycle-time'],
  ['POST', '/metrics/nothing-like-it'],
  ['POST', '/metrics/get-multiple-metrics'],
  ['POST', '/metrics/benchmark'],
  ['POST', '/metrics/cycle-time/explain'],
  ['POST', '/ingest'],
  ['POST', '/ingest/pull_requests'],
  ['POST', '/posthook/ingest'],
  ['POST', '/posthook/claude'],
  ['POST', '/mcp'],
  ['GET', '/mcp'],
  ['GET', '/catalogue'],
] as const;

describe.each(operations)('%s %s', (method, path) => {
  test.each([
    ['no key', undefined],
    ['an empty key', ''],
    ['a made-up key', 'not-a-key'],
    ['a well-formed unknown key', makeSecret(apiKeyKind)],
  ])('%s', async (_name, key) => {
    const answer = await service.request(method, path, key === undefined ? {} : { key });
    expect(answer.status).toBe(401);
    expect(answer.text).toBe(method === 'HEAD' ? '' : notValid);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  });
});

test('A key behind Bearer is told to come alone', async () => {
  const answer = await service.request('GET', '/teams', { key: `Bearer ${service.keys.owner}` });
  expect(answer.status).toBe(401);
  expect(answer.json).toEqual({
    detail: "Invalid or missing API key. Send the key alone in the Authorization header, without 'Bearer'.",
  });
});

test('Two Authorization headers are no key, even when the first or both are good', async () => {
  const { owner } = service.keys;
  for (const pair of [
    [owner, 'x'],
    ['x', owner],
    [owner, owner],
  ]) {
    const lines = pair.map((key) => `Authorization: ${key}\r\n`).join('');
    const text = await service.raw(`GET /teams HTTP/1.1\r\nHost: x\r\n${lines}Connection: close\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 401 /);
  }
});

test('A revoked, an expired and an orphaned key get the same answer as an unknown one', async () => {
  const { keys, directory } = service.app;
  const creatorId = await service.idOf('ada@example.com');
  const ask = async (key: string) => {
    const { status, text } = await service.request('GET', '/teams', { key });
    return [status, text];
  };

  const revoked = await keys.create(service.organisationId, actor, { creatorId, name: 'revoked' });
  expect((await ask(revoked.key))[0]).toBe(200);
  await keys.revoke(service.organisationId, actor, revoked.id);
  expect(await ask(revoked.key)).toEqual([401, notValid]);

  const expiresAt = new Date('2026-03-01T12:01:00Z');
  const expiring = await keys.create(service.organisationId, actor, { creatorId, name: 'expiring', expiresAt });
  expect((await ask(expiring.key))[0]).toBe(200);
  clock = new Date('2026-03-01T12:02:00Z');
  expect(await ask(expiring.key)).toEqual([401, notValid]);

  expect((await ask(service.keys.squadLead))[0]).toBe(200);
  await removePerson(directory, { organisationId: service.organisationId, actor }, 'asa@example.com');
  expect(await ask(service.keys.squadLead)).toEqual([401, notValid]);
});
