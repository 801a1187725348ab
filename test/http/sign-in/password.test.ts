import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOrganisation } from '../../../src/directory/organisations.ts';
import { nextPath } from '../../../src/http/pages/sign-in-routes.ts';
import { type Service, startService } from '../../setup/running-app.ts';
import { signIn } from '../../setup/signed-in.ts';
import { choosePassword, cookieOf, submit } from './sign-in-form.ts';

let service: Service;
const password = 'correct horse battery';

beforeAll(async () => {
  service = await startService({ isQuick: true, trustProxy: true });
  await choosePassword(service, 'ada@example.com', password);
});
afterAll(() => service.close());

const ada = { email: 'Ada@example.com', password };
const isSignedIn = async (cookie: string): Promise<boolean> =>
  (await service.request('GET', '/app/session', { headers: { cookie } })).status === 200;

test('The form asks for an email address and a password, and loads nothing', async () => {
  const { status, text, headers } = await service.request('GET', '/sign-in?next=/delivery%3Frange%3D30');
  expect(status).toBe(200);
  expect(headers['set-cookie']).toBeUndefined();
  expect(text).toContain('<input type="hidden" name="next" value="/delivery?range=30">');
  expect(text).toContain('type="password"');
  expect(text).not.toContain('<script');
});

test('The right password signs in and goes where the person wanted to go, with a new session each time', async () => {
  const answers = [
    await submit(service, '/sign-in', { ...ada, next: '/delivery?range=30' }),
    await submit(service, '/sign-in', ada),
  ];
  expect(answers.map(({ status, headers }) => [status, headers.location])).toEqual([
    [303, '/delivery?range=30'],
    [303, '/'],
  ]);
  const cookies = answers.map(cookieOf);
  expect(new Set(cookies).size).toBe(2);
  for (const cookie of cookies) expect(await isSignedIn(cookie)).toBe(true);
  const again = await service.request('GET', '/sign-in?next=/ci', { headers: { cookie: cookies[0] ?? '' } });
  expect([again.status, again.headers.location]).toEqual([303, '/ci']);
});

test.each([
  ['a wrong password', { email: 'ada@example.com', password: 'not the right one' }],
  ['nobody', { email: 'nobody@example.com', password }],
  ['somebody without a password', { email: 'edsger@example.com', password }],
  ['nothing', {}],
])('%s is 401, and the form says the same again', async (_name, fields: Record<string, string>) => {
  const answer = await submit(service, '/sign-in', { ...fields, next: '/ci' });
  expect(answer.status).toBe(401);
  expect(answer.text).toContain('This email address and this password do not belong together.');
  expect(answer.text).toContain('name="next" value="/ci"');
  expect(answer.headers['set-cookie']).toBeUndefined();
});

test.each([undefined, 'null', 'https://evil.example'])('A form that comes from %s is 403', async (origin) => {
  for (const path of ['/sign-in', '/sign-in/organisation', '/sign-out']) {
    const answer = await service.request('POST', path, {
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...(origin === undefined ? {} : { origin }) },
      body: new URLSearchParams(ada).toString(),
    });
    expect(answer.status).toBe(403);
    expect(answer.headers['set-cookie']).toBeUndefined();
  }
});

test('Eleven wrong ones from one address have to wait, and are told for how long; another address need not', async () => {
  await choosePassword(service, 'asa@example.com', password);
  const attempt = (from: string, secret: string) =>
    submit(service, '/sign-in', { email: 'asa@example.com', password: secret }, { 'x-forwarded-for': from });
  for (let i = 1; i <= 10; i += 1) expect((await attempt('127.0.0.1', 'not the right one')).status).toBe(401);
  const refused = await attempt('127.0.0.1', password);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(800);
  expect(refused.text).toContain('Signing in has failed too often.');
  expect((await attempt('127.0.0.2', password)).status).toBe(303);
});

test('Where the password fits several organisations, the page asks which', async () => {
  const actor = { via: 'command', user: 'test' } as const;
  const other = await createOrganisation(service.app.directory, actor, {
    name: 'Difference & Engines',
    ownerEmail: 'ada@example.com',
  });
  const link = `/sign-in/${await service.app.signIns.create(other.id, actor, other.ownerId)}`;
  await submit(service, link, { password });

  const asked = await submit(service, '/sign-in', { ...ada, next: '/ci' });
  expect(asked.status).toBe(200);
  expect(asked.headers['set-cookie']).toBeUndefined();
  expect(asked.text).toContain(`value="${other.id}">Difference &amp; Engines</button>`);
  expect(asked.text).toContain(`value="${service.organisationId}">Analytical Engines</button>`);
  expect(asked.text).not.toContain(password);
  const choice = /name="choice" value="([\w-]+)"/.exec(asked.text)?.[1] ?? '';

  const chosen = await submit(service, '/sign-in/organisation', { choice, organisation: other.id, next: '/ci' });
  expect([chosen.status, chosen.headers.location]).toEqual([303, '/ci']);
  const session = await service.request('GET', '/app/session', { headers: { cookie: cookieOf(chosen) } });
  expect(session.json).toMatchObject({ organisation: { name: 'Difference & Engines' }, signed_in_with: 'password' });
  expect((await submit(service, '/sign-in/organisation', { choice, organisation: other.id })).status).toBe(400);
});

