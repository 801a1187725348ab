import { afterEach, describe, expect, test } from 'vitest';
import { idHostKey } from '../../../src/sources/first-names.ts';
import { memoryInMap, openGithub, readGithub } from './replay/read-source.ts';
import { type ReplayOptions, type ReplayServer, startReplay } from './replay/server.ts';
import { at, somePull } from './replay/some-pull.ts';
import { someRepository, someWorld } from './replay/some-world.ts';
import { emptyRepository, type ReplayedRepository, type World } from './replay/world.ts';

let server: ReplayServer | undefined;
afterEach(() => server?.close());

const start = async (world: World, options: ReplayOptions = {}): Promise<string> => {
  await server?.close();
  server = await startReplay(world, options);
  return server.url;
};

const repository = (name: string, id: number, more: Partial<ReplayedRepository> = {}): ReplayedRepository => ({
  ...emptyRepository(someRepository(name, id)),
  pulls: [somePull({ repository: name, number: 7 })],
  ...more,
});
const worldOf = (...repositories: ReplayedRepository[]): World => ({ organizations: [], repositories });

describe('a renamed repository', () => {
  test('A renamed repository keeps the ids of its rows, and all of them get the new name', async () => {
    const old = somePull({ repository: 'acme/web', number: 3, updatedAt: '2021-01-01T00:00:00Z' });
    const web = repository('acme/web', 101);
    web.pulls.push(old);
    const memory = memoryInMap();
    const first = await readGithub(await start(worldOf(web)), { memory });
    expect(first.rows.of('pull_requests').map(({ pr_id, repository: name }) => [pr_id, name])).toEqual([
      ['github:acme/web#3', 'acme/web'],
      ['github:acme/web#7', 'acme/web'],
    ]);
    const renamed = { ...web, repository: someRepository('acme/site', 101), earlierNames: ['acme/web'] };
    const url = await start(worldOf(renamed));
    // Only news is asked for, and yet the rows of long ago are read again.
    const downTo = Date.parse(at(1)) / 1_000;
    const second = await readGithub(url, { memory, after: first, downTo });
    expect(second.failures).toEqual(new Map());
    expect(first.rows.of('pull_requests').map(({ pr_id, repository: name }) => [pr_id, name])).toEqual([
      ['github:acme/web#3', 'acme/site'],
      ['github:acme/web#7', 'acme/site'],
    ]);
  });

  test('A renamed repository that is first seen under an old name in the settings keeps that name in its ids', async () => {
    const site = repository('acme/site', 101, { earlierNames: ['acme/web'] });
    const { rows } = await readGithub(await start(worldOf(site)));
    expect(rows.of('pull_requests')).toMatchObject([{ pr_id: 'github:acme/web#7', repository: 'acme/site' }]);
  });

  test('A renamed repository leaves its name to another repository, whose ids are others', async () => {
    const memory = memoryInMap();
    await readGithub(await start(worldOf(repository('acme/web', 101))), { memory });
    const url = await start(worldOf(repository('acme/site', 101), repository('acme/web', 202)));
    const settings = { repositories: ['acme/site', 'acme/web'] };
    const { rows } = await readGithub(url, { memory, settings, only: 'pull_requests' });
    expect(rows.of('pull_requests').map(({ pr_id, repository: name }) => [pr_id, name])).toEqual([
      ['github:acme/web#7', 'acme/site'],
      ['github:acme/web@202#7', 'acme/web'],
    ]);
  });

  test('A repository of a host that was connected after another one has the host in its ids, and keeps them', async () => {
    const memory = memoryInMap();
    const names = { firstNameOf: (_: string, name: string) => name, presentNameOf: (_: string, name: string) => name };
    const known = { names: async () => names, inRecordsOf: async () => ['acme/web'] };
    const url = await start(worldOf(repository('acme/web', 101)));
    const { host } = new URL(url);
    await memory.set(idHostKey(host), true);
    const reading = () => readGithub(url, { memory, repositories: known });
    const { rows } = await reading();
    const [pull] = rows.of('pull_requests');
    expect(pull).toMatchObject({ pr_id: `github:${host}/acme/web#7`, repository: 'acme/web' });
    await memory.set(idHostKey(host), false);
    expect((await reading()).rows.of('pull_requests')).toEqual(rows.of('pull_requests'));
  });

  test('A renamed repository has ids in the letters of its host, however the settings write its name', async () => {
    const url = await start(worldOf(repository('acme/web', 101)));
    const { rows } = await readGithub(url, { settings: { repositories: ['Acme/WEB'] } });
    expect(rows.of('pull_requests')).toMatchObject([{ pr_id: 'github:acme/web#7', repository: 'acme/web' }]);
  });

  test('A renamed repository is not taken for one of another server that has the same number', async () => {
    const memory = memoryInMap();
    await readGithub(await start(worldOf(repository('acme/web', 101))), { memory });
    const tools = repository('acme/tools', 101);
    const elsewhere = { ...tools, repository: { ...tools.repository, created_at: '2022-05-05T00:00:00Z' } };
    const settings = { repositories: ['acme/tools'] };
    const { rows } = await readGithub(await start(worldOf(elsewhere)), { memory, settings });
    expect(rows.of('pull_requests')).toMatchObject([{ pr_id: 'github:acme/tools#7' }]);
  });

  test('A renamed repository that the settings name twice, by both names, is read once', async () => {
    const site = repository('acme/site', 101, { earlierNames: ['acme/web'] });
    const opened = openGithub(await start(worldOf(site)), { settings: { repositories: ['acme/web', 'acme/site'] } });
    const ids: string[] = [];
    for await (const { id } of opened.source.streams()) ids.push(id);
    opened.close();
    expect(ids.filter((id) => id.startsWith('pull_requests'))).toEqual(['pull_requests@101']);
  });
});

