import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { readRecord } from '../../../src/catalogue/read-record.ts';
import { recordShapeFor } from '../../../src/catalogue/record-tables.ts';
import { circleci } from '../../../src/sources/circleci/circleci.ts';
import { convertPipelines } from '../../../src/sources/circleci/convert.ts';
import { openSource } from '../../../src/sources/open-source.ts';
import type { SettingValues, SourceMemory, Stream } from '../../../src/sources/source.ts';
import { isProven } from '../../../src/sources/webhooks.ts';
import { recordedDataAvailable, recordedDataFolder } from '../../setup/recorded-data.ts';
import { ReplayHost } from '../contract/replay-host.ts';
import { memoryInMap } from '../github/replay/read-source.ts';
import { readWhole } from '../read-whole.ts';
import {
  type CirclePipeline,
  type CircleWorkflow,
  type CircleWorld,
  circleAnswer,
  circleciCase,
  circleNow,
  circleToken,
  daysAgo,
  somePipeline,
  someWorkflow,
} from './circleci-case.ts';

const pipeline = somePipeline(7, 1, { created_at: '2026-03-30T10:00:00.400Z' });
const convert = (more: Partial<CircleWorkflow>, of: Partial<CirclePipeline> = {}) =>
  convertPipelines('circleci.com', [
    { pipeline: { ...pipeline, ...of }, workflows: [someWorkflow(pipeline, 'success', { id: 'w-7', ...more })] },
  ]);
const converted = (more: Partial<CircleWorkflow>, of: Partial<CirclePipeline> = {}) =>
  convert(more, of).records[0]?.records[0];
const vcs = pipeline.vcs as Record<string, unknown>;

describe('a run', () => {
  test('A run is a workflow, with the code and the person of its pipeline', () => {
    expect(converted({})).toEqual({
      workflow_run_id: 'circleci:circleci.com/w-7',
      source: 'circleci',
      workflow_name: 'build',
      repository: 'acme/web',
      branch: 'main',
      head_sha: 'a'.repeat(39) + 7,
      event: 'webhook',
      run_status: 'success',
      run_conclusion: 'success',
      run_number: 7,
      run_created_at: '2026-03-30T10:00:00Z',
      run_started_at: '2026-03-30T10:00:00Z',
      run_updated_at: '2026-03-30T10:05:00Z',
      run_url: 'https://app.circleci.com/pipelines/gh/acme/web/7/workflows/w-7',
      person_login: 'ada',
      person_source: 'github',
    });
    expect(readRecord(recordShapeFor('workflow_runs'), converted({}))).toHaveProperty('record');
  });

  test.each([
    ['success', 'success'],
    ['failed', 'failure'],
    ['error', 'failure'],
    ['canceled', 'cancelled'],
    ['unauthorized', 'cancelled'],
    ['not_run', 'skipped'],
    ['on_hold', null],
    ['running', null],
    ['failing', null],
    ['something new', null],
  ])('A run that is %s has the conclusion %s', (status, conclusion) => {
    expect(converted({ status })).toMatchObject({ run_status: status, run_conclusion: conclusion });
  });

  test('A run that stopped before it was made lasted no time', () => {
    expect(converted({ stopped_at: '2026-03-30T09:59:00Z' })).toMatchObject({ run_updated_at: '2026-03-30T10:00:00Z' });
    expect(converted({ stopped_at: null })).toMatchObject({ run_updated_at: null });
  });

  test('A run of a fork is of the repository that the project is of, and names its pull request', () => {
    const fork = { ...vcs, origin_repository_url: 'https://github.com/bo/web', review_id: '12', branch: 'pull/12' };
    expect(converted({}, { vcs: fork })).toMatchObject({ repository: 'acme/web', associated_pr_ids: ['acme/web#12'] });
  });

  test.each([
    ['git@github.com:acme/shop.git', 'acme/shop'],
    ['https://gitlab.com/acme/group/shop.git', 'acme/group/shop'],
    ['ssh://git@github.com/acme/shop', 'acme/shop'],
  ])('A run that was checked out from %s is of %s', (address, repository) => {
    expect(converted({}, { vcs: { target_repository_url: address } })).toMatchObject({ repository });
  });

  test('A run without a checkout has that of its trigger, else the repository of its project, else none', () => {
    const git = { repo_url: 'https://github.com/acme/app', checkout_sha: 'c'.repeat(40), branch: 'main' };
    const project_slug = 'circleci/1a2b/3c4d';
    const app = { vcs: undefined, project_slug, trigger_parameters: { git } };
    expect(converted({}, app)).toMatchObject({
      repository: 'acme/app',
      head_sha: git.checkout_sha,
      person_login: 'ada',
    });
    expect(converted({}, { vcs: undefined })).toMatchObject({ repository: 'acme/web', branch: null });
    expect(converted({}, { vcs: undefined, project_slug, trigger_parameters: {} })).toMatchObject({
      repository: null,
      person_login: null,
    });
  });

  test('A run names its person only where the login is one of GitHub', () => {
    const bitbucket = { provider_name: 'Bitbucket', target_repository_url: 'https://bitbucket.org/acme/web' };
    expect(converted({}, { vcs: bitbucket, project_slug: 'bb/acme/web' })).toMatchObject({ person_login: null });
    expect(converted({}, { trigger: { type: 'schedule', actor: { login: '' } } })).toMatchObject({
      person_login: null,
    });
    expect(converted({}, { trigger: null })).toMatchObject({ person_login: null, event: null });
  });

  test('A run of an unknown shape is named by its field, and does not stop the others', () => {
    const workflows = [someWorkflow(pipeline, 'success', { created_at: 'soon' }), someWorkflow(pipeline, 'success')];
    const { records, problems } = convertPipelines('circleci.com', [{ pipeline, workflows }]);
    expect(records[0]?.records).toHaveLength(1);
    expect(problems).toEqual(['workflow: created_at must be a time, not string']);
  });
});

