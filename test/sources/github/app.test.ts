import { generateKeyPairSync } from 'node:crypto';
import { inspect } from 'node:util';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { github } from '../../../src/sources/github/github.ts';
import { githubCopilot } from '../../../src/sources/github-copilot/github-copilot.ts';
import type { SettingValues } from '../../../src/sources/source.ts';
import { refuseBadSettings, settingValues } from '../../../src/sources/source-settings.ts';
import { virtualClock } from '../../jobs/toy-sync.ts';
import { appKey, ReplayedApp, someKey } from './replay/app.ts';
import { worldOfPages } from './replay/moving-world.ts';
import { openGithub, readGithub } from './replay/read-source.ts';
import { type ReplayOptions, type ReplayServer, startReplay } from './replay/server.ts';

let server: ReplayServer | undefined;
afterEach(() => server?.close());

const settings = ReplayedApp.settings;
const startMs = Date.UTC(2024, 5, 1);

/** GitHub with an app, and a clock that is its own and ours. */
async function installed(options: Partial<ReplayOptions & ConstructorParameters<typeof ReplayedApp>[0]> = {}) {
  await server?.close();
  const clock = virtualClock(startMs);
  const now = () => clock.now() / 1_000;
  const app = new ReplayedApp({ now, ...options });
  server = await startReplay(worldOfPages(), { now, app, ...options });
  const { url, seen } = server;
  const open = (more: SettingValues = {}) => openGithub(url, { clock, settings: { ...settings, ...more } });
  return { app, clock, url, seen, open };
}

const allRows = async (url: string, options: Parameters<typeof readGithub>[1]) => {
  const { rows, failures } = await readGithub(url, options);
  expect(failures).toEqual(new Map());
  return { tables: ['pull_requests', 'issues', 'workflow_runs'].map((table) => rows.of(table as never)) };
};

const repositories = ['acme/web', 'acme/api'];

/** The rows that a token of an account brings. */
let rowsByToken: Awaited<ReturnType<typeof allRows>>;
beforeAll(async () => {
  const plain = await startReplay(worldOfPages(), { now: () => startMs / 1_000 });
  rowsByToken = await allRows(plain.url, { settings: { repositories } }).finally(() => plain.close());
});

