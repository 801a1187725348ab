import { describe, expect, test } from 'vitest';
import {
  deploymentRecord,
  endOf,
  pipelineRecord,
  releaseRecord,
} from '../../../src/sources/gitlab/convert/deployment-records.ts';
import { issueCommentRecords, issueRecord } from '../../../src/sources/gitlab/convert/issue-records.ts';
import { convertProject } from '../../../src/sources/gitlab/convert/project.ts';
import { Payload } from '../../../src/sources/payload.ts';
import {
  daysAgo,
  type Item,
  note,
  someDeployment,
  someIssue,
  somePipeline,
  someProject,
  someRelease,
  systemNote,
} from './gitlab-world.ts';

const project = { ...convertProject(someProject(101, 'acme/web').payload), firstName: 'acme/site' };
const at = (days: number) => daysAgo(days).replace('.000', '');

describe('a deployment', () => {
  const deployment = (more: Item = {}, facts: Partial<Parameters<typeof deploymentRecord>[2]> = {}) =>
    deploymentRecord(project, Payload.of(someDeployment(301, 2, more), 'deployment'), {
      status: 'success',
      tier: 'production',
      mergeRequests: [],
      ...facts,
    });

  test('A deployment ends with its job, and is production by the tier of its environment', () => {
    expect(
      deployment({}, { mergeRequests: [{ iid: 5, project_id: 101 }, { iid: 6, project_id: 9 }, { iid: 8 }] }),
    ).toEqual({
      deployment_id: 'gitlab:acme/site:deployment:301',
      repository: 'acme/web',
      source: 'gitlab',
      person_login: 'grace',
      person_name: 'GRACE',
      person_is_bot: null,
      deployed_at: at(2),
      started_at: at(2.005),
      status: 'success',
      environment: 'live-eu',
      production: true,
      workflow_name: 'deploy-live',
      version: null,
      sha: '301d301d301d301d',
      deployment_source: 'workflow_run',
      run_url: 'https://gitlab.example/acme/web/-/pipelines/31',
      pr_ids: ['gitlab:acme/site#5', 'gitlab:acme/site#8'],
    });
  });

  test('The tier decides and not the name; without one the name does', () => {
    const environment = { id: 3, name: 'production' };
    expect(deployment({ environment }, { tier: 'staging' })).toMatchObject({ production: false });
    expect(deployment({ environment }, { tier: undefined })).toMatchObject({ production: null });
  });

  test('A deployment without a job, or with one that never ran, ended when it last changed', () => {
    const skipped = { status: 'skipped', started_at: null, finished_at: null };
    expect(deployment({ deployable: skipped })).toMatchObject({ deployed_at: at(2), started_at: at(2.01) });
    expect(deployment({ deployable: null, updated_at: undefined })).toMatchObject({
      deployed_at: at(2.01),
      run_url: null,
    });
  });

  test('A tag is a version', () => {
    const deployable = { tag: true, finished_at: null };
    expect(deployment({ deployable, ref: 'v1.2.0' })).toMatchObject({ version: 'v1.2.0' });
  });

  test.each([
    ['success', 'success'],
    ['failed', 'failure'],
    ['canceled', 'cancelled'],
    ['created', null],
    ['running', null],
    ['blocked', null],
    ['skipped', null],
    ['completed', null],
  ])('A deployment that says %s has ended as %s', (status, expected) => {
    expect(endOf(Payload.of({ status }, 'deployment'))).toBe(expected);
  });
});

