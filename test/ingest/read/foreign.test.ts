import { describe, expect, test } from 'vitest';
import { readRecord } from '../../../src/catalogue/read-record.ts';
import { type RecordTable, recordShapeFor } from '../../../src/catalogue/record-tables.ts';
import { ColumnMapping } from '../../../src/ingest/read/foreign/column-mapping.ts';
import { type ForeignOptions, ForeignReader } from '../../../src/ingest/read/foreign/foreign-lines.ts';
import { convertRelease } from '../../../src/sources/github/convert/release.ts';
import { convertWorkflowRun } from '../../../src/sources/github/convert/workflow-run.ts';

const pullRequests = recordShapeFor('pull_requests');
const read = (table: RecordTable, value: object, options: ForeignOptions = {}) => {
  const reading = new ForeignReader(table, options).read(value);
  return 'value' in reading ? reading.value : reading;
};
const record = (value: object) => read('pull_requests', value);

describe('a heading', () => {
  const mapping = new ColumnMapping('pull_requests');
  const fieldsOf = (headings: string[], said: Record<string, string> = {}, table: RecordTable = 'pull_requests') =>
    new ColumnMapping(table, said, headings).fieldsOf('x.csv');
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
    ['Merged At (UTC)', 'pr_merged_at'],
    ['MR IID', 'pr_number'],
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
    const issues = new ColumnMapping('issues');
    expect([issues.fieldOf('Assignee'), issues.fieldOf('Author'), issues.fieldOf('Status')]).toEqual([
      'person',
      undefined,
      'ticket_status',
    ]);
    expect(new ColumnMapping('pull_request_reviews').fieldOf('Reviewer')).toBe('person');
    expect(new ColumnMapping('people').fieldOf('E-mail')).toBe('main_email');
    expect(new ColumnMapping('people').fieldOf('Email')).toBe('main_email');
  });

  test('that is unknown refuses the file, with every such column and its likely field', () => {
    expect(() => fieldsOf(['Url', 'Mergd At', 'titel', 'autor', 'Commit branch', 'Mood'])).toThrow(
      "x.csv was not imported: 5 columns are no fields of pull_requests: 'Mergd At', did you mean merged_at (pr_merged_at)?; " +
        "'titel', did you mean title (pr_title)?; 'autor', did you mean author?; " +
        "'Commit branch', did you mean first_commit_at?; 'Mood', which is like no field. Say what a column is with " +
        "--map 'Mergd At=merged_at', or leave it out with --map 'Mergd At='.",
    );
    expect(record({ pr_id: 'p', mergd_at: '2024-01-01' })).toEqual({
      problem: expect.stringMatching(
        /^'mergd_at' is not a field of pull_requests. Did you mean merged_at \(pr_merged_at\)\? Fields: /,
      ),
    });
  });

  test('is what --map says, or left out', () => {
    const said = { mood: '', when: 'merged_at' };
    expect(fieldsOf(['Mood', 'When', 'id'], said)).toEqual(['', 'pr_merged_at', 'pr_id']);
    expect(() => fieldsOf(['Mood', 'id'], said)).toThrow("x.csv has no column 'when', which --map names.");
    expect(() => fieldsOf(['id'], { a: 'pr_titel' })).toThrow("Did you mean 'pr_title'?");
    expect(fieldsOf(['Mood', 'id', 'Weather'], { mood: '', weather: '' })).toEqual(['', 'pr_id', '']);
  });

  test('of the same field twice refuses the file', () => {
    expect(() => fieldsOf(['title', 'pr_title'])).toThrow("'title' and 'pr_title' both mean pr_title");
    expect(() => fieldsOf(['id', 'title', 'title'])).toThrow(
      "names the column 'title' twice, and pr_title takes one value",
    );
    expect(fieldsOf(['id', 'Labels', 'Labels'])).toEqual(['pr_id', 'labels', 'labels']);
  });

  test('of what is derived here is left out, and said', () => {
    const headings = ['id', 'Cycle Time (hours)', 'Time in review', 'reviews_count'];
    expect(fieldsOf(headings)).toEqual(['pr_id', '', '', '']);
    expect(new ColumnMapping('pull_requests', {}, headings).notesOf('x.csv')).toEqual([
      'Left out of x.csv, because Plumb derives it itself: Cycle Time (hours), Time in review, reviews_count.',
    ]);
    // What somebody typed is never left out in silence.
    expect(record({ pr_id: 'p', cycle_time: 5 })).toEqual({ problem: expect.stringContaining("'cycle_time' is not") });
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
    const review = read('pull_request_reviews', {
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
    const issue = read('issues', {
      Key: 'ABC-1',
      Summary: 'x',
      Status: 'In Progress',
      Source: 'jira',
    });
    expect(issue).toMatchObject({ issue_id: 'jira:ABC-1', status_name: 'In Progress', ticket_status: 'started' });
  });

  test('takes from --set what it has not itself', () => {
    const set = { source: 'gitlab', repository: 'acme/web' };
    expect(read('pull_requests', { pr_id: 'p', source: 'github', repository: '' }, { set })).toEqual({
      pr_id: 'p',
      source: 'github',
      repository: 'acme/web',
    });
  });

  test.each([
    ['12/Mar/26 9:05 AM', '2026-03-12T09:05:00Z'],
    ['12/Mar/26 12:05 AM', '2026-03-12T00:05:00Z'],
    ['12/Mar/26 12:05 PM', '2026-03-12T12:05:00Z'],
    ['Thu Mar 12 2026 09:05:07 GMT+0200 (EET)', '2026-03-12T09:05:07+0200'],
    ['March 12, 2026', '2026-03-12T00:00:00Z'],
    ['2026/3/12 9:05', '2026-03-12T09:05:00Z'],
    ['12.03.2026 09:05', '2026-03-12T09:05:00Z'],
    ['2026-03-12 09:05:07 UTC', '2026-03-12 09:05:07 UTC'],
    ['25/12/2026', '2026-12-25T00:00:00Z'],
    ['12/25/26 1:05 PM', '2026-12-25T13:05:00Z'],
    ['12/Mai/26', '12/Mai/26'],
    ['soon', 'soon'],
    [`12/Mar/26${' '.repeat(2_000)}9:00`, `12/Mar/26${' '.repeat(2_000)}9:00`],
  ])('has the time %s as %s', (given, iso) => {
    expect(record({ pr_id: 'p', merged_at: given })).toMatchObject({ pr_merged_at: iso });
  });

  test('with a day by numbers alone needs to know what comes first', () => {
    const merged = { pr_id: 'p', merged_at: '12/03/26 9:05' };
    expect(record(merged)).toEqual({
      problem:
        "pr_merged_at is '12/03/26 9:05', and nothing says whether its day or its month comes first: add --dates dmy or --dates mdy",
    });
    const at = (dates: 'dmy' | 'mdy') => read('pull_requests', merged, { dates });
    expect(at('dmy')).toMatchObject({ pr_merged_at: '2026-03-12T09:05:00Z' });
    expect(at('mdy')).toMatchObject({ pr_merged_at: '2026-12-03T09:05:00Z' });
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
  const valid = (value: object, table: RecordTable = 'pull_requests', options: ForeignOptions = {}) => {
    const reading = readRecord(recordShapeFor(table), read(table, value, options));
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

  test('gh pr list --json without the address needs to know the repository', () => {
    const listed = { number: 7, title: 'a', createdAt: '2026-10-01T00:00:00Z' };
    const noAddress = 'does not say which repository it is of: add url to the fields after --json';
    expect(record(listed)).toEqual({ problem: `${noAddress}, or --set repository=owner/name to the command` });
    expect(read('issues', { ...listed, stateReason: '' })).toEqual({ problem: noAddress });
    expect(read('pull_requests', listed, { set: { repository: 'acme/web' } })).toMatchObject({ pr_number: 7 });
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
    expect(readRecord(recordShapeFor('workflow_runs'), read('workflow_runs', run))).toEqual(
      ofConnector('workflow_runs', convertWorkflowRun(repository, run)),
    );
    expect(readRecord(recordShapeFor('release_details'), read('release_details', release))).toEqual(
      ofConnector('release_details', convertRelease(repository, release)),
    );
    expect(read('release_details', { ...release, draft: true })).toEqual({
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
    expect(read('workflow_runs', unnamed)).toEqual({
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
    expect(read('issues', pull)).toEqual({ leftOut: 'of pull_requests, which --table pull_requests imports' });
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
    expect(read('pull_request_commits', commit)).toEqual({
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
    expect(read(table, value)).toEqual({ problem: expect.stringContaining(sentence) });
  });
});
