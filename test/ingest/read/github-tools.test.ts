import { describe, expect, test } from 'vitest';
import { readRecord } from '../../../src/catalogue/read-record.ts';
import { type RecordTable, recordShapeFor } from '../../../src/catalogue/record-tables.ts';
import type { ForeignOptions } from '../../../src/ingest/read/foreign/foreign-lines.ts';
import { convertRelease, convertWorkflowRun } from '../../../src/sources/github/convert/delivery.ts';
import { readForeign } from './read-foreign.ts';

const record = (value: object) => readForeign('pull_requests', value);

describe('what GitHub’s own tools write', () => {
  const valid = (value: object, table: RecordTable = 'pull_requests', options: ForeignOptions = {}) => {
    const reading = readRecord(recordShapeFor(table), readForeign(table, value, options));
    return 'record' in reading ? reading.record : reading;
  };

  test('gh pr list --json', () => {
    const listed = {
      number: 7,
      title: 'Add a door',
      url: 'https://github.com/acme/web/pull/7',
      author: { id: 'U_1', is_bot: true, login: 'app/dependabot', name: '' },
      state: 'MERGED',
      isDraft: false,
      createdAt: '2024-03-04T09:00:00Z',
      mergedAt: '2024-03-04T11:00:00Z',
      closedAt: '2024-03-04T11:00:00Z',
      labels: [{ id: 'L_1', name: 'bug', description: '', color: 'f00' }],
      baseRefName: 'main',
      mergeCommit: { oid: 'abc' },
      files: [{ path: 'a.ts', additions: 1, deletions: 0, changeType: 'MODIFIED' }],
      statusCheckRollup: [],
    };
    expect(valid(listed)).toMatchObject({
      pr_id: 'github:acme/web#7',
      person_login: 'dependabot[bot]',
      person_is_bot: true,
      pr_state: 'merged',
      labels: ['bug'],
      merge_commit_sha: 'abc',
      files: [{ path: 'a.ts', additions: 1, deletions: 0 }],
    });
  });

  test.each([
    { createdAt: '2026-10-01', title: 'a', author: 'ada@acme.example', number: '7', repo: 'acme/web' },
    { createdAt: '2026-10-01', title: 'a', author: 'ada@acme.example', number: 7, repo: 'acme/web' },
    {
      createdAt: '2026-10-01',
      title: 'a',
      author: 'ada@acme.example',
      number: 7,
      url: 'https://github.com/acme/web/pull/7',
    },
  ])('What GitHub’s own tools write is not what another tool wrote with some of its names: %j', (row) => {
    expect(record(row)).toMatchObject({ person_email: 'ada@acme.example', repository: 'acme/web', source: 'github' });
  });

  test('gh pr list --json without the address needs to know the repository', () => {
    const listed = { number: 7, title: 'a', createdAt: '2026-10-01T00:00:00Z' };
    const noAddress = 'does not say which repository it is of: add url to the fields after --json';
    expect(record(listed)).toEqual({ problem: `${noAddress}, or --set repository=owner/name to the command` });
    expect(readForeign('issues', { ...listed, stateReason: '' })).toEqual({ problem: noAddress });
    expect(readForeign('pull_requests', listed, { set: { repository: 'acme/web' } })).toMatchObject({ pr_number: 7 });
  });

  test('gh issue list --json is of no pull requests', () => {
    const issue = {
      number: 7,
      title: 'a',
      url: 'https://github.com/acme/web/issues/7',
      createdAt: '2026-10-01T00:00:00Z',
    };
    expect(record(issue)).toEqual({ leftOut: 'of issues, which --table issues imports' });
  });

  test('gh api', () => {
    const pull = {
      node_id: 'PR_1',
      number: 8,
      html_url: 'https://github.com/acme/web/pull/8',
      user: { login: 'ada', type: 'User' },
      state: 'closed',
      created_at: '2024-03-04T09:00:00Z',
      closed_at: '2024-03-05T09:00:00Z',
      merged_at: null,
      merge_commit_sha: 'tried',
      base: { ref: 'main', repo: { full_name: 'acme/web' } },
      labels: [],
    };
    const read = valid(pull);
    expect(read).toMatchObject({
      pr_id: 'github:acme/web#8',
      pr_state: 'closed',
      person_is_bot: false,
      base_branch: 'main',
    });
    expect(read).not.toHaveProperty('merge_commit_sha');
    // As the listing of issues has it.
    const { merged_at, merge_commit_sha, ...among } = pull;
    expect(valid({ ...among, pull_request: { merged_at: '2024-03-05T09:00:00Z' } })).toMatchObject({
      pr_state: 'merged',
      pr_merged_at: Date.parse('2024-03-05T09:00:00Z') / 1_000,
    });
  });

  test('gh issue list --json', () => {
    const issue = {
      number: 9,
      title: 'x',
      url: 'https://github.com/acme/web/issues/9',
      state: 'CLOSED',
      stateReason: 'NOT_PLANNED',
      assignees: [{ login: 'bo' }],
      createdAt: '2024-03-04T09:00:00Z',
      closedAt: '2024-03-05T09:00:00Z',
    };
    expect(valid(issue, 'issues')).toMatchObject({
      issue_id: 'github:acme/web#9',
      ticket_status: 'canceled',
      person_login: 'bo',
    });
    expect(valid({ ...issue, stateReason: 'DUPLICATE' }, 'issues')).toMatchObject({ ticket_status: 'canceled' });
    expect(valid({ ...issue, stateReason: 'COMPLETED' }, 'issues')).toMatchObject({ ticket_status: 'completed' });
  });

  const account = (login: string) => ({ login, type: 'User', node_id: 'U_1' });
  const run = {
    id: 77,
    node_id: 'WFR_1',
    name: 'Build',
    head_branch: 'main',
    head_sha: 'abc',
    run_number: 5,
    event: 'push',
    status: 'completed',
    conclusion: 'success',
    html_url: 'https://github.com/acme/web/actions/runs/77',
    pull_requests: [
      { number: 7, base: { repo: { id: 1 } } },
      { number: 9, base: { repo: { id: 2 } } },
    ],
    created_at: '2024-03-04T09:00:00Z',
    updated_at: '2024-03-04T09:10:00Z',
    triggering_actor: account('ada'),
    repository: { id: 1, full_name: 'acme/web' },
  };
  const release = {
    node_id: 'RE_1',
    html_url: 'https://github.com/acme/web/releases/tag/v1.2.0',
    tag_name: 'v1.2.0',
    name: 'The door',
    draft: false,
    prerelease: true,
    created_at: '2024-03-04T09:00:00Z',
    published_at: '2024-03-04T10:00:00Z',
    author: account('bo'),
  };
  const repository = { id: '1', name: 'acme/web', firstName: 'acme/web', defaultBranch: null, createdAt: '' };

  test('gh api …/actions/runs and …/releases are the records of the connector', () => {
    const ofConnector = (table: RecordTable, value: object | null) => readRecord(recordShapeFor(table), value);
    expect(readRecord(recordShapeFor('workflow_runs'), readForeign('workflow_runs', run))).toEqual(
      ofConnector('workflow_runs', convertWorkflowRun(repository, run)),
    );
    expect(readRecord(recordShapeFor('release_details'), readForeign('release_details', release))).toEqual(
      ofConnector('release_details', convertRelease(repository, release)),
    );
    expect(readForeign('release_details', { ...release, draft: true })).toEqual({
      leftOut: 'that only their authors see yet (drafts)',
    });
  });

  test('gh run list --json and gh release list --json keep what they do not name', () => {
    const listed = {
      databaseId: 77,
      workflowName: 'Build',
      status: 'in_progress',
      conclusion: '',
      createdAt: '2024-03-04T09:00:00Z',
      url: 'https://github.com/acme/web/actions/runs/77',
    };
    const at = Date.parse('2024-03-04T09:00:00Z') / 1_000;
    expect(valid(listed, 'workflow_runs')).toEqual({
      workflow_run_id: 'github:acme/web:run:77',
      workflow_name: 'Build',
      source: 'github',
      repository: 'acme/web',
      run_status: 'in_progress',
      run_conclusion: null,
      run_created_at: at,
      run_started_at: at,
      run_url: listed.url,
    });
    const { url, ...unnamed } = listed;
    expect(valid(unnamed, 'workflow_runs', { set: { repository: 'acme/web' } })).toMatchObject({
      workflow_run_id: 'github:acme/web:run:77',
    });
    expect(readForeign('workflow_runs', unnamed)).toEqual({
      problem: 'does not say which repository it is of: add --set repository=owner/name',
    });
    const tag = { tagName: 'v1.2.0', isDraft: false, publishedAt: '2024-03-04T10:00:00Z' };
    expect(valid(tag, 'release_details', { set: { repository: 'acme/web' } })).toEqual({
      release_id: 'github:acme/web@v1.2.0',
      version: 'v1.2.0',
      release_name: 'v1.2.0',
      source: 'github',
      repository: 'acme/web',
      created_at: Date.parse(tag.publishedAt) / 1_000,
      release_date: Date.parse(tag.publishedAt) / 1_000,
    });
  });

  test('gh api …/issues is of issues, with their project, and its pull requests are left out', () => {
    const issue = {
      node_id: 'I_1',
      html_url: 'https://github.com/acme/web/issues/9',
      number: 9,
      state: 'open',
      labels: [],
      user: account('ada'),
      assignees: [account('bo')],
      created_at: '2024-03-04T09:00:00Z',
    };
    expect(valid(issue, 'issues')).toMatchObject({
      issue_id: 'github:acme/web#9',
      project_name: 'acme/web',
      creator_name: 'ada',
      person_login: 'bo',
    });
    const pull = { ...issue, html_url: 'https://github.com/acme/web/pull/9', pull_request: {} };
    expect(readForeign('issues', pull)).toEqual({ leftOut: 'of pull_requests, which --table pull_requests imports' });
  });

  test('gh api of the parts of a pull request', () => {
    const review = {
      id: 3,
      node_id: 'R_1',
      user: account('bo'),
      state: 'APPROVED',
      submitted_at: '2024-03-04T09:00:00Z',
      html_url: 'https://github.com/acme/web/pull/7#pullrequestreview-3',
    };
    expect(valid(review, 'pull_request_reviews')).toMatchObject({
      pr_review_id: 'github:acme/web#7:review:3',
      pr_id: 'github:acme/web#7',
      review_state: 'approved',
    });
    const comment = { ...review, body: 'x', created_at: '2024-03-04T09:00:00Z' };
    const place = 'https://github.com/acme/web';
    expect(valid({ ...comment, html_url: `${place}/pull/7#issuecomment-3` }, 'pull_request_comments')).toMatchObject({
      comment_id: 'github:acme/web#7:comment:3',
    });
    expect(
      valid({ ...comment, path: 'a.ts', html_url: `${place}/pull/7#discussion_r3` }, 'pull_request_comments'),
    ).toMatchObject({ comment_id: 'github:acme/web#7:review_comment:3' });
    const onIssue = { ...comment, html_url: `${place}/issues/9#issuecomment-3`, issue_url: `${place}/issues/9` };
    expect(valid(onIssue, 'issue_comments')).toMatchObject({ issue_id: 'github:acme/web#9' });
    const commit = {
      sha: 'abcdef1',
      node_id: 'C_1',
      html_url: `${place}/commit/abcdef1`,
      author: account('ada'),
      commit: { author: { name: 'Ada', email: 'ada@acme.example', date: '2024-03-04T09:00:00Z' } },
    };
    expect(readForeign('pull_request_commits', commit)).toEqual({
      problem: 'does not say which pull request it is of: add --set pr_id=owner/name#7',
    });
    expect(valid(commit, 'pull_request_commits', { set: { pr_id: 'acme/web#7' } })).toMatchObject({
      commit_id: 'github:acme/web#7:abcdef1',
    });
  });

  test.each<[string, RecordTable, object, string]>([
    [
      'a run',
      'pull_requests',
      run,
      'is a workflow run as GitHub writes it, and not a pull request: import it with --table workflow_runs',
    ],
    [
      'a deployment',
      'deployments',
      { statuses_url: 'x', environment: 'production', sha: 'abc' },
      'plumb source add github',
    ],
    [
      'a run of which a part was kept',
      'workflow_runs',
      { ...run, created_at: undefined },
      'workflow run: created_at is missing. Hand over what GitHub answers as it is, without --jq',
    ],
    [
      'a refusal',
      'pull_requests',
      { message: 'Not Found', documentation_url: 'https://docs.github.com' },
      'GitHub refused what gh asked (Not Found)',
    ],
    ['an answer of GraphQL', 'pull_requests', { data: { repository: {} } }, 'hand over its records alone'],
  ])('%s that cannot be imported says why', (_, table, value, sentence) => {
    expect(readForeign(table, value)).toEqual({ problem: expect.stringContaining(sentence) });
  });
});
