import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createOrganisation } from '../../../src/directory/organisations.ts';
import { setPerson } from '../../../src/directory/people.ts';
import { type RunningProvider, startOpenidProvider } from '../../setup/openid-provider.ts';
import { type HttpAnswer, organisationName, type Service, startService } from '../../setup/running-app.ts';
import { signIn } from '../../setup/signed-in.ts';
import { cookieOf, submit } from './sign-in-form.ts';

const actor = { via: 'command', user: 'test' } as const;
let provider: RunningProvider;
let service: Service;
/** Another organisation whose people may sign in this way. */
let second: string;
let serial = 0;

beforeAll(async () => {
  provider = await startOpenidProvider();
  const { issuer, clientId, clientSecret } = provider;
  service = await startService({
    isQuick: true,
    openid: { issuer, clientId, clientSecret, organisations: [organisationName, 'Second'], name: 'Acme login' },
  });
  provider.allow(`${service.url}/sign-in/openid/callback`);
  second = (
    await createOrganisation(service.app.directory, actor, { name: 'Second', ownerEmail: 'second@example.com' })
  ).id;
});
afterAll(async () => {
  await service.close();
  await provider.close();
});

/** Somebody new whom both the directory and the provider may know. */
let email: string;
let subject: string;
beforeEach(() => {
  serial += 1;
  email = `somebody-${serial}@example.com`;
  subject = `subject-${serial}`;
});
const knownIn = (organisationId: string, record: object = {}) =>
  setPerson(service.app.directory, { organisationId, actor }, email, record, { create: true });
const known = (record: object = {}) => knownIn(service.organisationId, record);

const begin = (next = '/') => service.request('GET', `/sign-in/openid?next=${encodeURIComponent(next)}`);
const comeBack = (url: URL, cookie: string): Promise<HttpAnswer> =>
  service.request('GET', `${url.pathname}${url.search}`, { headers: { cookie } });

/** The whole way of a browser: to the provider and back. */
async function signInAs(sub: string, next = '/'): Promise<HttpAnswer> {
  const begun = await begin(next);
  expect(begun.status).toBe(303);
  const back = await provider.signInAs(sub, begun.headers.location ?? '');
  return comeBack(back, cookieOf(begun));
}
const personOf = async (answer: HttpAnswer): Promise<unknown> =>
  (await service.request('GET', '/app/session', { headers: { cookie: sessionOf(answer) } })).json;
const sessionOf = (answer: HttpAnswer): string =>
  cookieOf(answer)
    .split('; ')
    .find((cookie) => cookie.startsWith('plumb_session=')) ?? '';

test('The sign-in page offers the provider, which is asked with PKCE, state and nonce', async () => {
  expect((await service.request('GET', '/sign-in?next=/ci')).text).toContain(
    '<a class="button" href="/sign-in/openid?next=%2Fci">Sign in with Acme login</a>',
  );
  const begun = await begin();
  const asked = new URL(begun.headers.location ?? '').searchParams;
  expect(Object.fromEntries(asked)).toMatchObject({
    client_id: 'plumb',
    response_type: 'code',
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/.{40}/),
    state: expect.stringMatching(/.{40}/),
    nonce: expect.stringMatching(/.{40}/),
    redirect_uri: `${service.url}/sign-in/openid/callback`,
  });
  expect(begun.headers['set-cookie']?.[0]).toMatch(/^plumb_openid=.*HttpOnly; SameSite=Lax$/);
});

test('Somebody whose main address the provider has verified is let in, where they wanted to go', async () => {
  const { id } = await known();
  provider.accounts.set(subject, { email: email.toUpperCase(), email_verified: true });
  const answer = await signInAs(subject, '/ci?range=30');
  expect([answer.status, answer.headers.location]).toEqual([303, '/ci?range=30']);
  expect(await personOf(answer)).toMatchObject({ person: { id }, signed_in_with: 'openid' });
});

test('From then on it is the subject that counts, whatever becomes of the address', async () => {
  const { id } = await known();
  provider.accounts.set(subject, { email, email_verified: true });
  expect((await signInAs(subject)).status).toBe(303);
  provider.accounts.set(subject, { email: 'elsewhere@example.net', email_verified: true });
  expect(await personOf(await signInAs(subject))).toMatchObject({ person: { id } });

  // Somebody else gets the address at the provider, and with it nothing.
  provider.accounts.set('newcomer', { email, email_verified: true });
  const refused = await signInAs('newcomer');
  expect(refused.status).toBe(403);
  expect(refused.text).toContain('another account of Acme login');
  expect(sessionOf(refused)).toBe('');
});

