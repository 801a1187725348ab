import fc from 'fast-check';
import type { FactTable } from '../../src/catalogue/tables/all-tables.ts';

/** A record and the table it is for. Each key occurs once in a world. */
export interface WorldRecord {
  readonly table: FactTable;
  readonly record: Readonly<Record<string, unknown>>;
}

const logins = ['ada', 'Bob', 'carol', 'stranger', 'renovate[bot]', 'ci'] as const;
const repositories = ['acme/web', 'Acme/API', 'acme/jobs'] as const;
const branches = ['main', 'develop', 'release/1', 'topic'] as const;

/** Half-hours of a few months, so that many things happen close together and some at once. */
const time = fc
  .integer({ min: 0, max: 48 * 150 })
  .map((step) => new Date(Date.UTC(2024, 1, 1) + step * 1_800_000).toISOString());
const day = time.map((at) => at.slice(0, 10));
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 });
const person = fc.oneof(
  { weight: 6, arbitrary: fc.record({ person_login: fc.constantFrom(...logins) }) },
  {
    weight: 2,
    arbitrary: fc.record({ person_email: fc.constantFrom('ada@example.org', 'CAROL@example.org', 'x@example.org') }),
  },
  { weight: 1, arbitrary: fc.record({ person_login: fc.constantFrom('helper', 'ci'), person_is_bot: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      person_login: fc.constantFrom(...logins),
      person_source: fc.constantFrom('github', 'GitLab'),
    }),
  },
  { weight: 1, arbitrary: fc.constant({}) },
);
const pr = fc.constantFrom('p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7', 'p8');
const session = fc.constantFrom('s1', 's2', 's3');
const sha = fc.constantFrom('a1', 'b2', 'c3', 'd4', 'e5', 'f6');

/** Nothing that is undefined, and the fields of a person beside the others. */
const record = (fields: Record<string, fc.Arbitrary<unknown>>, who = true): fc.Arbitrary<Record<string, unknown>> =>
  fc
    .tuple(fc.record(fields), who ? person : fc.constant({}))
    .map(([own, named]) =>
      Object.fromEntries(Object.entries({ ...own, ...named }).filter(([, value]) => value !== undefined)),
    );

const pullRequest = record({
  pr_number: fc.integer({ min: 1, max: 9 }),
  pr_title: fc.constantFrom(
    'ABC-1: door',
    'feat: door',
    'fix the door',
    'Hotfix: door',
    'Revert "feat: door"',
    'Promote',
  ),
  pr_body: maybe(
    fc.constantFrom('Reverts #1', 'Reverts acme/web#2', 'This reverts commit a1.', 'Fixes #1, ABC-1', 'words'),
  ),
  source: maybe(fc.constantFrom('github', 'gitlab')),
  repository: maybe(fc.constantFrom(...repositories)),
  pr_state: fc.constantFrom('open', 'closed', 'merged', 'merged', 'merged'),
  pr_created_at: maybe(time),
  ready_at: fc.option(time, { nil: undefined, freq: 2 }),
  pr_merged_at: maybe(time),
  pr_closed_at: maybe(time),
  first_commit_at: fc.option(time, { nil: undefined, freq: 2 }),
  first_review_at: fc.option(time, { nil: undefined, freq: 2 }),
  additions: maybe(fc.integer({ min: 0, max: 900 })),
  deletions: maybe(fc.integer({ min: 0, max: 90 })),
  files: fc.option(
    fc.array(
      fc.record({
        path: fc.constantFrom('src/a.ts', 'test/a.test.ts', 'package-lock.json', 'docs/a.md'),
        additions: fc.nat(50),
      }),
      { maxLength: 3 },
    ),
    { nil: undefined, freq: 2 },
  ),
  base_branch: maybe(fc.constantFrom(...branches)),
  head_branch: maybe(fc.constantFrom('develop', 'release/1', 'topic', 'hotfix/door', 'revert-1-door')),
  merge_commit_sha: maybe(sha),
  labels: fc.option(fc.subarray(['bug', 'hotfix', 'feature']), { nil: undefined, freq: 2 }),
  ai_added_lines: fc.option(fc.nat(100), { nil: undefined, freq: 2 }),
  complexity_score: fc.option(fc.nat(100), { nil: undefined, freq: 2 }),
});

