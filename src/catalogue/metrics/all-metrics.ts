import type { Metric } from '../metric.ts';
import { aiCopilotMetrics, aiPullRequestMetrics } from './ai-copilot.ts';
import { deploymentMetrics, leadTimeMetrics, releaseMetrics } from './deployments.ts';
import { issueCommentMetrics, issueMetrics } from './issues.ts';
import { sessionMetrics } from './posthook-sessions.ts';
import {
  commentMetrics,
  commitMetrics,
  developmentMetrics,
  eventMetrics,
  pullRequestMetrics,
  reviewMetrics,
} from './pull-requests.ts';
import { surveyMetrics } from './surveys.ts';
import { peopleMetrics } from './user-metrics.ts';
import { workflowMetrics } from './workflow-runs.ts';

/** The domains in which metrics are asked, in the order in which a reader meets them. */
export const metricDomains: Readonly<Record<string, readonly Metric[]>> = {
  'Pull requests': [...pullRequestMetrics, ...reviewMetrics, ...commentMetrics, ...commitMetrics, ...eventMetrics],
  Development: developmentMetrics,
  Issues: [...issueMetrics, ...issueCommentMetrics],
  'AI assistants': [...aiCopilotMetrics, ...aiPullRequestMetrics],
  'AI coding sessions': sessionMetrics,
  Workflows: workflowMetrics,
  'Releases and deployments': [...releaseMetrics, ...deploymentMetrics, ...leadTimeMetrics],
  People: peopleMetrics,
  Surveys: surveyMetrics,
};

/** Every metric that is asked of a table, by name. */
export const metrics: ReadonlyMap<string, Metric> = new Map(
  Object.values(metricDomains)
    .flat()
    .map((metric) => [metric.name, metric]),
);

/** The one metric that is asked of no table: the periods themselves. */
export const dateDetails = 'date-details';
