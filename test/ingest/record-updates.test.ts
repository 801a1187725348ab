import { beforeEach, describe, expect, test } from 'vitest';
import { posthookSessions } from '../../src/catalogue/tables/posthook-sessions.ts';
import {
  pullRequestComments,
  pullRequestCommits,
  pullRequestEvents,
  pullRequestReviews,
} from '../../src/catalogue/tables/pull-request-parts.ts';
import { pullRequests } from '../../src/catalogue/tables/pull-requests.ts';
import { workflowRuns } from '../../src/catalogue/tables/workflow-runs.ts';
import { setOrganisation } from '../../src/directory/organisations.ts';
import { type RecordsOrganisation, recordsOrganisations } from './records-app.ts';
import { stateOf } from './state.ts';

const pr = {
  pr_id: 'p1',
  source: 'github',
  person_login: 'ada',
  pr_title: 'A door',
  pr_state: 'merged',
  pr_created_at: '2024-03-04T10:00:00Z',
  pr_merged_at: '2024-03-04T13:00:00Z',
  additions: 100,
  merge_commit_sha: 'm1',
};
/** With the deployment that its merge is. */
const deployed = { ...pr, repository: 'acme/web', base_branch: 'main' };
const commit = (sha: string, hour: number) => ({
  commit_id: `p1:${sha}`,
  pr_id: 'p1',
  sha,
  person_login: 'ada',
  authored_at: `2024-03-04T0${hour}:00:00Z`,
  committed_at: `2024-03-04T0${hour}:00:00Z`,
  additions: 50,
});

