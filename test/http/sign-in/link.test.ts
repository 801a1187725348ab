import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeSecret, signInKind } from '../../../src/access/secret-token.ts';
import { setPerson } from '../../../src/directory/people.ts';
import { times } from '../../setup/how-long.ts';
import { type Service, startService } from '../../setup/running-app.ts';
import { cookieOf, submit } from './sign-in-form.ts';

let now = new Date('2026-03-01T12:00:00Z');
let service: Service;
beforeAll(async () => {
  service = await startService({ isQuick: true, now: () => now });
});
afterAll(() => service.close());

const password = 'correct horse battery';

test('The page says whose organisation it is and who is meant, and looking does not use the link up', async () => {
  const link = await service.signInLink('grace@example.com');
  for (const method of ['GET', 'HEAD', 'GET']) {
    const answer = await service.request(method, link);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      // With no-referrer a browser would send the form with the Origin null.
      'referrer-policy': 'same-origin',
    });
    expect(answer.headers['set-cookie']).toBeUndefined();
    if (method === 'HEAD') continue;
    expect(answer.text).toContain('Welcome to Analytical Engines');
    expect(answer.text).toContain('signing in as Grace Hopper');
    expect(answer.text).toContain('grace@example.com');
    expect(answer.text).not.toMatch(/(src|href)="(https?:)?\/\//);
    expect(answer.text).not.toContain('<script');
  }
  expect((await submit(service, link, { password })).status).toBe(303);
});

test('The button sets the password and signs the person in', async () => {
  const answer = await submit(service, await service.signInLink('grace@example.com'), { password });
  expect([answer.status, answer.headers.location]).toEqual([303, '/']);
  expect(answer.headers['set-cookie']).toEqual([
    expect.stringMatching(
      /^plumb_session=plumbsession_[0-9A-Za-z]{39}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    ),
  ]);
  const session = await service.request('GET', '/app/session', { headers: { cookie: cookieOf(answer) } });
  expect(session.json).toMatchObject({ person: { name: 'Grace Hopper' }, role: 'Manager', signed_in_with: 'link' });
  const [begun, , set] = await service.app.store.read((reading) =>
    reading.rows<{ action: string; via: string; actor: string }>(
      'SELECT action, via, actor FROM audit_log WHERE organisation_id = $1 ORDER BY version DESC, entry DESC LIMIT 3',
      [service.organisationId],
    ),
  );
  const by = { via: 'sign-in', actor: await service.idOf('grace@example.com') };
  expect(begun).toEqual({ action: 'session.begin', ...by });
  expect(set).toEqual({ action: 'password.set', ...by });
});

test.each([
  ['no password', {}, 'at least 12 characters'],
  ['a short one', { password: 'elf Zeichen' }, 'at least 12 characters'],
  ['a very long one', { password: 'x'.repeat(201) }, 'at most 200 characters'],
  ['the email address', { password: 'Grace@example.com' }, 'email address is no password'],
])('%s shows the form again and does not use the link up', async (_name, fields, problem) => {
  const link = await service.signInLink('grace@example.com');
  const answer = await submit(service, link, fields);
  expect(answer.status).toBe(400);
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(answer.text).toContain(problem);
  expect(answer.text).toContain('<form method="post">');
  expect((await submit(service, link, { password })).status).toBe(303);
});

test('A large form is 413, another type 415, both as a page, and the link still works', async () => {
  const link = await service.signInLink('grace@example.com');
  const large = await submit(service, link, { password: 'x'.repeat(10_000) });
  const json = await service.request('POST', link, { body: { password }, headers: { origin: service.url } });
  expect([large.status, json.status]).toEqual([413, 415]);
  for (const { headers } of [large, json]) expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect((await service.request('GET', link)).status).toBe(200);
});

test.each([undefined, 'null', 'https://evil.example'])('A form that comes from %s is 403', async (origin) => {
  const link = await service.signInLink('grace@example.com');
  const answer = await service.request('POST', link, {
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...(origin === undefined ? {} : { origin }) },
    body: `password=${encodeURIComponent(password)}`,
  });
  expect(answer.status).toBe(403);
  expect(answer.headers['set-cookie']).toBeUndefined();
  expect((await submit(service, link, { password })).status).toBe(303);
});

test('Names are shown as they are, whatever they contain', async () => {
  const context = { organisationId: service.organisationId, actor: { via: 'command', user: 'test' } } as const;
  await setPerson(service.app.directory, context, 'donald@example.com', { name: '<img src=x onerror="alert(1)">&' });
  const { text } = await service.request('GET', await service.signInLink('donald@example.com'));
  expect(text).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;');
  expect(text).not.toContain('<img');
});

const expectGone = async (link: string, sentence: string) => {
  for (const answer of [await service.request('GET', link), await submit(service, link, { password })]) {
    expect(answer.status).toBe(404);
    expect(answer.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
    expect(answer.text).toContain(sentence);
  }
};

test('A link that was used says so', async () => {
  const link = await service.signInLink('grace@example.com');
  expect((await submit(service, link, { password })).status).toBe(303);
  await expectGone(link, 'This sign-in link was used already: it works once.');
});

test('A link that was never made', async () => {
  for (const token of ['x', '%00', '<script>', makeSecret(signInKind), 'x'.repeat(5_000)]) {
    await expectGone(
      `/sign-in/${encodeURIComponent(token)}`,
      'it has expired, another one was used instead, or it never existed.',
    );
  }
});

test('Of several who press the button at once, one is let in', async () => {
  const link = await service.signInLink('grace@example.com');
  const answers = await Promise.all(Array.from({ length: times(5, 20) }, () => submit(service, link, { password })));
  const statuses = answers.map(({ status }) => status);
  // A password takes a while to check: who waits for it too long is asked to come back, and finds the link used.
  expect(statuses.filter((status) => status !== 404 && status !== 503)).toEqual([303]);
  await expectGone(link, 'This sign-in link was used already: it works once.');
});

test('A link that has expired', async () => {
  const link = await service.signInLink('grace@example.com');
  now = new Date('2026-03-02T12:00:01Z');
  await expectGone(link, 'it has expired, another one was used instead, or it never existed.');
});