test('A new password ends all sessions and begins one', async () => {
  const old = await choosePassword(service, 'grace@example.com', password);
  const other = await signIn(service, 'grace@example.com');
  const change = (body: object) =>
    service.request('POST', '/app/password', { headers: { cookie: old, origin: service.url }, body });
  expect((await change({ current: 'wrong', password: 'another one to remember' })).status).toBe(400);
  expect((await change({ current: password, password: 'short' })).status).toBe(400);
  expect((await change({ current: password })).status).toBe(400);
  expect(await isSignedIn(old)).toBe(true);
  const changed = await change({ current: password, password: 'another one to remember' });
  expect(changed.status).toBe(204);
  expect([await isSignedIn(old), await isSignedIn(other.cookie), await isSignedIn(cookieOf(changed))]).toEqual([
    false,
    false,
    true,
  ]);
});

test('Whoever has no password cannot change it', async () => {
  const edsger = await signIn(service, 'edsger@example.com', 'openid');
  const { status } = await edsger.request('POST', '/app/password', { current: '', password });
  expect(status).toBe(409);
});

test('Signing out without a script, here or everywhere', async () => {
  expect((await service.request('GET', '/sign-out')).text).toContain('<form method="post" action="/sign-out">');
  const [here, there] = [await signIn(service, 'barbara@example.com'), await signIn(service, 'barbara@example.com')];
  const answer = await submit(service, '/sign-out', {}, { cookie: here.cookie });
  expect([answer.status, answer.headers.location]).toEqual([303, '/sign-in']);
  expect([await isSignedIn(here.cookie), await isSignedIn(there.cookie)]).toEqual([false, true]);
  const third = await signIn(service, 'barbara@example.com');
  await submit(service, '/sign-out', { everywhere: 'true' }, { cookie: third.cookie });
  expect(await isSignedIn(there.cookie)).toBe(false);
  expect((await submit(service, '/sign-out', {})).status).toBe(303);
});

describe('over plain http from another machine', () => {
  const sentence = /TLS.*PLUMB_PUBLIC_URL/;

  test.each([
    ['somebody behind a proxy', { 'x-forwarded-for': '203.0.113.9' }],
    ['somebody who knows the machine by a name', { host: 'plumb.acme.example' }],
    ['both', { 'x-forwarded-for': '203.0.113.9', host: 'plumb.acme.example' }],
  ])('%s can neither see nor send a form', async (_name, headers: Record<string, string>) => {
    const link = await service.signInLink('barbara@example.com');
    for (const path of ['/sign-in', link]) {
      const seen = await service.request('GET', path, { headers });
      const sent = await submit(service, path, ada, headers);
      for (const { status, text } of [seen, sent]) {
        expect(status).toBe(403);
        expect(text).toMatch(sentence);
        expect(text).not.toContain('<form');
      }
    }
    expect((await service.request('GET', link)).status).toBe(200);
  });

  test('https at the proxy is fine, and the cookie is Secure and of this host only', async () => {
    const proxied = {
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-proto': 'https',
      host: 'plumb.acme.example',
      origin: 'https://plumb.acme.example',
    };
    const email = 'donald@example.com';
    const link = await service.signInLink(email);
    const answer = await submit(service, link, { password }, proxied);
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(/^__Host-plumb_session=\w+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    ]);
    const headers = { ...proxied, cookie: cookieOf(answer) };
    expect((await service.request('GET', '/app/session', { headers })).json).toMatchObject({
      public_url: 'https://plumb.acme.example',
    });
  });
});

describe('with a public address', () => {
  let known: Service;
  beforeAll(async () => {
    known = await startService({ publicUrl: 'https://plumb.acme.example' });
  });
  afterAll(() => known.close());

  test('Only that is our origin, and the cookie is Secure', async () => {
    const link = await known.signInLink('ada@example.com');
    expect((await submit(known, link, { password })).status).toBe(403);
    const origin = 'https://plumb.acme.example';
    const answer = await submit(known, link, { password }, { origin });
    expect(answer.status).toBe(303);
    expect(answer.headers['set-cookie']?.[0]).toContain('; Secure;');
    const headers = { cookie: cookieOf(answer) };
    expect((await known.request('GET', '/app/session', { headers })).json).toMatchObject({ public_url: origin });
    expect((await known.request('POST', '/app/sign-out', { headers, body: {} })).status).toBe(403);
    const own = { ...headers, origin };
    expect((await known.request('POST', '/app/sign-out', { headers: own, body: {} })).status).toBe(204);
  });
});

test.each([
  [undefined, '/'],
  [['/a', '/b'], '/'],
  ['', '/'],
  ['delivery', '/'],
  ['https://evil.example/', '/'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['/\t/evil.example', '/'],
  ['/.//evil.example', '/'],
  ['/sign-in', '/'],
  ['/sign-out', '/'],
  [`/${'x'.repeat(5_000)}`, '/'],
  ['/signals', '/signals'],
  ['/delivery?range=30&x=%2F#part', '/delivery?range=30&x=%2F'],
])('After signing in, %j leads to %s', (asked, path) => {
  expect(nextPath(asked)).toBe(path);
});
