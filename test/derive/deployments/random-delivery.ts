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

const repositories = oneOf('acme/web', 'Acme/Api', 'acme/jobs');
const shas = oneOf(...['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => letter.repeat(40)));
const pullRequestIds = Array.from({ length: 9 }, (_, i) => `p${i + 1}`);

const pullRequests = fc
  .record({
    pr_id: oneOf(...pullRequestIds),
    pr_number: fc.integer({ min: 1, max: 9 }),
    pr_title: oneOf('Add door', 'Paint door', 'Hotfix door', 'Revert "Add door"', 'Revert "Revert "Add door""'),
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
    given_is_production: oneOf(null, null, null, null, true, false),
    version: maybe(oneOf('v1', 'v2', 'v3'), 1),
    sha: maybe(shas, 2),
    given_deployment_source: oneOf(null, null, null, 'github_release', 'bitbucket_deployment', 'merge_to_default'),
    pr_ids: fc.option(
      fc.subarray(pullRequestIds).map((ids) => JSON.stringify(ids)),
      { nil: null, freq: 1 },
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
      freq: 1,
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
const touchedUpPullRequest = fc
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
 * Batches of anything. What is stated hides what could be derived, so some worlds state no deployments, and some have no
 * releases or settings.
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
