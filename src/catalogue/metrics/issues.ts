import { isAnyOf, count as rowCount, when } from '../../expression/expression.ts';
import { aggregated, count, metricsOf } from '../metric.ts';
import { issueComments, issues } from '../tables/issues.ts';

const byCompletion = ['completed_at', 'created_at', 'started_at', 'closed_at'];
const byStart = ['started_at', 'created_at', 'completed_at', 'closed_at'];

export const issueMetrics = metricsOf(issues, {}, (issue) => {
  const is = (state: string) => isAnyOf(issue.ticket_status, state);

  return {
    'issues-count': count(rowCount(), { meaning: 'Number of issues.' }),
    'completed-issues-count': count(rowCount(is('completed')), {
      meaning: 'Number of completed issues.',
      better: 'higher',
      dates: byCompletion,
    }),
    'started-issues-count': count(rowCount(is('started')), {
      meaning: 'Number of issues in progress.',
      dates: byStart,
    }),
    'backlog-issues-count': count(rowCount(is('backlog')), { meaning: 'Number of issues in the backlog.' }),
    'story-points': aggregated(issue.story_points, { meaning: 'Estimates of issues. SUM takes a missing one as 0.' }),
    'completed-story-points': aggregated(when(is('completed'), issue.story_points), {
      meaning: 'Estimates of completed issues.',
      better: 'higher',
      dates: byCompletion,
    }),
    'started-story-points': aggregated(when(is('started'), issue.story_points), {
      meaning: 'Estimates of issues in progress.',
      dates: byStart,
    }),
    'issue-cycle-time': aggregated(issue.issue_cycle_time, {
      meaning: 'Creation of an issue to its completion.',
      unit: 'seconds',
      better: 'lower',
      dates: byCompletion,
    }),
  };
});

export const issueCommentMetrics = metricsOf(issueComments, {}, () => ({
  'issue-comments-count': count(rowCount(), { meaning: 'Number of comments on issues.' }),
  'issue-comment-interactions-count': count(rowCount(), {
    meaning: 'Number of comments on issues, to be grouped or filtered by who wrote them.',
  }),
}));