describe('a GitHub App', () => {
  test('A GitHub App brings the rows of a token, of the repositories that it is installed for', async () => {
    const { app, url, clock, seen } = await installed();
    const named = await allRows(url, { clock, settings: { ...settings, repositories } });
    expect(named).toEqual(rowsByToken);
    expect(app.issued).toHaveLength(1);
    const { repositories: _, ...unnamed } = { ...settings, repositories };
    const all = await allRows(url, { clock, settings: { ...unnamed, repositories: undefined } as never });
    expect(all).toEqual(named);
    expect(seen.some(({ path }) => path.startsWith('/installation/repositories'))).toBe(true);
    expect(seen.some(({ path }) => path.startsWith('/user'))).toBe(false);
  });

  test('A GitHub App reads on while its tokens end one after the other', async () => {
    const { app, url, clock, seen } = await installed({
      lifeSeconds: 900,
      answered: () => void clock_tick(),
    });
    const clock_tick = () => clock.sleep(60_000, new AbortController().signal);
    expect(await allRows(url, { clock, settings: { ...settings, repositories } })).toEqual(rowsByToken);
    expect(app.issued.length).toBeGreaterThan(3);
    expect(seen.filter(({ status }) => status === 401)).toEqual([]);
  });

  test('A GitHub App whose token is revoked during a sync gets another one, once', async () => {
    let requests = 0;
    const { app, url, clock, seen } = await installed({
      answered: () => {
        requests += 1;
        void clock.sleep(1_000, new AbortController().signal);
        if (requests === 30) app.revoke();
      },
    });
    expect(await allRows(url, { clock, settings: { ...settings, repositories } })).toEqual(rowsByToken);
    expect(seen.filter(({ status }) => status === 401).length).toBe(1);
    expect(app.issued).toHaveLength(2);
  });

  test.each([
    ['suspended', 'Installation 815 of the GitHub App is suspended'],
    ['removed', 'has no installation 815'],
  ] as const)('A GitHub App that is %s during a sync says so, and asks for one more token', async (state, said) => {
    let requests = 0;
    const { app, url, clock, seen } = await installed({
      answered: () => {
        requests += 1;
        void clock.sleep(1_000, new AbortController().signal);
        if (requests !== 30) return;
        app.state = state;
        app.revoke();
      },
    });
    const { failures } = await readGithub(url, { clock, settings: { ...settings, repositories } });
    expect([...failures.values()].map(({ message }) => message)).toContainEqual(expect.stringContaining(said));
    expect(seen.filter(({ path }) => path.endsWith('/access_tokens'))).toHaveLength(2);
  });

  test.each<readonly [string, SettingValues, RegExp]>([
    ['another key', { private_key: someKey() }, /does not accept the private key for the app 4711/],
    ['another app', { app_id: 1 }, /knows no app with the App ID 1$/],
    ['another installation', { installation_id: 2 }, /The GitHub App 4711 has no installation 2: it was removed/],
  ])('A GitHub App with %s is told so in one request, without the key', async (_, wrong, said) => {
    const { open, seen } = await installed();
    const { source, close } = open(wrong);
    const problem = await source.check().catch((error: unknown) => error);
    close();
    expect(problem).toMatchObject({ name: 'Error', message: expect.stringMatching(said) });
    expect((problem as { toDo: string }).toDo.length).toBeGreaterThan(20);
    expect(seen).toHaveLength(1);
    expectNoKey(inspect(problem, { depth: 10, showHidden: true }), String(wrong.private_key ?? appKey));
  });

  test('A GitHub App is told where only the clock is wrong', async () => {
    const { open } = await installed({
      instead: ({ path }) =>
        path.endsWith('/access_tokens')
          ? { status: 401, body: { message: "'Expiration time' claim ('exp') is too far in the future" } }
          : undefined,
    });
    const { source, close } = open();
    await expect(source.check()).rejects.toThrow('the clock of this server is wrong');
    close();
  });

  test.each([
    ['no JSON object', []],
    ['no token', { expires_at: '2024-06-01T01:00:00Z' }],
    ['no end', { token: 'ghs_x' }],
  ])('A GitHub App that is answered with %s in place of a token says so, and is tried again later', async (_, body) => {
    const { open } = await installed({
      instead: ({ path }) => (path.endsWith('/access_tokens') ? { status: 201, body } : undefined),
    });
    const { source, close } = open();
    const problem = await source.check().catch((error: unknown) => error);
    close();
    expect(problem).toMatchObject({
      message: 'The answer to the app 4711 has no token',
      toDo: expect.stringContaining('base_url'),
      mayPass: true,
    });
  });

  test.each([
    [401, 'A JSON web token could not be decoded', 'does not accept the private key for the app 4711'],
    [403, 'This installation has been suspended', 'Installation 815 of the GitHub App is suspended'],
    [403, 'Forbidden', 'GitHub refuses the app 4711 (403)'],
    [404, 'Not Found', 'The GitHub App 4711 has no installation 815'],
  ])(
    'A GitHub App whose installation is not shown (%i %s) is told what that means for an app',
    async (status, message, said) => {
      const { open } = await installed({
        instead: ({ path }) => (path.endsWith('/installations/815') ? { status, body: { message } } : undefined),
      });
      const { source, close } = open();
      const problem = await source.check().catch((error: unknown) => error);
      close();
      expect(problem).toMatchObject({ message: expect.stringContaining(said) });
      expect((problem as { toDo: string }).toDo).not.toMatch(/token|scope/);
    },
  );

  test.each([
    ['Organization', true],
    ['Enterprise', true],
    ['User', false],
  ])(
    'A GitHub App that is installed for an account of type %s lacks the members there: %s',
    async (type, isLacking) => {
      const { open } = await installed({ accountType: type, rights: { metadata: 'read' } });
      const { source, close } = open({ repositories });
      const { missing } = await source.check();
      close();
      expect(missing.some((one) => one.includes('Organization > Members'))).toBe(isLacking);
    },
  );

  test('A GitHub App says where it is installed, and each right that it lacks by name', async () => {
    const whole = await installed();
    const all = whole.open({ repositories });
    const checked = await all.source.check();
    all.close();
    expect(checked).toMatchObject({
      account: 'acme, by the app plumb-reader',
      sees: ['2 of 2 repositories'],
      missing: [],
    });
    const { open } = await installed({ rights: { metadata: 'read', issues: 'read', contents: 'write' } });
    const { source, close } = open({ repositories });
    const { missing } = await source.check();
    close();
    const names = [
      'Repository > Pull requests',
      'Repository > Actions',
      'Repository > Deployments',
      'Organization > Members',
    ];
    expect(missing).toEqual(
      names.map((name) => expect.stringContaining(`give the app the permission ${name}, read-only`)),
    );
  });

  test('A GitHub App that is asked about another organisation says to install it there', async () => {
    const { open } = await installed({
      instead: ({ path }) => (path.startsWith('/orgs/other') ? { status: 404, body: {} } : undefined),
    });
    const { source, close } = open({ organization: 'other', repositories });
    const { missing } = await source.check();
    close();
    expect(missing).toEqual(['Members and teams of other cannot be read: install the app there']);
  });
});

