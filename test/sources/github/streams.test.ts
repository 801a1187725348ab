import { afterEach, describe, expect, test } from 'vitest';
import { memoryInMap, type Reading, type ReadOptions, ReadRows, readGithub } from './replay/read-source.ts';
import { type ReplayOptions, type ReplayServer, startReplay } from './replay/server.ts';
import { at } from './replay/some-pull.ts';
import { someIssue, someRelease, someRepository, someRun, someWorld } from './replay/some-world.ts';
import { emptyRepository, type ReplayedRepository, type World } from './replay/world.ts';

let server: ReplayServer | undefined;
afterEach(() => server?.close());

async function read(world: World, options: ReadOptions = {}, replay: ReplayOptions = {}) {
  await server?.close();
  server = await startReplay(world, replay);
  return readGithub(server.url, options);
}

const worldOf = (repository: Partial<ReplayedRepository>): World => ({
  organizations: [],
  repositories: [{ ...emptyRepository(someRepository('acme/web', 101)), ...repository }],
});

describe('issues', () => {
  test('Issues are kept without the pull requests that GitHub lists among them', async () => {
    const { rows } = await read(someWorld(), { only: 'issues' });
    expect(rows.of('issues').map(({ issue_id }) => issue_id)).toEqual([
      'github:acme/web#10',
      'github:acme/web#8',
      'github:acme/web#9',
    ]);
  });

  test('Issues are open, completed or cancelled', async () => {
    const { rows } = await read(someWorld(), { only: 'issues' });
    expect(rows.of('issues')).toMatchObject([
      {
        ticket_status: 'canceled',
        status_name: 'not_planned',
        closed_at: at(4),
        completed_at: null,
        creator_name: null,
      },
      { ticket_status: 'backlog', person_login: 'grace', issue_type: 'Bug', labels: ['bug'], closed_at: null },
      { ticket_status: 'completed', closed_at: at(4), completed_at: at(4), person_login: null },
    ]);
  });

  test('Issues have their comments, without those on pull requests', async () => {
    const { rows } = await read(someWorld(), { only: 'issue_comments' });
    expect(rows.of('issue_comments')).toMatchObject([
      { issue_comment_id: 'github:acme/web#10:comment:7010', issue_id: 'github:acme/web#10', person_login: 'ada' },
      { issue_id: 'github:acme/web#8' },
      { issue_id: 'github:acme/web#9', comment: 'The same here.', created_at: at(2) },
    ]);
  });

  test('Issues that move up because one was deleted while they are read are not skipped', async () => {
    const issues = Array.from({ length: 205 }, (_, i) => someIssue(i + 1, { updated_at: at(1, 0, 0, i) }));
    const world = worldOf({ issues });
    const { rows, failures } = await read(
      world,
      { only: 'issues' },
      {
        answered: ({ path }) => {
          // Newest first: number 205 stands on the first page, and number 105 moves up to it.
          if (path.includes('/issues?') && issues.length === 205) issues.pop();
        },
      },
    );
    expect(failures).toEqual(new Map());
    const numbers = rows.of('issues').map(({ issue_key }) => Number(String(issue_key).split('#')[1]));
    expect(numbers).toHaveLength(205);
    expect(numbers).toContain(105);
  });

  test('Issues that are switched off are none', async () => {
    const { rows, failures } = await read(
      worldOf({}),
      { only: 'issues' },
      { instead: ({ path }) => (path.includes('/issues') ? { status: 410, body: {} } : undefined) },
    );
    expect([rows.of('issues'), failures.size]).toEqual([[], 0]);
  });
});

test('Releases are known by their tag; drafts are nobody’s yet', async () => {
  const { rows } = await read(someWorld(), { only: 'releases' });
  expect(rows.of('release_details')).toEqual([
    {
      release_id: 'github:acme/web@v1.0.0',
      version: 'v1.0.0',
      release_name: 'Release v1.0.0',
      notes: 'Better than before.',
      source: 'github',
      repository: 'acme/web',
      person_login: 'grace',
      person_is_bot: false,
      release_url: 'https://github.example/acme/web/releases/v1.0.0',
      created_at: at(5, 1),
      release_date: at(6),
      is_prerelease: false,
    },
    expect.objectContaining({ release_id: 'github:acme/web@v1.1.0-rc', is_prerelease: true }),
  ]);
});

