import { column, isAnyOf, isPresent, isTrue, not, type RowNode, type RowValue } from '../expression/expression.ts';
import type { Columned } from './metric.ts';
import { columnsNeeding, type Table } from './table.ts';
import { aiCopilot } from './tables/ai-copilot.ts';
import { deployments } from './tables/deployments.ts';
import { issues } from './tables/issues.ts';
import { posthookSessions } from './tables/posthook-sessions.ts';
import { pullRequestReviews } from './tables/pull-request-parts.ts';
import { pullRequests } from './tables/pull-requests.ts';
import { surveyRecipients } from './tables/surveys.ts';
import { workflowRuns } from './tables/workflow-runs.ts';

/** Why a row has no value, or no date: in words, and which rows that holds of. */
export interface LeftOutReason {
  readonly reason: string;
  /** The reason explains only values and dates that are made of one of these columns. */
  readonly of: readonly string[];
  readonly where: RowNode;
}

/** The reasons of a table, the first that holds being the one that is given. */
export const leftOutReasons = (table: Table): readonly LeftOutReason[] => declared.get(table) ?? [];

const declared = new Map<Table, readonly LeftOutReason[]>([
  because(pullRequests, (pr) => {
    const became = (status: string) => isAnyOf(pr.deployment_attribution_status, status);
    return [
      ['bot', ['is_bot', ...Object.keys(pullRequests.needs ?? {})], isTrue(pr.is_bot)],
      ['open', ['pr_merged_at', 'pr_closed_at'], isAnyOf(pr.pr_state, 'open')],
      ['closed without merging', ['pr_merged_at'], isAnyOf(pr.pr_state, 'closed')],
      ['no deployment signal', ['deployed_at'], became('before_first_signal')],
      ['not deployed yet', ['deployed_at'], became('awaiting_deploy')],
      ['not on the way to production', ['deployed_at'], became('non_production_branch')],
      ['repository is switched off', ['deployed_at'], became('ignored')],
      ['promotion', ['coding_time', 'cycle_time', 'deployed_at'], isTrue(pr.is_promotion_step)],
      ['not reviewed', ['first_review_at'], not(isPresent(pr.first_review_at))],
      ['no comment', ['first_comment_at'], not(isPresent(pr.first_comment_at))],
      ['no commit known', ['first_commit_at'], not(isPresent(pr.first_commit_at))],
      ['no merge queue', ['merge_queue_entered_at'], not(isPresent(pr.merge_queue_entered_at))],
      ['not made with AI', ['is_ai_assisted'], not(isTrue(pr.is_ai_assisted))],
    ];
  }),
  because(pullRequestReviews, (review) => [
    ['bot', ['is_review'], isTrue(review.is_bot)],
    ['by the author', ['is_review'], not(isTrue(review.is_review))],
  ]),
  because(deployments, (deployment) => [
    ['not production', ['is_production'], not(isTrue(deployment.is_production))],
    ['cancelled', ['status'], isAnyOf(deployment.status, 'cancelled')],
    ['failed', ['status'], isAnyOf(deployment.status, 'failure')],
    ['remediation', ['is_remediation'], isTrue(deployment.is_remediation)],
    ['did not fail', ['failure_reason'], not(isPresent(deployment.failure_reason))],
    ['not restored yet', ['restored_at'], not(isPresent(deployment.restored_at))],
  ]),
  because(workflowRuns, (run) => [['not finished', ['run_conclusion'], not(isPresent(run.run_conclusion))]]),
  because(issues, (issue) => [
    ['not completed', ['completed_at'], not(isPresent(issue.completed_at))],
    ['not started', ['started_at'], not(isPresent(issue.started_at))],
    ['not closed', ['closed_at'], not(isPresent(issue.closed_at))],
    ['no estimate', ['story_points'], not(isPresent(issue.story_points))],
    ['in another state', ['ticket_status'], isPresent(issue.issue_id)],
  ]),
  because(aiCopilot, (day) => [
    ['bot', ['is_bot'], isTrue(day.is_bot)],
    ['not used that day', ['is_active'], not(isTrue(day.is_active))],
  ]),
  because(posthookSessions, (session) => [
    ['no code from AI', ['generated_lines', 'committed_lines'], isPresent(session.session_id)],
  ]),
  because(surveyRecipients, (recipient) => [
    ['not answered', ['final_response_submitted_at'], not(isPresent(recipient.final_response_submitted_at))],
    ['not sent', ['sent_at'], not(isPresent(recipient.sent_at))],
    ['no email sent', ['survey_email_sent_at'], not(isPresent(recipient.survey_email_sent_at))],
  ]),
]);

/** The reasons of a table, each with the columns that it explains, and with them those that need these. */
function because<T extends Table>(
  table: T,
  declare: (row: Columned<T>) => readonly (readonly [string, readonly string[], RowValue<'boolean'>])[],
): [Table, LeftOutReason[]] {
  const row = Object.fromEntries(Object.keys(table.columns).map((name) => [name, column(name)]));
  const reasons = declare(row as Columned<T>).map(([reason, columns, where]) => ({
    reason,
    of: [...columns, ...columns.flatMap((one) => columnsNeeding(table, one))],
    where: where.row,
  }));
  return [table, reasons];
}
