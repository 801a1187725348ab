import { afterEach, describe, expect, test } from 'vitest';
import { gitlab } from '../../../src/sources/gitlab/gitlab.ts';
import type { NotSeen } from '../../../src/sources/not-seen.ts';
import { openSource } from '../../../src/sources/open-source.ts';
import type { ChangedObject, SettingValues, SourceMemory } from '../../../src/sources/source.ts';
import { ReplayHost } from '../contract/replay-host.ts';
import { memoryInMap, ReadRows } from '../github/replay/read-source.ts';
import { readWhole } from '../read-whole.ts';
import { makeGitlabWorld } from './gitlab-case.ts';
import {
  daysAgo,
  type GitlabWorld,
  gitlabAnswer,
  gitlabNow,
  gitlabToken,
  type Item,
  type ProjectWorld,
  someMergeRequest,
  user,
} from './gitlab-world.ts';

let host: ReplayHost | undefined;
afterEach(() => host?.close());

async function opened(world: GitlabWorld, settings: SettingValues = {}, memory?: SourceMemory) {
  await host?.close();
  host = await ReplayHost.start({ now: () => gitlabNow, answer: (asked) => gitlabAnswer(world, asked) });
  const values = { base_url: host.url, token: gitlabToken, ...settings };
  const options = { mayBePrivate: () => true, signal: new AbortController().signal, ...(memory && { memory }) };
  return { source: openSource(gitlab, values, options).source, seen: host.seen };
}

/** Rows as a whole sync brings them, and the ids of the streams that it read. */
async function synced(world: GitlabWorld, settings: SettingValues = {}, memory?: SourceMemory) {
  const { source, seen } = await opened(world, settings, memory);
  const rows = new ReadRows();
  const streams: string[] = [];
  const notSeen: NotSeen[] = [];
  for await (const stream of source.streams()) {
    streams.push(stream.id);
    for (const page of (await readWhole(stream)).pages) {
      rows.take(page);
      notSeen.push(...(page.notSeen ?? []));
    }
  }
  expect(rows.problems).toEqual([]);
  return { rows, streams, seen, notSeen };
}

const webOf = ({ projects: [web] }: GitlabWorld): ProjectWorld => {
  if (!web) throw new Error('there is no project');
  return web;
};

