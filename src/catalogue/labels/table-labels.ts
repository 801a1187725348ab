import type { askedTables, factTables } from '../tables/all-tables.ts';

/** The name of each table for people. One that is missing here does not compile. */
const tableLabels: Readonly<Record<keyof typeof askedTables | keyof typeof factTables, string>> = {
  pull_requests: 'Pull requests',
  pull_request_reviews: 'Reviews',
  pull_request_comments: 'Pull request comments',
  pull_request_commits: 'Commits',
  pull_request_events: 'Pull request events',
  issues: 'Issues',
  issue_comments: 'Issue comments',
  release_details: 'Releases',
  workflow_runs: 'Workflow runs',
  ai_copilot: 'Assistant use',
  posthook_sessions: 'Coding sessions',
  posthook_session_messages: 'Messages of coding sessions',
  posthook_session_files: 'Files of coding sessions',
  posthook_session_commits: 'Commits of coding sessions',
  survey_recipients: 'Survey recipients',
  survey_responses: 'Survey answers',
  deployments: 'Deployments',
  incidents: 'Incidents',
  user_metrics: 'People',
};

/** The name of a table for people; what is no table keeps its name. */
export const tableLabel = (table: string): string =>
  (Object.hasOwn(tableLabels, table) ? (tableLabels as Readonly<Record<string, string>>)[table] : undefined) ?? table;
