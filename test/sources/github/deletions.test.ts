import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SourceMemory } from '../../../src/sources/source.ts';
import { memoryInMap, type Reading, ReadRows, readGithub } from './replay/read-source.ts';
import { type ReplayOptions, type ReplayServer, startReplay } from './replay/server.ts';
import { at, somePull } from './replay/some-pull.ts';
import { someDeployment, someIssue, someRepository, someRun } from './replay/some-world.ts';
import { emptyRepository, type ReplayedRepository } from './replay/world.ts';

/** GitHub's clock: two days after the newest of the fixtures, and a minute later with each read. */
let reads = 0;
const now = () => Date.parse(at(10, 9, reads)) / 1_000;

let server: ReplayServer | undefined;
let memory: SourceMemory;
let repository: ReplayedRepository;
beforeEach(() => {
  reads = 0;
  memory = memoryInMap();
  repository = {
    ...emptyRepository(someRepository('acme/web', 101)),
    pulls: [somePull({ number: 1 })],
    issues: [8, 9, 10].map((number) => someIssue(number, {})),
    deployments: [1, 2, 3].map((id) => someDeployment(id, 'production', ['success'])),
    runs: [1, 2, 3].map((id) => someRun(id, at(5, id))),
  };
});
afterEach(() => server?.close());

const start = async (replay: ReplayOptions = {}): Promise<string> => {
  await server?.close();
  reads += 1;
  server = await startReplay({ organizations: [], repositories: [repository] }, { now, ...replay });
  return server.url;
};

/** Again as a sync does, down to thirty days before. */
const read = async (after?: Reading, replay: ReplayOptions = {}): Promise<Reading> =>
  readGithub(await start(replay), { memory, ...(after && { after, downTo: now() - 30 * 86_400 }) });

const idsIn = ({ rows }: Reading) => ({
  issues: rows.of('issues').map(({ issue_id }) => issue_id),
  deployments: rows.of('deployments').map(({ deployment_id }) => deployment_id),
  runs: rows.of('workflow_runs').map(({ workflow_run_id }) => workflow_run_id),
});

const askedById = () =>
  server?.seen.map(({ path }) => path).filter((path) => /\/(issues|deployments|runs)\/\d+$/.test(path));

const withoutTheSecond = () => {
  for (const list of [repository.issues, repository.deployments, repository.runs]) list.splice(1, 1);
};

const deploymentAt = (id: number, time = at(8, 0, 0, id)): ReplayedRepository['deployments'][number] => {
  const { deployment, statuses } = someDeployment(id, 'production', ['success']);
  return { deployment: { ...deployment, created_at: time, updated_at: time }, statuses };
};

const ok = (body: unknown) => ({ status: 200, body });

const remaining = {
  issues: ['github:acme/web#10', 'github:acme/web#8'],
  deployments: ['github:acme/web:deployment:1', 'github:acme/web:deployment:3'],
  runs: ['github:acme/web:run:1', 'github:acme/web:run:3'],
};
const onesThatAreGone = ['/repos/acme/web/deployments/2', '/repos/acme/web/issues/9', '/repos/acme/web/actions/runs/2'];

describe('issues, deployments and runs that are gone from their lists', () => {
  test('Issues, deployments and runs that are gone from their lists are asked for once each, and removed', async () => {
    const first = await read();
    expect(askedById()).toEqual([]);
    withoutTheSecond();
    const second = await read(first);
    expect(idsIn(second)).toEqual(remaining);
    expect(askedById()).toEqual(onesThatAreGone);
    await read(second);
    expect(askedById()).toEqual([]);
  });

  test('Issues, deployments and runs that are gone from their lists are removed after a stop between the read and the tables, too', async () => {
    const first = await read();
    withoutTheSecond();
    await read({ ...first, rows: new ReadRows() });
    expect(idsIn(first).issues).toHaveLength(3);
    expect(idsIn(await read(first))).toEqual(remaining);
  });

  test('Issues, deployments and runs that are gone from their lists stay where they are still there', async () => {
    const first = await read();
    const all = idsIn(first);
    const whole = structuredClone(repository);
    withoutTheSecond();
    const lists = { ...repository };
    Object.assign(repository, whole);
    const instead: ReplayOptions['instead'] = ({ path }) => {
      if (path.startsWith('/repos/acme/web/issues?')) return ok(lists.issues.map(({ issue }) => issue).toReversed());
      if (path.startsWith('/repos/acme/web/deployments?')) {
        return ok(lists.deployments.map(({ deployment }) => deployment).toReversed());
      }
      if (!path.startsWith('/repos/acme/web/actions/runs?')) return undefined;
      return ok({ total_count: 2, workflow_runs: lists.runs.map(({ run }) => run).toReversed() });
    };
    const second = await read(first, { instead });
    expect(askedById()).toEqual(onesThatAreGone);
    expect(idsIn(second)).toEqual(all);
  });

  test('Issues, deployments and runs that are gone from their lists stay where GitHub keeps them no longer than a while: runs older than a week', async () => {
    repository.runs.splice(0, 3, someRun(1, at(1)), someRun(2, at(9)));
    const first = await read();
    repository.runs.splice(0, 2);
    expect(idsIn(await read(first)).runs).toEqual(['github:acme/web:run:1']);
    expect(askedById()).toEqual(['/repos/acme/web/actions/runs/2']);
  });

  test('Issues, deployments and runs that are gone from their lists are noticed on every page that is read, once something is new', async () => {
    repository.deployments.splice(0, 3);
    for (let id = 1; id <= 150; id += 1) repository.deployments.push(deploymentAt(id));
    const first = await read();
    repository.deployments.splice(119, 1);
    repository.deployments.splice(9, 1);
    repository.deployments.push(deploymentAt(151, at(10, 9, reads)));
    const second = await read(first);
    expect(second.rows.of('deployments')).toHaveLength(149);
    expect(askedById()).toEqual(['/repos/acme/web/deployments/120', '/repos/acme/web/deployments/10']);
  });
});
