import { beforeAll, describe, expect, test } from 'vitest';
import { pullRequestReviews } from '../../src/catalogue/tables/pull-request-parts.ts';
import { pullRequests } from '../../src/catalogue/tables/pull-requests.ts';
import { type RecordsOrganisation, recordsOrganisations } from './records-app.ts';

describe('a pull request and its parts', () => {
  const anOrganisation = recordsOrganisations();
  let app: RecordsOrganisation;
  beforeAll(async () => {
    app = await anOrganisation();
  });

  test('A pull request and its parts are resolved and derived whatever order they arrive in', async () => {
    await app.directory('people', [
      { main_email: 'ada@example.org', name: 'Ada', github_username: 'ada' },
      { main_email: 'bob@example.org', name: 'Bob', github_username: 'bob' },
    ]);
    await app.put('pull_request_reviews', [
      {
        pr_review_id: 'r1',
        pr_id: 'p1',
        person_login: 'BOB',
        review_state: 'approved',
        reviewed_at: '2024-03-04T12:00:00Z',
      },
    ]);
    await app.put('pull_requests', [
      {
        pr_id: 'p1',
        pr_number: 7,
        pr_title: 'feat: add a door',
        source: 'github',
        repository: 'acme/web',
        person_login: 'ada',
        pr_state: 'merged',
        pr_created_at: '2024-03-04T10:00:00Z',
        pr_merged_at: '2024-03-04T13:00:00Z',
        additions: 10,
        deletions: 2,
        base_branch: 'main',
        head_branch: 'door',
      },
    ]);
    await app.put('pull_request_commits', [
      {
        commit_id: 'p1:a',
        pr_id: 'p1',
        sha: 'a',
        person_login: 'ada',
        authored_at: '2024-03-04T09:00:00Z',
        committed_at: '2024-03-04T09:30:00Z',
      },
    ]);
    const [pr] = await app.select(pullRequests, [
      'cycle_time',
      'pickup_time',
      'coding_time',
      'merged_user_id',
      'reviews_count',
      'repository_name',
      'pr_category',
      'complexity_score',
      'review_rounds',
    ]);
    const [review] = await app.select(pullRequestReviews, [
      'merged_user_id',
      'source',
      'is_review',
      'repository',
      'pr_title',
      'review_hour_of_day',
    ]);
    expect(pr).toMatchObject({
      cycle_time: 4 * 3600,
      pickup_time: 2 * 3600,
      coding_time: 3600,
      reviews_count: 1,
      repository_name: 'web',
      pr_category: 'Feature Work',
      review_rounds: 1,
    });
    expect(review).toMatchObject({
      source: 'github',
      is_review: true,
      repository: 'acme/web',
      pr_title: 'feat: add a door',
      review_hour_of_day: 12,
    });
    expect(pr?.merged_user_id).not.toBeNull();
    expect(review?.merged_user_id).not.toBeNull();
    expect(pr?.complexity_score).toBe(50);
  });
});
