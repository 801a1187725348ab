import { describe, expect, test } from 'vitest';
import { TouchedRows } from '../../../src/ingest/attribute/touched-rows.ts';
import { writeAttribution } from '../../../src/ingest/attribute/write-attribution.ts';
import { commit, DeliveryWorld, type Event, hour, pullRequest, release, repository, run } from './delivery-world.ts';
import { MemoryTables } from './memory-warehouse.ts';
import { deployed, merged, mergeOf, sha } from './some-delivery.ts';

async function tell(...events: readonly Event[]): Promise<DeliveryWorld> {
  const world = new DeliveryWorld();
  await world.batch(...events);
  return world;
}

const ada = {
  person_login: 'ada',
  person_email: 'ada@example.org',
  merged_user_id: 'u-ada',
  given_merged_user_id: null,
  is_bot: false,
  actor: 'u-ada',
};
const released = (release_id: string, hours: number | null, more: Event['fields'] = {}) =>
  release({
    release_id,
    repository: 'acme/web',
    version: `v-${release_id}`,
    release_date: hours === null ? null : hour(hours),
    ...more,
  });
const ran = (workflow_run_id: string, hours: number, run_conclusion: string | null, more: Event['fields'] = {}) =>
  run({
    workflow_run_id,
    repository: 'acme/web',
    workflow_name: 'Deploy to production',
    run_conclusion,
    run_started_at: hour(hours - 1),
    run_updated_at: hour(hours),
    ...more,
  });

describe('where nothing else is known', () => {
  test('Every merge into the production branch is a deployment that carries itself, the first too', async () => {
    const world = await tell(merged('a', 1, ada), merged('b', 1), merged('c', 2, { base_branch: 'topic' }));
    expect(world.deploymentIds()).toEqual(['merge:a', 'merge:b']);
    expect(world.deployment('merge:a')).toMatchObject({
      ...ada,
      origin: 'merge',
      repository: 'acme/web',
      repository_name: 'web',
      deployed_at: hour(1),
      status: 'success',
      sha: mergeOf('a'),
      is_production: true,
      deployment_source: 'merge_to_default',
      given_deployment_source: null,
      prs_included: 1,
    });
    expect(world.pullRequest('b')).toMatchObject({
      deployment_id: 'merge:b',
      deployment_source: 'merge_to_default',
      merge_to_deploy: 0,
      lead_time: 3 * 3600,
    });
    expect(world.pullRequest('c').deployment_attribution_status).toBe('non_production_branch');
  });

  test('The deployer follows the author', async () => {
    const world = await tell(merged('a', 1, { person_login: 'stranger' }), merged('b', 2));
    world.tables.written = 0;
    await world.batch(pullRequest({ pr_id: 'a', ...ada }));
    expect(world.deployment('merge:a')).toMatchObject({ ...ada, prs_included: 1 });
    // The record, and the deployment that follows it.
    expect(world.tables.written).toBe(2);
  });

  test('A merge that is taken out takes its deployment along', async () => {
    const world = await tell(merged('a', 1), merged('b', 2), merged('c', 3));
    await world.batch({ ...merged('a', 1), isGone: true }, pullRequest({ pr_id: 'b', base_branch: 'topic' }));
    expect(world.deploymentIds()).toEqual(['merge:c']);
  });

  test('A pull request that moves to another repository takes its deployment along', async () => {
    const world = await tell(merged('a', 1), merged('b', 2), merged('x', 3, { repository: 'acme/api' }));
    await world.batch(pullRequest({ pr_id: 'a', repository: 'acme/api' }));
    expect(world.deployment('merge:a')).toMatchObject({ repository_key: 'acme/api', prs_included: 1 });
  });
});

describe('releases', () => {
  test('Releases are deployments once one is published that is no prerelease', async () => {
    const world = await tell(
      merged('a', 1),
      released('r1', 0, ada),
      released('r2', 2),
      released('pre', 1.5, { is_prerelease: true }),
      released('draft', null),
    );
    expect(world.deploymentIds()).toEqual(['release:r1', 'release:r2']);
    expect(world.deployment('release:r1')).toMatchObject({
      ...ada,
      origin: 'release',
      version: 'v-r1',
      deployed_at: hour(0),
      deployment_source: 'github_release',
      status: 'success',
    });
    expect(world.pullRequest('a')).toMatchObject({ deployment_id: 'release:r2', deployment_source: 'github_release' });
  });

  test('Releases that are not published leave merges as deployments', async () => {
    const world = await tell(merged('a', 1), released('pre', 2, { is_prerelease: true }), released('draft', null));
    expect(world.deploymentIds()).toEqual(['merge:a']);
  });
});