describe('the repositories that are read', () => {
  test('The repositories that are read are all that the token sees where none are named, without forks and archived ones', async () => {
    const fork = emptyRepository(someRepository('acme/fork', 102, { fork: true }));
    const archived = emptyRepository(someRepository('acme/old', 103, { archived: true }));
    const url = await start(worldOf(repository('acme/web', 101), fork, archived));
    const { rows } = await readGithub(url, { settings: { repositories: [] }, only: 'repositories' });
    expect(rows.of('repositories')).toEqual([{ repository: 'acme/web', default_branch: 'main' }]);
  });

  test('The repositories that are read are those of the organisation where it is named', async () => {
    const world = { ...someWorld(), repositories: [repository('acme/web', 101), repository('other/web', 102)] };
    const settings = { repositories: [], organization: 'acme' };
    const { rows } = await readGithub(await start(world), { settings, only: 'repositories' });
    expect(rows.of('repositories').map(({ repository: name }) => name)).toEqual(['acme/web']);
  });

  test('The repositories that are read are those of the installation where the token is an app’s', async () => {
    const instead: ReplayOptions['instead'] = ({ path }) =>
      path.startsWith('/user/repos')
        ? { status: 403, body: { message: 'Resource not accessible by integration' } }
        : path.startsWith('/installation/repositories')
          ? { status: 200, body: { total_count: 1, repositories: [someRepository('acme/web', 101)] } }
          : undefined;
    const url = await start(worldOf(repository('acme/web', 101)), { instead });
    const { rows } = await readGithub(url, { settings: { repositories: [] }, only: 'repositories' });
    expect(rows.of('repositories')).toHaveLength(1);
  });

  test.each([
    [404, 'acme/gone is gone, or the token may not see it'],
    [451, 'acme/gone is blocked for legal reasons'],
  ])(
    'The repositories that are read go on where one of them answers %i, and its problem is told',
    async (status, message) => {
      const instead: ReplayOptions['instead'] = ({ path }) =>
        path === '/repos/acme/gone' ? { status, body: { message: 'secret words of the host' } } : undefined;
      const url = await start(worldOf(repository('acme/web', 101)), { instead });
      const { rows, failures } = await readGithub(url, { settings: { repositories: ['acme/gone', 'acme/web'] } });
      expect(rows.of('pull_requests')).toHaveLength(1);
      expect([...failures].map(([id, { message: said }]) => [id, said])).toEqual([['repository@acme/gone', message]]);
    },
  );

  test('The repositories that are read are never none without a reason', async () => {
    const fork = emptyRepository(someRepository('acme/fork', 102, { fork: true }));
    const { failures } = await readGithub(await start(worldOf(fork)), { settings: { repositories: [] } });
    expect([...failures].map(([id, { message }]) => [id, message])).toEqual([
      ['repositories', 'The token sees no repository that is neither a fork nor archived'],
    ]);
  });

  test('The repositories that are read fail together where none of them can be read', async () => {
    const instead: ReplayOptions['instead'] = () => ({ status: 401, body: { message: 'Bad credentials' } });
    await expect(readGithub(await start(worldOf(), { instead }))).rejects.toThrow(/token/i);
  });

  test('The repositories that are read are refused where a name is none', () => {
    const open = () => openGithub('http://127.0.0.1:9', { settings: { repositories: ['acme'] } });
    expect(open).toThrow("'acme' is no name of a repository");
  });
});