const parts = {
  pull_request_reviews: record({
    pr_id: pr,
    review_state: fc.constantFrom('approved', 'changes_requested'),
    reviewed_at: maybe(time),
    source: fc.option(fc.constantFrom('github', 'gitlab'), { nil: undefined, freq: 2 }),
  }),
  pull_request_comments: record({ pr_id: pr, comment: fc.constant('words'), commented_at: maybe(time) }),
  pull_request_commits: record({
    pr_id: pr,
    sha: maybe(sha),
    committed_at: maybe(time),
    authored_at: maybe(time),
    additions: maybe(fc.nat(80)),
  }),
  issues: record({
    issue_title: fc.constant('door'),
    issue_key: maybe(fc.constantFrom('ABC-1', 'acme/web#1')),
    source: maybe(fc.constantFrom('jira', 'github')),
    created_at: maybe(time),
    completed_at: maybe(time),
    ticket_status: fc.constantFrom('started', 'completed'),
  }),
  issue_comments: record({
    issue_id: fc.constantFrom('i1', 'i2'),
    comment: fc.constant('words'),
    created_at: maybe(time),
  }),
  release_details: record({
    repository: fc.constantFrom(...repositories),
    release_date: maybe(time),
    is_prerelease: fc.boolean(),
    source: fc.constant('github'),
    version: fc.constantFrom('v1', 'v2'),
  }),
  workflow_runs: record({
    workflow_name: fc.constantFrom('CI', 'Deploy to production'),
    repository: fc.constantFrom(...repositories),
    run_conclusion: maybe(fc.constantFrom('success', 'failure', 'cancelled')),
    run_started_at: time,
    run_updated_at: time,
    run_created_at: time,
    head_sha: maybe(sha),
    environment: fc.option(fc.constantFrom('production', 'staging'), { nil: undefined, freq: 2 }),
    billable_ms: maybe(fc.record({ ubuntu: fc.nat(600_000) })),
  }),
  posthook_sessions: record(
    {
      engineer_email: maybe(fc.constantFrom('ada@example.org', 'x@example.org')),
      person_login: maybe(fc.constantFrom('bob', 'Carol', 'stranger')),
      agent_slug: maybe(fc.constantFrom('claude-code', 'cursor')),
      started_at: maybe(time),
      input_tokens: maybe(fc.nat(1_000)),
      generated_lines: maybe(fc.nat(90)),
    },
    false,
  ),
  posthook_session_messages: record(
    {
      session_id: session,
      message_seq: maybe(fc.nat(5)),
      message_ts: maybe(time),
      role: fc.constantFrom('user', 'assistant'),
    },
    false,
  ),
  survey_recipients: record({
    survey_id: fc.constant('v1'),
    recipient_type: fc.constant('user'),
    created_at: maybe(time),
  }),
  survey_responses: record({ survey_recipient_id: fc.constantFrom('u1', 'u2'), answer_value: fc.constant('4') }, false),
  deployments: record({
    repository: maybe(fc.constantFrom(...repositories)),
    deployed_at: maybe(time),
    status: fc.constantFrom('success', 'success', 'failure', 'cancelled'),
    environment: fc.option(fc.constantFrom('production', 'staging', 'live'), { nil: undefined, freq: 2 }),
    sha: maybe(sha),
    version: fc.option(fc.constantFrom('v1', 'v2'), { nil: undefined, freq: 2 }),
    production: fc.option(fc.boolean(), { nil: undefined, freq: 1 }),
    deployment_source: fc.option(fc.constantFrom('workflow_run', 'bitbucket_deployment'), { nil: undefined, freq: 2 }),
    pr_ids: fc.option(fc.subarray(['p1', 'p2', 'p3']), { nil: undefined, freq: 2 }),
  }),
  incidents: record(
    {
      repository: maybe(fc.constantFrom(...repositories)),
      service: maybe(fc.constantFrom('acme/web')),
      opened_at: maybe(time),
      resolved_at: maybe(time),
      deployment_id: fc.option(fc.constantFrom('deployments-0', 'deployments-1'), { nil: undefined, freq: 2 }),
    },
    false,
  ),
} as const satisfies Partial<Record<FactTable, fc.Arbitrary<Record<string, unknown>>>>;