describe('releases that are gone from the list', () => {
  const releases = (count: number) =>
    Array.from({ length: count }, (_, i) => someRelease(i + 1, `v${i + 1}`, { published_at: at(6, 0, 0, i) }));
  const tagsOf = ({ rows }: Reading) => rows.of('release_details').map(({ version }) => version);

  test('Releases that are gone from the list are removed once the list was read to its end, whichever page they stood on', async () => {
    const world = worldOf({ releases: releases(230) });
    const memory = memoryInMap();
    const first = await read(world, { only: 'releases', memory });
    const [repository] = world.repositories;
    repository?.releases.splice(3, 1);
    repository?.releases.splice(200, 2);
    const second = await readGithub(server?.url ?? '', { only: 'releases', memory, after: first });
    expect(tagsOf(second)).toHaveLength(227);
    expect(tagsOf(second)).not.toContain('v4');
    expect(tagsOf(second)).not.toContain('v202');
    // Each is asked for by its tag, since one that only moved may have been passed over.
    expect(server?.seen.filter(({ path }) => path.includes('/tags/'))).toHaveLength(3);
  });

  test('Releases that are gone from the list are removed after a stop between the read and the tables, too', async () => {
    const world = worldOf({ releases: releases(2) });
    const memory = memoryInMap();
    let now = Date.now() / 1_000;
    const first = await read(world, { only: 'releases', memory }, { now: () => now });
    world.repositories[0]?.releases.pop();
    now += 3_600;
    const marks = new Map(first.marks);
    await readGithub(server?.url ?? '', { only: 'releases', memory, after: { ...first, rows: new ReadRows() } });
    // Nothing of that was stored: the next read begins with the mark of the first.
    const third = await readGithub(server?.url ?? '', { only: 'releases', memory, after: { ...first, marks } });
    expect(tagsOf(third)).toEqual(['v1']);
  });

  test('Releases that are gone from the list stay where they are still there, or where the list was not read to its end', async () => {
    const world = worldOf({ releases: releases(3) });
    const memory = memoryInMap();
    const first = await read(world, { only: 'releases', memory });
    const hidden = world.repositories[0]?.releases.at(-1);
    await server?.close();
    server = await startReplay(world, {
      instead: ({ path }) => {
        if (path.includes('/releases/tags/')) return { status: 200, body: hidden };
        const listed = world.repositories[0]?.releases.slice(0, 2);
        return path.includes('/releases?') ? { status: 200, body: listed } : undefined;
      },
    });
    const moved = await readGithub(server.url, { only: 'releases', memory, after: first });
    expect(tagsOf(moved)).toEqual(['v1', 'v2', 'v3']);
    const empty = worldOf({ releases: [] });
    const switchedOff = await read(
      empty,
      { only: 'releases', memory, after: moved },
      { instead: ({ path }) => (path.includes('/releases?') ? { status: 404, body: {} } : undefined) },
    );
    expect(tagsOf(switchedOff)).toEqual(['v1', 'v2', 'v3']);
  });

  test('Releases that are gone from the list stay where they came from elsewhere, such as the tags of a clone', async () => {
    const memory = memoryInMap();
    const first = await read(worldOf({ releases: releases(1) }), { only: 'releases', memory });
    const ofClone = { release_id: 'github:acme/web@v0', version: 'v0', source: 'github', repository: 'acme/web' };
    first.rows.take({ records: [{ table: 'release_details', records: [ofClone] }], count: 1, at: 0 });
    const marks = new Map();
    const second = await readGithub(server?.url ?? '', { only: 'releases', memory, after: { ...first, marks } });
    expect(tagsOf(second)).toEqual(['v0', 'v1']);
  });
});

describe('deployments', () => {
  test('Deployments end as their newest status says; one that a later one replaced ended well; unfinished ones are none yet', async () => {
    const { rows } = await read(someWorld(), { only: 'deployments' });
    const ends = rows
      .of('deployments')
      .map(({ deployment_id, status, deployed_at }) => [deployment_id, status, deployed_at]);
    expect(ends).toEqual([
      ['github:acme/web:deployment:1', 'success', at(8, 1, 3)],
      ['github:acme/web:deployment:2', 'success', at(8, 2, 1)],
      ['github:acme/web:deployment:3', 'failure', at(8, 3, 2)],
      ['github:acme/web:deployment:4', 'cancelled', at(8, 4, 2)],
    ]);
  });

  test('Deployments are production where GitHub marks them so, and otherwise by the name of their environment', async () => {
    const { rows } = await read(someWorld(), { only: 'deployments' });
    const marks = rows.of('deployments').map(({ environment, production }) => [environment, production]);
    expect(marks).toEqual([
      ['production', true],
      ['customer-north', true],
      ['staging', null],
      ['staging', null],
    ]);
  });

  test('Deployments are asked for their statuses only where they changed since the last read', async () => {
    const world = someWorld();
    const first = await read(world, { only: 'deployments' });
    const [one] = world.repositories[0]?.deployments ?? [];
    if (one) one.deployment.updated_at = new Date(Date.now() + 60_000).toISOString();
    server?.seen.splice(0);
    await readGithub(server?.url ?? '', { only: 'deployments', after: first });
    expect(server?.seen.filter(({ path }) => path.includes('/statuses')).map(({ path }) => path)).toEqual([
      '/repos/acme/web/deployments/1/statuses?per_page=100',
    ]);
  });
});