describe('a record that comes again', () => {
  const anOrganisation = recordsOrganisations();
  let app: RecordsOrganisation;
  beforeEach(async () => {
    app = await anOrganisation();
  });

  const one = async <C extends keyof typeof pullRequests.columns>(...columns: C[]) =>
    (await app.select(pullRequests, columns as never))[0] as Record<C, unknown> | undefined;
  const state = () => stateOf(app.app.warehouse, app.context.organisationId);
  const put = (parts: Parameters<typeof app.app.ingest.put>[1], options?: { strict: boolean }) =>
    app.app.ingest.put(app.context.organisationId, parts, options);
  const lines = (records: readonly object[]) => records.map((value, i) => ({ line: i + 1, value }));

  test('A record that comes again keeps what it leaves out, clears what it says is null, and changes what it says', async () => {
    await app.put('pull_requests', [{ ...pr, complexity_score: 80, labels: ['bug'] }]);
    await app.put('pull_requests', [{ pr_id: 'p1', pr_title: 'Two doors' }]);
    expect(await one('pr_title', 'additions', 'complexity_score', 'pr_category')).toEqual({
      pr_title: 'Two doors',
      additions: 100,
      complexity_score: 80,
      pr_category: 'Bug Fixes',
    });
    await app.put('pull_requests', [{ pr_id: 'p1', complexity_score: null, labels: null, pr_merged_at: null }]);
    expect(await one('complexity_score', 'labels', 'cycle_time', 'additions')).toEqual({
      complexity_score: null,
      labels: null,
      cycle_time: null,
      additions: 100,
    });
  });

  test('A record that comes again with a score outside of 0 to 100 is refused, with what would be right', async () => {
    const scores = [0, 100, 100.5, -1];
    const [outcome] = await put([
      {
        table: 'pull_requests',
        lines: lines(scores.map((complexity_score, i) => ({ ...pr, pr_id: `s${i}`, complexity_score }))),
      },
    ]);
    expect(outcome).toEqual({
      accepted: 2,
      rejected: [
        { line: 3, detail: 'complexity_score must be a number from 0 to 100, not 100.5' },
        { line: 4, detail: 'complexity_score must be a number from 0 to 100, not -1' },
      ],
    });
  });

  test('A record that comes again as removed takes its parts along and leaves no trace, the second time too', async () => {
    await app.put('pull_requests', [{ ...deployed, pr_id: 'p0' }]);
    const before = await state();
    await app.putAll({
      pull_requests: [deployed],
      pull_request_commits: [commit('a', 8)],
      pull_request_reviews: [{ pr_review_id: 'r', pr_id: 'p1', person_login: 'bob' }],
    });
    for (let time = 0; time < 2; time += 1) {
      await app.put('pull_requests', [{ pr_id: 'p1', _deleted: true }]);
      expect(await state()).toEqual(before);
    }
  });

  test('A record that comes again as the whole set of a parent replaces the set: force-pushed commits are gone', async () => {
    await app.putAll({
      pull_requests: [pr],
      pull_request_commits: [{ ...commit('a', 7), commit_url: 'https://x.example' }, commit('b', 8)],
    });
    expect(await one('commits_count', 'coding_time')).toEqual({ commits_count: 2, coding_time: 3 * 3_600 });
    await put([{ table: 'pull_request_commits', lines: lines([commit('b', 8), commit('c', 9)]), wholeSetsOf: ['p1'] }]);
    const rows = await app.select(pullRequestCommits, ['sha']);
    expect(rows.map(({ sha }) => sha).sort()).toEqual(['b', 'c']);
    expect(await one('commits_count', 'coding_time')).toEqual({ commits_count: 2, coding_time: 2 * 3_600 });
    await put([{ table: 'pull_request_commits', lines: [], wholeSetsOf: ['p1'] }]);
    expect(await one('commits_count', 'coding_time')).toEqual({ commits_count: 0, coding_time: null });
  });

  test('A record that comes again with a part that moved to another pull request changes both', async () => {
    await app.putAll({
      pull_requests: [pr, { ...pr, pr_id: 'p2', pr_title: 'A window' }],
      pull_request_reviews: [
        { pr_review_id: 'r', pr_id: 'p1', person_login: 'bob', reviewed_at: '2024-03-04T12:00:00Z' },
      ],
    });
    await app.put('pull_request_reviews', [{ pr_review_id: 'r', pr_id: 'p2' }]);
    const rows = await app.select(pullRequests, ['pr_id', 'reviews_count']);
    expect(Object.fromEntries(rows.map((row) => [row.pr_id, row.reviews_count]))).toEqual({ p1: 0, p2: 1 });
    expect((await app.select(pullRequestReviews, ['pr_title']))[0]).toEqual({ pr_title: 'A window' });
  });

  test('A record that comes again beside bad ones is kept, and strictly not', async () => {
    const batch = [
      { table: 'pull_requests' as const, lines: lines([pr, { pr_id: 'p2', additions: 'many' }, { pr_title: 'x' }]) },
      { table: 'deployments' as const, lines: lines([{ deployment_id: 'merge:p1' }, { deployment_id: ' ' }]) },
    ];
    expect(await put(batch, { strict: true })).toMatchObject([{ accepted: 0 }, { accepted: 0 }]);
    expect(await app.select(pullRequests, ['pr_id'])).toEqual([]);
    expect(await put(batch)).toEqual([
      {
        accepted: 1,
        rejected: [
          { line: 2, detail: "additions must be a whole number, not 'many'" },
          { line: 3, detail: expect.stringContaining('pr_id is missing: a pull request cannot do without it') },
        ],
      },
      {
        accepted: 0,
        rejected: [
          { line: 1, detail: expect.stringContaining('such deployments are derived') },
          { line: 2, detail: 'deployment_id must not be empty' },
        ],
      },
    ]);
    expect(await app.select(pullRequests, ['pr_id'])).toEqual([{ pr_id: 'p1' }]);
  });

  test('A record that comes again for a pull request without any time is taken in', async () => {
    await app.put('pull_requests', [{ pr_id: 'k0' }, { pr_id: 'k1' }, pr]);
    await app.put('pull_request_commits', [commit('a', 8), { commit_id: 'x:a', pr_id: 'x' }]);
    await app.put('pull_request_commits', [
      { commit_id: 'k0:a', pr_id: 'k0' },
      { commit_id: 'k1:a', pr_id: 'k1' },
    ]);
    const rows = await app.select(pullRequests, ['pr_id', 'commits_count']);
    expect(Object.fromEntries(rows.map((row) => [row.pr_id, row.commits_count]))).toEqual({ k0: 1, k1: 1, p1: 1 });
  });

  test('A record that comes again with JSON of the wrong kind is refused alone, and any other JSON is kept as it is', async () => {
    const deep = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`) as unknown;
    const event = { pr_id: 'p1', event_type: 'x', event_at: '2024-01-01' };
    const [prs, runs, events] = await put([
      { table: 'pull_requests', lines: lines([pr, { pr_id: 'p2', files: 'abc' }]) },
      { table: 'workflow_runs', lines: lines([{ workflow_run_id: 'w', billable_ms: 'none' }]) },
      {
        table: 'pull_request_events',
        lines: lines([
          { ...event, details: 'hello' },
          { ...event, event_type: 'y', details: deep },
        ]),
      },
    ]);
    expect(prs).toMatchObject({ accepted: 1, rejected: [{ line: 2, detail: "files must be a JSON list, not 'abc'" }] });
    expect(runs).toMatchObject({ rejected: [{ detail: "billable_ms must be a JSON object, not 'none'" }] });
    expect(events).toMatchObject({ accepted: 1, rejected: [{ line: 2, detail: expect.stringContaining('nested') }] });
    expect(await app.select(pullRequestEvents, ['details', 'event_url'])).toEqual([
      { details: '"hello"', event_url: '' },
    ]);
  });

  test('A record that comes again that cannot be read leaves the set of its parent alone', async () => {
    await app.putAll({ pull_requests: [pr], pull_request_commits: [commit('a', 7), commit('b', 8)] });
    const bad = { ...commit('b', 8), additions: 1.5 };
    await put([{ table: 'pull_request_commits', lines: lines([commit('a', 7), bad]), wholeSetsOf: ['p1'] }]);
    expect((await app.select(pullRequestCommits, ['sha'])).map(({ sha }) => sha).sort()).toEqual(['a', 'b']);
  });

  test('A record that comes again of AI use shows in the pull requests it was for', async () => {
    await app.directory('people', [{ main_email: 'ada@example.org', name: 'Ada', github_username: 'ada' }]);
    await app.putAll({ pull_requests: [pr], pull_request_commits: [commit('a', 8)] });
    expect(await one('ai_pct_of_code', 'is_ai_assisted', 'ai_sources')).toEqual({
      ai_pct_of_code: null,
      is_ai_assisted: false,
      ai_sources: '[]',
    });
    await app.put('ai_copilot', [
      { person_email: 'ada@example.org', source: 'cursor', date: '2024-03-05', is_active: true },
      { person_email: 'ada@example.org', source: 'cursor', date: '2024-03-04', is_active: false },
    ]);
    expect(await one('is_ai_assisted')).toEqual({ is_ai_assisted: false });
    await app.put('ai_copilot', [
      { person_email: 'ada@example.org', source: 'cursor', date: '2024-03-04', is_active: true },
    ]);
    expect(await one('is_ai_assisted', 'ai_sources')).toEqual({ is_ai_assisted: true, ai_sources: '["cursor"]' });
    await app.putAll({
      posthook_session_commits: [{ session_id: 's', commit_id: 'a', committed_lines: 20 }],
      posthook_sessions: [{ session_id: 's', agent_slug: 'claude-code', engineer_email: 'x@y.example' }],
    });
    expect(await one('ai_pct_of_code', 'ai_sources')).toEqual({
      ai_pct_of_code: 0.4,
      ai_sources: '["claude-code","cursor"]',
    });
    await app.put('posthook_sessions', [{ session_id: 's', _deleted: true }]);
    expect(await one('ai_pct_of_code', 'ai_sources')).toEqual({ ai_pct_of_code: null, ai_sources: '["cursor"]' });
  });

  test('A record that comes again writes on a pull request in which hours others reviewed it, and on its parts in how many rounds', async () => {
    const at = (id: string, time: string, more: object = {}) => ({
      pr_review_id: id,
      pr_id: 'p1',
      person_login: 'bob',
      reviewed_at: `2024-03-04T${time}Z`,
      ...more,
    });
    const hours = async () => (await one('review_hours'))?.review_hours;
    const rounds = async () =>
      Promise.all(
        [pullRequestReviews, pullRequestComments, pullRequestCommits, pullRequestEvents].map(async (table) =>
          (await app.select(table, ['review_rounds_bucket' as never])).map((row) => Object.values(row)[0]),
        ),
      );
    await app.put('pull_request_reviews', [at('early', '12:10:00')]);
    expect(await rounds()).toEqual([[null], [], [], []]);
    await app.put('pull_requests', [pr]);
    expect([await hours(), await rounds()]).toEqual(['["12"]', [['1'], [], [], []]]);
    await app.putAll({
      pull_request_comments: [{ comment_id: 'c', pr_id: 'p1', person_login: 'bob' }],
      pull_request_events: [
        { pr_id: 'p1', event_type: 'labeled', event_at: '2024-03-04T12:00:00Z', person_login: 'bob' },
      ],
      pull_request_reviews: [
        at('again', '12:40:00'),
        at('morning', '09:59:59'),
        at('own', '07:00:00', { person_login: 'ada' }),
        at('bot', '06:00:00', { person_login: 'renovate[bot]' }),
        at('whenever', '05:00:00', { reviewed_at: null }),
      ],
    });
    expect(await hours()).toBe('["9","12"]');
    // A commit between them makes two rounds of what was one, also for those who have said nothing since.
    await app.put('pull_request_commits', [{ ...commit('s', 9), committed_at: '2024-03-04T11:00:00Z' }]);
    expect(await rounds()).toEqual([Array.from({ length: 6 }, () => '2'), ['2'], ['2'], ['2']]);
    await app.put('pull_request_reviews', [{ pr_review_id: 'morning', _deleted: true }]);
    expect(await hours()).toBe('["12"]');
    expect(await rounds()).toEqual([Array.from({ length: 5 }, () => '1'), ['1'], ['1'], ['1']]);
    await app.put('pull_request_reviews', [at('again', '23:00:00'), { pr_review_id: 'early', _deleted: true }]);
    // One after the merge is none of the rounds, and has its hour all the same.
    expect([await hours(), await rounds()]).toEqual([
      '["23"]',
      [Array.from({ length: 4 }, () => '0'), ['0'], ['0'], ['0']],
    ]);
  });

  test('A record that comes again is recomputed when the time zone or the prices change', async () => {
    await app.putAll({
      pull_requests: [pr],
      pull_request_reviews: [
        { pr_review_id: 'r', pr_id: 'p1', person_login: 'bob', reviewed_at: '2024-03-04T12:00:00Z' },
        { pr_review_id: 'orphan', pr_id: 'nobody', person_login: 'bob', reviewed_at: '2024-03-04T12:00:00Z' },
      ],
      posthook_sessions: [{ session_id: 's', started_at: '2024-03-04T12:00:00Z' }],
      workflow_runs: [{ workflow_run_id: 'w', billable_ms: { UBUNTU: 600_000 } }],
    });
    await setOrganisation(app.app.directory, app.context, {
      time_zone: 'Pacific/Auckland',
      runner_prices: '{"ubuntu": 1}',
    });
    const hours = await app.select(pullRequestReviews, ['review_hour_of_day']);
    expect(hours).toEqual([{ review_hour_of_day: 1 }, { review_hour_of_day: 1 }]);
    expect(await one('review_hours')).toEqual({ review_hours: '["1"]' });
    expect(await app.select(posthookSessions, ['date'])).toEqual([{ date: '2024-03-05' }]);
    expect(await app.select(workflowRuns, ['estimated_cost'])).toEqual([{ estimated_cost: 10 }]);
    await setOrganisation(app.app.directory, app.context, { runner_prices: '{"ubuntu": 2}' });
    expect(await app.select(workflowRuns, ['estimated_cost'])).toEqual([{ estimated_cost: 20 }]);
  });
});
