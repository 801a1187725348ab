import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { readRecord } from '../../../src/catalogue/read-record.ts';
import { recordShapeFor } from '../../../src/catalogue/record-tables.ts';
import { convertBuilds } from '../../../src/sources/jenkins/convert.ts';
import { jenkins } from '../../../src/sources/jenkins/jenkins.ts';
import { openSource } from '../../../src/sources/open-source.ts';
import type { SettingValues } from '../../../src/sources/source.ts';
import { repositoryByName } from '../../../src/sources/source-settings.ts';
import { isProven } from '../../../src/sources/webhooks.ts';
import { recordedDataAvailable, recordedDataFolder } from '../../setup/recorded-data.ts';
import { ReplayHost } from '../contract/replay-host.ts';
import { readWhole } from '../read-whole.ts';
import {
  type JenkinsBuild,
  type JenkinsWorld,
  jenkinsAnswer,
  jenkinsCase,
  jenkinsNow,
  jenkinsToken,
  running,
  someBuild,
} from './jenkins-case.ts';

const context = {
  host: 'jenkins.acme.example',
  job: 'team/web/main',
  repositoryOf: repositoryByName(['Team/Web=acme/shop']),
};
const build = someBuild(7, 1, { timestamp: Date.UTC(2026, 2, 30, 10) + 700 });
const converted = (more: Partial<JenkinsBuild>) =>
  convertBuilds(context, [{ ...build, ...more }]).records[0]?.records[0];

describe('a build', () => {
  test('A build is a run, with what it checked out and who began it', () => {
    expect(converted({})).toEqual({
      workflow_run_id: 'jenkins:jenkins.acme.example/team/web/main#7',
      source: 'jenkins',
      workflow_name: 'team/web/main',
      repository: 'acme/web',
      branch: 'main',
      head_sha: 'b'.repeat(40),
      event: 'UserIdCause',
      run_status: 'completed',
      run_conclusion: 'success',
      run_number: 7,
      run_created_at: '2026-03-30T10:00:00Z',
      run_started_at: '2026-03-30T10:00:00Z',
      run_updated_at: '2026-03-30T10:01:02Z',
      run_url: 'https://jenkins.acme.example/job/x/7/',
      person_login: 'ada',
    });
    expect(readRecord(recordShapeFor('workflow_runs'), converted({}))).toHaveProperty('record');
  });

  test.each([
    ['SUCCESS', 'success'],
    ['FAILURE', 'failure'],
    ['UNSTABLE', 'failure'],
    ['ABORTED', 'cancelled'],
    ['NOT_BUILT', 'skipped'],
    ['SOMETHING_NEW', null],
  ])('A build that ended with %s has the conclusion %s', (result, conclusion) => {
    expect(converted({ result })).toMatchObject({ run_status: 'completed', run_conclusion: conclusion });
  });

  test('A build that is not over has no conclusion and no end, also where its result is known already', () => {
    const open = { run_status: 'building', run_conclusion: null, run_updated_at: null };
    expect(converted(running)).toMatchObject(open);
    expect(converted({ building: true, result: 'FAILURE' })).toMatchObject(open);
  });

  test('A build that does not say what it checked out is of the repository of its job or folder, else of none', () => {
    expect(converted({ actions: [{}] })).toMatchObject({ repository: 'acme/shop', branch: null, person_login: null });
    const other = convertBuilds({ ...context, job: 'team/website' }, [{ ...build, actions: [] }]).records[0]
      ?.records[0];
    expect(other).toMatchObject({ repository: null, event: null });
  });

  test('A build of an unknown shape is named by its field, and does not stop the others', () => {
    const { records, problems } = convertBuilds(context, [
      { ...build, timestamp: 'now' },
      { ...build, actions: null },
    ]);
    expect(records[0]?.records).toHaveLength(1);
    expect(problems).toEqual(['build: timestamp must be a whole number, not string']);
  });
});

describe.runIf(recordedDataAvailable)('recorded builds', () => {
  const folder = join(recordedDataFolder, 'jenkins-devlake');

  test('Recorded builds are all read, also those with empty actions', () => {
    const lines = readFileSync(join(folder, 'builds.ndjson'), 'utf8').trim().split('\n');
    const builds = lines.map((line) => (JSON.parse(line) as { readonly data: JenkinsBuild }).data);
    const { records, problems } = convertBuilds({ ...context, repositoryOf: () => null }, builds);
    expect(problems).toEqual([]);
    const rows = records[0]?.records ?? [];
    expect(rows).toHaveLength(builds.length);
    expect(rows[0]).toMatchObject({
      repository: 'merico-dev/lake',
      branch: 'main',
      head_sha: '0f886c74949c3ee7e489188911c7dc0c1d547418',
      person_login: 'merico',
      // 1650024049161 ms, and 1587 ms later.
      run_created_at: '2022-04-15T12:00:49Z',
      run_updated_at: '2022-04-15T12:00:50Z',
    });
    expect(rows.filter(({ repository }) => repository !== null)).toHaveLength(3);
    const byNumber = new Map(rows.map((row) => [row.run_number, row.run_conclusion]));
    // One that says that it runs, though it has a result, and words that Jenkins has and others do not.
    expect([27, 10_003, 10_004, 10_005].map((number) => byNumber.get(number))).toEqual([
      null,
      'cancelled',
      'skipped',
      'failure',
    ]);
    for (const row of rows) expect(readRecord(recordShapeFor('workflow_runs'), row)).toHaveProperty('record');
  });
});