describe.runIf(recordedDataAvailable)('recorded pipelines', () => {
  const read = (name: string) =>
    JSON.parse(readFileSync(join(recordedDataFolder, 'circleci-faros', name), 'utf8')) as readonly unknown[];

  test('Recorded pipelines and workflows are all read, in each of their forms', () => {
    const workflows = read('workflows_input.json');
    const pipelines = [...read('pipelines_input.json'), ...read('pipeline_input.json')];
    const { records, problems } = convertPipelines(
      'circleci.com',
      pipelines.map((one) => ({ pipeline: one, workflows })),
    );
    expect(problems).toEqual([]);
    const rows = records[0]?.records ?? [];
    expect(rows.map(({ repository, run_number, person_login }) => [repository, run_number, person_login])).toEqual([
      ['huongtn/sample-test', 1, 'huongtn'],
      ['huongtn/sample-test-2', 2, 'huongtn'],
      ['huongtn/sample-test', 3, 'huongtn'],
      ['huongtn/sample-test', 4, 'huongtn'],
      // Its number is a text, and it has a pull request.
      ['CircleCI-Public/api-preview-docs', 25, 'string'],
    ]);
    expect(rows[4]).toMatchObject({
      associated_pr_ids: ['CircleCI-Public/api-preview-docs#123'],
      run_created_at: '2019-08-24T14:15:22Z',
    });
    for (const row of rows) expect(readRecord(recordShapeFor('workflow_runs'), row)).toHaveProperty('record');
  });
});

let host: ReplayHost | undefined;
afterEach(() => host?.close());

async function opened(world: CircleWorld, settings: SettingValues = {}, memory: SourceMemory = memoryInMap()) {
  host = await ReplayHost.start({ now: () => circleNow, answer: (asked) => circleAnswer(world, asked) });
  const values = { base_url: host.url, token: circleToken, projects: ['gh/acme/web'], ...settings };
  const options = { mayBePrivate: () => true, signal: new AbortController().signal, memory };
  return { source: openSource(circleci, values, options).source, seen: host.seen };
}

async function streamOf(source: Awaited<ReturnType<typeof opened>>['source'], id: string): Promise<Stream> {
  for await (const stream of source.streams()) if (stream.id === id) return stream;
  throw new Error(`there is no stream ${id}`);
}

test('A project that is not on GitHub says that nobody is told who started its runs', async () => {
  const { source } = await opened({ pipelines: [], workflows: [] }, { projects: ['gh/acme/web', 'bb/acme/web'] });
  const said: unknown[] = [];
  for await (const { id, notSeen = [] } of source.streams()) said.push(...notSeen.map(({ why }) => [id, why]));
  expect(said).toEqual([
    ['runs@gh/acme/web', 'window'],
    ['runs@bb/acme/web', 'window'],
    ['runs@bb/acme/web', 'hidden'],
  ]);
});

