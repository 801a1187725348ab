import type { Table } from '../table.ts';
import { aiCopilot } from './ai-copilot.ts';
import { deployments } from './deployments.ts';
import { incidents } from './incidents.ts';
import { issueComments, issues } from './issues.ts';
import {
  posthookSessionCommits,
  posthookSessionFiles,
  posthookSessionMessages,
  posthookSessions,
} from './posthook-sessions.ts';
import {
  pullRequestComments,
  pullRequestCommits,
  pullRequestEvents,
  pullRequestReviews,
} from './pull-request-parts.ts';
import { pullRequests } from './pull-requests.ts';
import { releaseDetails } from './release-details.ts';
import { surveyRecipients, surveyResponses } from './surveys.ts';
import { userMetrics } from './user-metrics.ts';
import { workflowRuns } from './workflow-runs.ts';

/** The tables that records fill: what happened. Parents stand before their parts. */
export const factTables = {
  pull_requests: pullRequests,
  pull_request_reviews: pullRequestReviews,
  pull_request_comments: pullRequestComments,
  pull_request_commits: pullRequestCommits,
  pull_request_events: pullRequestEvents,
  issues,
  issue_comments: issueComments,
  release_details: releaseDetails,
  workflow_runs: workflowRuns,
  ai_copilot: aiCopilot,
  posthook_sessions: posthookSessions,
  posthook_session_messages: posthookSessionMessages,
  posthook_session_files: posthookSessionFiles,
  posthook_session_commits: posthookSessionCommits,
  survey_recipients: surveyRecipients,
  survey_responses: surveyResponses,
  deployments,
  incidents,
} as const satisfies Readonly<Record<string, Table>>;

export type FactTable = keyof typeof factTables;
export const factTableNames = Object.keys(factTables) as FactTable[];
export const isFactTable = (name: string): name is FactTable => Object.hasOwn(factTables, name);

/** The eighteen tables that a metric is asked of. Incidents have no metric of their own: they tell which deployments failed. */
const { incidents: _, ...asked } = factTables;
export const askedTables = { ...asked, user_metrics: userMetrics } as const satisfies Readonly<Record<string, Table>>;

/** The parts of a table, which go when their parent goes. */
export const childrenOf = (name: string): FactTable[] =>
  factTableNames.filter((child) => (factTables[child] as Table).parent?.table === name);