describe('workflow runs', () => {
  test('Workflow runs have their person, pull requests, billable time and artifacts', async () => {
    const { rows } = await read(someWorld(), { only: 'workflow_runs' });
    const [run, running] = rows.of('workflow_runs');
    expect(run).toEqual({
      workflow_run_id: 'github:acme/web:run:1',
      workflow_name: 'Deploy',
      source: 'github',
      repository: 'acme/web',
      person_login: 'grace',
      person_is_bot: false,
      branch: 'main',
      event: 'push',
      run_status: 'completed',
      run_conclusion: 'success',
      run_number: 1,
      run_attempt: 1,
      run_created_at: at(3),
      run_started_at: at(3),
      run_updated_at: at(3),
      head_sha: 'a1',
      associated_pr_ids: ['github:acme/web#1'],
      run_url: 'https://github.example/acme/web/actions/runs/1',
      billable_ms: { ubuntu: 180_000, macos: 60_000 },
      artifact_bytes: 1_234,
    });
    expect(running).not.toHaveProperty('billable_ms');
  });

  test('Workflow runs are all read though GitHub gives no more than 1,000 of a window of time', async () => {
    const newest = Date.now() / 1_000 - 3_600;
    const runs = Array.from({ length: 2_600 }, (_, i) =>
      someRun(i + 1, new Date((newest - i * 60) * 1_000).toISOString().replace(/\.\d+Z/, 'Z'), { status: 'queued' }),
    );
    const { rows, failures } = await read(worldOf({ runs }), { only: 'workflow_runs' });
    expect(failures).toEqual(new Map());
    expect(rows.problems).toEqual([]);
    expect(rows.of('workflow_runs')).toHaveLength(2_600);
  });

  test('Workflow runs are walked through quiet years in few requests', async () => {
    const runs = Array.from({ length: 150 }, (_, i) => someRun(i + 1, at(1, 0, i), { status: 'queued' }));
    const { rows } = await read(worldOf({ runs }), { only: 'workflow_runs' });
    expect(rows.of('workflow_runs')).toHaveLength(150);
    expect(server?.seen.length).toBeLessThan(20);
  });

  test('Workflow runs that were complete at the last read are not asked for again', async () => {
    const world = someWorld();
    const first = await read(world, { only: 'workflow_runs' });
    world.repositories[0]?.runs.push(someRun(3, at(6), { updated_at: new Date().toISOString() }));
    server?.seen.splice(0);
    const { rows } = await readGithub(server?.url ?? '', { only: 'workflow_runs', after: first });
    expect(server?.seen.filter(({ path }) => path.endsWith('/timing'))).toHaveLength(1);
    expect(rows.of('workflow_runs').map(({ artifact_bytes }) => artifact_bytes)).toEqual([1_234, undefined, 1_234]);
  });

  test('Workflow runs that ended more than 90 days ago are asked for no more, where there are more than a page of them', async () => {
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().replace(/\.\d+Z/, 'Z');
    const old = Array.from({ length: 100 }, (_, i) => someRun(i + 1, daysAgo(91 + i)));
    const again = someRun(101, daysAgo(120), { updated_at: daysAgo(1) });
    const { rows } = await read(worldOf({ runs: [...old, again, someRun(102, daysAgo(89))] }), {
      only: 'workflow_runs',
    });
    const detailed = rows.of('workflow_runs').filter((run) => 'billable_ms' in run || 'artifact_bytes' in run);
    expect(rows.of('workflow_runs')).toHaveLength(102);
    expect(detailed.map(({ run_number }) => run_number)).toEqual([101, 102]);
    expect(server?.seen.filter(({ path }) => /timing|artifacts/.test(path))).toHaveLength(4);
  });

  test('Workflow runs whose artifacts have expired had an unknown size of them, and not none', async () => {
    const [old, recent] = [someRun(1, at(3)), someRun(2, new Date().toISOString())];
    const runs = [old, recent].map((run) => ({ ...run, artifacts: [] }));
    const { rows } = await read(worldOf({ runs }), { only: 'workflow_runs' });
    const [first, second] = rows.of('workflow_runs');
    expect(first).not.toHaveProperty('artifact_bytes');
    expect(second).toHaveProperty('artifact_bytes', 0);
  });

  test('Workflow runs of a host that does not bill are asked for their time once', async () => {
    const world = worldOf({ runs: [someRun(1, at(3)), someRun(2, at(4))] });
    const instead: ReplayOptions['instead'] = ({ path }) =>
      path.endsWith('/timing') ? { status: 404, body: {} } : undefined;
    const { rows } = await read(world, { only: 'workflow_runs' }, { instead });
    expect(rows.of('workflow_runs')).toMatchObject([{ artifact_bytes: 1_234 }, { artifact_bytes: 1_234 }]);
    expect(rows.of('workflow_runs').some((run) => 'billable_ms' in run)).toBe(false);
  });
});

