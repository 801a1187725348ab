import { describe, expect, test } from 'vitest';
import { readRecord } from '../../../src/catalogue/record.ts';
import { recordShapeFor } from '../../../src/catalogue/record-tables.ts';
import { ColumnMapping } from '../../../src/ingest/read/foreign/column-mapping.ts';
import { ForeignReader } from '../../../src/ingest/read/foreign/foreign-lines.ts';

const pullRequests = recordShapeFor('pull_requests');
const record = (value: object, table = 'pull_requests' as const) => new ForeignReader(table).record(value);

describe('a heading', () => {
  const mapping = new ColumnMapping(pullRequests);
  test.each([
    ['title', 'pr_title'],
    ['PR Title', 'pr_title'],
    ['pullRequestTitle', 'pr_title'],
    ['Number', 'pr_number'],
    ['url', 'pr_url'],
    ['Repo', 'repository'],
    ['Created At', 'pr_created_at'],
    ['createdAt', 'pr_created_at'],
    ['CREATEDAT', 'pr_created_at'],
    ['merged-at', 'pr_merged_at'],
    ['Author', 'person'],
    ['state', 'pr_state'],
    ['Lines added', 'additions'],
    ['Target Branch', 'base_branch'],
    ['person_login', 'person_login'],
    ['_deleted', '_deleted'],
    ['Mood', undefined],
  ])('%s means %s', (heading, field) => expect(mapping.fieldOf(heading)).toBe(field));

  test('means the one whose row it is: an issue is its assignee’s, not its author’s', () => {
    const issues = new ColumnMapping(recordShapeFor('issues'));
    expect([issues.fieldOf('Assignee'), issues.fieldOf('Author'), issues.fieldOf('Status')]).toEqual([
      'person',
      undefined,
      'ticket_status',
    ]);
    expect(new ColumnMapping(recordShapeFor('pull_request_reviews')).fieldOf('Reviewer')).toBe('person');
    expect(new ColumnMapping(recordShapeFor('people')).fieldOf('E-mail')).toBe('main_email');
    expect(new ColumnMapping(recordShapeFor('people')).fieldOf('Email')).toBe('main_email');
  });

  test('that is unknown refuses the file, with every such column and its likely field', () => {
    expect(() => mapping.fieldsOf('x.csv', ['Title', 'Mergd At', 'Commit branch', 'Mood'])).toThrow(
      "x.csv was not imported: 3 columns are no fields of pull_requests: 'Mergd At' (likely pr_merged_at), " +
        "'Commit branch' (likely first_commit_at), 'Mood' (like no field). Say what a column is with " +
        "--map 'Mergd At=pr_merged_at', or leave it out with --map 'Mergd At='.",
    );
  });

  test('is what --map says, or left out', () => {
    const said = new ColumnMapping(pullRequests, { mood: '', when: 'merged_at' });
    expect(said.fieldsOf('x.csv', ['Mood', 'When', 'id'])).toEqual(['', 'pr_merged_at', 'pr_id']);
    expect(() => said.fieldsOf('x.csv', ['Mood', 'id'])).toThrow("x.csv has no column 'when', which --map names.");
    expect(() => new ColumnMapping(pullRequests, { a: 'pr_titel' })).toThrow("Did you mean 'pr_title'?");
    const without = new ColumnMapping(pullRequests, { mood: '', weather: '' });
    expect(without.fieldsOf('x.csv', ['Mood', 'id', 'Weather'])).toEqual(['', 'pr_id', '']);
  });

  test('of the same field twice refuses the file', () => {
    expect(() => mapping.fieldsOf('x.csv', ['title', 'pr_title'])).toThrow("'title' and 'pr_title' both mean pr_title");
  });
});

