import fc from 'fast-check';
import {
  commit,
  deployment,
  type Event,
  hour,
  incident,
  pullRequest,
  release,
  repository,
  run,
} from './delivery-world.ts';

/** Half hours of a few weeks in each of some seasons, so that many things happen at the same time, and others apart. */
const time = fc
  .tuple(fc.integer({ min: 0, max: 2 * 24 * 20 }), fc.constantFrom(0, 0, 1, 2, 3))
  .map(([half, season]) => hour(half / 2 + season * 24 * 150));
const maybe = <T>(value: fc.Arbitrary<T>, freq = 4) => fc.option(value, { nil: null, freq });
const oneOf = <T>(...values: readonly T[]) => fc.constantFrom(...values);

const repositories = oneOf('acme/web', 'acme/web', 'Acme/Api', 'acme/jobs', 'other/web');
const shas = oneOf(...['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => letter.repeat(40)));
const pullRequestIds = Array.from({ length: 9 }, (_, i) => `p${i + 1}`);

const pullRequests = fc
  .record({
    pr_id: oneOf(...pullRequestIds),
    pr_number: fc.integer({ min: 1, max: 9 }),
    pr_title: oneOf(
      'Add door',
      'Paint door',
      'Hotfix door',
      'Revert "Add door"',
      'Revert "Revert "Add door""',
      'Revert "Add door (#3)"',
      'Revert "Revert "Add door (#3)" (#4)"',
    ),
    pr_body: maybe(
      oneOf(
        'Reverts #1',
        'Reverts acme/web#2',
        `This reverts commit ${'a'.repeat(40)}.`,
        'This reverts commit bbbbbbbb.',
        'words',
      ),
    ),
    repository: maybe(repositories, 20),
    pr_state: oneOf('open', 'closed', 'merged'),
    is_bot: oneOf(false, false, false, true, null),
    pr_created_at: maybe(time),
    first_commit_at: maybe(time, 1),
    pr_merged_at: maybe(time, 6),
    base_branch: oneOf('main', 'main', 'main', 'develop', 'staging', 'topic', 'master', null),
    head_branch: oneOf('topic', 'topic', 'develop', 'staging', 'release/1', 'revert-2-door', 'main', null),
    merge_commit_sha: maybe(shas),
    person_login: oneOf('ada', 'bob'),
  })
  .map((fields) => pullRequest(fields));

const deployments = fc
  .record({
    deployment_id: oneOf('d1', 'd2', 'd3', 'd4', 'd5', 'd6', 'd7', 'd8'),
    repository: maybe(repositories, 20),
    deployed_at: maybe(time, 20),
    status: oneOf('success', 'success', 'success', 'success', 'failure', 'cancelled', null),
    environment: oneOf('production', 'production', 'Live', null, 'staging', 'eu'),
    production: oneOf(null, null, null, null, true, false),
    version: maybe(oneOf('v1', 'v2', 'v3'), 1),
    sha: maybe(shas, 2),
    given_deployment_source: oneOf(null, null, null, 'github_release', 'bitbucket_deployment', 'merge_to_default'),
    pr_ids: fc.option(
      fc.subarray(pullRequestIds).map((ids) => JSON.stringify(ids)),
      { nil: null, freq: 2 },
    ),
  })
  .map((fields) => deployment(fields));

const releases = fc
  .record({
    release_id: oneOf('r1', 'r2', 'r3', 'r4'),
    repository: maybe(repositories, 20),
    version: oneOf('v1', 'v2'),
    release_date: maybe(time),
    is_prerelease: oneOf(false, false, true, null),
    person_login: oneOf('ada', 'bob'),
  })
  .map((fields) => release(fields));

const runs = fc
  .record({
    workflow_run_id: oneOf('w1', 'w2', 'w3', 'w4', 'w5'),
    repository: repositories,
    workflow_name: oneOf('Deploy to production', 'Deploy to production', 'CI', 'Deploy'),
    environment: oneOf(null, null, 'production', 'staging'),
    run_conclusion: oneOf('success', 'success', 'failure', 'timed_out', 'cancelled', 'skipped', null),
    run_updated_at: maybe(time),
    run_started_at: maybe(time),
    head_sha: maybe(shas),
    person_login: oneOf('ada', 'bob'),
  })
  .map((fields) => run(fields));

const incidents = fc
  .record({
    incident_id: oneOf('i1', 'i2', 'i3', 'i4'),
    repository: maybe(repositories, 2),
    service: oneOf('web', 'acme/jobs', 'elsewhere'),
    opened_at: maybe(time, 20),
    resolved_at: maybe(time),
    deployment_id: fc.option(oneOf('d1', 'd2', 'd3', 'run:w1', 'merge:p1', 'release:r1', 'nothing'), {
      nil: null,
      freq: 2,
    }),
  })
  .map((fields) => incident(fields));

const commits = fc
  .record({
    commit_id: oneOf('c1', 'c2', 'c3', 'c4', 'c5', 'c6'),
    pr_id: oneOf(...pullRequestIds),
    sha: maybe(shas, 8),
  })
  .map((fields) => commit(fields));

const settings = fc
  .record({
    repository: repositories,
    default_branch: oneOf(null, null, 'main', 'develop'),
    production_branch: oneOf(null, null, 'main', 'master'),
    deployment_source: oneOf(
      null,
      null,
      null,
      'github_release',
      'workflow_run',
      'bitbucket_deployment',
      'merge_to_default',
    ),
    deploy_workflows: oneOf(null, null, '["deploy"]', '[]'),
    production_environments: oneOf(null, null, '["EU"]'),
    is_active: oneOf(null, true, true, true, false),
  })
  .map((fields) => repository(fields));

const gone = fc.oneof(
  { weight: 3, arbitrary: fc.record({ pr_id: oneOf(...pullRequestIds) }).map((key) => pullRequest(key, true)) },
  {
    weight: 3,
    arbitrary: fc.record({ deployment_id: oneOf('d1', 'd2', 'd3', 'd4') }).map((key) => deployment(key, true)),
  },
  { weight: 1, arbitrary: fc.record({ release_id: oneOf('r1', 'r2') }).map((key) => release(key, true)) },
  { weight: 1, arbitrary: fc.record({ workflow_run_id: oneOf('w1', 'w2') }).map((key) => run(key, true)) },
  { weight: 1, arbitrary: fc.record({ incident_id: oneOf('i1', 'i2') }).map((key) => incident(key, true)) },
  { weight: 1, arbitrary: fc.record({ commit_id: oneOf('c1', 'c2') }).map((key) => commit(key, true)) },
);

/** Changes only some of what was said before, as a later record does. */
const touchedUp = fc.oneof(
  fc
    .record({ workflow_run_id: oneOf('w1', 'w2', 'w3'), person_login: oneOf('ada', 'bob') })
    .map((fields) => run(fields)),
  fc
    .record({ release_id: oneOf('r1', 'r2', 'r3'), person_login: oneOf('ada', 'bob') })
    .map((fields) => release(fields)),
  fc
    .record({ deployment_id: oneOf('d1', 'd2', 'd3', 'd4'), deployed_at: maybe(time) })
    .map((fields) => deployment(fields)),
  fc.record({ deployment_id: oneOf('d1', 'd2', 'd3', 'd4'), sha: maybe(shas) }).map((fields) => deployment(fields)),
  fc.record({ incident_id: oneOf('i1', 'i2', 'i3', 'i4'), resolved_at: time }).map((fields) => incident(fields)),
  fc.nat().chain(() => touchedUpPullRequest),
);
const touchedUpPullRequest: fc.Arbitrary<Event> = fc
  .record({
    pr_id: oneOf(...pullRequestIds),
    change: fc.oneof(
      fc.record({ pr_merged_at: time }),
      fc.record({ first_commit_at: maybe(time) }),
      fc.record({ pr_created_at: maybe(time) }),
      fc.record({ pr_title: oneOf('Add door', 'Paint door', 'Hotfix door') }),
      fc.record({ pr_number: fc.integer({ min: 1, max: 9 }) }),
      fc.record({ merge_commit_sha: maybe(shas) }),
      fc.record({ person_login: oneOf('ada', 'bob') }),
      fc.record({ base_branch: oneOf('main', 'develop', 'staging') }),
    ),
  })
  .map(({ pr_id, change }) => pullRequest({ pr_id, ...change }));

const anything: fc.Arbitrary<Event> = fc.oneof(
  { weight: 12, arbitrary: pullRequests },
  { weight: 7, arbitrary: touchedUp },
  { weight: 9, arbitrary: deployments },
  { weight: 3, arbitrary: releases },
  { weight: 3, arbitrary: runs },
  { weight: 3, arbitrary: incidents },
  { weight: 3, arbitrary: commits },
  { weight: 1, arbitrary: settings },
  { weight: 3, arbitrary: gone },
);

/** Everything in one repository and nearly all of it in production, so that one thing meets the other more often. */
function crowd(event: Event): Event {
  const { fields } = event;
  const repository = fields.repository ? { repository: 'acme/web' } : {};
  const base = fields.base_branch === 'topic' || fields.base_branch === 'master' ? { base_branch: 'main' } : {};
  const environment = fields.environment === 'staging' ? { environment: 'production' } : {};
  return { ...event, fields: { ...fields, ...repository, ...base, ...environment } };
}

/**
 * Batches of anything. What is reported hides what could be inferred, so some worlds report no deployments, and some
 * have no releases or settings.
 */
export const deliveries: fc.Arbitrary<Event[][]> = fc
  .tuple(
    fc.array(fc.array(anything, { minLength: 1, maxLength: 7 }), { minLength: 1, maxLength: 9 }),
    fc.subarray(['deployment', 'release', 'run', 'repository'] as const, { minLength: 0 }),
    fc.boolean(),
  )
  .map(([batches, without, isCrowded]) =>
    batches.map((batch) =>
      batch
        .filter(({ kind }) => !(without as readonly string[]).includes(kind))
        .map((event) => (isCrowded ? crowd(event) : event)),
    ),
  );

const steadyIds = (letter: string, number: number) =>
  oneOf(...Array.from({ length: number }, (_, i) => `${letter}${i + 1}`));

const steadyPullRequest = fc
  .record({
    pr_id: steadyIds('p', 14),
    pr_number: fc.integer({ min: 1, max: 14 }),
    pr_title: oneOf('Add door', 'Paint door', 'Paint door', 'Hotfix door', 'Revert "Add door"'),
    pr_body: oneOf(null, null, null, 'Reverts #1', 'Reverts #2', `This reverts commit ${'c'.repeat(40)}.`),
    is_bot: oneOf(false, false, false, true),
    pr_created_at: maybe(time),
    pr_merged_at: maybe(time, 9),
    base_branch: oneOf('main', 'main', 'main', 'develop', 'staging'),
    head_branch: oneOf('topic', 'topic', 'topic', 'develop', 'staging', 'revert-3-door'),
    merge_commit_sha: maybe(shas, 3),
  })
  .map((fields) =>
    pullRequest({ repository: 'acme/web', pr_state: fields.pr_merged_at === null ? 'open' : 'merged', ...fields }),
  );

const steadyDeployment = fc
  .record({
    deployment_id: steadyIds('d', 9),
    deployed_at: time,
    status: oneOf('success', 'success', 'success', 'success', 'failure'),
    environment: oneOf('production', 'production', 'production', 'live'),
    sha: maybe(shas, 2),
    version: maybe(oneOf('v1', 'v2', 'v3'), 1),
    pr_ids: fc.option(
      fc.subarray(['p1', 'p2', 'p3']).map((ids) => JSON.stringify(ids)),
      { nil: null, freq: 2 },
    ),
  })
  .map((fields) => deployment({ repository: 'acme/web', ...fields }));

const steadyRun = fc
  .record({
    workflow_run_id: steadyIds('w', 9),
    run_conclusion: oneOf('success', 'success', 'success', 'failure', 'cancelled'),
    run_updated_at: time,
    environment: oneOf('production', 'production', 'live'),
    head_sha: maybe(shas, 2),
  })
  .map((fields) => run({ repository: 'acme/web', workflow_name: 'Deploy', ...fields }));

const steadyRelease = fc
  .record({
    release_id: steadyIds('r', 6),
    release_date: time,
    is_prerelease: oneOf(false, false, true),
    version: oneOf('v1', 'v2', 'v3'),
  })
  .map((fields) => release({ repository: 'acme/web', ...fields }));

const steadyIncident = fc
  .record({
    incident_id: steadyIds('i', 4),
    opened_at: time,
    resolved_at: maybe(time),
    deployment_id: fc.option(oneOf('d1', 'd2', 'run:w1', 'merge:p1', 'release:r1'), { nil: null, freq: 2 }),
  })
  .map((fields) => incident({ repository: 'acme/web', ...fields }));

const steadyTouchUp = fc.oneof(
  touchedUpPullRequest,
  fc.record({ deployment_id: steadyIds('d', 9), deployed_at: time }).map((fields) => deployment(fields)),
  fc
    .record({ deployment_id: steadyIds('d', 9), environment: oneOf('production', 'live') })
    .map((fields) => deployment(fields)),
  fc.record({ incident_id: steadyIds('i', 4), resolved_at: maybe(time) }).map((fields) => incident(fields)),
);

const steadyGone = fc.oneof(
  { weight: 3, arbitrary: steadyIds('p', 14).map((pr_id) => pullRequest({ pr_id }, true)) },
  { weight: 3, arbitrary: steadyIds('d', 9).map((deployment_id) => deployment({ deployment_id }, true)) },
  { weight: 2, arbitrary: steadyIds('w', 9).map((workflow_run_id) => run({ workflow_run_id }, true)) },
  { weight: 1, arbitrary: steadyIds('r', 6).map((release_id) => release({ release_id }, true)) },
  { weight: 1, arbitrary: steadyIds('i', 4).map((incident_id) => incident({ incident_id }, true)) },
  { weight: 1, arbitrary: oneOf('c1', 'c2', 'c3').map((commit_id) => commit({ commit_id }, true)) },
);

/** What the deployments of a steady world are derived from, and a first one long before everything else. */
const signals = oneOf(
  {
    kinds: ['deployment'],
    first: deployment({ deployment_id: 'd0', repository: 'acme/web', deployed_at: hour(-9_000), status: 'success' }),
  },
  {
    kinds: ['run'],
    first: run({
      workflow_run_id: 'w0',
      repository: 'acme/web',
      workflow_name: 'Deploy',
      environment: 'production',
      run_conclusion: 'success',
      run_updated_at: hour(-9_000),
    }),
  },
  { kinds: ['release'], first: release({ release_id: 'r0', repository: 'acme/web', release_date: hour(-9_000) }) },
  {
    kinds: [],
    first: pullRequest({
      pr_id: 'p0',
      repository: 'acme/web',
      base_branch: 'main',
      pr_state: 'merged',
      pr_merged_at: hour(-9_000),
    }),
  },
);

/**
 * One repository with much in it, which goes on as it began: the first batch has most of it, and then a little changes
 * at a time, anywhere in its past. What was derived for the rest has to stand.
 */
export const steadyDeliveries: fc.Arbitrary<Event[][]> = signals.chain(({ kinds, first }) => {
  const isSteady = ({ kind, fields }: Event) =>
    !['deployment', 'run', 'release'].includes(kind) ||
    kinds.includes(kind) ||
    (kind === 'release' && fields.is_prerelease === true);
  const events = fc.oneof(
    { weight: 8, arbitrary: steadyPullRequest },
    { weight: 8, arbitrary: fc.oneof(steadyDeployment, steadyRun, steadyRelease) },
    { weight: 2, arbitrary: steadyIncident },
    { weight: 1, arbitrary: commits },
    { weight: 3, arbitrary: steadyTouchUp },
  );
  const changes = fc.oneof(
    { weight: 3, arbitrary: events },
    { weight: 2, arbitrary: steadyTouchUp },
    { weight: 1, arbitrary: steadyGone },
  );
  return fc
    .tuple(
      fc.array(events, { minLength: 15, maxLength: 45 }),
      fc.array(fc.array(changes, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 10 }),
    )
    .map(([most, batches]) => [[first, ...most.filter(isSteady)], ...batches.map((batch) => batch.filter(isSteady))]);
});

/** Few deployments with many incidents, so that one has several, of which some may still be open. */
export const troubledDeliveries: fc.Arbitrary<Event[][]> = fc
  .tuple(
    fc.array(fc.tuple(steadyDeployment, steadyIds('d', 3)), { minLength: 2, maxLength: 6 }),
    fc.array(fc.tuple(steadyIncident, oneOf(null, 'd1', 'd2', 'd3')), { minLength: 4, maxLength: 8 }),
  )
  .map((pairs) =>
    pairs.map((batch) =>
      batch.map(([event, deployment_id]) => ({ ...event, fields: { ...event.fields, deployment_id } })),
    ),
  );
