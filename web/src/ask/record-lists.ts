import type { tables } from './catalogue.ts';
import type { MetricName } from './metric-facts.ts';
import { recordListsWords } from './record-list-words.ts';

/**
 * How records of a table are listed: the column that names a record, where it links to, and which columns are shown
 * besides.
 */
export interface RecordList {
  readonly one: string;
  readonly many: string;
  readonly name: string;
  /** The page of one record, and the column that holds its id. */
  readonly page?: { readonly path: string; readonly id: string };
  /** The column that holds the record's address in its source. */
  readonly url?: string;
  readonly columns: readonly string[];
}

const inPullRequest = { page: { path: '/pull-requests', id: 'pr_id' }, url: 'pr_url' };
const ofSession = { page: { path: '/ai-sessions', id: 'session_id' } };

export const recordLists: Readonly<Record<keyof typeof tables, RecordList>> = {
  pull_requests: {
    one: recordListsWords.pullRequest,
    many: recordListsWords.pullRequests,
    name: 'pr_title',
    ...inPullRequest,
    columns: ['repository_name', 'pr_merged_at'],
  },
  pull_request_reviews: {
    one: 'review',
    many: 'reviews',
    name: 'pr_title',
    ...inPullRequest,
    columns: ['name', 'review_state', 'reviewed_at'],
  },
  pull_request_comments: {
    one: 'comment',
    many: 'comments',
    name: 'pr_title',
    ...inPullRequest,
    columns: ['name', 'commented_at'],
  },
  pull_request_commits: {
    one: 'commit',
    many: 'commits',
    name: 'commit_message',
    ...inPullRequest,
    columns: ['repository_name', 'committed_at'],
  },
  pull_request_events: {
    one: 'event',
    many: 'events',
    name: 'pr_title',
    ...inPullRequest,
    columns: ['event_type', 'event_at'],
  },
  issues: {
    one: 'issue',
    many: 'issues',
    name: 'issue_title',
    url: 'issue_url',
    columns: ['issue_key', 'ticket_status', 'created_at'],
  },
  issue_comments: { one: 'comment', many: 'comments', name: 'issue_title', columns: ['name', 'created_at'] },
  release_details: {
    one: 'release',
    many: 'releases',
    name: 'version',
    url: 'release_url',
    columns: ['repository_name', 'release_date'],
  },
  workflow_runs: {
    one: 'run',
    many: 'runs',
    name: 'workflow_name',
    url: 'run_url',
    columns: ['repository_name', 'run_conclusion', 'run_created_at'],
  },
  ai_copilot: {
    one: recordListsWords.dayUse,
    many: recordListsWords.daysUse,
    name: 'name',
    columns: ['source', 'date', 'is_active'],
  },
  posthook_sessions: {
    one: 'session',
    many: 'sessions',
    name: 'session_id',
    ...ofSession,
    columns: ['name', 'agent_slug', 'started_at'],
  },
  posthook_session_messages: {
    one: 'message',
    many: 'messages',
    name: 'message_text',
    ...ofSession,
    columns: ['message_ts'],
  },
  posthook_session_files: { one: 'file', many: 'files', name: 'file_path', ...ofSession, columns: ['generated_lines'] },
  posthook_session_commits: {
    one: 'commit',
    many: 'commits',
    name: 'commit_id',
    ...ofSession,
    columns: ['committed_at'],
  },
  survey_recipients: {
    one: 'recipient',
    many: 'recipients',
    name: 'survey_name',
    columns: ['survey_status', 'sent_at'],
  },
  survey_responses: { one: 'answer', many: 'answers', name: 'question_text', columns: ['answer_value'] },
  deployments: {
    one: 'deployment',
    many: 'deployments',
    name: 'repository_name',
    page: { path: '/deployments', id: 'deployment_id' },
    url: 'run_url',
    columns: ['version', 'status', 'failure_reason', 'deployed_at'],
  },
  user_metrics: { one: 'person', many: 'people', name: 'name', columns: ['team_names'] },
};

/** Metrics that count something else than the records that are listed behind them. */
export const countedInstead: Partial<Readonly<Record<MetricName, string>>> = {
  'adoption-rate': recordListsWords.numberCountsPeople,
  'adopted-users': recordListsWords.numberCountsPeople,
};