describe('a record', () => {
  test('is known by its address, by owner/name#number, or by repository and number', () => {
    const read = (value: object) => {
      const reading = readRecord(pullRequests, record(value), 'text');
      return 'record' in reading ? reading.record : reading;
    };
    expect(read({ url: 'https://github.com/acme/web/pull/7' })).toMatchObject({ pr_id: 'github:acme/web#7' });
    expect(read({ url: 'https://gitlab.example.com/acme/apps/web/-/merge_requests/9' })).toMatchObject({
      pr_id: 'gitlab:acme/apps/web#9',
      repository: 'acme/apps/web',
      pr_number: 9,
    });
    expect(read({ id: 'acme/web#7' })).toMatchObject({ pr_id: 'github:acme/web#7', pr_number: 7 });
    expect(read({ repo: 'https://bitbucket.org/acme/web', number: '3' })).toMatchObject({
      pr_id: 'bitbucket:acme/web#3',
    });
    expect(read({ repo: 'https://github.com/acme/web.git', number: '3' })).toMatchObject({ repository: 'acme/web' });
    expect(read({ pr_id: 'mine', repository: 'acme/web', pr_number: '3' })).toMatchObject({ pr_id: 'mine' });
    // What is said wins over what would follow.
    expect(read({ source: 'gitlab', url: 'https://github.com/acme/web/pull/7' })).toMatchObject({
      pr_id: 'gitlab:acme/web#7',
    });
    expect(read({ title: 'x' })).toEqual({ problem: expect.stringContaining('pr_id is missing') });
  });

  test('of a part of a pull request finds it in the same ways', () => {
    const review = new ForeignReader('pull_request_reviews').record({
      id: 'r1',
      repo: 'acme/web',
      number: '7',
      Reviewer: 'bo',
    });
    expect(review).toEqual({ pr_review_id: 'r1', pr_id: 'github:acme/web#7', source: 'github', person_login: 'bo' });
  });

  test.each([
    ['ada@acme.example', { person_email: 'ada@acme.example' }],
    ['Ada Quill <ada@acme.example>', { person_email: 'ada@acme.example', person_name: 'Ada Quill' }],
    ['@ada', { person_login: 'ada' }],
    ['Ada Quill', { person_name: 'Ada Quill' }],
  ])('says who by %s', (author, person) => expect(record({ pr_id: 'p', author })).toEqual({ pr_id: 'p', ...person }));

  test.each([
    [{ created_at: '2024-01-01' }, 'open'],
    [{ created_at: '2024-01-01', closed_at: '2024-01-02', merged_at: '' }, 'closed'],
    [{ created_at: '2024-01-01', closed_at: '2024-01-02', merged_at: '2024-01-02' }, 'merged'],
    [{ state: 'closed', merged_at: '2024-01-02' }, 'merged'],
    [{ state: 'Opened' }, 'open'],
    [{ state: 'declined' }, 'closed'],
    // A change of one field says nothing of the state.
    [{ closed_at: '2024-01-02' }, undefined],
    // Who clears it means to.
    [{ pr_state: null, created_at: '2024-01-01' }, null],
  ])('with %j is %s', (dates, state) =>
    expect((record({ pr_id: 'p', ...dates }) as { pr_state?: string }).pr_state).toBe(state),
  );

  test('of an issue has the tracker’s own words and ours', () => {
    const issue = new ForeignReader('issues').record({
      Key: 'ABC-1',
      Summary: 'x',
      Status: 'In Progress',
      Source: 'jira',
    });
    expect(issue).toMatchObject({ issue_id: 'jira:ABC-1', status_name: 'In Progress', ticket_status: 'started' });
  });

  test('takes from --set what it has not itself', () => {
    const reader = new ForeignReader('pull_requests', { set: { source: 'gitlab', repository: 'acme/web' } });
    expect(reader.record({ pr_id: 'p', source: 'github', repository: '' })).toEqual({
      pr_id: 'p',
      source: 'github',
      repository: 'acme/web',
    });
  });

  test('with two names of one field keeps both, to be rejected', () => {
    expect(record({ pr_id: 'p', title: 'one', Title: 'two' })).toEqual({ pr_id: 'p', pr_title: 'one', Title: 'two' });
  });

  test('with lists writes them as a;b', () => {
    const reading = readRecord(pullRequests, { pr_id: 'p', labels: 'bug; ui;' }, 'text');
    expect(reading).toEqual({ record: { pr_id: 'p', labels: ['bug', 'ui'] } });
    expect(readRecord(pullRequests, { pr_id: 'p', labels: '["a;b"]' }, 'text')).toMatchObject({
      record: { labels: ['a;b'] },
    });
  });
});

describe('what GitHub’s own tools write', () => {
  const valid = (value: object, table: 'pull_requests' | 'issues' = 'pull_requests') => {
    const reading = readRecord(recordShapeFor(table), new ForeignReader(table).record(value));
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
  ])('is not what another tool wrote with some of its names: %j', (row) => {
    expect(record(row)).toMatchObject({ person_email: 'ada@acme.example', repository: 'acme/web', source: 'github' });
  });

  test('gh issue list --json is of no pull requests', () => {
    const issue = {
      number: 7,
      title: 'a',
      url: 'https://github.com/acme/web/issues/7',
      createdAt: '2026-10-01T00:00:00Z',
    };
    expect(record(issue)).not.toHaveProperty('repository');
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
});