let host: ReplayHost | undefined;
afterEach(() => host?.close());

async function opened(world: JenkinsWorld, settings: SettingValues = {}) {
  host = await ReplayHost.start({ now: () => jenkinsNow, answer: (asked) => jenkinsAnswer(world, asked) });
  const values = { base_url: host.url, user: 'ada', token: jenkinsToken, ...settings };
  const options = { mayBePrivate: () => true, signal: new AbortController().signal };
  return { source: openSource(jenkins, values, options).source, seen: host.seen };
}

async function scopesOf(world: JenkinsWorld, settings: SettingValues = {}) {
  const { source } = await opened(world, settings);
  const scopes: string[] = [];
  for await (const { scope } of source.streams()) scopes.push(scope);
  return scopes;
}

describe('the jobs', () => {
  test('The jobs of all folders are found, however deep', async () => {
    const world = jenkinsCase.makeWorld() as JenkinsWorld;
    expect(await scopesOf(world)).toEqual(['api', 'team/web/main', 'team/web/feature%2Fx', 'a/b/c/d/e/deep']);
  });

  test('The jobs of the settings are read alone, and all of a folder', async () => {
    const world = jenkinsCase.makeWorld() as JenkinsWorld;
    expect(await scopesOf(world, { jobs: ['Team/Web', 'api'] })).toEqual([
      'api',
      'team/web/main',
      'team/web/feature%2Fx',
    ]);
    await host?.close();
    await expect(scopesOf(world, { jobs: ['te'] })).rejects.toThrow('The user sees no job that is to be read');
  });

  test('The jobs with more builds than a page are read to the end, and a name with a slash as Jenkins writes it', async () => {
    const { source, seen } = await opened(jenkinsCase.makeWorld() as JenkinsWorld);
    for await (const stream of source.streams()) {
      if (stream.scope === 'api') expect((await readWhole(stream)).of('workflow_runs')).toHaveLength(120);
      if (stream.scope.includes('%2F')) expect((await readWhole(stream)).of('workflow_runs')).toHaveLength(2);
    }
    expect(seen.at(-1)?.path).toBe('/job/team/job/web/job/feature%252Fx/api/json');
  });
});

describe('a check', () => {
  test('A check says how many jobs the user sees, and names those of the settings that are not seen', async () => {
    const { source } = await opened(jenkinsCase.makeWorld() as JenkinsWorld, { jobs: ['api', 'gone'] });
    expect(await source.check()).toMatchObject({
      account: 'ada',
      sees: ['1 job'],
      missing: [expect.stringContaining('The job gone is not seen')],
    });
    expect(await source.choices?.()).toContainEqual({ value: 'team/web/main' });
    await host?.close();
    const { source: empty } = await opened(new Map());
    expect((await empty.check()).missing).toEqual([expect.stringContaining('The user sees no job')]);
  });
});

describe('a webhook', () => {
  const about = (payload: object) => jenkins.webhook?.objectsOf('', payload);

  test('A webhook names a build, in the form of the plugin or of a step', () => {
    const named = [{ id: 'build@team/web#7', kind: 'build', scope: '', reference: { job: 'team/web', number: 7 } }];
    expect(about({ name: 'web', build: { number: 7, phase: 'FINALIZED', url: 'job/team/job/web/7/' } })).toEqual(named);
    expect(about({ job: 'team/web', number: 7 })).toEqual(named);
  });

  test.each([
    { job: 'team/../../me', number: 7 },
    { job: 'team/web', number: '7/../8' },
    { build: { number: 7, url: 'view/all/7/' } },
    { build: { number: 7, url: 'job/%E0%A4%A/7/' } },
    { build: { number: 7, url: 'job/../7/' } },
    {},
  ])('A webhook is about nothing else: %j', (payload) => {
    expect(about(payload)).toEqual([]);
  });

  test('A webhook is taken with the token of the address alone', () => {
    const { webhook } = jenkins;
    const given = (token?: string) =>
      webhook !== undefined &&
      isProven(webhook, { headers: { token: 'secret' }, body: Buffer.from('{}'), token }, 'secret');
    expect([given('secret'), given('another'), given(), given('')]).toEqual([true, false, false, false]);
  });

  test('A webhook of a job that is not read brings nothing', async () => {
    const { source } = await opened(jenkinsCase.makeWorld() as JenkinsWorld, { jobs: ['team'] });
    const reference = { job: 'api', number: 9 };
    expect((await source.reread?.({ id: '', kind: 'build', scope: '', reference }))?.records).toEqual([]);
  });
});
