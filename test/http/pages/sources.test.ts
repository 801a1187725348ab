import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfiguredSources } from '../../../src/configured-sources/configured-sources.ts';
import { beginSync, finishSync, listSyncs, putStreams } from '../../../src/store/source-rows.ts';
import { toyKind } from '../../configured-sources/toy-kind.ts';
import { unfed } from '../../setup/unfed-stream.ts';
import { type Pages, startPages } from './signed-in-pages.ts';

let pages: Pages;
beforeAll(async () => {
  pages = await startPages();
});
afterAll(() => pages.close());

const add = (name: string, settings: object, kind = 'toy') =>
  pages.owner.request('POST', '/app/sources', { kind, name, settings });
interface Source {
  readonly id: string;
  readonly name: string;
}
const sources = async () => ((await pages.owner.request('GET', '/app/sources')).json as { sources: Source[] }).sources;
const token = 'secret-of-the-host';

test('Kinds are described as data, for everybody', async () => {
  const { json } = await pages.engineer.request('GET', '/app/source-kinds');
  const { kinds } = json as { kinds: { kind: string; settings: { name: string }[] }[] };
  expect(kinds).toMatchObject([
    { kind: 'toy', label: 'Toy', needs_command_line: false, has_webhooks: true },
    { kind: 'clone', needs_command_line: true, has_webhooks: false },
  ]);
  expect(kinds[0]?.settings.map(({ name }) => name)).toEqual([
    'base_url',
    'token',
    'repositories',
    'since',
    'forks',
    'keep_free',
    'allow_hosts',
    'webhook_secret',
  ]);
  expect(kinds[0]?.settings[1]).toEqual({
    name: 'token',
    label: 'Token',
    meaning: 'access token',
    type: 'text',
    is_secret: true,
    is_required: true,
    usual: null,
    most: null,
    step: 'access',
    instead_of: null,
    one_of: null,
  });
  const steps = (json as { kinds: { settings: { name: string; step: string }[] }[] }).kinds[0]?.settings;
  expect(steps?.map(({ step }) => step)).toEqual([
    'access',
    'access',
    'choice',
    'history',
    'advanced',
    'advanced',
    'advanced',
    'advanced',
  ]);
});

test('A connection is made, listed, changed and removed, and its secrets are never told again', async () => {
  const { owner, service } = pages;
  const { status, json } = await add('Host', {
    token,
    base_url: pages.hostUrl,
    repositories: ['acme/web', 'acme/api'],
    forks: true,
    keep_free: 10,
  });
  expect(status).toBe(201);
  const { id, webhook_secret } = json as Source & { webhook_secret: string };
  expect(json).toEqual({
    id,
    kind: 'toy',
    label: 'Toy',
    name: 'Host',
    settings: {
      token: { set: true },
      webhook_secret: { set: true },
      base_url: pages.hostUrl,
      repositories: 'acme/web,acme/api',
      forks: 'true',
      keep_free: '10',
    },
    webhook_url: `${service.url}/webhooks/toy/${id}`,
    created_at: expect.any(String),
    state: 'waiting',
    last_sync: null,
    progress: null,
    problems: [],
    no_longer_listed: [],
    not_seen: [],
    streams: [],
    webhook_secret: expect.stringMatching(/^[\w-]{43}$/),
    check: expect.objectContaining({ id, ok: true, account: 'ada' }),
  });
  const changed = await owner.request('PATCH', `/app/sources/${id}`, {
    settings: { forks: null, since: '2026-01-31' },
  });
  expect(changed.json).toMatchObject({
    settings: { token: { set: true }, since: '2026-01-31', repositories: 'acme/web,acme/api' },
  });
  const listed = await owner.request('GET', '/app/sources');
  for (const secret of [token, webhook_secret]) expect(listed.text + changed.text).not.toContain(secret);
  expect((await owner.request('GET', '/app/audit')).text).not.toContain(token);
  expect((await owner.request('DELETE', `/app/sources/${id}`)).status).toBe(204);
  expect(await sources()).toEqual([]);
});