describe('nobody is let in', () => {
  const expectRefused = async (sentence: string) => {
    const before = await service.app.store.read((session) => session.rows('SELECT id FROM people'));
    const answer = await signInAs(subject);
    expect(answer.status).toBe(403);
    expect(answer.text).toContain(sentence);
    expect(sessionOf(answer)).toBe('');
    expect(await service.app.store.read((session) => session.rows('SELECT id FROM people'))).toHaveLength(
      before.length,
    );
  };

  test.each([
    ['an address that is not verified', false],
    ['an address of which nothing is said', undefined],
  ])('Nobody is let in by %s', async (_name, email_verified) => {
    await known();
    provider.accounts.set(subject, { email, ...(email_verified === undefined ? {} : { email_verified }) });
    await expectRefused('has not verified your email address');
  });

  test('Nobody is let in without an address', async () => {
    await known();
    provider.accounts.set(subject, { email_verified: true });
    await expectRefused('has not verified your email address');
  });

  test('Nobody is let in whom the directory does not know, and nobody is made', async () => {
    provider.accounts.set(subject, { email, email_verified: true });
    await expectRefused('No one here has your email address.');
  });

  test('Nobody is let in by an address that came with records, until an Owner gives it', async () => {
    await known();
    const other = `records-${serial}@example.com`;
    await service.put([{ main_email: email, emails: [email, other] }]);
    provider.accounts.set(subject, { email: other, email_verified: true });
    await expectRefused('No one here has your email address.');
    await known({ emails: [email, other] });
    expect((await signInAs(subject)).status).toBe(303);
  });

  test('Nobody is let in by an address that came with records, when another one is added on the page of the person', async () => {
    const { id } = await known();
    const [other, added] = [`records-${serial}@example.com`, `added-${serial}@example.com`];
    await service.put([{ main_email: email, emails: [email, other] }]);
    const owner = await signIn(service, 'ada@example.com');
    // The form holds every address, and sends all of them back.
    const body = { emails: [email, other, added] };
    expect((await owner.request('PATCH', `/app/people/${id}`, body)).status).toBe(200);
    provider.accounts.set(subject, { email: other, email_verified: true });
    await expectRefused('No one here has your email address.');
    provider.accounts.set(subject, { email: added, email_verified: true });
    expect((await signInAs(subject)).status).toBe(303);
  });

  test('Nobody is let in by the address of an account whose work an Owner has called theirs', async () => {
    const { id } = await known();
    const commit = `commit-${serial}@example.com`;
    const owner = await signIn(service, 'ada@example.com');
    const body = { emails: [email, commit], from_records: true };
    expect((await owner.request('PATCH', `/app/people/${id}`, body)).status).toBe(200);
    provider.accounts.set(subject, { email: commit, email_verified: true });
    await expectRefused('No one here has your email address.');
  });

  test('Nobody is let in by an address that an Owner gave and took away again, when records bring it back', async () => {
    const { id } = await known();
    const other = `other-${serial}@example.com`;
    const owner = await signIn(service, 'ada@example.com');
    for (const emails of [[email, other], [email]]) {
      expect((await owner.request('PATCH', `/app/people/${id}`, { emails })).status).toBe(200);
    }
    await service.put([{ main_email: email, emails: [email, other] }]);
    provider.accounts.set(subject, { email: other, email_verified: true });
    await expectRefused('No one here has your email address.');
    for (const emails of [[email], [email, other]]) {
      expect((await owner.request('PATCH', `/app/people/${id}`, { emails })).status).toBe(200);
    }
    expect((await signInAs(subject)).status).toBe(303);
  });

  test('Nobody is let in of an organisation that is not named', async () => {
    await createOrganisation(service.app.directory, actor, { name: `Third ${serial}`, ownerEmail: email });
    provider.accounts.set(subject, { email, email_verified: true });
    await expectRefused('No one here has your email address.');
  });

  test.each([
    ['another state', (url: URL) => url.searchParams.set('state', 'x'), undefined],
    ['no code', (url: URL) => url.searchParams.delete('code'), undefined],
    ['another code', (url: URL) => url.searchParams.set('code', 'x'), undefined],
    ['a provider that says no', (url: URL) => url.searchParams.set('error', 'access_denied'), undefined],
  ])('Nobody is let in who comes back with %s', async (_name, change) => {
    await known();
    provider.accounts.set(subject, { email, email_verified: true });
    const begun = await begin();
    const back = await provider.signInAs(subject, begun.headers.location ?? '');
    const good = new URL(back);
    change(back);
    const answer = await comeBack(back, cookieOf(begun));
    expect(answer.status).toBe(403);
    expect(answer.text).toContain('Signing in with Acme login did not succeed.');
    expect(sessionOf(answer)).toBe('');
    expect(good.href).not.toBe(back.href);
  });

  test('Nobody is let in in whose browser nothing was begun, or something else was', async () => {
    await known();
    provider.accounts.set(subject, { email, email_verified: true });
    const [begun, other] = [await begin(), await begin()];
    const back = await provider.signInAs(subject, begun.headers.location ?? '');
    for (const cookie of ['', 'plumb_openid=', 'plumb_openid=bm9uc2Vuc2U', 'plumb_openid=bnVsbA']) {
      expect((await comeBack(back, cookie)).status).toBe(400);
    }
    expect((await comeBack(back, cookieOf(other))).status).toBe(403);
    expect((await comeBack(back, cookieOf(begun))).status).toBe(303);
    // The code is used up.
    expect((await comeBack(back, cookieOf(begun))).status).toBe(403);
  });
});