describe('runs', () => {
  test('Runs of a workflow that deploys to production are deployments, by how they ended', async () => {
    const world = await tell(
      ran('w1', 0, 'success', {
        ...ada,
        head_sha: mergeOf('a'),
        environment: 'production',
        run_url: 'https://ci.example/1',
      }),
      ran('w2', 1, 'failure'),
      ran('w3', 2, 'timed_out'),
      ran('w4', 3, 'startup_failure'),
      ran('w5', 4, 'cancelled'),
      ran('w6', 5, 'skipped'),
      ran('w7', 6, null),
      ran('ci', 7, 'success', { workflow_name: 'CI' }),
    );
    const statuses = world.deploymentIds().map((id) => [id, world.deployment(id).status]);
    expect(statuses).toEqual([
      ['run:w1', 'success'],
      ['run:w2', 'failure'],
      ['run:w3', 'failure'],
      ['run:w4', 'failure'],
      ['run:w5', 'cancelled'],
    ]);
    expect(world.deployment('run:w1')).toMatchObject({
      ...ada,
      origin: 'run',
      workflow_name: 'Deploy to production',
      environment: 'production',
      started_at: hour(-1),
      deployed_at: hour(0),
      sha: mergeOf('a'),
      run_url: 'https://ci.example/1',
      deployment_source: 'workflow_run',
    });
  });

  test('Runs become deployments when they end', async () => {
    const world = await tell(merged('a', 1), ran('w0', 0, 'success'), ran('w1', 2, null));
    expect(world.pullRequest('a').deployment_attribution_status).toBe('awaiting_deploy');
    await world.batch(ran('w1', 2, 'success'));
    expect(world.pullRequest('a').deployment_id).toBe('run:w1');
  });

  test('Runs that succeed for the first time are the first signal', async () => {
    const world = await tell(merged('a', 1), merged('b', 2), ran('w1', 0, 'failure'));
    await world.batch(ran('w2', 3, 'success', { head_sha: mergeOf('a') }));
    expect(['a', 'b'].map((id) => world.pullRequest(id).deployment_attribution_status)).toEqual([
      'before_first_signal',
      'awaiting_deploy',
    ]);
  });

  test('Runs of a listed workflow are deployments, under whatever name', async () => {
    const world = await tell(merged('a', 1), ran('w1', 2, 'success', { workflow_name: 'Ship' }));
    expect(world.deploymentIds()).toEqual(['merge:a']);
    await world.batch(repository({ repository: 'ACME/web', deploy_workflows: '["ship"]' }));
    expect(world.deploymentIds()).toEqual(['run:w1']);
  });
});

describe('what deployments are derived from', () => {
  test('What deployments are derived from switches when the first one is reported, and back when the last one goes', async () => {
    const world = await tell(merged('a', 1), merged('b', 3), ran('w1', 0, 'success'), ran('w2', 2, 'success'));
    expect(world.pullRequest('a')).toMatchObject({ deployment_id: 'run:w2', deployment_source: 'workflow_run' });
    await world.batch(deployed('d1', 1.5));
    expect(world.deploymentIds()).toEqual(['d1']);
    expect(world.pullRequest('a')).toMatchObject({
      deployment_id: null,
      deployment_attribution_status: 'before_first_signal',
      deployment_source: 'workflow_run',
    });
    await world.batch({ ...deployed('d1', 1.5), isGone: true });
    expect(world.deploymentIds()).toEqual(['run:w1', 'run:w2']);
    expect(world.pullRequest('a').deployment_id).toBe('run:w2');
  });

  test('Moves up as better signals arrive: merges, runs, releases, reported deployments', async () => {
    const world = await tell(merged('a', 1));
    const source = () => world.pullRequest('a').deployment_source;
    expect(source()).toBe('merge_to_default');
    await world.batch(ran('w1', 0, 'success'));
    expect(source()).toBe('workflow_run');
    await world.batch(released('r1', 0));
    expect(source()).toBe('github_release');
    await world.batch(deployed('d1', 0));
    expect(source()).toBe('workflow_run');
    await world.batch(deployed('d2', 0, { given_deployment_source: 'bitbucket_deployment' }));
    expect(source()).toBe('bitbucket_deployment');
    expect(world.deployment('d1').is_production).toBe(false);
  });

  test('What deployments are derived from is what is configured: others stay as rows and carry nothing', async () => {
    const world = await tell(
      repository({ repository: 'acme/web', deployment_source: 'github_release' }),
      merged('a', 1),
      deployed('d1', 0),
      deployed('d2', 2),
      released('r1', 0),
      released('r2', 4),
    );
    expect(world.pullRequest('a').deployment_id).toBe('release:r2');
    expect(world.deployment('d2')).toMatchObject({ is_production: false, prs_included: 0 });
  });

  test('What deployments are derived from is nothing where something is configured of which there is nothing', async () => {
    const world = await tell(
      repository({ repository: 'acme/web', deployment_source: 'bitbucket_deployment' }),
      merged('a', 1),
      released('r1', 2),
    );
    expect(world.deploymentIds()).toEqual([]);
    expect(world.pullRequest('a')).toMatchObject({
      deployment_attribution_status: 'before_first_signal',
      deployment_source: 'bitbucket_deployment',
    });
  });
});

describe('a run that comes in one batch with the commit it deployed', () => {
  test('A run that comes in one batch with the commit it deployed carries what stood on the production branch by that commit, and nothing later', async () => {
    const world = await tell(
      ran('first', 0, 'success'),
      merged('a', 1),
      merged('b', 3),
      commit({ commit_id: 'c', pr_id: 'a', sha: sha('c') }),
      ran('second', 5, 'success', { head_sha: sha('c') }),
    );
    expect(world.deployment('run:second')).toMatchObject({ prs_included: 1 });
    expect(world.pullRequest('a')).toMatchObject({ deployment_id: 'run:second' });
    expect(world.pullRequest('b')).toMatchObject({ deployment_attribution_status: 'awaiting_deploy' });
  });
});

test('A repository may have more inferred deployments than a function takes arguments', async () => {
  const inferred = new Map(Array.from({ length: 200_000 }, (_, i) => [`merge:${i}`, {}]));
  const nothing = { deployments: new Map(), pullRequests: [], releases: new Map() };
  const facts = { key: 'acme/web', deployments: [], pullRequests: [], releases: [] };
  const result = { ...nothing, productionBranch: 'main', inferred };
  const { session, written } = new MemoryTables();
  await writeAttribution(session, [{ facts, result }] as never, new TouchedRows());
  expect(written).toBe(0);
});
