import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfiguredSources, type SourceParts } from '../../src/configured-sources/configured-sources.ts';
import { bindSecretsToAddresses, rotateSecrets } from '../../src/configured-sources/reencrypt-secrets.ts';
import { Secrets } from '../../src/secrets/secrets.ts';
import { idHostKey } from '../../src/sources/first-names.ts';
import { github } from '../../src/sources/github/github.ts';
import type { SourceKind } from '../../src/sources/source.ts';
import type { SettingsOrigin } from '../../src/sources/source-settings.ts';
import { auditEntries } from '../../src/store/audit.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { noon, quickStore, type StoreHome, someOrganisation } from '../conformance/stores.ts';
import { dump } from '../safety/filled-store.ts';
import { appKey } from '../sources/github/replay/app.ts';
import { localKind, toyKind } from './toy-kind.ts';

let place: StoreHome;
let store: Store;
beforeAll(async () => {
  place = await quickStore.placeWithTables();
  store = await openStore(place);
});
afterAll(async () => {
  await store.close();
  await place.remove();
});

const secretsOf = (secret = 'word', secretOld?: string) => new Secrets({ folder: place.folder, secret, secretOld });

async function someSources(parts: Partial<SourceParts> = {}) {
  const { id: organisationId } = await someOrganisation(store);
  const made = (more: Partial<SourceParts> = {}) =>
    new ConfiguredSources({
      store,
      secrets: secretsOf(),
      kinds: [toyKind, localKind],
      now: () => noon,
      sourceHosts: [],
      environment: {},
      addressesOf: async () => ['203.0.113.1'],
      ...parts,
      ...more,
    });
  const by = (origin: SettingsOrigin) => ({ organisationId, actor: { via: 'demo' }, origin }) as const;
  return { sources: made(), again: made, organisationId, by };
}

const token = 'ghp_0123456789';