describe('what the provider or the browser did wrong', () => {
  const faultsOf = () => service.log.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50);
  const warnings = () => service.log.filter((line) => line.includes('"level":40'));

  test.each(['forged', 'broken'] as const)(
    'is refused, and no fault of the server: a token that is %s',
    async (tokens) => {
      await known();
      provider.accounts.set(subject, { email, email_verified: true });
      const [begun, before] = [await begin(), warnings().length];
      const back = await provider.signInAs(subject, begun.headers.location ?? '');
      provider.tokens = tokens;
      const answer = await comeBack(back, cookieOf(begun)).finally(() => {
        provider.tokens = 'good';
      });
      expect(answer.status).toBe(403);
      expect(answer.text).toContain('Signing in with Acme login did not succeed.');
      expect(sessionOf(answer)).toBe('');
      // The operator reads why, as a warning.
      expect(warnings().slice(before)).toEqual([expect.stringContaining('/sign-in/openid/callback')]);
      expect(faultsOf()).toEqual([]);
    },
  );

  test.each(['error=access_denied&state=x', 'code=x', 'code=%00&state=%ff', 'iss=%', ''])(
    'What the provider or the browser did wrong is refused, and no fault of the server: to come back with %s',
    async (query) => {
      const begun = await begin();
      const answer = await service.request('GET', `/sign-in/openid/callback?${query}`, {
        headers: { cookie: cookieOf(begun) },
      });
      expect(answer.status).toBe(403);
      expect(faultsOf()).toEqual([]);
    },
  );
});

test('Somebody of several organisations is asked which', async () => {
  const [first, other] = [await known(), await knownIn(second)];
  provider.accounts.set(subject, { email, email_verified: true });
  const asked = await signInAs(subject, '/ci');
  expect(asked.status).toBe(200);
  const choice = /name="choice" value="([\w-]+)"/.exec(asked.text)?.[1] ?? '';
  const chosen = await submit(service, '/sign-in/organisation', { choice, organisation: second, next: '/ci' });
  expect(chosen.headers.location).toBe('/ci');
  expect(await personOf(chosen)).toMatchObject({
    organisation: { id: second },
    person: { id: other.id },
    signed_in_with: 'openid',
  });
  expect(first.id).not.toBe(other.id);
});

test('An account that is another one in one organisation is let into those that know it', async () => {
  await known();
  provider.accounts.set(subject, { email, email_verified: true });
  expect((await signInAs(subject)).status).toBe(303);
  // The address goes to another account, and its holder is new in the second organisation.
  const { id } = await knownIn(second);
  provider.accounts.set(`${subject}-later`, { email, email_verified: true });
  expect(await personOf(await signInAs(`${subject}-later`))).toMatchObject({
    organisation: { id: second },
    person: { id },
  });
});

test('A provider that is away is 503, and works when it is back', async () => {
  const away = await startOpenidProvider();
  const { issuer, clientId, clientSecret } = away;
  const other = await startService({
    openid: { issuer, clientId, clientSecret, organisations: [organisationName], name: 'Acme login' },
  });
  try {
    const refused = await other.request('GET', '/sign-in/openid');
    expect(refused.status).toBe(503);
    expect(refused.text).toContain('Acme login cannot be reached');
    away.allow(`${other.url}/sign-in/openid/callback`);
    expect((await other.request('GET', '/sign-in/openid')).status).toBe(303);
  } finally {
    await other.close();
    await away.close();
  }
});
