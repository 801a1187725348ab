import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { githubWebhook } from '../../../src/sources/github/webhook.ts';
import { recordedDataAvailable, recordedDataFolder } from '../../setup/recorded-data.ts';
import { openGithub, type ReadOptions, ReadRows } from './replay/read-source.ts';
import { type ReplayOptions, type ReplayServer, startReplay } from './replay/server.ts';
import { at, somePull } from './replay/some-pull.ts';
import { someRepository, someWorld } from './replay/some-world.ts';
import { emptyRepository, type World } from './replay/world.ts';

let server: ReplayServer | undefined;
afterEach(() => server?.close());

const repository = { id: 101, full_name: 'acme/web' };
const objectsOf = (event: string, payload: object) => githubWebhook.objectsOf(event, { repository, ...payload });

describe('a delivery', () => {
  test.each(['__proto__', 'constructor', 'toString', ''])('A delivery of the event %s is about nothing', (event) => {
    expect(objectsOf(event, { pull_request: { number: 7 } })).toEqual([]);
  });

  test.each([
    ['pull_request', { pull_request: { number: 7 } }, 'pull_request', 7],
    ['pull_request_review', { pull_request: { number: 7 } }, 'pull_request', 7],
    ['pull_request_review_comment', { pull_request: { number: 7 } }, 'pull_request', 7],
    ['issue_comment', { issue: { number: 7, pull_request: { url: 'x' } } }, 'pull_request', 7],
    ['issue_comment', { issue: { number: 8 } }, 'issue', 8],
    ['issues', { issue: { number: 8 } }, 'issue', 8],
    ['release', { release: { id: 1, tag_name: 'v1' } }, 'release', { id: '1', tag: 'v1' }],
    ['workflow_run', { workflow_run: { id: 5 } }, 'workflow_run', '5'],
    ['deployment_status', { deployment: { id: 6 } }, 'deployment', '6'],
    ['repository', { action: 'renamed' }, 'repository', null],
  ])('A delivery of %s names what to read again', (event, payload, kind, reference) => {
    expect(objectsOf(event, payload)).toEqual([
      { id: expect.stringContaining(`${kind}@101`), kind, scope: 'acme/web', reference },
    ]);
  });

  test.each(['organization', 'membership', 'team'])('A delivery of %s names the organisation', (event) => {
    expect(githubWebhook.objectsOf(event, { organization: { login: 'Acme' } })).toMatchObject([
      { id: 'directory@acme', kind: 'directory', scope: 'Acme' },
    ]);
  });

  test('A delivery about the same object has the same id, whichever event it is', () => {
    const [one] = objectsOf('pull_request', { pull_request: { number: 7 } });
    const [other] = objectsOf('issue_comment', { issue: { number: 7, pull_request: {} } });
    expect(one?.id).toBe(other?.id);
  });

  test.each(['../../user', 'acme/..', 'acme', 'acme/web/hooks', 'acme/web?x', 'acme/ web'])(
    'A delivery that calls a repository %s names nothing: names become part of an address',
    (full_name) => {
      const payload = { pull_request: { number: 7 }, repository: { id: 101, full_name } };
      expect(githubWebhook.objectsOf('pull_request', payload)).toEqual([]);
      expect(githubWebhook.objectsOf('team', { organization: { login: full_name.replace('acme', '..') } })).toEqual([]);
    },
  );

  test.each([
    ['ping', {}],
    ['star', {}],
    ['pull_request', { pull_request: { number: 'seven' } }],
    ['pull_request', {}],
  ])('A delivery of %s that changes nothing or is of an unknown shape names nothing', (event, payload) => {
    expect(objectsOf(event, payload)).toEqual([]);
  });

  test.skipIf(!recordedDataAvailable)(
    'A delivery as GitHub publishes it names the object that its event is about',
    () => {
      const lines = gunzipSync(readFileSync(join(recordedDataFolder, 'github-webhooks-examples.ndjson.gz')));
      const examples = lines
        .toString()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      const handled =
        /^(pull_request.*|issues|issue_comment|release|workflow_run|deployment.*|team|membership|organization)$/;
      const named = examples.filter(({ event }) => handled.test(event));
      expect(named.length).toBeGreaterThan(80);
      for (const { event, payload } of named) expect(githubWebhook.objectsOf(event, payload)).toHaveLength(1);
    },
  );
});