describe('what is read', () => {
  test('Everything of the projects that are no forks and not archived is read, merge requests first', async () => {
    const { streams, rows } = await synced(makeGitlabWorld());
    const lists = ['merge_requests', 'deployments', 'releases', 'issues', 'pipelines'];
    const both = lists.flatMap((list) => [`${list}@101`, `${list}@102`]);
    expect(streams).toEqual(['repositories', 'directory@acme', ...both]);
    expect(rows.of('repositories').map(({ repository }) => repository)).toEqual(['acme/shop/api', 'acme/web']);
    expect(rows.of('workflow_runs').map(({ run_number }) => run_number)).toEqual([30, 31, 32]);
    expect(rows.of('incidents')).toEqual([]);
  });

  test('What is asked is what GitLab allows: all notes, and deployments by update only with a moment', async () => {
    const { seen } = await synced(makeGitlabWorld());
    const of = (path: RegExp) => seen.filter((asked) => path.test(asked.path));
    for (const { query } of of(/\/notes$/))
      expect([query.get('activity_filter'), query.get('system')]).toEqual([null, null]);
    for (const { query } of of(/\/deployments$/)) {
      expect([query.get('order_by'), query.get('updated_before')]).toEqual(['updated_at', expect.any(String)]);
    }
    for (const { query } of of(/\/merge_requests$/).filter(({ path }) => !path.includes('deployments'))) {
      expect([query.get('state'), query.get('scope')]).toEqual(['all', 'all']);
    }
    // Six merge requests in three pages of one project, and two of the other: changed lines come in bulk.
    expect(of(/graphql$/)).toHaveLength(4);
    expect(of(/\/diffs$/)).toEqual([]);
    // Only the project that has merge trains is asked about them.
    expect(new Set(of(/merge_trains/).map(({ path }) => path.split('/')[4]))).toEqual(new Set(['101']));
  });

  test('A feature that is switched off has no list', async () => {
    const world = makeGitlabWorld();
    Object.assign(webOf(world).payload, { issues_access_level: 'disabled', builds_access_level: 'disabled' });
    const { streams } = await synced(world, { projects: ['101'] });
    expect(streams.filter((id) => id.endsWith('@101'))).toEqual([
      'merge_requests@101',
      'deployments@101',
      'releases@101',
    ]);
  });

  test('Without GraphQL changed lines are counted in the changes themselves', async () => {
    const world = makeGitlabWorld();
    world.hasGraphql = false;
    const { parts } = webOf(world);
    const diff = '--- a/one.ts\n+++ b/one.ts\n@@ -1,2 +1,3 @@\n-one\n+two\n++++\n three\n';
    parts['merge_requests/5/diffs'] = [
      { new_path: 'one.ts', diff },
      { new_path: 'two.ts', diff: '' },
    ];
    parts['merge_requests/4/diffs'] = [
      { new_path: 'one.ts', diff },
      { new_path: 'big.ts', diff: '', too_large: true },
    ];
    const { rows, seen, notSeen } = await synced(world, { projects: ['acme/web'] });
    const sizeOf = (number: number) => {
      const row = rows.of('pull_requests').find(({ pr_number }) => pr_number === number);
      return [row?.additions, row?.deletions, row?.changed_files, row?.files];
    };
    const counted = [
      { path: 'one.ts', additions: 2, deletions: 1 },
      { path: 'two.ts', additions: 0, deletions: 0 },
    ];
    expect(sizeOf(5)).toEqual([2, 1, 2, counted]);
    expect(sizeOf(4)).toEqual([null, null, 2, undefined]);
    expect(notSeen.map(({ why }) => why)).toContain('cut');
    // It is found out once, and then who approved without a note is asked for each.
    expect(seen.filter(({ path }) => path === '/api/graphql')).toHaveLength(1);
    expect(seen.filter(({ path }) => path.endsWith('/approvals'))).toHaveLength(6);
  });

  test('Lists that the token may not see beside what it sees are said, with the role that shows them', async () => {
    const world = makeGitlabWorld();
    const unseen = [
      { path: /\/merge_trains\//, status: 403, what: 'merge train', role: 'Developer' },
      { path: /\/environments$/, status: 403, what: 'Tiers of environments', role: 'Reporter' },
      {
        path: /\/deployments\/\d+\/merge_requests/,
        status: 404,
        what: 'Merge requests of deployments',
        role: 'Reporter',
      },
    ];
    const whole = (await synced(world)).notSeen.filter(({ why }) => why === 'right');
    expect(whole).toEqual([]);
    for (const { path, status, what, role } of unseen) {
      const { notSeen } = await synced({ ...world, refused: [{ path, status }] });
      const said = notSeen.filter(({ why }) => why === 'right');
      expect(said.map((one) => one.what)).toEqual(said.map(() => expect.stringContaining(what)));
      expect(said[0]?.toDo).toContain(role);
    }
  });

  test('Who approved without a note is asked for, and only then', async () => {
    const world = makeGitlabWorld();
    const { inBulk, parts } = webOf(world);
    inBulk['3'] = { approvedBy: { nodes: [{ username: 'linus' }] } };
    inBulk['5'] = { approvedBy: { nodes: [{ username: 'grace' }] } };
    const { seen } = await synced(world, { projects: ['acme/web'] });
    expect(seen.flatMap(({ path }) => /(\d+)\/approvals$/.exec(path)?.[1] ?? [])).toEqual(['3']);
    expect(parts['merge_requests/5/notes']).toHaveLength(4);
  });

  test('Of many that changed at once, such as by a script, none is passed over', async () => {
    const world = makeGitlabWorld();
    const at = daysAgo(20);
    for (let iid = 100; iid < 110; iid += 1) {
      // GitLab keeps microseconds, and shows milliseconds.
      webOf(world).lists.merge_requests.push(someMergeRequest(iid, 20, { updated_at: at }));
    }
    const { rows } = await synced(world, { projects: ['acme/web'] });
    expect(rows.of('pull_requests')).toHaveLength(16);
  });

  test('Nothing that changed before the day of since is read', async () => {
    const { rows, seen } = await synced(makeGitlabWorld(), { projects: ['acme/web'], since: '2026-03-20' });
    expect(rows.of('pull_requests').map(({ pr_number }) => pr_number)).toEqual([4, 5, 6]);
    expect(seen.filter(({ path }) => path.endsWith('/merge_requests/1/notes'))).toEqual([]);
  });
});

describe('a project that is renamed', () => {
  const rename = (world: GitlabWorld) => {
    const web = webOf(world);
    web.earlierPaths.push('acme/web');
    web.payload.path_with_namespace = 'acme/site';
  };

  test('A project keeps the ids that have its first name, and says it with its new one', async () => {
    const [world, memory] = [makeGitlabWorld(), memoryInMap()];
    await synced(world, {}, memory);
    rename(world);
    const { rows } = await synced(world, {}, memory);
    const named = ({ repository }: Item) => repository === 'acme/site';
    expect(
      rows
        .of('pull_requests')
        .filter(named)
        .map(({ pr_id }) => pr_id),
    ).toContain('gitlab:acme/web#5');
    expect(rows.of('repositories').find(named)).toMatchObject({ earlier_names: ['gitlab:acme/web'] });
  });

  test('A project that the settings know by its old path has that in its ids, and one known by number its path', async () => {
    const world = makeGitlabWorld();
    rename(world);
    const idsOf = async (projects: string[]) =>
      (await synced(world, { projects })).rows.of('pull_requests').map(({ pr_id }) => pr_id);
    expect(await idsOf(['acme/web'])).toContain('gitlab:acme/web#5');
    expect(await idsOf(['101'])).toContain('gitlab:acme/site#5');
  });
});

describe('members and groups', () => {
  const directoryOf = async (world: GitlabWorld, settings: SettingValues = {}) =>
    (await synced(world, settings)).rows.directories[0];

  test('Groups below are teams with their way from the top, and who is blocked or gone is no member', async () => {
    const world = makeGitlabWorld();
    world.groups[0]?.members.push(
      { ...user('mallory'), state: 'blocked' },
      { ...user('new'), membership_state: 'awaiting' },
    );
    world.groups[0]?.members.push({ ...user('root'), email: 'root@acme.example' }, user('group_10_bot_abc'));
    world.groups.push({ id: 12, full_path: 'acme/shop/pay', full_name: 'Acme / Shop / Pay', members: [user('ada')] });
    expect(await directoryOf(world)).toEqual({
      owner: 'acme',
      people: [
        { login: 'ada', name: 'ADA' },
        { login: 'grace', name: 'GRACE' },
        { login: 'root', name: 'ROOT', verifiedEmail: 'root@acme.example' },
        { login: 'group_10_bot_abc', name: 'GROUP_10_BOT_ABC', isBot: true },
        { login: 'linus', name: 'LINUS' },
      ],
      teams: [
        { name: 'Shop', logins: ['linus'] },
        { name: 'Shop / Pay', parent: 'Shop', logins: ['ada'] },
      ],
    });
  });

  test('A token that does not see the group knows the members of its projects', async () => {
    const world = makeGitlabWorld();
    world.refused.push({ path: /\/groups\/acme/, status: 404 });
    webOf(world).parts['members/all'] = [user('ada'), user('ken')];
    const directory = await directoryOf(world, { projects: ['acme/web'] });
    expect(directory).toMatchObject({ owner: 'acme', people: [{ login: 'ada' }, { login: 'ken' }], teams: [] });
  });

  test('A group of the settings that is not seen is said', async () => {
    const world = makeGitlabWorld();
    const { source } = await opened(world, { group: 'elsewhere' });
    const listing = async () => {
      for await (const _ of source.streams());
    };
    await expect(listing()).rejects.toThrow('The group elsewhere is gone, or the token may not see it');
  });
});

describe('a check', () => {
  test('A check of everything that is needed names addresses alone, which only an administrator sees', async () => {
    const { source } = await opened(makeGitlabWorld(), { group: 'acme' });
    expect(await source.check()).toMatchObject({
      account: 'plumb',
      sees: ['2 projects'],
      missing: [expect.stringMatching(/^Addresses of the members of acme are hidden/)],
    });
  });

  test('What can be picked is every project of the group, also a fork', async () => {
    const { source } = await opened(makeGitlabWorld(), { group: 'acme', projects: ['acme/web'] });
    const choices = await source.choices?.();
    expect(choices?.map(({ value }) => value)).toContain('acme/shop/api');
    expect(choices).toContainEqual(expect.objectContaining({ value: 'acme/fork', leftOut: 'fork' }));
    expect((await source.check()).reads).toEqual([
      'Merge requests',
      'Issues',
      'Pipelines',
      'Deployments',
      'Environments',
      'Releases',
      'Merge trains',
    ]);
  });

  test('A check names each right that is missing, one by one, and projects that are not seen', async () => {
    const world = makeGitlabWorld();
    world.hasGraphql = false;
    const { source } = await opened(world, { projects: ['acme/web', 'acme/hidden'] });
    for (const list of [
      'merge_requests',
      'issues',
      'pipelines',
      'deployments',
      'environments',
      'releases',
      'merge_trains',
    ]) {
      world.refused.push({ path: new RegExp(`/projects/101/${list}$`), status: 403 });
    }
    world.refused.push({ path: /members\/all$/, status: 403 });
    const { sees, missing } = await source.check();
    expect(sees).toEqual(['1 of 2 projects']);
    const beginnings = [
      'acme/hidden is gone, or the token may not see it',
      'Merge requests of acme/web cannot be read: give the token’s account the role Reporter',
      'Issues of acme/web',
      'Pipelines of acme/web',
      'Deployments of acme/web',
      'Environments, whose tiers tell what is production, of acme/web',
      'Releases of acme/web',
      'Merge trains of acme/web cannot be read: give the token’s account the role Developer',
      'Members and subgroups of acme cannot be read',
      'GraphQL is missing',
    ];
    expect(missing.map((text, i) => text.slice(0, beginnings[i]?.length))).toEqual(beginnings);
  });

  test('A check of a token with too small a scope says which it needs', async () => {
    const world = makeGitlabWorld();
    world.scopes = ['read_user'];
    const { source } = await opened(world);
    expect((await source.check()).missing).toEqual([expect.stringMatching(/^read_api is missing/)]);
  });

  test('A check of a token that is not accepted says so', async () => {
    const { source } = await opened(makeGitlabWorld(), { token: 'another' });
    await expect(source.check()).rejects.toThrow('does not accept the token (401)');
  });

  test('A path that leads elsewhere is no project', async () => {
    await expect(opened(makeGitlabWorld(), { projects: ['acme/../x'] })).rejects.toThrow(
      "'acme/../x' is no path of a project",
    );
  });
});

describe('what a webhook names', () => {
  const reread = async (object: Partial<ChangedObject>, settings: SettingValues, world = makeGitlabWorld()) => {
    const { source } = await opened(world, settings);
    const rows = new ReadRows();
    const page = await source.reread?.({ id: '', kind: 'merge_request', scope: '101', reference: '5', ...object });
    if (page) rows.take(page);
    return { rows, page };
  };

  test.each<[string, Partial<ChangedObject>, Parameters<ReadRows['of']>[0], string]>([
    ['a merge request', {}, 'pull_requests', 'gitlab:acme/web#5'],
    ['an issue', { kind: 'issue', reference: '1' }, 'issues', 'gitlab:acme/web#1'],
    ['a pipeline', { kind: 'pipeline', reference: '31' }, 'workflow_runs', 'gitlab:acme/web:run:31'],
    ['a deployment', { kind: 'deployment', reference: '301' }, 'deployments', 'gitlab:acme/web:deployment:301'],
    ['a release', { kind: 'release', reference: 'v1.1' }, 'release_details', 'gitlab:acme/web@v1.1'],
    ['a project', { kind: 'repository', reference: null }, 'repositories', 'acme/web'],
  ])('What a webhook names is read as it is now: %s', async (_, object, table, id) => {
    const { rows } = await reread(object, { group: 'acme' });
    expect(Object.values(rows.of(table)[0] ?? {})).toContain(id);
  });

  test.each<[string, Partial<ChangedObject>, string, Item]>([
    ['an issue', { kind: 'issue', reference: '99' }, 'issues', { issue_id: 'gitlab:acme/web#99', _deleted: true }],
    [
      'a release',
      { kind: 'release', reference: 'v/9' },
      'release_details',
      { release_id: 'gitlab:acme/web@v/9', _deleted: true },
    ],
  ])('What is gone is removed: %s', async (_, object, table, record) => {
    const { page } = await reread(object, { group: 'acme', incident_labels: ['x'] });
    expect(page?.records[0]).toEqual({ table, records: [record] });
    const incidents = page?.records.flatMap((some) => (some.table === 'incidents' ? some.records : []));
    expect(incidents).toEqual(table === 'issues' ? [{ incident_id: record.issue_id, _deleted: true }] : []);
  });

  test('A member that came or went is a new look at the group that the source reads', async () => {
    const { rows } = await reread({ kind: 'directory', scope: '11', reference: null }, { group: 'acme' });
    expect(rows.directories.map(({ owner }) => owner)).toEqual(['acme']);
    const other = await reread({ kind: 'directory', scope: '11', reference: null }, { projects: ['elsewhere/web'] });
    expect(other.rows.directories).toEqual([]);
  });

  test.each<[string, SettingValues, string]>([
    ['a project that is not named', { projects: ['acme/shop/api'] }, '101'],
    ['a fork', {}, '103'],
    ['a project of another group', { group: 'acme/shop' }, '101'],
    ['a project that is gone', {}, '999'],
  ])('A webhook of something else brings nothing: %s', async (_, settings, scope) => {
    const { page } = await reread({ scope }, settings);
    expect(page?.records).toEqual([]);
  });

  test('A tag that would lead elsewhere is about nothing', () => {
    const about = (tag: string) => gitlab.webhook?.objectsOf('', { object_kind: 'release', tag, project: { id: 1 } });
    expect(about('..')).toEqual([]);
    expect(about('v1')).toHaveLength(1);
  });
});