const keys: Partial<Record<FactTable, string>> = {
  pull_request_reviews: 'pr_review_id',
  pull_request_comments: 'comment_id',
  pull_request_commits: 'commit_id',
  issues: 'issue_id',
  issue_comments: 'issue_comment_id',
  release_details: 'release_id',
  workflow_runs: 'workflow_run_id',
  posthook_sessions: 'session_id',
  posthook_session_messages: 'message_id',
  survey_recipients: 'survey_recipient_id',
  survey_responses: 'survey_response_id',
  deployments: 'deployment_id',
  incidents: 'incident_id',
};

/** Parents whose children name them must have names that the children use. */
const names: Partial<Record<FactTable, readonly string[]>> = {
  issues: ['i1', 'i2'],
  posthook_sessions: ['s1', 's2', 's3'],
  survey_recipients: ['u1', 'u2'],
};

function numbered(table: FactTable, records: readonly Record<string, unknown>[]): WorldRecord[] {
  const key = keys[table] ?? '';
  const known = names[table];
  return records.flatMap((fields, i) => {
    const id = known ? known[i] : `${table}-${i}`;
    return id === undefined ? [] : [{ table, record: { [key]: id, ...fields } }];
  });
}

const sizes: Partial<Record<FactTable, number>> = {
  pull_request_reviews: 10,
  pull_request_commits: 10,
  deployments: 6,
};

/** One of everything, in any number. */
export const world: fc.Arbitrary<WorldRecord[]> = fc
  .tuple(
    fc
      .subarray(['p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7', 'p8'], { minLength: 2 })
      .chain((ids) =>
        fc.tuple(
          ...ids.map((id) =>
            pullRequest.map((fields) => ({ table: 'pull_requests' as const, record: { pr_id: id, ...fields } })),
          ),
        ),
      ),
    fc
      .uniqueArray(fc.tuple(pr, fc.constantFrom('labeled', 'merged'), time), { selector: String, maxLength: 4 })
      .map((events) =>
        events.map(([pr_id, event_type, event_at]) => ({
          table: 'pull_request_events' as const,
          record: { pr_id, event_type, event_at, event_url: '', person_login: 'ada' },
        })),
      ),
    fc
      .uniqueArray(
        fc.tuple(fc.constantFrom(...logins), fc.constantFrom('cursor', 'github-copilot'), day, fc.boolean()),
        { selector: ([a, b, c]) => `${a} ${b} ${c}`, maxLength: 8 },
      )
      .map((days) =>
        days.map(([person_login, source, date, is_active]) => ({
          table: 'ai_copilot' as const,
          record: { person_login, source, date, is_active },
        })),
      ),
    fc
      .uniqueArray(fc.tuple(session, sha, fc.nat(50)), { selector: ([a, b]) => `${a} ${b}`, maxLength: 5 })
      .map((commits) =>
        commits.map(([session_id, commit_id, committed_lines]) => ({
          table: 'posthook_session_commits' as const,
          record: { session_id, commit_id, committed_lines },
        })),
      ),
    fc
      .uniqueArray(fc.tuple(session, fc.constantFrom('a.ts', 'b.ts')), { selector: String, maxLength: 3 })
      .map((files) =>
        files.map(([session_id, file_path]) => ({
          table: 'posthook_session_files' as const,
          record: { session_id, file_path, edits: 1 },
        })),
      ),
    ...Object.entries(parts).map(([table, arbitrary]) =>
      fc
        .array(arbitrary, { maxLength: sizes[table as FactTable] ?? 4 })
        .map((records) => numbered(table as FactTable, records)),
    ),
  )
  .map((groups) => groups.flat() as WorldRecord[]);

/** Any order of the records, cut into any batches. */
export const arrangement = (records: readonly WorldRecord[]): fc.Arbitrary<WorldRecord[][]> =>
  fc
    .tuple(
      fc.shuffledSubarray([...records], { minLength: records.length, maxLength: records.length }),
      fc.array(fc.integer({ min: 1, max: 25 }), { minLength: 1, maxLength: 8 }),
    )
    .map(([shuffled, cuts]) => {
      const batches: WorldRecord[][] = [];
      let at = 0;
      for (const size of cuts) {
        if (at < shuffled.length) batches.push(shuffled.slice(at, at + size));
        at += size;
      }
      if (at < shuffled.length) batches.push(shuffled.slice(at));
      return batches;
    });