describe('an object that a delivery names', () => {
  async function reread(world: World, event: string, payload: object, options: ReadOptions & ReplayOptions = {}) {
    await server?.close();
    server = await startReplay(world, options);
    const opened = openGithub(server.url, options);
    const rows = new ReadRows();
    try {
      const pages = [];
      for (const object of githubWebhook.objectsOf(event, { repository, ...payload })) {
        const page = await opened.source.reread?.(object);
        if (page) pages.push(page);
      }
      for (const page of pages) rows.take(page);
      return { rows, records: pages.flatMap((page) => page.records) };
    } finally {
      opened.close();
    }
  }

  test.each([true, false])(
    'An object that a delivery names is the pull request as it is now, with all of its parts (GraphQL: %s)',
    async (hasGraphql) => {
      const { rows } = await reread(
        someWorld(),
        'pull_request',
        { pull_request: { number: 1, title: 'Old' } },
        { hasGraphql },
      );
      expect(rows.of('pull_requests')).toMatchObject([{ pr_id: 'github:acme/web#1', pr_title: 'Change 1' }]);
      expect(rows.of('pull_request_reviews')).toHaveLength(4);
    },
  );

  test.each([
    ['pull_request', { pull_request: { number: 99 } }, { pr_id: 'github:acme/web#99' }],
    ['issues', { issue: { number: 99 } }, { issue_id: 'github:acme/web#99' }],
    ['release', { release: { id: 99, tag_name: 'v9' } }, { release_id: 'github:acme/web@v9' }],
    ['workflow_run', { workflow_run: { id: 99 } }, { workflow_run_id: 'github:acme/web:run:99' }],
    ['deployment', { deployment: { id: 99 } }, { deployment_id: 'github:acme/web:deployment:99' }],
  ])('An object that a delivery names and is gone is removed (%s)', async (event, payload, key) => {
    const { records } = await reread(someWorld(), event, payload);
    expect(records.map((each) => each.records)).toEqual([[{ ...key, _deleted: true }]]);
  });

  test('An object that a delivery names is an issue with all of its comments', async () => {
    const { records } = await reread(someWorld(), 'issue_comment', { action: 'deleted', issue: { number: 8 } });
    expect(records).toMatchObject([
      { table: 'issues', records: [{ issue_id: 'github:acme/web#8' }] },
      { table: 'issue_comments', records: [{ issue_id: 'github:acme/web#8' }], wholeSetsOf: ['github:acme/web#8'] },
    ]);
  });

  test('An object that a delivery names and was transferred to another repository is removed from this one', async () => {
    const world = someWorld();
    const moved = world.repositories[0]?.issues.find(({ issue }) => issue.number === 8);
    if (moved) moved.issue.repository_url = 'https://api.github.example/repos/acme/other';
    const { records } = await reread(world, 'issues', { action: 'transferred', issue: { number: 8 } });
    expect(records.map((each) => each.records)).toEqual([[{ issue_id: 'github:acme/web#8', _deleted: true }]]);
  });

  test('An object that a delivery names is a run with its time, a deployment with its end, a release, a repository', async () => {
    const run = await reread(someWorld(), 'workflow_run', { workflow_run: { id: 1 } });
    expect(run.rows.of('workflow_runs')).toMatchObject([{ artifact_bytes: 1_234 }]);
    const deployment = await reread(someWorld(), 'deployment_status', { deployment: { id: 3 } });
    expect(deployment.rows.of('deployments')).toMatchObject([{ status: 'failure' }]);
    const release = await reread(someWorld(), 'release', { release: { id: 1, tag_name: 'v1.0.0' } });
    expect(release.rows.of('release_details')).toMatchObject([{ release_date: at(6) }]);
    const itself = await reread(someWorld(), 'repository', { action: 'edited' });
    expect(itself.rows.of('repositories')).toEqual([{ repository: 'acme/web', default_branch: 'main' }]);
  });

  test('An object that a delivery names is the directory of the organisation', async () => {
    const { rows } = await reread(someWorld(), 'membership', { organization: { login: 'acme' } });
    expect(rows.directories).toMatchObject([{ owner: 'acme' }]);
  });

  test('An object that a delivery names of a repository that is gone is left alone: its rows stay', async () => {
    const world = { organizations: [], repositories: [] };
    const { records } = await reread(world, 'repository', { action: 'deleted' });
    expect(records).toEqual([]);
  });

  test('An object that a delivery names of a repository or an organisation that is not to be read is left alone', async () => {
    const other = { ...emptyRepository(someRepository('acme/other', 102)), pulls: [somePull({ number: 7 })] };
    const world = { ...someWorld(), repositories: [...someWorld().repositories, other] };
    const named = { repository: { id: 102, full_name: 'acme/other' }, pull_request: { number: 7 } };
    const pull = await reread(world, 'pull_request', named);
    expect(pull.records).toEqual([]);
    const directory = await reread(world, 'team', { organization: { login: 'elsewhere' } });
    expect(directory.rows.directories).toEqual([]);
  });
});