describe('an Owner of one organisation gets at nothing of the operator', () => {
  test.each([
    [{ token: 'env:PATH' }, 'Token must be the value itself: env: and file: are for the command line'],
    [{ token: 'file:/etc/passwd' }, 'Token must be the value itself'],
    [{ token, base_url: 'env:HOME' }, 'Address must be the value itself'],
    [{ token, base_url: 'http://169.254.169.254/latest' }, 'link-local'],
    [{ token, base_url: 'http://[::1]:9' }, 'private network'],
    [{ token, base_url: 'https://inside.example' }, 'PLUMB_SOURCE_HOSTS'],
    [{ token, base_url: 'http://10.1.2.3' }, 'PLUMB_SOURCE_HOSTS'],
    [{ token, base_url: 'file:///etc/passwd' }, 'Address must be'],
    [{ token, colour: 'red' }, 'colour is not a setting'],
    [{}, 'Token is missing'],
  ])('An Owner of one organisation gets at nothing of the operator by %j', async (settings, says) => {
    const before = await pages.version();
    const { status, json } = await add('Bad', settings);
    expect([status, json]).toEqual([400, { detail: expect.stringContaining(says) }]);
    expect(await pages.version()).toBe(before);
  });

  test('An Owner of one organisation gets at nothing of the operator nor by a kind that reads files of the machine', async () => {
    const { status, json } = await add('Clone', { path: '/etc' }, 'clone');
    expect([status, json]).toEqual([400, { detail: expect.stringContaining('reads files of the machine') }]);
  });

  test('An Owner of one organisation gets at nothing of the operator nor by having a token sent elsewhere that they do not know', async () => {
    const { service, owner } = pages;
    const { organisationId, app } = service;
    const change = { organisationId, actor: { via: 'demo' }, origin: 'command' } as const;
    const { store, secrets, now } = app;
    const parts = { store, secrets, now, kinds: [toyKind], sourceHosts: [], environment: {} };
    const configured = new ConfiguredSources(parts);
    const { id } = await configured.add(change, 'toy', 'Of the operator', {
      token: 'env:TOY_TOKEN',
      base_url: 'http://10.0.0.5',
    });
    const shown = (await sources()).find((one) => one.id === id);
    expect(shown).toMatchObject({ settings: { token: { set: true, by_operator: true }, base_url: 'http://10.0.0.5' } });
    expect(JSON.stringify(shown)).not.toContain('TOY_TOKEN');
    const moved = await owner.request('PATCH', `/app/sources/${id}`, {
      settings: { base_url: 'https://evil.example' },
    });
    expect([moved.status, moved.json]).toEqual([400, { detail: expect.stringContaining('give token') }]);
    await owner.request('DELETE', `/app/sources/${id}`);
  });
});

test('One that cannot be read is not connected, and says why', async () => {
  const before = await pages.version();
  const { status, text } = await add('Bad', { token: 'two\nlines', base_url: pages.hostUrl });
  expect([status, text]).toEqual([409, expect.stringContaining('It cannot be read: The token holds characters')]);
  expect(text).toContain('Nothing was saved.');
  expect(text).not.toContain('--no-check');
  expect(await pages.version()).toBe(before);
});

test('A check says whether it can be read, at a host that the operator has named', async () => {
  const { id } = (await add('Checked', { token, base_url: pages.hostUrl })).json as Source;
  const { status, json } = await pages.owner.request('POST', `/app/sources/${id}/check`);
  expect([status, json]).toEqual([
    200,
    {
      id,
      name: 'Checked',
      ok: true,
      account: 'ada',
      sees: ['3 repositories'],
      reads: [],
      missing: ['The project gone is not seen. Correct “Repositories”'],
      clock_difference_seconds: null,
      error: null,
      to_do: null,
    },
  ]);
  await pages.owner.request('DELETE', `/app/sources/${id}`);
});

