import { type Definitions, people, teams } from './definition.ts';

const issue = (id: string, login: string | null, ticket_status: string, more: object) => ({
  issue_id: id,
  source: 'github',
  person_login: login,
  ticket_status,
  ...more,
});

export const issueDefinitions: Definitions = {
  about: 'issues',
  filters: { start_date: '2024-02-01', end_date: '2024-02-29' },
  records: {
    people,
    teams,
    issues: [
      issue('i1', 'ada', 'completed', {
        story_points: 3,
        created_at: '2024-02-01T00:00:00Z',
        started_at: '2024-02-02T00:00:00Z',
        completed_at: '2024-02-03T00:00:00Z',
      }),
      issue('i2', 'bo', 'completed', { created_at: '2024-02-05T00:00:00Z', completed_at: '2024-02-05T12:00:00Z' }),
      issue('i3', null, 'started', {
        story_points: 5,
        created_at: '2024-02-06T00:00:00Z',
        started_at: '2024-02-07T00:00:00Z',
      }),
      issue('i4', 'ada', 'backlog', { story_points: 2, created_at: '2024-02-08T00:00:00Z' }),
      issue('i5', 'cy', 'completed', {
        story_points: 100,
        created_at: '2024-02-08T00:00:00Z',
        started_at: '2024-02-08T00:00:00Z',
        completed_at: '2024-02-09T00:00:00Z',
      }),
      issue('i6', 'bo', 'canceled', {
        story_points: 1,
        created_at: '2024-02-09T00:00:00Z',
        closed_at: '2024-02-10T00:00:00Z',
      }),
    ],
    issue_comments: [
      { issue_comment_id: 'x1', issue_id: 'i1', person_login: 'ada', created_at: '2024-02-02T00:00:00Z' },
      { issue_comment_id: 'x2', issue_id: 'i1', person_login: 'cy', created_at: '2024-02-02T00:00:00Z' },
      { issue_comment_id: 'x3', issue_id: 'i5', person_login: 'stranger', created_at: '2024-02-02T00:00:00Z' },
      { issue_comment_id: 'x4', issue_id: 'i1', person_login: 'bo', created_at: '2024-03-02T00:00:00Z' },
      { issue_comment_id: 'x5', issue_id: 'i4', person_login: 'bo', created_at: '2024-03-02T00:00:00Z' },
    ],
  },
  cases: [
    { metric: 'issues-count', because: 'all but Cy’s; that of nobody, too', rows: [{ issues_count: 5 }] },
    { metric: 'completed-issues-count', because: 'i1 and i2', rows: [{ completed_issues_count: 2 }] },
    {
      metric: 'completed-issues-count',
      because: 'the state stands inside the count: who has none completed is there',
      body: { date_field: 'created_at', group_by: ['name'] },
      rows: [
        { name: 'Ada', completed_issues_count: 1 },
        { name: 'Bo', completed_issues_count: 1 },
        { name: null, completed_issues_count: 0 },
      ],
    },
    {
      metric: 'started-issues-count',
      because: 'i1 was started, too, and is completed by now',
      rows: [{ started_issues_count: 1 }],
    },
    { metric: 'backlog-issues-count', because: 'i4', rows: [{ backlog_issues_count: 1 }] },
    {
      metric: 'story-points',
      because: '3 + 5 + 2 + 1; a missing estimate is 0',
      body: { aggregation: 'SUM' },
      rows: [{ sum_story_points: 11 }],
    },
    {
      metric: 'story-points',
      because: 'over the four that have an estimate',
      body: { aggregation: 'AVG' },
      rows: [{ avg_story_points: 2.75 }],
    },
    {
      metric: 'completed-story-points',
      because: 'i1 has 3, i2 none',
      body: { aggregation: 'AVG' },
      rows: [{ avg_completed_story_points: 3 }],
    },
    {
      metric: 'started-story-points',
      because: 'i3; i1 is completed',
      body: { aggregation: 'SUM' },
      rows: [{ sum_started_story_points: 5 }],
    },
    {
      metric: 'issue-cycle-time',
      because: '48 h and 12 h',
      body: { aggregation: 'AVG' },
      rows: [{ avg_issue_cycle_time: 108_000 }],
    },
    { metric: 'issue-comments-count', because: 'all but Cy’s', rows: [{ issue_comments_count: 2 }] },
    {
      metric: 'issue-comment-interactions-count',
      because: 'a comment on a completed issue, whoever that belongs to',
      body: { filters: { ticket_status: ['completed'] }, group_by: ['merged_user_id'] },
      rows: [
        { merged_user_id: 'ada', issue_comment_interactions_count: 1 },
        { merged_user_id: null, issue_comment_interactions_count: 1 },
      ],
    },
    {
      metric: 'issue-comments-count',
      because: 'Bo commented on a completed issue that is Ada’s',
      engineer: 'bo',
      body: {
        filters: { start_date: '2024-03-01', end_date: '2024-03-31', ticket_status: ['completed'] },
        group_by: ['issue_comment_id'],
      },
      rows: [{ issue_comment_id: 'x4', issue_comments_count: 1 }],
    },
  ],
};
