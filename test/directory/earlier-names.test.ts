import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EarlierNames } from '../../src/directory/earlier-names.ts';
import { createOrganisation } from '../../src/directory/organisations.ts';
import { putRecords } from '../../src/directory/put-records.ts';
import type { App } from '../../src/main.ts';
import { openTemporaryApp } from '../setup/temporary-app.ts';

describe('names of repositories', () => {
  const names = new EarlierNames([
    { name: 'acme/site', earlier_names: '["github:acme/web","github:acme/www"]' },
    { name: 'acme/web', earlier_names: '["github:acme/web@202"]' },
    { name: 'acme/api', earlier_names: null },
  ]);

  test.each([
    ['github', 'acme/site', 'acme/web', 'acme/site'],
    ['github', 'Acme/WWW', 'acme/web', 'acme/site'],
    // A new repository has taken the name.
    ['github', 'acme/web', 'acme/web@202', 'acme/web'],
    ['github', 'acme/api', 'acme/api', 'acme/api'],
    ['gitlab', 'acme/site', 'acme/site', 'acme/site'],
  ])('Names of repositories on %s: ids of %s are made of %s, and today it is %s', (host, name, first, present) => {
    expect([names.firstNameOf(host, name), names.presentNameOf(host, name)]).toEqual([first, present]);
  });
});

describe('a record of a renamed repository', () => {
  let app: App;
  beforeAll(async () => {
    app = await openTemporaryApp();
  });
  afterAll(() => app.close());

  const put = async (organisationId: string, values: readonly unknown[]) => {
    const lines = values.map((value, line) => ({ line, value }));
    const context = { organisationId, actor: { via: 'records' } } as const;
    return putRecords(app.directory, context, 'repositories', lines);
  };
  const rows = (organisationId: string) =>
    app.store.read((session) =>
      session.rows<{ name: string; earlier_names: string | null; production_branch: string | null }>(
        'SELECT name, earlier_names, production_branch FROM repositories WHERE organisation_id = $1 ORDER BY name',
        [organisationId],
      ),
    );
  const organisation = async (): Promise<string> => {
    const id = randomUUID();
    await createOrganisation(
      app.directory,
      { via: 'demo' },
      { id, name: `Organisation ${id}`, ownerEmail: `owner@${id}.test` },
    );
    return id;
  };

  test('A record of a renamed repository takes along what was decided about it, and every name that it had', async () => {
    const id = await organisation();
    await put(id, [{ repository: 'acme/a', production_branch: 'live' }, { repository: 'acme/other' }]);
    await put(id, [{ repository: 'acme/b', earlier_names: ['github:acme/a'] }]);
    // The host knows only the name that it was first seen by.
    await put(id, [{ repository: 'acme/c', earlier_names: ['github:acme/a'], default_branch: 'main' }]);
    await put(id, [{ repository: 'acme/c', earlier_names: ['github:acme/a'] }]);
    expect(await rows(id)).toEqual([
      { name: 'acme/c', earlier_names: '["github:acme/a","github:acme/b"]', production_branch: 'live' },
      { name: 'acme/other', earlier_names: null, production_branch: null },
    ]);
    await put(id, [{ repository: 'acme/c', earlier_names: null }]);
    expect((await rows(id))[0]).toMatchObject({ name: 'acme/c', earlier_names: null });
  });

  test('A record of a renamed repository leaves alone the repository that has taken its old name', async () => {
    const id = await organisation();
    const both = [
      { repository: 'acme/web', earlier_names: ['github:acme/web@202'] },
      { repository: 'acme/site', earlier_names: ['github:acme/web'] },
    ];
    for (const records of [both, both.toReversed()]) {
      await put(id, records);
      expect((await rows(id)).map(({ name }) => name)).toEqual(['acme/site', 'acme/web']);
    }
  });

  test('A record of a renamed repository needs the host of each name', async () => {
    const id = await organisation();
    const { rejected } = await put(id, [{ repository: 'acme/site', earlier_names: ['acme/web'] }]);
    expect(rejected).toEqual([
      { line: 0, detail: "earlier_names needs the code host of each, as 'github:owner/name'" },
    ]);
  });
});