describe('adding a source', () => {
  test('Adding a source keeps its secrets encrypted, shows them nowhere, and gives them back for use', async () => {
    const { sources, organisationId, by } = await someSources();
    const added = await sources.add(by('command'), 'toy', ' Code ', { token, repositories: 'a/b', since: '' });
    expect(added).toMatchObject({
      id: expect.any(String),
      kind: 'toy',
      webhookSecret: expect.stringMatching(/^.{43}$/),
    });
    const [listed] = await sources.list(organisationId);
    expect(listed).toMatchObject({
      row: { name: 'Code', added_by: 'command' },
      settings: { repositories: 'a/b', token: 'set', webhook_secret: 'set' },
      sync: { outcome: null },
    });
    const kept = JSON.stringify([await dump(store), listed]);
    for (const secret of [token, added.webhookSecret ?? '?']) expect(kept).not.toContain(secret);
    const row = await sources.named(organisationId, 'code');
    expect((await sources.prepare(row)).settings).toMatchObject({ token, repositories: ['a/b'] });
    expect(await sources.webhookSecretOf(row)).toBe(added.webhookSecret);
  });

  test('Adding a source is in the audit log, with the names of its settings alone', async () => {
    const { sources, organisationId, by } = await someSources();
    const { id } = await sources.add(by('command'), 'toy', 'Code', { token });
    await sources.set(by('command'), 'Code', { repositories: 'x/private' });
    await sources.remove(by('command'), 'Code');
    const entries = await store.read((session) => auditEntries(session, organisationId, 3));
    expect(entries.map(({ action, subject }) => [action, subject])).toEqual([
      ['source.remove', id],
      ['source.set', id],
      ['source.add', id],
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/ghp_|x\/private/);
  });

  test('Adding a source with the key of an app keeps it as a token is kept, and changes from one to the other', async () => {
    const { sources, organisationId, by, again } = await someSources({ kinds: [github] });
    const app = { app_id: '4711', installation_id: '815', private_key: appKey };
    await sources.add(by('api'), 'github', 'Code', app);
    const [listed] = await sources.list(organisationId);
    expect(listed?.settings).toMatchObject({ app_id: '4711', installation_id: '815', private_key: 'set' });
    const entries = await store.read((session) => auditEntries(session, organisationId, 3));
    const kept = JSON.stringify([await dump(store), listed, entries]);
    for (const line of appKey.split('\n').slice(1, -2)) expect(kept).not.toContain(line);
    const row = await sources.named(organisationId, 'Code');
    expect((await sources.prepare(row)).settings).toMatchObject({ app_id: 4_711, private_key: appKey });
    // A key is for the address that it was given for.
    const elsewhere = sources.set(by('api'), 'Code', { base_url: 'https://code.example/api/v3' });
    await expect(elsewhere).rejects.toThrow('give private_key again');
    await expect(sources.set(by('api'), 'Code', { token })).rejects.toThrow('Token does not go with App ID');
    // With another PLUMB_SECRET the key has to be given again, and the listing says which setting that is.
    const locked = again({ secrets: secretsOf('another word') });
    expect((await locked.list(organisationId))[0]?.settings).toMatchObject({
      private_key: expect.stringContaining('encrypted'),
    });
    await expect(locked.set(by('api'), 'Code', { repositories: 'a/b' })).rejects.toThrow('another PLUMB_SECRET');
    const none = { app_id: '', installation_id: '', private_key: '' };
    const byToken = await locked.set(by('api'), 'Code', { ...none, token });
    expect((await locked.prepare(byToken)).settings).toMatchObject({ token });
    expect((await locked.prepare(byToken)).settings).not.toHaveProperty('app_id');
  });

  test('Adding a source takes a webhook secret instead of making one', async () => {
    const { sources, organisationId, by } = await someSources();
    const added = await sources.add(by('command'), 'toy', 'Code', { token, webhook_secret: 'theirs' });
    expect(added).not.toHaveProperty('webhookSecret');
    expect(await sources.webhookSecretOf(await sources.named(organisationId, added.id))).toBe('theirs');
  });

  test('Adding a source under a name that is taken is refused, in any case, but another organisation may have it', async () => {
    const { sources, by } = await someSources();
    await sources.add(by('command'), 'toy', 'Code', { token });
    await expect(sources.add(by('command'), 'toy', 'CODE', { token })).rejects.toMatchObject({ reason: 'conflict' });
    const other = await someSources();
    await other.sources.add(other.by('command'), 'toy', 'Code', { token });
  });

  test('Adding a source of an unknown kind or with bad settings is refused, and nothing is kept', async () => {
    const { sources, organisationId, by } = await someSources();
    await expect(sources.add(by('command'), 'tpy', 'Code', { token })).rejects.toThrow(
      /Did you mean 'toy'\? Kinds: toy, clone/,
    );
    await expect(sources.add(by('command'), 'toy', 'Code', {})).rejects.toThrow(/token is missing/);
    await expect(sources.add(by('command'), 'toy', ' ', { token })).rejects.toThrow(/needs a name/);
    expect(await sources.list(organisationId)).toEqual([]);
    await expect(sources.named(organisationId, 'Code')).rejects.toThrow(/has no source 'Code'\. It has none yet\./);
  });
});

describe('the secret of webhooks', () => {
  const { signature: _, ...unsigned } = toyKind.webhook ?? { objectsOf: () => [] };
  const tokenKind: SourceKind = { ...toyKind, kind: 'tokened', webhook: { ...unsigned, token: { header: 'x-token' } } };
  const giving: SourceKind = {
    ...toyKind,
    kind: 'giving',
    webhook: { ...unsigned, signature: { header: 'x-signature', prefix: 'v1=', isMadeByProvider: true } },
  };

  test('The secret of webhooks is always made where webhooks are not signed, is no setting, and stays when settings change', async () => {
    const { sources, organisationId, by } = await someSources({ kinds: [tokenKind] });
    await expect(sources.add(by('command'), 'tokened', 'A', { token, webhook_secret: 'own' })).rejects.toThrow(
      'webhook_secret is not a setting',
    );
    const { webhookSecret } = await sources.add(by('command'), 'tokened', 'A', { token });
    expect(webhookSecret).toMatch(/^.{43}$/);
    await expect(sources.set(by('command'), 'A', { webhook_secret: 'own' })).rejects.toThrow('is not a setting');
    const row = await sources.set(by('command'), 'A', { repositories: 'a/b' });
    expect(await sources.webhookSecretOf(row)).toBe(webhookSecret);
    const [listed] = await sources.list(organisationId);
    expect(listed?.settings).toEqual({ repositories: 'a/b', token: 'set' });
  });

  test('The secret of webhooks is never made where the provider makes it', async () => {
    const { sources, by } = await someSources({ kinds: [giving] });
    expect(await sources.add(by('command'), 'giving', 'A', { token })).not.toHaveProperty('webhookSecret');
    expect(await sources.webhookSecretOf(await sources.set(by('command'), 'A', { forks: 'true' }))).toBeUndefined();
    const row = await sources.set(by('command'), 'A', { webhook_secret: 'theirs' });
    expect(await sources.webhookSecretOf(row)).toBe('theirs');
  });
});

describe('ids of a code host', () => {
  const hostKind: SourceKind = { ...toyKind, kind: 'hub', accounts: 'github', isCodeHost: true };

  test('Ids of a code host hold the host where another one of its kind was connected first, also when that is gone', async () => {
    const { sources, by } = await someSources({ kinds: [hostKind, toyKind] });
    const hasHost = async (name: string, host: string) =>
      (await sources.prepare(await sources.named(by('command').organisationId, name))).memory.get(idHostKey(host));
    const add = (name: string, base_url?: string) =>
      sources.add(by('command'), 'hub', name, { token, ...(base_url && { base_url }) });
    await sources.add(by('command'), 'toy', 'No code host', { token });
    await add('First');
    await add('First again', 'https://toy.example/');
    await add('Second', 'https://git.acme.example:8443/api');
    expect(await hasHost('First', 'toy.example')).toBe(false);
    expect(await hasHost('First again', 'toy.example')).toBe(false);
    expect(await hasHost('Second', 'git.acme.example:8443')).toBe(true);
    for (const name of ['First', 'First again', 'Second']) await sources.remove(by('command'), name);
    await add('Second, added again', 'https://git.acme.example:8443/api');
    expect(await hasHost('Second, added again', 'git.acme.example:8443')).toBe(true);
  });
});

describe('from a page or the API', () => {
  test('A kind that reads files of the machine is refused', async () => {
    const { sources, by } = await someSources();
    await expect(sources.add(by('api'), 'clone', 'C', { path: '/src' })).rejects.toMatchObject({ reason: 'bad-input' });
    await sources.add(by('command'), 'clone', 'C', { path: '/src' });
    await expect(sources.set(by('api'), 'C', { path: '/etc' })).rejects.toThrow(/use `plumb source` there/);
  });

  test.each([
    'http://127.0.0.1:8080',
    'http://10.1.2.3',
    'http://[::1]',
    'http://[::ffff:192.168.0.1]',
    'http://0.0.0.0',
  ])('%s is refused, unless the operator has named its host', async (base_url) => {
    const { sources, again, by } = await someSources();
    await expect(sources.add(by('api'), 'toy', 'Code', { token, base_url })).rejects.toThrow(
      /private network.*PLUMB_SOURCE_HOSTS/,
    );
    await again({ sourceHosts: [new URL(base_url).hostname] }).add(by('api'), 'toy', 'Code', { token, base_url });
    await sources.add(by('command'), 'toy', 'Other', { token, base_url });
  });

  test('A name that leads into a private network is refused, too', async () => {
    const { sources, by } = await someSources({ addressesOf: async () => ['203.0.113.1', '192.168.3.4'] });
    const base_url = 'https://code.acme.example';
    await expect(sources.add(by('api'), 'toy', 'Code', { token, base_url })).rejects.toThrow(/private network/);
  });

  test.each(['http://169.254.169.254/latest', 'http://[fe80::1]'])('%s is refused for everyone', async (base_url) => {
    const { again, by } = await someSources();
    const sources = again({ sourceHosts: [new URL(base_url).hostname] });
    for (const origin of ['api', 'command'] as const) {
      await expect(sources.add(by(origin), 'toy', 'Code', { token, base_url })).rejects.toThrow(/link-local/);
    }
  });

  test('A private host counts only for who named it', async () => {
    const { sources, organisationId, by } = await someSources({ sourceHosts: ['hub.internal'] });
    await sources.add(by('command'), 'toy', 'Own', {
      token,
      base_url: 'http://10.0.0.1:8080',
      allow_hosts: 'files.internal:81',
    });
    await sources.add(by('api'), 'toy', 'Page', { token, allow_hosts: 'files.internal' });
    const own = await sources.prepare(await sources.named(organisationId, 'Own'));
    const page = await sources.prepare(await sources.named(organisationId, 'Page'));
    const hosts = ['10.0.0.1', 'files.internal', 'hub.internal', 'other.internal'];
    expect(hosts.filter(own.mayBePrivate)).toEqual(['10.0.0.1', 'files.internal', 'hub.internal']);
    expect(hosts.filter(page.mayBePrivate)).toEqual(['hub.internal']);
  });

  test('Another address takes the token along only from who knows the token', async () => {
    const { sources, organisationId, by } = await someSources({ environment: { TOY: 'operators' } });
    await sources.add(by('command'), 'toy', 'Code', { token });
    await sources.add(by('command'), 'toy', 'Env', { token: 'env:TOY' });
    const base_url = 'https://mine.example';
    await expect(sources.set(by('api'), 'Code', { base_url })).rejects.toThrow(/give token again/);
    await expect(sources.set(by('api'), 'Code', { allow_hosts: 'mine.example' })).rejects.toThrow(/give token again/);
    await expect(sources.set(by('api'), 'Env', { base_url })).rejects.toThrow(/give token again/);
    await sources.set(by('api'), 'Env', { repositories: 'a/b' });
    expect((await sources.prepare(await sources.named(organisationId, 'Env'))).settings.token).toBe('operators');
    await sources.set(by('api'), 'Code', { base_url, token: 'mine' });
    const used = await sources.prepare(await sources.named(organisationId, 'Code'));
    expect(used.settings).toMatchObject({ base_url, token: 'mine' });
    expect((await sources.named(organisationId, 'Code')).added_by).toBe('api');
  });
});

describe('a reference', () => {
  test('A reference is followed only where the command line has given it, and the address that it is sent to', async () => {
    const { sources, organisationId, by } = await someSources({ environment: { TOY: 'operators' } });
    await sources.add(by('api'), 'toy', 'Page', { token, base_url: 'https://tenant.example' });
    const page = await sources.named(organisationId, 'Page');
    // As somebody who can write to the store, or an edited backup, could make it.
    const forged = {
      ...page,
      secrets: null,
      settings: JSON.stringify({ token: 'env:TOY', webhook_secret: 'env:TOY' }),
    };
    await expect(sources.prepare(forged)).rejects.toThrow(/token names a variable or a file of the server/);
    await expect(sources.webhookSecretOf(forged)).rejects.toThrow(/webhook_secret names a variable or a file/);
    const local = { ...page, kind: 'clone', secrets: null, settings: '{"path":"/srv"}' };
    await expect(sources.prepare(local)).rejects.toThrow(/did not come from the command line/);

    await expect(sources.set(by('command'), 'Page', { token: 'env:TOY' })).rejects.toThrow(/give base_url again/);
    const base_url = 'http://10.0.0.1';
    const own = await sources.set(by('command'), 'Page', { token: 'env:TOY', base_url });
    const used = await sources.prepare(own);
    expect([used.settings.token, used.mayBePrivate('10.0.0.1')]).toEqual(['operators', true]);
  });

  test('A reference that nobody at the command line has named is not followed for an address that they give', async () => {
    const { sources, organisationId, by } = await someSources({ environment: { TOY: 'operators' } });
    await sources.add(by('api'), 'toy', 'Page', { token });
    await store.note((session) =>
      session.run('UPDATE sources SET settings = $2, secrets = NULL WHERE organisation_id = $1', [
        organisationId,
        '{"token":"env:TOY"}',
      ]),
    );
    const row = await sources.set(by('command'), 'Page', { base_url: 'https://code.acme.example' });
    await expect(sources.prepare(row)).rejects.toThrow(/names a variable/);
  });

  test('A reference of the webhooks stays behind when a page leads the source elsewhere', async () => {
    const { sources, by } = await someSources();
    await sources.add(by('command'), 'toy', 'Code', { token, webhook_secret: 'env:TOY' });
    const elsewhere = { base_url: 'https://mine.example', token: 'mine' };
    await expect(sources.set(by('api'), 'Code', elsewhere)).rejects.toThrow(/give webhook_secret again/);
  });
});

describe('the address of a source', () => {
  const base_url = 'https://code.acme.example';

  test('The address of a source belongs to its token, which is worth nothing in a row that leads elsewhere', async () => {
    const { sources, organisationId, by } = await someSources();
    await sources.add(by('command'), 'toy', 'Code', { token, base_url });
    const row = await sources.named(organisationId, 'Code');
    const elsewhere = [{ settings: '{"base_url":"https://mine.example"}' }, { settings: '{}' }, { kind: 'clone' }];
    for (const change of elsewhere) {
      const moved = { ...row, ...change };
      await expect(sources.prepare(moved)).rejects.toThrow(/moved here from another place/);
    }
    await store.note((session) =>
      session.run('UPDATE sources SET settings = $2 WHERE id = $1', [row.id, '{"base_url":"https://mine.example"}']),
    );
    const [listed] = await sources.list(organisationId);
    expect(listed?.settings).toMatchObject({ token: 'encrypted for another address', webhook_secret: 'set' });
    await expect(sources.set(by('command'), 'Code', { forks: 'true' })).rejects.toThrow(/source set/);
    const again = await sources.set(by('command'), 'Code', { token: 'new' });
    expect((await sources.prepare(again)).settings.token).toBe('new');
  });

  test('The address of a source can be changed by the command line with its token kept', async () => {
    const { sources, by } = await someSources();
    await sources.add(by('command'), 'toy', 'Code', { token });
    const row = await sources.set(by('command'), 'Code', { base_url });
    expect((await sources.prepare(row)).settings).toMatchObject({ token, base_url });
  });

  test('The address of a source is joined to tokens of earlier versions when the store is opened, and these are not used before', async () => {
    const { sources, organisationId, by } = await someSources();
    const { id } = await sources.add(by('command'), 'toy', 'Code', { token, base_url });
    await sources.add(by('command'), 'toy', 'Lost', { token });
    const earlier = async (secrets: Secrets, of: string) =>
      (await secrets.encrypt(JSON.stringify({ token }), `sources/${of}/secrets`)).replace('v2.', 'v1.');
    const lost = await sources.named(organisationId, 'Lost');
    const foreign = await earlier(secretsOf('another'), lost.id);
    for (const [of, text] of [
      [id, await earlier(secretsOf(), id)],
      [lost.id, foreign],
    ] as const) {
      await store.note((session) => session.run('UPDATE sources SET secrets = $2 WHERE id = $1', [of, text]));
    }
    await expect(sources.prepare(await sources.named(organisationId, 'Code'))).rejects.toThrow(/earlier version/);
    await bindSecretsToAddresses(store, secretsOf());
    const bound = await sources.named(organisationId, 'Code');
    expect((await sources.prepare(bound)).settings.token).toBe(token);
    await expect(sources.prepare({ ...bound, settings: '{}' })).rejects.toThrow(/moved here/);
    // What cannot be decrypted here waits for its own secret.
    expect((await sources.named(organisationId, 'Lost')).secrets).toBe(foreign);
  });
});

describe('changing a source', () => {
  test('Changing a source keeps what is not given, and an empty text clears', async () => {
    const { sources, organisationId, by } = await someSources();
    const { webhookSecret } = await sources.add(by('command'), 'toy', 'Code', { token, since: '2027-01-01' });
    await sources.set(by('command'), 'Code', { since: '', repositories: 'a/b' });
    const row = await sources.named(organisationId, 'Code');
    const { settings } = await sources.prepare(row);
    expect(settings).toMatchObject({ token, repositories: ['a/b'] });
    expect(await sources.webhookSecretOf(row)).toBe(webhookSecret);
    expect(settings).not.toHaveProperty('since');
    await expect(sources.set(by('command'), 'Code', { token: '' })).rejects.toThrow(/token is missing/);
  });

  test('Changing a source that was removed meanwhile is not brought back', async () => {
    const { sources, organisationId, by } = await someSources();
    await sources.add(by('command'), 'toy', 'Code', { token });
    await sources.remove(by('command'), 'Code');
    await expect(sources.set(by('command'), 'Code', { token })).rejects.toMatchObject({ reason: 'not-found' });
    expect(await sources.list(organisationId)).toEqual([]);
  });
});

describe('with another PLUMB_SECRET', () => {
  test('A source says so, loses nothing, and takes its secrets again', async () => {
    const { sources, again, organisationId, by } = await someSources();
    await sources.add(by('command'), 'toy', 'Code', { token });
    const wrong = again({ secrets: secretsOf('another') });
    const row = await wrong.named(organisationId, 'Code');
    await expect(wrong.prepare(row)).rejects.toMatchObject({
      message: "The secrets of source 'Code' were encrypted with another PLUMB_SECRET than this server has",
      toDo: expect.stringMatching(/PLUMB_SECRET_OLD.*source set/),
    });
    const [listed] = await wrong.list(organisationId);
    expect(listed?.settings).toEqual({
      token: 'encrypted with another PLUMB_SECRET',
      webhook_secret: 'encrypted with another PLUMB_SECRET',
    });
    await expect(wrong.set(by('command'), 'Code', { forks: 'true' })).rejects.toThrow(/another PLUMB_SECRET/);
    expect((await sources.prepare(row)).settings.token).toBe(token);
    await wrong.set(by('command'), 'Code', { token: 'new' });
    await wrong.set(by('command'), 'Code', { token: 'newer', webhook_secret: 'w' });
    const renewed = await wrong.named(organisationId, 'Code');
    expect((await wrong.prepare(renewed)).settings).toMatchObject({ token: 'newer' });
    expect(await wrong.webhookSecretOf(renewed)).toBe('w');
  });

  test.each(['new', 'env:TOY'])(
    'A source can be read once its token is given again as %s, while its webhooks wait for their secret',
    async (given) => {
      const { sources, again, organisationId, by } = await someSources({ environment: { TOY: 'new' } });
      const { webhookSecret } = await sources.add(by('command'), 'toy', 'Code', { token });
      const wrong = again({ secrets: secretsOf('another') });
      const row = await wrong.set(by('command'), 'Code', { token: given });
      expect((await wrong.prepare(row)).settings.token).toBe('new');
      const [listed] = await wrong.list(organisationId);
      expect(listed?.settings.token).not.toContain('another');
      expect(listed?.settings.webhook_secret).toBe('encrypted with another PLUMB_SECRET');
      await expect(wrong.webhookSecretOf(row)).rejects.toThrow(/webhook secrets of source 'Code'.*another/);
      // The secret may come back.
      expect(await sources.webhookSecretOf(row)).toBe(webhookSecret);
      const changed = await wrong.set(by('command'), 'Code', { forks: 'true' });
      expect((await wrong.prepare(changed)).settings).toMatchObject({ token: 'new', forks: true });
      expect(await sources.webhookSecretOf(changed)).toBe(webhookSecret);
    },
  );
});

describe('rotating the secret', () => {
  test('Rotating the secret encrypts everything again, or, where one text cannot be decrypted, nothing', async () => {
    await store.note((session) => session.run('DELETE FROM sources'));
    const { sources, again, organisationId, by } = await someSources();
    await sources.add(by('command'), 'toy', 'One', { token });
    await sources.add(by('command'), 'toy', 'Two', { token: 'env:TOY', webhook_secret: 'w' });
    const locked = again({ secrets: secretsOf('lost') });
    await locked.add(by('command'), 'toy', 'Lost', { token });
    const rotated = secretsOf('new', 'word');
    const rotation = { store, secrets: rotated, now: () => noon };
    const before = (await dump(store)).sources;
    await expect(rotateSecrets(rotation, { via: 'demo' })).rejects.toThrow(/source 'Lost' were encrypted with another/);
    expect((await dump(store)).sources).toEqual(before);
    await sources.remove(by('command'), 'Lost');
    expect(await rotateSecrets(rotation, { via: 'demo' })).toEqual({ sources: 2, addresses: 0 });
    const after = again({ secrets: secretsOf('new'), environment: { TOY: 'from outside' } });
    const settingsOf = async (name: string) => (await after.prepare(await after.named(organisationId, name))).settings;
    expect(await settingsOf('One')).toMatchObject({ token });
    expect(await settingsOf('Two')).toMatchObject({ token: 'from outside' });
    expect(await after.webhookSecretOf(await after.named(organisationId, 'Two'))).toBe('w');
    const [entry] = await store.read((session) => auditEntries(session, organisationId, 1));
    expect(entry).toMatchObject({ action: 'secret.rotate' });
  });
});
