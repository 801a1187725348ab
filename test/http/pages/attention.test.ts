import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Pages, startPages } from './signed-in-pages.ts';

const hour = 3_600_000;
const now = new Date('2026-06-15T12:00:00Z');
const ago = (hours: number): string => new Date(now.getTime() - hours * hour).toISOString().replace('.000Z', 'Z');

let pages: Pages;
beforeAll(async () => {
  pages = await startPages({ now: () => now });
  const { app, organisationId } = pages.service;
  const own = { source: 'github', person_email: 'edsger@example.com', base_branch: 'main' };
  const pullRequest = (pr_number: number, more: object) => ({
    ...own,
    repository: 'acme/web',
    pr_number,
    pr_title: `Change ${pr_number}`,
    pr_state: 'open',
    ...more,
  });
  const pulls = [
    pullRequest(1, { pr_created_at: ago(72) }),
    pullRequest(2, { pr_created_at: ago(47) }),
    pullRequest(3, { pr_created_at: ago(100), is_draft: true }),
    pullRequest(4, { pr_created_at: ago(100), person_is_bot: true, person_email: null, person_login: 'tool[bot]' }),
    pullRequest(5, { pr_created_at: ago(91 * 24) }),
    pullRequest(6, { pr_created_at: ago(300), person_email: 'grace@example.com' }),
    // Approved three days ago, and an approval with a request for changes after it.
    pullRequest(7, { pr_created_at: ago(200) }),
    pullRequest(8, { pr_created_at: ago(200) }),
    pullRequest(9, { pr_created_at: ago(400), pr_state: 'merged', pr_merged_at: ago(399), merge_commit_sha: 'a1' }),
    pullRequest(10, { pr_created_at: ago(200), pr_state: 'merged', pr_merged_at: ago(150), merge_commit_sha: 'b2' }),
    pullRequest(11, { pr_created_at: ago(1_000), ready_at: ago(60) }),
  ];
  const review = (id: string, pr: number, person_email: string, review_state: string, hours: number) => ({
    pr_review_id: id,
    pr_id: `github:acme/web#${pr}`,
    source: 'github',
    person_email,
    review_state,
    reviewed_at: ago(hours),
  });
  const reviews = [
    review('r1', 7, 'ada@example.com', 'approved', 72),
    review('r2', 7, 'ada@example.com', 'commented', 50),
    review('r3', 8, 'ada@example.com', 'approved', 72),
    review('r4', 8, 'grace@example.com', 'changes_requested', 60),
    review('r5', 1, 'edsger@example.com', 'commented', 71),
  ];
  const deployment = (deployment_id: string, hours: number, more: object) => ({
    deployment_id,
    repository: 'acme/web',
    source: 'github',
    status: 'success',
    environment: 'production',
    deployed_at: ago(hours),
    ...more,
  });
  const deployments = [
    deployment('d1', 398, { sha: 'a1', version: 'v1' }),
    deployment('d2', 120, { status: 'failure', version: 'v2', person_email: 'edsger@example.com' }),
  ];
  const lines = (values: readonly object[]) => values.map((value, i) => ({ line: i + 1, value }));
  await app.ingest.put(organisationId, [
    { table: 'pull_requests', lines: lines(pulls) },
    { table: 'pull_request_reviews', lines: lines(reviews) },
    { table: 'deployments', lines: lines(deployments) },
  ]);
});
afterAll(() => pages.close());

interface AttentionAnswer {
  readonly at: string;
  readonly hours: number;
  readonly waiting: readonly {
    readonly for: string;
    readonly count: number;
    readonly older_than_90_days: number;
    readonly longest_since: string | null;
    readonly pull_requests: readonly {
      readonly pr_number: number;
      readonly since: string;
      readonly name: string | null;
    }[];
  }[];
  readonly failures: { readonly count: number; readonly deployments: readonly { readonly deployment_id: string }[] };
  readonly stale_sources: readonly unknown[];
}
const attention = async (who: Pages['owner'], query = '') =>
  (await who.request('GET', `/app/attention${query}`)).json as AttentionAnswer;
const numbers = (answer: AttentionAnswer) =>
  Object.fromEntries(answer.waiting.map((one) => [one.for, one.pull_requests.map(({ pr_number }) => pr_number)]));

test('Pull requests that wait for a review, to be merged or to be deployed are listed, the longest wait first', async () => {
  const answer = await attention(pages.owner);
  expect(answer).toMatchObject({ at: '2026-06-15T12:00:00Z', hours: 48, stale_sources: [] });
  expect(numbers(answer)).toEqual({ review: [6, 1, 11], merge: [7], deploy: [10] });
  const [review, merge] = answer.waiting;
  expect(review).toMatchObject({ count: 4, older_than_90_days: 1, longest_since: ago(91 * 24) });
  expect(review?.pull_requests[1]).toMatchObject({
    pr_id: 'github:acme/web#1',
    pr_title: 'Change 1',
    repository_name: 'web',
    since: ago(72),
  });
  expect(merge).toMatchObject({ count: 1, older_than_90_days: 0, longest_since: ago(72) });
});

test('A failed deployment needs attention until it is restored', async () => {
  const { failures } = await attention(pages.owner);
  expect(failures).toEqual({
    count: 1,
    deployments: [
      {
        deployment_id: 'd2',
        repository_name: 'web',
        version: 'v2',
        failure_reason: 'failed_deployment',
        deployed_at: ago(120),
        since: ago(120),
      },
    ],
  });
});

test('An engineer sees what waits of their own, and filters only narrow it', async () => {
  const own = await attention(pages.engineer);
  expect(numbers(own)).toEqual({ review: [1, 11], merge: [7], deploy: [10] });
  const filters = (value: object) => `?filters=${encodeURIComponent(JSON.stringify(value))}`;
  const byMember = await attention(pages.owner, filters({ member: ['grace@example.com'] }));
  expect(numbers(byMember)).toEqual({ review: [6], merge: [], deploy: [] });
  expect(byMember.failures.count).toBe(0);
  expect(numbers(await attention(pages.engineer, filters({ member: ['grace@example.com'] })))).toEqual({
    review: [],
    merge: [],
    deploy: [],
  });
});

test('What is no filter of pull requests is refused in words', async () => {
  const detail = async (filters: string) => {
    const { status, json } = await pages.owner.request('GET', `/app/attention?filters=${encodeURIComponent(filters)}`);
    return [status, (json as { detail: string }).detail];
  };
  expect(await detail('[]')).toEqual([400, expect.stringContaining('must be a JSON object')]);
  expect(await detail('{')).toEqual([400, expect.stringContaining('must be a JSON object')]);
  expect(await detail('{"start_date":"2026-01-01"}')).toEqual([400, 'What waits now has no start_date: leave it out.']);
  expect(await detail('{"tema":["x"]}')).toEqual([400, expect.stringContaining("no filter 'tema'")]);
});
