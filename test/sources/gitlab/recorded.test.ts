import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deploymentRecord, endOf, pipelineRecord } from '../../../src/sources/gitlab/convert/deployment-records.ts';
import { issueRecord } from '../../../src/sources/gitlab/convert/issue-records.ts';
import { convertFamilies } from '../../../src/sources/gitlab/convert/merge-request.ts';
import { convertMember } from '../../../src/sources/gitlab/convert/person.ts';
import { convertProject } from '../../../src/sources/gitlab/convert/project.ts';
import { gitlab } from '../../../src/sources/gitlab/gitlab.ts';
import { Payload } from '../../../src/sources/payload.ts';
import { recordedDataAvailable, recordedDataFolder } from '../../setup/recorded-data.ts';
import { someProject } from './gitlab-world.ts';

const project = { ...convertProject(someProject(1, 'acme/web').payload), firstName: 'acme/web' };
const size = { additions: null, deletions: null, changedFiles: null, files: null };

interface Line {
  readonly input: { readonly Iid?: number } | null;
  readonly data: Record<string, unknown>;
}

const read = (path: string) => readFileSync(join(recordedDataFolder, path), 'utf8');
const linesOf = (name: string): readonly Line[] =>
  read(`gitlab-devlake/${name}.ndjson`)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

describe.runIf(recordedDataAvailable)('recorded answers', () => {
  test('Recorded merge requests with their notes and commits are all converted', () => {
    const partsOf = (name: string, iid: unknown) =>
      linesOf(name).flatMap(({ input, data }) => (input?.Iid === iid ? [data] : []));
    const families = linesOf('merge_requests').map(({ data }) => ({
      mergeRequest: data,
      notes: partsOf('merge_request_notes', data.iid),
      commits: partsOf('merge_request_commits', data.iid),
      approvals: null,
      size,
      car: null,
    }));
    const { records, problems } = convertFamilies(project, families);
    expect(problems).toEqual([]);
    const of = (table: string) => records.find((some) => some.table === table)?.records ?? [];
    const states = of('pull_requests').map(({ pr_state }) => pr_state);
    expect(states.length).toBe(18);
    expect(
      of('pull_requests').filter(({ pr_state, pr_merged_at }) => (pr_state === 'merged') !== (pr_merged_at !== null)),
    ).toEqual([]);
    // The first one was opened as a draft by an older version, and squashed and merged with a commit of its own.
    expect(of('pull_requests')[0]).toMatchObject({
      pr_created_at: '2019-06-28T05:21:43Z',
      ready_at: '2019-06-28T10:55:26Z',
      pr_merged_at: '2019-06-28T14:32:06Z',
      merge_commit_sha: 'da1d6dea48f5972ffc683da6cff30934e7d6c52c',
    });
    expect(of('pull_request_comments').map(({ person_login }) => person_login)).toEqual([
      'emilie',
      'emilie',
      'martinguindon',
      'emilie',
    ]);
    expect(of('pull_request_commits').length).toBe(families.reduce((sum, { commits }) => sum + commits.length, 0));
  });

  test('Recorded approvals are reviews, each time that one is given or taken back', () => {
    const notes = linesOf('merge_request_notes').filter(({ input }) => input?.Iid === 37);
    const [first] = linesOf('merge_requests');
    const family = { mergeRequest: first?.data, commits: [], approvals: null, size, car: null };
    const { records } = convertFamilies(project, [{ ...family, notes: notes.map(({ data }) => data) }]);
    const reviews = records.find(({ table }) => table === 'pull_request_reviews')?.records ?? [];
    expect(reviews.map(({ review_state, reviewed_at }) => [review_state, reviewed_at])).toEqual([
      ['approved', '2019-01-29T00:40:37Z'],
      ['dismissed', '2019-01-29T00:40:45Z'],
      ['approved', '2019-01-29T00:40:47Z'],
    ]);
  });

  test('Recorded pipelines are all converted, also where one was never updated', () => {
    const rows = [...linesOf('pipeline'), ...linesOf('pipeline_details')].map(({ data }) =>
      pipelineRecord(project, Payload.of(data, 'pipeline')),
    );
    const count = (conclusion: string | null) => rows.filter((row) => row?.run_conclusion === conclusion).length;
    expect([
      rows.length,
      count('success'),
      count('failure'),
      count('cancelled'),
      count('skipped'),
      count(null),
    ]).toEqual([45, 12, 22, 1, 1, 9]);
    expect(rows.filter((row) => row?.run_updated_at === null)).toHaveLength(2);
    const [detail] = rows.slice(29);
    expect(detail).toMatchObject({ run_started_at: '2023-11-20T07:17:10Z', run_updated_at: '2023-11-21T01:54:29Z' });
  });

  test('Recorded deployments count where they have ended, whatever their jobs say', () => {
    const deployments = linesOf('deployments').map(({ data }) => Payload.of(data, 'deployment'));
    const rows = deployments.flatMap((deployment) => {
      const status = endOf(deployment);
      return status === null
        ? []
        : [deploymentRecord(project, deployment, { status, tier: undefined, mergeRequests: [] })];
    });
    expect(rows.map(({ status, deployed_at }) => [status, deployed_at]).slice(0, 3)).toEqual([
      ['success', '2019-03-13T14:17:47Z'],
      // Its job was skipped, and never finished.
      ['failure', '2019-03-13T15:02:23Z'],
      ['cancelled', '2019-03-13T15:21:27Z'],
    ]);
  });

  test('Recorded issues and members are all converted', () => {
    const issues = linesOf('issues').map(({ data }) => issueRecord(project, Payload.of(data, 'issue')));
    const statuses = issues.map(({ ticket_status }) => ticket_status);
    expect(statuses.filter((status) => status === 'backlog')).toHaveLength(4);
    // The tenth was moved to another project.
    expect(statuses[9]).toBe('canceled');
    expect(issues[6]).toMatchObject({ story_points: 2, person_login: 'emilie' });
    const members = linesOf('users').map(({ data }) => convertMember(Payload.of(data, 'member')));
    expect(members.map((member) => member?.login)).toEqual(['abc1', 'abc2', 'abc3', 'abc4', 'abc5', 'abc6']);
  });

  test.each([
    ['webhooks/merge_request', ['merge_request', '1', '1']],
    ['webhooks/service_merge_request', ['merge_request', '2', '2']],
    ['webhooks/issue', ['issue', '1', '23']],
    ['webhooks/note_merge_request', ['merge_request', '5', '1']],
    ['webhooks/note_issue', ['issue', '5', '17']],
    ['webhooks/pipeline', ['pipeline', '1', '31']],
    ['webhooks/deployment', ['deployment', '30', '15']],
    ['webhooks/release', ['release', '327622', '1.0.0']],
    ['webhooks/member', ['directory', '100', null]],
    ['webhooks/subgroup', ['directory', '1', null]],
    // Without the number of the project, which the merge request has.
    ['systemhooks/merge_request', ['merge_request', '14', '1']],
    ['systemhooks/project_rename', ['repository', '73', null]],
    ['systemhooks/project_transfer', ['repository', '73', null]],
    // Documented with blanks in the names of its fields: about nothing that could be read.
    ['webhooks/group_merge_request', undefined],
    ['webhooks/note_commit', undefined],
    ['webhooks/note_snippet', undefined],
    ['webhooks/build', undefined],
    ['webhooks/push', undefined],
    ['webhooks/wiki_page', undefined],
    ['webhooks/feature_flag', undefined],
    ['systemhooks/user_rename', undefined],
  ])('A recorded delivery names what it is about, and nothing else: %s', (name, expected) => {
    const payload = JSON.parse(read(`gitlab-go-gitlab/${name}.json`)) as unknown;
    const objects = gitlab.webhook?.objectsOf('', payload) ?? [];
    expect(objects.map(({ kind, scope, reference }) => [kind, scope, reference])).toEqual(expected ? [expected] : []);
  });

  test('Recorded merge requests of the client library are all converted', () => {
    const detail = JSON.parse(read('gitlab-go-gitlab/get_merge_request.json')) as unknown;
    const list = JSON.parse(read('gitlab-go-gitlab/get_merge_requests.json')) as readonly unknown[];
    const [car] = JSON.parse(read('gitlab-go-gitlab/list_merge_trains_in_project.json')) as readonly unknown[];
    const families = [detail, ...list].map((mergeRequest) => ({
      mergeRequest,
      commits: [],
      notes: [],
      approvals: null,
      size,
      car,
    }));
    const { records, problems } = convertFamilies(project, families);
    expect(problems).toEqual([]);
    expect(records[0]?.records[0]).toMatchObject({ is_draft: true, merge_queue_entered_at: '2020-02-06T08:39:47Z' });
    expect(records[0]?.records).toHaveLength(1 + list.length);
  });
});