describe('a check', () => {
  const check = async (world: World, options: ReplayOptions = {}, settings = {}) => {
    const opened = openGithub(await start(world, options), { settings });
    try {
      return await opened.source.check();
    } finally {
      opened.close();
    }
  };

  test('A check says as whom the token is known, what it sees, and that nothing is missing', async () => {
    const { clockDifferenceSeconds, ...said } = await check(someWorld());
    expect(said).toEqual({
      account: 'plumb-reader',
      sees: ['1 of 1 repositories'],
      reads: ['Pull requests', 'Issues', 'Contents', 'Deployments', 'Actions', 'Members and teams of acme'],
      missing: [],
    });
    expect(Math.abs(clockDifferenceSeconds ?? 99)).toBeLessThan(5);
  });

  test('What can be picked is everything that the token sees, with forks and archived ones named as such', async () => {
    const fork = emptyRepository(someRepository('acme/fork', 102, { fork: true }));
    const archived = emptyRepository(
      someRepository('acme/old', 103, { archived: true, pushed_at: '2024-03-01T10:00:00Z' }),
    );
    const opened = openGithub(await start(worldOf(repository('acme/web', 101), fork, archived)), { settings: {} });
    const choices = await opened.source.choices?.();
    opened.close();
    expect(choices?.map(({ value, leftOut }) => [value, leftOut])).toEqual([
      ['acme/web', undefined],
      ['acme/fork', 'fork'],
      ['acme/old', 'archived'],
    ]);
    expect(choices?.at(-1)).toMatchObject({ changedAt: '2024-03-01T10:00:00Z' });
  });

  test('A check names scopes, repositories, permissions and interfaces that are missing', async () => {
    const instead: ReplayOptions['instead'] = ({ path }) => {
      if (path === '/user') return { status: 200, body: { login: 'ada' }, headers: { 'x-oauth-scopes': 'gist, repo' } };
      if (path.includes('/deployments')) return { status: 403, body: { message: 'Resource not accessible' } };
      return path.startsWith('/orgs/acme/teams') ? { status: 404, body: {} } : undefined;
    };
    const settings = { repositories: ['acme/web', 'acme/gone'] };
    const { sees, missing } = await check(someWorld(), { instead, hasGraphql: false }, settings);
    expect(sees).toEqual(['1 of 2 repositories']);
    expect(missing).toEqual([
      'read:org is missing: members and teams stay unknown. Give the token this scope',
      expect.stringMatching(/^acme\/gone is gone, or the token may not see it\./),
      'Deployments of acme/web cannot be read: give the token Deployments, read',
      'Members and teams of acme cannot be read: give the token read:org, or Members, read',
      'GraphQL is missing: everything is read by REST, which takes more requests',
    ]);
  });

  test('A check says of repositories that are named and cannot be read only that', async () => {
    const { sees, missing } = await check(someWorld(), {}, { repositories: ['acme/gone'] });
    expect(sees).toEqual(['0 of 1 repositories']);
    expect(missing).toEqual([expect.stringMatching(/^acme\/gone is gone, or the token may not see it\./)]);
  });

  test('A check says that there is nothing to read where none was named', async () => {
    const { missing } = await check(worldOf(), {}, { repositories: [] });
    expect(missing).toEqual([expect.stringMatching(/^The token sees no repository .* name them in repositories\.$/)]);
  });

  test('A check refuses a token that is not valid', async () => {
    const instead: ReplayOptions['instead'] = () => ({ status: 401, body: { message: 'Bad credentials' } });
    await expect(check(someWorld(), { instead })).rejects.toThrow(/token/i);
  });
});