describe('runs that had not ended', () => {
  const oneRun = (status: string): CircleWorld => {
    const old = somePipeline(1, 40);
    return { pipelines: [old], workflows: [someWorkflow(old, status)] };
  };

  test('A run that had not ended is asked for by itself until its end is stored', async () => {
    const world = oneRun('on_hold');
    const { source, seen } = await opened(world);
    await readWhole(await streamOf(source, 'runs@gh/acme/web'));
    const unended = await streamOf(source, 'unended_runs@gh/acme/web');
    const first = await unended.read({});
    expect(first.records[0]?.records).toMatchObject([{ run_conclusion: null }]);
    Object.assign(world.workflows[0] ?? {}, { status: 'success', stopped_at: daysAgo(0) });
    // The end was read and could not be stored: the mark is that of before.
    for (const mark of [first.mark ?? null, first.mark ?? null]) {
      const page = await unended.read({ mark });
      expect(page.records[0]?.records).toMatchObject([{ run_conclusion: 'success' }]);
    }
    const second = await unended.read({ mark: first.mark ?? null });
    const third = await unended.read({ mark: second.mark ?? null });
    expect(third.isUnchanged).toBe(true);
    const before = seen.length;
    await unended.read({ mark: third.mark ?? null });
    expect(seen.length).toBe(before);
  });

  test('A run that had not ended is remembered from one process to the next', async () => {
    const memory = memoryInMap();
    const world = oneRun('running');
    const first = await opened(world, {}, memory);
    await readWhole(await streamOf(first.source, 'runs@gh/acme/web'));
    await host?.close();
    const { source } = await opened(world, {}, memory);
    const unended = await streamOf(source, 'unended_runs@gh/acme/web');
    expect((await unended.read({})).count).toBe(1);
  });

  test('A run that waits for longer than ninety days is asked for no more', async () => {
    const old = somePipeline(1, 91);
    const { source } = await opened({ pipelines: [old], workflows: [someWorkflow(old, 'on_hold')] });
    await readWhole(await streamOf(source, 'runs@gh/acme/web'));
    expect((await (await streamOf(source, 'unended_runs@gh/acme/web')).read({})).count).toBe(0);
  });

  test('Runs that had not ended take turns where there are too many for one sync', async () => {
    const pipelines = Array.from({ length: 60 }, (_, number) => somePipeline(number, 2 + number / 10));
    const workflows = pipelines.map((one) => someWorkflow(one, 'on_hold'));
    const { source, seen } = await opened({ pipelines, workflows });
    await readWhole(await streamOf(source, 'runs@gh/acme/web'));
    const unended = await streamOf(source, 'unended_runs@gh/acme/web');
    seen.length = 0;
    const { mark = null } = await unended.read({});
    await unended.read({ mark });
    const asked = seen.filter(({ path }) => /^\/pipeline\/[^/]+$/.test(path)).map(({ path }) => path);
    expect(asked).toHaveLength(100);
    expect(new Set(asked).size).toBe(60);
  });
});

describe('a page', () => {
  test('A page takes its other pipelines where one is of an unknown shape, and names the field', async () => {
    const world = circleciCase.makeWorld() as CircleWorld;
    Object.assign(world.pipelines[0] ?? {}, { id: undefined });
    const { source } = await opened(world);
    const read = await readWhole(await streamOf(source, 'runs@gh/acme/web'));
    expect(read.pages.flatMap(({ problems = [] }) => problems)).toEqual(['pipeline: id is missing']);
    expect(read.of('workflow_runs')).toHaveLength(20);
  });
});

describe('the settings', () => {
  test('The settings name projects as addresses do, and nothing that leads elsewhere', async () => {
    const { source, seen } = await opened(circleciCase.makeWorld() as CircleWorld, { projects: ['github/acme/web'] });
    await source.check();
    expect(seen.map(({ path }) => path)).toEqual([
      '/me',
      '/project/gh/acme/web/pipeline',
      '/pipeline/p-web-0',
      '/pipeline/p-web-0/workflow',
    ]);
    await host?.close();
    await expect(opened({ pipelines: [], workflows: [] }, { projects: ['gh/acme/../me'] })).rejects.toThrow(
      'is no project',
    );
    await expect(opened({ pipelines: [], workflows: [] }, { projects: ['acme/web'] })).rejects.toThrow('is no project');
  });
});

describe('a check', () => {
  test('A check names projects that are not seen', async () => {
    const world = circleciCase.makeWorld() as CircleWorld;
    const { source } = await opened(world, { projects: ['gh/acme/web', 'gh/acme/gone'] });
    expect(await source.check()).toMatchObject({
      account: 'ada',
      sees: ['1 of 2 projects'],
      missing: [expect.stringContaining('The project gh/acme/gone is not seen')],
    });
  });
});

describe('a webhook', () => {
  const body = Buffer.from(JSON.stringify({ type: 'workflow-completed', workflow: { id: 'w-7' } }));
  const sign = (secret: string, of: Buffer) => `v1=${createHmac('sha256', secret).update(of).digest('hex')}`;

  test('A webhook is taken with the signature of its body alone', () => {
    const { webhook } = circleci;
    const given = (signature: string, of = body) =>
      webhook !== undefined && isProven(webhook, { headers: { 'circleci-signature': signature }, body: of }, 'secret');
    expect(given(sign('secret', body))).toBe(true);
    expect(given(sign('another', body))).toBe(false);
    expect(given(sign('secret', body), Buffer.from('{}'))).toBe(false);
    expect(given('v1=')).toBe(false);
    expect(given('')).toBe(false);
  });

  test('A webhook names its workflow, and one of a job or of another address names nothing', () => {
    const about = (event: string, workflow: object) => circleci.webhook?.objectsOf(event, { workflow });
    expect(about('workflow-completed', { id: 'w-7' })).toEqual([
      { id: 'workflow@w-7', kind: 'workflow', scope: '', reference: 'w-7' },
    ]);
    expect(about('job-completed', { id: 'w-7' })).toEqual([]);
    expect(about('workflow-completed', { id: '../me' })).toEqual([]);
    expect(about('workflow-completed', {})).toEqual([]);
  });

  test('A webhook of a project that is not read brings nothing', async () => {
    const { source } = await opened(circleciCase.makeWorld() as CircleWorld);
    const page = await source.reread?.({ id: '', kind: 'workflow', scope: '', reference: 'w-p-api-3-build' });
    expect(page?.records).toEqual([]);
  });
});