describe('members and teams', () => {
  test('Members and teams are complete, the same by GraphQL and REST but for names and addresses', async () => {
    const byGraphql = await read(someWorld(), { only: 'directory' });
    expect(byGraphql.rows.directories).toEqual([
      {
        owner: 'acme',
        people: [{ login: 'ada', name: 'Ada Lovelace', verifiedEmail: 'ada@acme.example' }, { login: 'grace' }],
        teams: [
          { name: 'Engineering', logins: ['ada', 'grace'] },
          { name: 'Web', parent: 'Engineering', logins: ['ada'] },
        ],
      },
    ]);
    const byRest = await read(someWorld(), { only: 'directory' }, { hasGraphql: false });
    expect(byRest.rows.directories).toMatchObject([
      { people: [{ login: 'ada' }, { login: 'grace' }], teams: byGraphql.rows.directories[0]?.teams },
    ]);
  });

  test('Members and teams are read by REST where the token may not see a field that GraphQL is asked for', async () => {
    const errors = [{ type: 'FORBIDDEN', message: 'organizationVerifiedDomainEmails' }];
    const instead: ReplayOptions['instead'] = ({ query }) =>
      query?.includes('membersWithRole') ? { status: 200, body: { data: null, errors } } : undefined;
    const { rows, failures } = await read(someWorld(), { only: 'directory' }, { instead });
    expect(failures).toEqual(new Map());
    expect(rows.directories[0]?.people.map(({ login }) => login)).toEqual(['ada', 'grace']);
  });

  test('Members and teams send no pull requests to REST where an older server lacks a field of members alone', async () => {
    const errors = [{ message: 'no such field', extensions: { code: 'undefinedField' } }];
    const instead: ReplayOptions['instead'] = ({ query }) =>
      query?.includes('membersWithRole') ? { status: 200, body: { errors } } : undefined;
    const { rows, failures } = await read(someWorld(), {}, { instead });
    expect(failures).toEqual(new Map());
    expect(rows.directories[0]?.people.map(({ login }) => login)).toEqual(['ada', 'grace']);
    expect(rows.of('pull_requests').length).toBeGreaterThan(0);
    expect(server?.seen.filter(({ path }) => /\/pulls\/\d/.test(path))).toEqual([]);
  });

  test('Members and teams that cannot be seen are a failure only where their organisation is named', async () => {
    const world = { ...someWorld(), organizations: [] };
    const implied = await read(world, { only: 'directory' });
    expect([implied.failures.size, implied.rows.directories]).toEqual([0, []]);
    const named = await read(world, { only: 'directory', settings: { organization: 'acme' } });
    expect(named.failures.get('directory@acme')?.message).toBe('The members of acme cannot be seen');
  });

  test('Members and teams are said again only where something has changed', async () => {
    const world = someWorld();
    const first = await read(world, { only: 'directory' });
    const second = await readGithub(server?.url ?? '', { only: 'directory', after: first });
    expect(second.unchanged).toEqual(['directory@acme']);
    world.organizations[0]?.members.pop();
    const third = await readGithub(server?.url ?? '', {
      only: 'directory',
      after: { ...first, ...second, rows: first.rows },
    });
    expect(third.unchanged).toEqual([]);
    expect(first.rows.directories.at(-1)?.people).toHaveLength(1);
  });
});

test('A second reading without news asks one request a stream and writes nothing', async () => {
  const world = someWorld();
  const first = await read(world);
  const before = JSON.stringify(first.rows.all);
  server?.seen.splice(0);
  const second = await readGithub(server?.url ?? '', { after: first });
  expect(second.unchanged.toSorted()).toEqual([
    'deployments@101',
    'directory@acme',
    'issue_comments@101',
    'issues@101',
    'pull_requests@101',
    'releases@101',
    'repositories',
    'workflow_runs@101',
  ]);
  expect(JSON.stringify(first.rows.all)).toBe(before);
  // One for the repository, one for each of its streams, two for members and teams.
  expect(server?.seen).toHaveLength(1 + 6 + 2);
});