describe('a pipeline', () => {
  const pipeline = (more: Item = {}) => pipelineRecord(project, Payload.of(somePipeline(31, 2, more), 'pipeline'));

  test('A pipeline is a run that ended when it finished', () => {
    const detail = {
      started_at: daysAgo(2.005),
      finished_at: daysAgo(1.9),
      name: 'Nightly',
      user: { username: 'ada' },
    };
    expect(pipeline(detail)).toEqual({
      workflow_run_id: 'gitlab:acme/site:run:31',
      workflow_name: 'Nightly',
      source: 'gitlab',
      repository: 'acme/web',
      person_login: 'ada',
      person_is_bot: null,
      branch: 'main',
      event: 'push',
      run_status: 'completed',
      run_conclusion: 'success',
      run_number: 31,
      run_created_at: at(2.01),
      run_started_at: at(2.005),
      run_updated_at: at(1.9),
      head_sha: '31c31c31c31c',
      associated_pr_ids: [],
      run_url: 'https://gitlab.example/acme/web/-/pipelines/31',
    });
  });

  test.each(['head', 'merge', 'train'])('A pipeline of a merge request ran for it: %s', (end) => {
    expect(pipeline({ ref: `refs/merge-requests/74/${end}` })).toMatchObject({
      branch: null,
      associated_pr_ids: ['gitlab:acme/site#74'],
    });
  });

  test.each([
    ['failed', 'failure'],
    ['canceled', 'cancelled'],
    ['skipped', 'skipped'],
    ...['created', 'waiting_for_resource', 'preparing', 'pending', 'running', 'manual', 'scheduled'].map(
      (status): [string, string | null] => [status, null],
    ),
  ])('A pipeline that says %s has the conclusion %s', (status, expected) => {
    expect(pipeline({ status })).toMatchObject({
      run_conclusion: expected,
      run_status: expected === null ? status : 'completed',
    });
  });

  test('A child pipeline is no run, and one that was never updated has no time of update', () => {
    expect(pipeline({ source: 'parent_pipeline' })).toBeNull();
    expect(pipeline({ updated_at: null, status: 'running' })).toMatchObject({ run_updated_at: null });
  });
});

describe('a release', () => {
  test('A release is known by its tag, and is out on the day that it says', () => {
    expect(releaseRecord(project, someRelease('v1.0', 3, { released_at: daysAgo(1) }))).toMatchObject({
      release_id: 'gitlab:acme/site@v1.0',
      version: 'v1.0',
      release_name: 'Release v1.0',
      created_at: at(3),
      release_date: at(1),
      is_prerelease: false,
      release_url: 'https://gitlab.example/acme/web/-/releases/v1.0',
    });
  });

  test('A release that is announced for later is not out yet; one without a name goes by its tag', () => {
    expect(releaseRecord(project, someRelease('v2', 1, { upcoming_release: true, name: '' }))).toMatchObject({
      release_date: null,
      release_name: 'v2',
    });
  });
});

describe('an issue', () => {
  const issue = (more: Item = {}) => issueRecord(project, Payload.of(someIssue(4, 3, more), 'issue'));

  test('An issue has its weight, its iteration and who works on it', () => {
    expect(issue({ weight: 5, iteration: { id: 9, iid: 4, title: 'May' }, labels: ['a'] })).toMatchObject({
      issue_id: 'gitlab:acme/site#4',
      issue_key: 'acme/web#4',
      project_id: 'gitlab:acme/site',
      project_name: 'acme/web',
      person_login: 'ada',
      creator_name: 'grace',
      ticket_status: 'backlog',
      status_name: 'opened',
      story_points: 5,
      sprint_name: 'May',
      labels: ['a'],
      completed_at: null,
    });
    expect(issue({ iteration: { id: 90, iid: 4, sequence: 2 } })).toMatchObject({ sprint_name: 'Iteration 4' });
    expect(issue({ assignees: [], assignee: { username: 'linus' } })).toMatchObject({ person_login: 'linus' });
  });

  test.each([
    ['closed', {}, 'completed', at(1)],
    ['closed as a duplicate', { _links: { closed_as_duplicate_of: 'https://…/issues/1' } }, 'canceled', null],
    ['moved', { moved_to_id: 92 }, 'canceled', null],
  ])('An issue that is %s is over', (_, more, status, completedAt) => {
    expect(issue({ state: 'closed', closed_at: daysAgo(1), ...more })).toMatchObject({
      ticket_status: status,
      completed_at: completedAt,
      closed_at: at(1),
    });
  });

  test('What people write about an issue is a comment, and what GitLab notes is none', () => {
    const notes = [note(1, 2, 'grace', 'Why?'), systemNote(2, 1, 'ada', 'closed')];
    expect(issueCommentRecords('gitlab:acme/site#4', notes)).toEqual([
      {
        issue_comment_id: 'gitlab:acme/site#4:comment:1',
        issue_id: 'gitlab:acme/site#4',
        source: 'gitlab',
        person_login: 'grace',
        person_name: 'GRACE',
        person_is_bot: null,
        comment: 'Why?',
        created_at: at(2),
      },
    ]);
  });
});