/** No part of the key, however it was cut. */
function expectNoKey(text: string, key: string): void {
  const body = key.split('\n').filter((line) => line !== '' && !line.startsWith('-----'));
  for (const line of body) {
    for (let at = 0; at + 12 <= line.length; at += 4) expect(text).not.toContain(line.slice(at, at + 12));
  }
}

describe('settings of a GitHub App', () => {
  const app = { app_id: '4711', installation_id: '815', private_key: appKey };
  const refusalOf = (texts: Record<string, string>): string => {
    try {
      refuseBadSettings(github, texts, { origin: 'command' });
    } catch (error) {
      return (error as Error).message;
    }
    return '';
  };

  test('Settings of a GitHub App take the place of a token, and never go with one', () => {
    expect(refusalOf(app)).toBe('');
    expect(refusalOf({ token: 't' })).toBe('');
    expect(refusalOf({})).toContain('token is missing');
    expect(refusalOf({})).toContain('Or give app_id, installation_id and private_key instead');
    expect(refusalOf({ ...app, token: 't' })).toContain(
      'token does not go with app_id, installation_id and private_key: give one or the others',
    );
    expect(refusalOf({ app_id: '4711' })).toMatch(/installation_id is missing: [^\n]*\n.*private_key is missing/);
    expect(refusalOf({ app_id: '4711' })).not.toContain('token is missing');
    expect(refusalOf({ ...app, app_id: 'Iv1.abc' })).toContain('app_id must be a whole number');
    expect(() => refuseBadSettings(githubCopilot, { ...app, organization: 'acme' }, { origin: 'api' })).not.toThrow();
  });

  const flat = appKey.replaceAll('\n', '');
  test.each<readonly [string, string]>([
    ['as GitHub gives it', appKey],
    ['with escaped line breaks', appKey.replaceAll('\n', '\\n')],
    ['with line breaks of Windows', appKey.replaceAll('\n', '\r\n')],
    ['with escaped ones of Windows', appKey.replaceAll('\n', '\\r\\n')],
    ['pasted into one line', flat],
    ['with blanks in place of line breaks', appKey.replaceAll('\n', ' ')],
  ])('Settings of a GitHub App take a key %s', (_, text) => {
    expect(refusalOf({ ...app, private_key: text })).toBe('');
    const { private_key } = settingValues(github.settings, { ...app, private_key: text }, {});
    expect(private_key).toBe(appKey);
  });

  const pkcs8 = { type: 'pkcs8', format: 'pem' } as const;
  const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  test.each<readonly [string, string]>([
    ['cut', appKey.slice(0, 900)],
    ['damaged', appKey.replace(/[A-Z]{2}/g, 'xx')],
    ['of another kind', elliptic.privateKey.export(pkcs8).toString()],
    ['with a passphrase', rsa.privateKey.export({ ...pkcs8, cipher: 'aes-256-cbc', passphrase: 'word' }).toString()],
    ['that is public', rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString()],
    ['without its first line', appKey.split('\n').slice(1).join('\n')],
    ['in base64', Buffer.from(appKey).toString('base64')],
  ])('Settings of a GitHub App refuse a key %s, and print nothing of it', (_, text) => {
    const message = refusalOf({ ...app, private_key: text });
    expect(message).toContain('private_key must be an RSA key without a passphrase, whole');
    expectNoKey(message, text);
    let problem: unknown;
    try {
      settingValues(github.settings, { ...app, private_key: text }, {});
    } catch (error) {
      problem = error;
    }
    expectNoKey(inspect(problem, { depth: 10, showHidden: true }), text);
    expect(String(problem)).toContain('The setting private_key must be');
  });
});
