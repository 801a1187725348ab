import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, startService } from '../../setup/running-app.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const lineOf = async (id: string): Promise<Record<string, unknown>> => {
  await expect.poll(() => service.log.filter((line) => line.includes(`"${id}"`)).length).toBe(1);
  return JSON.parse(service.log.find((line) => line.includes(`"${id}"`)) ?? '');
};

test('A request is one line: id, method, route, status, milliseconds', async () => {
  await service.request('GET', '/teams?secret=1', { key: service.keys.owner, headers: { 'x-request-id': 'one' } });
  const line = await lineOf('one');
  expect(line).toMatchObject({ reqId: 'one', method: 'GET', route: '/teams', status: 400, ms: expect.any(Number) });
  expect(Object.keys(line).sort()).toEqual([
    'hostname',
    'level',
    'method',
    'ms',
    'msg',
    'pid',
    'reqId',
    'route',
    'status',
    'time',
  ]);
});

test('A path that nothing stands at is not written down', async () => {
  await service.request('GET', '/some/plumb_secret', { headers: { 'x-request-id': 'two' } });
  expect(await lineOf('two')).toMatchObject({ route: '(none)', status: 404 });
});

test('No key, no sign-in token, no address and no name is ever in the log', async () => {
  const { keys } = service;
  const link = await service.signInLink('grace@example.com');
  const token = link.split('/')[2] ?? '';
  await service.request('GET', '/teams', { key: keys.owner });
  await service.request('GET', '/teams', { key: `Bearer ${keys.owner}` });
  await service.request('GET', `/teams/${keys.owner}`, { key: keys.owner });
  await service.request('POST', '/users/onboarded-users-by-attributes', {
    key: keys.owner,
    body: { email_addresses: ['barbara@example.com'] },
  });
  await service.request('GET', link);
  await service.request('DELETE', link);
  await service.request('GET', `${link}/more`);
  const password = 'correct horse battery';
  const form = {
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: service.url },
    body: `password=${encodeURIComponent(password)}`,
  };
  const made = await service.request('POST', link, form);
  const session = /plumbsession_[0-9A-Za-z]+/.exec(String(made.headers['set-cookie']))?.[0] ?? '';
  expect(session).not.toBe('');
  await service.request('POST', link, form);
  await service.request('GET', '/app/session', { headers: { cookie: `plumb_session=${session}` } });
  await service.request('POST', '/sign-in', { ...form, body: `email=grace@example.com&${form.body}` });
  await service.raw(`GET /teams HTTP/1.1\r\nHost: x\r\nAuthorization: ${keys.owner}\r\nBroken header\r\n\r\n`);
  const log = service.log.join('');
  expect(log).toContain('"route":"/sign-in/:token"');
  for (const secret of [...Object.values(keys), token, session, password, 'barbara', 'example.com', 'Grace']) {
    expect(log).not.toContain(secret);
  }
});
