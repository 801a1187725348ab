import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { organisationName, type Service, startService } from '../../setup/running-app.ts';
import { type SignedIn, signIn } from '../../setup/signed-in.ts';

let service: Service;
let ada: SignedIn;

beforeAll(async () => {
  service = await startService();
  ada = await signIn(service, 'ada@example.com');
});
afterAll(() => service.close());

const month = { filters: { start_date: '2026-01-01' } };

test('A page learns who is signed in, and of what', async () => {
  const { status, json } = await ada.request('GET', '/app/session');
  expect(status).toBe(200);
  expect(json).toEqual({
    person: { id: await service.idOf('ada@example.com'), name: 'Ada Lovelace', email: 'ada@example.com' },
    role: 'Owner',
    permissions: [],
    organisation: {
      id: service.organisationId,
      name: organisationName,
      time_zone: 'UTC',
      is_demo: false,
      survey_minimum_group: 5,
      survey_privacy: 'role',
      salary_visibility: false,
      team_restrictions: false,
    },
    owners: [{ name: 'Ada Lovelace', email: 'ada@example.com' }],
    visibility_notice: { visibility: 'organisation', teams: null, words: null },
    version: expect.stringMatching(/^\d/),
    public_url: service.url,
    command: 'npx plumb',
    signed_in_with: 'password',
  });
});

describe('what takes a session', () => {
  test.each([
    ['GET', '/teams', undefined],
    ['GET', '/users/onboarded-users-by-attributes', undefined],
    ['GET', '/catalogue', undefined],
    ['GET', '/data-quality', undefined],
    ['POST', '/metrics/commits-count', month],
  ])('%s %s answers the same as to a key of the same person', async (method, path, body) => {
    const byKey = await service.request(method, path, { key: service.keys.owner, ...(body ? { body } : {}) });
    const bySession = await ada.request(method, path, body);
    expect([bySession.status, bySession.text]).toEqual([byKey.status, byKey.text]);
    expect(byKey.status).toBeLessThan(400);
  });

  test.each([
    ['POST', '/ingest/pull_requests'],
    ['POST', '/posthook/ingest'],
    ['GET', '/ingest/nothing'],
  ])('%s %s takes a key only', async (method, path) => {
    expect((await ada.request(method, path)).status).toBe(401);
  });

  test.each(['/app/session', '/app/sessions', '/app/nothing'])('%s takes a session only', async (path) => {
    expect((await service.request('GET', path, { key: service.keys.owner })).status).toBe(403);
    expect((await service.request('GET', path, { key: service.keys.owner, headers: ada.headers })).status).toBe(403);
    expect((await service.request('GET', path)).status).toBe(401);
    expect((await service.request('GET', path, { key: 'plumb_wrong' })).status).toBe(401);
  });

  test('A session in place of a key is no key', async () => {
    const token = ada.cookie.slice('plumb_session='.length);
    await ada.request('GET', '/teams');
    expect((await service.request('GET', '/teams', { key: token })).status).toBe(401);
    expect((await service.request('POST', '/ingest/pull_requests', { key: token, body: [] })).status).toBe(401);
  });

  test('What takes a session sees what the person sees', async () => {
    const engineer = await signIn(service, 'edsger@example.com');
    const offboarding = await engineer.request('POST', '/users/offboarded-users-by-attributes', {
      identifiers: ['asa@example.com'],
    });
    expect(offboarding.status).toBe(403);
    expect(offboarding.json).toEqual({
      detail: expect.stringMatching(/needs the role Owner. You have the role Engineer\.$/),
    });
  });

  test('The public document does not speak of it', async () => {
    expect((await service.request('GET', '/openapi.json')).text).not.toContain('/app/');
  });
});

describe('a request that changes something', () => {
  const ask = (origin: string | undefined, path = '/metrics/commits-count') =>
    service.request('POST', path, {
      headers: { cookie: ada.cookie, ...(origin === undefined ? {} : { origin }) },
      body: month,
    });

  test('A request that changes something comes from a page of ours', async () => {
    expect((await ask(service.url)).status).toBe(200);
  });

  test.each([
    ['nowhere', undefined],
    ['null', 'null'],
    ['another site', 'https://evil.example'],
    ['another port', 'http://127.0.0.1:1'],
    ['something that only begins alike', 'http://127.0.0.1.evil.example'],
  ])('A request that changes something is refused when it comes from %s', async (_, origin) => {
    const { status, json } = await ask(origin);
    expect(status).toBe(403);
    expect(json).toEqual({ detail: expect.stringContaining('PLUMB_PUBLIC_URL') });
    expect((await ask(origin, '/app/sign-out')).status).toBe(403);
  });

  test('A request that changes something may come from anywhere with a key', async () => {
    const { status } = await service.request('POST', '/metrics/commits-count', {
      key: service.keys.owner,
      headers: { origin: 'https://evil.example', cookie: ada.cookie },
      body: month,
    });
    expect(status).toBe(200);
  });
});

test('Signing out ends this session, or all of them', async () => {
  const [here, there, elsewhere] = await Promise.all([
    signIn(service, 'grace@example.com'),
    signIn(service, 'grace@example.com'),
    signIn(service, 'grace@example.com'),
  ]);
  const { json } = await here.request('GET', '/app/sessions');
  expect(json).toHaveLength(3);
  expect((json as { is_this: boolean; id: string }[]).filter(({ is_this }) => is_this)).toEqual([
    expect.objectContaining({ id: here.sessionId }),
  ]);

  const signedOut = await here.request('POST', '/app/sign-out', {});
  expect(signedOut.status).toBe(204);
  expect(signedOut.headers['set-cookie']).toEqual(['plumb_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax']);
  expect((await here.request('GET', '/app/session')).status).toBe(401);
  expect((await there.request('GET', '/app/session')).status).toBe(200);

  expect((await there.request('POST', '/app/sign-out', { everywhere: true })).status).toBe(204);
  expect((await there.request('GET', '/app/session')).status).toBe(401);
  expect((await elsewhere.request('GET', '/teams')).status).toBe(401);
  expect((await ada.request('GET', '/app/session')).status).toBe(200);
});
