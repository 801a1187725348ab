import { type Definitions, people, teams } from './definition.ts';

const pr = (id: string, login: string, more: object) => ({
  pr_id: id,
  source: 'github',
  repository: 'acme/web',
  person_login: login,
  base_branch: 'main',
  ...more,
});
const part = (key: string, id: string, prId: string, login: string, more: object) => ({
  [key]: id,
  pr_id: prId,
  person_login: login,
  ...more,
});

/**
 * p1 by Ada: first commit 08:00, opened 10:00, reviewed 12:00, reworked 15:00, reviewed again 18:00, merged 10:00 the
 * next day. p2 by Bo: opened as a draft, ready at 12:00, reviewed by Cy (who does not count) at 14:00, merged 20:00.
 * p3 by Ada: open, nothing happened. p4 by a bot: merged. p5 by Cy. p6 by an unknown login: reviewed, closed unmerged.
 */
export const pullRequestDefinitions: Definitions = {
  about: 'pull requests',
  filters: { start_date: '2024-01-01', end_date: '2024-01-31' },
  records: {
    people,
    teams,
    pull_requests: [
      pr('p1', 'ada', {
        pr_state: 'merged',
        pr_created_at: '2024-01-10T10:00:00Z',
        pr_merged_at: '2024-01-11T10:00:00Z',
        additions: 100,
        deletions: 20,
        complexity_score: 80,
      }),
      pr('p2', 'bo', {
        pr_state: 'merged',
        pr_created_at: '2024-01-12T09:00:00Z',
        ready_at: '2024-01-12T12:00:00Z',
        pr_merged_at: '2024-01-12T20:00:00Z',
        additions: 10,
        complexity_score: 40,
      }),
      pr('p3', 'ada', { pr_state: 'open', pr_created_at: '2024-01-15T10:00:00Z', complexity_score: 50 }),
      pr('p4', 'renovate[bot]', {
        pr_state: 'merged',
        pr_created_at: '2024-01-16T10:00:00Z',
        pr_merged_at: '2024-01-16T11:00:00Z',
        first_commit_at: '2024-01-16T09:00:00Z',
        additions: 5,
        deletions: 5,
        complexity_score: 10,
      }),
      pr('p5', 'cy', {
        pr_state: 'merged',
        pr_created_at: '2024-01-17T10:00:00Z',
        pr_merged_at: '2024-01-17T12:00:00Z',
        first_commit_at: '2024-01-16T10:00:00Z',
        additions: 1_000,
        deletions: 1_000,
        complexity_score: 99,
      }),
      pr('p6', 'stranger', {
        pr_state: 'closed',
        pr_created_at: '2024-01-18T10:00:00Z',
        pr_closed_at: '2024-01-18T12:00:00Z',
        additions: 1,
        deletions: 3,
      }),
    ],
    pull_request_commits: [
      part('commit_id', 'c1', 'p1', 'ada', {
        authored_at: '2024-01-10T08:00:00Z',
        committed_at: '2024-01-10T08:00:00Z',
      }),
      part('commit_id', 'c2', 'p1', 'ada', {
        authored_at: '2024-01-10T14:00:00Z',
        committed_at: '2024-01-10T15:00:00Z',
      }),
      part('commit_id', 'c3', 'p2', 'bo', {
        authored_at: '2024-01-12T08:30:00Z',
        committed_at: '2024-01-12T08:30:00Z',
      }),
      part('commit_id', 'c4', 'p6', 'stranger', {
        authored_at: '2024-01-18T09:00:00Z',
        committed_at: '2024-01-18T09:00:00Z',
      }),
      part('commit_id', 'c5', 'p5', 'cy', {
        authored_at: '2024-01-16T10:00:00Z',
        committed_at: '2024-01-16T10:00:00Z',
      }),
    ],
    pull_request_reviews: [
      part('pr_review_id', 'r1', 'p1', 'bo', {
        review_state: 'changes_requested',
        reviewed_at: '2024-01-10T12:00:00Z',
      }),
      part('pr_review_id', 'r2', 'p1', 'bo', { review_state: 'approved', reviewed_at: '2024-01-10T18:00:00Z' }),
      part('pr_review_id', 'r3', 'p1', 'ada', { review_state: 'commented', reviewed_at: '2024-01-10T11:00:00Z' }),
      part('pr_review_id', 'r4', 'p2', 'cy', {
        review_state: 'changes_requested',
        reviewed_at: '2024-01-12T14:00:00Z',
      }),
      part('pr_review_id', 'r5', 'p6', 'visitor', { review_state: 'commented', reviewed_at: '2024-01-18T11:00:00Z' }),
    ],
    pull_request_comments: [
      part('comment_id', 'm1', 'p1', 'renovate[bot]', { commented_at: '2024-01-10T10:05:00Z' }),
      part('comment_id', 'm2', 'p1', 'bo', { commented_at: '2024-01-10T11:30:00Z' }),
      part('comment_id', 'm3', 'p1', 'ada', { commented_at: '2024-01-10T11:45:00Z' }),
      part('comment_id', 'm4', 'p1', 'cy', { commented_at: '2024-01-10T19:00:00Z' }),
    ],
    pull_request_events: [
      { pr_id: 'p1', event_type: 'labeled', event_at: '2024-01-10T10:01:00Z', person_login: 'ada' },
      { pr_id: 'p1', event_type: 'labeled', event_at: '2024-01-10T10:02:00Z', person_login: 'cy' },
      { pr_id: 'p1', event_type: 'merged', event_at: '2024-01-11T10:00:00Z', person_login: 'renovate[bot]' },
    ],
  },
  cases: [
    { metric: 'pull-requests-count', because: 'all but that of Cy', rows: [{ pr_count: 5 }] },
    {
      metric: 'pull-requests-count',
      because: 'merged are p1, p2 and the bot’s p4',
      body: { date_field: 'merged_at' },
      rows: [{ pr_count: 3 }],
    },
    {
      metric: 'pull-requests-count',
      because: 'Bo is in both teams, nobody is in the null group but the bot and the stranger',
      body: { group_by: ['team_name'] },
      rows: [
        { team_name: 'Payments', pr_count: 3 },
        { team_name: 'Platform', pr_count: 1 },
        { team_name: null, pr_count: 2 },
      ],
    },
    {
      metric: 'pull-requests-count',
      because: 'both teams are of one department, which Bo is in once',
      body: { group_by: ['department'] },
      rows: [
        { department: 'Product', pr_count: 3 },
        { department: null, pr_count: 2 },
      ],
    },
    {
      metric: 'pull-requests-count',
      because: 'weeks start on Mondays: the 8th and the 15th',
      body: { date_level: 'WEEK' },
      rows: [
        { week_date: '2024-01-08', pr_count: 2 },
        { week_date: '2024-01-15', pr_count: 3 },
      ],
    },
    {
      metric: 'pull-requests-size',
      because: '100+10+5+1, 20+0+5+3, 120+10+10+4: a missing side is 0, and p3 has neither',
      body: { aggregation: 'SUM' },
      rows: [{ sum_additions: 116, sum_deletions: 28, sum_total_changes: 144 }],
    },
    {
      metric: 'pull-requests-size',
      because: 'half-way between the two middle ones of 1, 5, 10, 100; of 0, 3, 5, 20; of 4, 10, 10, 120',
      body: { aggregation: 'median' },
      rows: [{ median_additions: 7.5, median_deletions: 4, median_total_changes: 10 }],
    },
    { metric: 'review-rate', because: 'p1, p2 and p6 of five', rows: [{ review_rate: 0.6 }] },
    {
      metric: 'complexity-score',
      because: '80 + 40 + 10: p3 is not merged',
      body: { aggregation: 'SUM' },
      rows: [{ sum_complexity_score: 130 }],
    },
    { metric: 'contributors-count', because: 'Ada, Bo, the stranger', rows: [{ contributors_count: 3 }] },
    {
      metric: 'review-rounds',
      because: 'p1: two; p2: one; p6: the review was followed by nothing; p3, p4: none. 3 of 5',
      rows: [{ review_rounds: 0.6 }],
    },
    { metric: 'reviewers-per-pr', because: 'p1, p2, p6 have one each', rows: [{ reviewers_per_pr: 0.6 }] },
    {
      metric: 'comments-per-pr',
      because: 'three people commented on p1; that Cy does not count is no matter of the row',
      rows: [{ comments_per_pr: 0.6 }],
    },
    { metric: 'reviews-count', because: 'p1 and p6; Cy’s review is left out', rows: [{ reviews_count: 2 }] },
    { metric: 'review-interactions-count', because: 'r1, r2, r5', rows: [{ review_interactions_count: 3 }] },
    {
      metric: 'review-interactions-count',
      because: 'an own review is none, and its row is there',
      body: { group_by: ['pr_review_id'] },
      rows: [
        { pr_review_id: 'r1', review_interactions_count: 1 },
        { pr_review_id: 'r2', review_interactions_count: 1 },
        { pr_review_id: 'r3', review_interactions_count: 0 },
        { pr_review_id: 'r5', review_interactions_count: 1 },
      ],
    },
    {
      metric: 'pull-requests-count',
      because: 'p1 was reviewed by another at 12 and at 18, p2 at 14, also for those whose reviewer does not count',
      body: { filters: { review_hour_of_day: [12, 14] }, group_by: ['pr_id'] },
      rows: [
        { pr_id: 'p1', pr_count: 1 },
        { pr_id: 'p2', pr_count: 1 },
      ],
    },
    {
      metric: 'pull-requests-count',
      because: 'at 11 only p6 was reviewed by another: p1 had a look by its author',
      body: { filters: { review_hour_of_day: 11 }, group_by: ['pr_id'] },
      rows: [{ pr_id: 'p6', pr_count: 1 }],
    },
    {
      metric: 'pull-requests-count',
      because: 'when it was reviewed is known of one’s own, also by whoever does not see the review',
      engineer: 'ada',
      body: { filters: { review_hour_of_day: [18] }, group_by: ['pr_id'] },
      rows: [{ pr_id: 'p1', pr_count: 1 }],
    },
    {
      metric: 'comments-count',
      because: 'Bo’s own, on a pull request of two rounds that is Ada’s',
      engineer: 'bo',
      body: { filters: { review_rounds_bucket: ['2', '3+'] } },
      rows: [{ comments_count: 1 }],
    },
    {
      metric: 'comments-count',
      because: 'p1, where they all stand, has two rounds',
      body: { filters: { review_rounds_bucket: ['0', '1', '3+'] } },
      rows: [{ comments_count: 0 }],
    },
    { metric: 'changes-requested-rate', because: 'r1 of three', rows: [{ changes_requested_rate: 1 / 3 }] },
    { metric: 'active-reviewers', because: 'Bo and the visitor', rows: [{ active_reviewers: 2 }] },
    {
      metric: 'reviews-by-time-of-day',
      because: 'at 11 there are an own review and a real one',
      rows: [
        { review_hour_of_day: 11, reviews_by_time_of_day: 1 },
        { review_hour_of_day: 12, reviews_by_time_of_day: 1 },
        { review_hour_of_day: 18, reviews_by_time_of_day: 1 },
      ],
    },
    { metric: 'comments-count', because: 'that of the bot, too; not Cy’s', rows: [{ comments_count: 3 }] },
    {
      metric: 'comment-interactions-count',
      because: 'a bot is nobody',
      body: { group_by: ['name'] },
      rows: [
        { name: 'Ada', comment_interactions_count: 1 },
        { name: 'Bo', comment_interactions_count: 1 },
        { name: null, comment_interactions_count: 1 },
      ],
    },
    { metric: 'commits-count', because: 'c1 to c4', rows: [{ commits_count: 4 }] },
    {
      metric: 'commit-interactions-count',
      because: 'two are Ada’s',
      body: { filters: { member: ['ada'] } },
      rows: [{ commit_interactions_count: 2 }],
    },
    { metric: 'pull-request-events-count', because: 'Ada’s and the bot’s', rows: [{ pull_request_events_count: 2 }] },
    {
      metric: 'coding-time',
      because: '08:00 → 10:00 and 08:30 → ready at 12:00',
      body: { aggregation: 'AVG' },
      rows: [{ avg_coding_time: 9_900 }],
    },
    {
      metric: 'commit-to-open',
      because: 'the same as coding-time; the closed one opened an hour after its commit',
      body: { aggregation: 'MIN', date_field: 'created_at' },
      rows: [{ min_commit_to_open: 3_600 }],
    },
    {
      metric: 'pickup-time',
      because: '10:00 → 12:00 and ready at 12:00 → 14:00',
      body: { aggregation: 'SUM' },
      rows: [{ sum_pickup_time: 14_400 }],
    },
    {
      metric: 'open-to-review',
      because: '2 h, 2 h and, since it was closed unmerged, only by creation 1 h',
      body: { aggregation: 'AVG', date_field: 'pr_created_at' },
      rows: [{ avg_open_to_review: 6_000 }],
    },
    {
      metric: 'review-time',
      because: '12:00 → 10:00 the next day and 14:00 → 20:00',
      body: { aggregation: 'AVG' },
      rows: [{ avg_review_time: 50_400 }],
    },
    {
      metric: 'review-to-merge',
      because: 'the same as review-time',
      body: { aggregation: 'MAX' },
      rows: [{ max_review_to_merge: 79_200 }],
    },
    {
      metric: 'rework-time',
      because: '12:00 → 15:00, and 0 for the reviewed one without later commits',
      body: { aggregation: 'AVG' },
      rows: [{ avg_rework_time: 5_400 }],
    },
    {
      metric: 'cycle-time',
      because: '26 h and 11.5 h; a bot has no clocks',
      body: { aggregation: 'avg' },
      rows: [{ avg_cycle_time: 67_500 }],
    },
    {
      metric: 'time-to-first-comment',
      because: '10:00 → 11:30 and 09:00 → the review at 14:00',
      body: { aggregation: 'AVG' },
      rows: [{ avg_time_to_first_comment: 11_700 }],
    },
    {
      metric: 'rework-rate',
      because: 'one of two that were reviewed',
      body: { aggregation: 'AVG' },
      rows: [{ avg_rework_rate: 0.5 }],
    },
  ],
};