describe('settings that are not saved', () => {
  const check = (settings: object, more: object = {}, kind = 'toy') =>
    pages.owner.request('POST', '/app/sources/check', { kind, settings, ...more });

  test('Settings that are not saved are checked, with what can be picked, and nothing of them is kept', async () => {
    const [before, audited] = [await pages.version(), await pages.audited(1)];
    const { status, json, text } = await check({ token, base_url: pages.hostUrl });
    expect([status, json]).toEqual([
      200,
      {
        ok: true,
        account: 'ada',
        sees: ['3 repositories'],
        reads: [],
        missing: ['The project gone is not seen. Correct “Repositories”'],
        clock_difference_seconds: null,
        error: null,
        to_do: null,
        choices: {
          setting: 'repositories',
          total: 3,
          items: [
            { value: 'acme/Api' },
            { value: 'acme/old', leftOut: 'archived' },
            { value: 'acme/web', changedAt: '2026-01-31T10:00:00Z' },
          ],
        },
      },
    ]);
    expect(text).not.toContain(token);
    expect(await pages.version()).toBe(before);
    expect(await pages.audited(1)).toEqual(audited);
    expect(await sources()).toEqual([]);
  });

  test('What can be picked is searched without regard to case, also of a connection that is saved', async () => {
    const { json } = await check({ token, base_url: pages.hostUrl }, { search: 'API' });
    expect(json).toMatchObject({ choices: { total: 1, items: [{ value: 'acme/Api' }] } });
    const { id } = (await add('Picked', { token, base_url: pages.hostUrl })).json as Source;
    const listed = await pages.owner.request('GET', `/app/sources/${id}/choices?search=old`);
    expect(listed.json).toEqual({
      choices: { setting: 'repositories', total: 1, items: [{ value: 'acme/old', leftOut: 'archived' }] },
    });
    await pages.owner.request('DELETE', `/app/sources/${id}`);
  });

  test('Settings that cannot be read say why, in the words of the form', async () => {
    const { status, json } = await check({ token: 'two\nlines', base_url: pages.hostUrl });
    expect([status, json]).toMatchObject([200, { ok: false, choices: null, missing: [] }]);
    expect((json as { error: string }).error).toContain('The token holds characters');
  });

  test.each([
    [{ token: 'env:PATH' }, 'toy', 'Token must be the value itself'],
    [{ token, base_url: 'http://169.254.169.254/latest' }, 'toy', 'link-local'],
    [{ token, base_url: 'http://[::1]:9' }, 'toy', 'private network'],
    [{ token, base_url: 'https://inside.example' }, 'toy', 'PLUMB_SOURCE_HOSTS'],
    [{}, 'toy', 'Token is missing'],
    [{ token, colour: 'red' }, 'toy', 'colour is not a setting'],
    [{ path: '/etc' }, 'clone', 'reads files of the machine'],
    [{}, 'nothing', 'no kind of source'],
  ])('A check of settings reaches no more than a connection would: %j of %s', async (settings, kind, says) => {
    const { status, json } = await check(settings, {}, kind);
    expect([status, json]).toEqual([400, { detail: expect.stringContaining(says) }]);
  });

  test.each(['manager', 'engineer', 'squadLead'] as const)(
    'Settings are checked for Owners only, not for a %s',
    async (role) => {
      const body = { kind: 'toy', settings: { token, base_url: pages.hostUrl } };
      expect((await pages[role].request('POST', '/app/sources/check', body)).status).toBe(403);
      expect((await pages[role].request('GET', `/app/sources/${pages.other.sourceId}/choices`)).status).toBe(403);
    },
  );

  test('What a connection of another organisation can pick is told to no one else', async () => {
    const { status } = await pages.owner.request('GET', `/app/sources/${pages.other.sourceId}/choices`);
    expect(status).toBe(404);
  });
});

test('A name is taken once, and a source called like the identifier of another is not mistaken for it', async () => {
  const settings = { token, base_url: pages.hostUrl };
  const { id } = (await add('First', settings)).json as Source;
  expect((await add(' FIRST ', settings)).status).toBe(409);
  await add(id, settings);
  expect((await pages.owner.request('DELETE', `/app/sources/${id}`)).status).toBe(204);
  const [left] = await sources();
  expect(left?.name).toBe(id);
  await pages.owner.request('DELETE', `/app/sources/${left?.id}`);
});

test('A sync is asked for, and what went wrong is told with what to do', async () => {
  const { owner, service } = pages;
  const { store } = service.app;
  let woken = 0;
  pages.syncs.onWake(() => {
    woken += 1;
  });
  const { id } = (await add('Synced', { token, base_url: pages.hostUrl })).json as Source;
  const asked = await owner.request('POST', `/app/sources/${id}/sync`);
  expect([asked.status, asked.json]).toMatchObject([202, { id, state: 'waiting' }]);
  expect(woken).toBe(2);
  const [row] = await store.read((session) => listSyncs(session, service.organisationId));
  expect(row?.requested_at).not.toBeNull();
  const at = new Date();
  await store.note(async (session) => {
    await finishSync(session, id, { at, outcome: 'partial' });
    await putStreams(session, [
      {
        source_id: id,
        stream_id: 's',
        organisation_id: service.organisationId,
        name: 'issues',
        scope: 'acme/web',
        state: '{}',
        updated_at: at,
        succeeded_at: null,
        failed_at: at,
        error: 'No access',
        to_do: 'Give the token access.',
        read_count: 0,
        estimated_count: null,
        ...unfed,
        newest_record_at: null,
        not_seen: '{"ofStream":[{"why":"cut","what":"Long lists are cut"}],"ofPages":[]}',
      },
    ]);
  });
  expect(await sources()).toMatchObject([
    {
      state: 'partial',
      not_seen: [{ why: 'cut', what: 'Long lists are cut', stream: 'issues', scopes: ['acme/web'] }],
      problems: [{ scope: 'acme/web', stream: 'issues', message: 'No access', to_do: 'Give the token access.' }],
    },
  ]);
  // The next sync does not find the repository.
  const later = new Date(at.getTime() + 3_600_000);
  await store.note(async (session) => {
    await beginSync(session, id, later);
    await finishSync(session, id, { at: later, outcome: 'complete' });
  });
  expect(await sources()).toMatchObject([{ state: 'complete', no_longer_listed: ['acme/web'] }]);
});
