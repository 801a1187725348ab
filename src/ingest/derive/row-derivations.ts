import { closedSpan } from '../../calendar.ts';
import { repositoryName } from '../../catalogue/record-ids.ts';
import type { Table, Value } from '../../catalogue/table.ts';
import { type AiCopilotRow, aiCopilot } from '../../catalogue/tables/ai-copilot.ts';
import { factTables } from '../../catalogue/tables/all-tables.ts';
import { deployments, reportedOrigin } from '../../catalogue/tables/deployments.ts';
import { type IssueRow, issues } from '../../catalogue/tables/issues.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import { surveyResponses } from '../../catalogue/tables/surveys.ts';
import { workflowRuns } from '../../catalogue/tables/workflow-runs.ts';
import { keyOf } from '../../text-comparison.ts';
import { answerDigest, answerId } from './answer-id.ts';
import { categoryOf } from './category.ts';
import { filesOf, rawComplexity } from './complexity.ts';
import { ofRow, type RowDerivation } from './derivation.ts';
import { keyOfIssue, namedIssues, namingColumnsOfPullRequest } from './named-issues.ts';
import { isHotfix, revertMarks } from './reverts.ts';
import { runCost, runDuration } from './workflow-run-cost.ts';

/**
 * The numbers that only grow when a person works with the assistant. Lines that the person added or deleted by any means
 * say nothing about it, and a cost may be the seat's share of the month.
 */
export const signsOfUse = [
  'suggested_lines',
  'accepted_lines',
  'ai_lines',
  'accepts',
  'rejects',
  'chat_requests',
  'composer_requests',
  'agent_requests',
  'cmd_k_usages',
  'tokens',
] as const satisfies readonly (keyof AiCopilotRow)[];

/** The numbers of the day of an assistant; a missing number was not reported. */
type DayNumbers = Partial<Pick<AiCopilotRow, (typeof signsOfUse)[number]>>;

/** Whether the person used the assistant that day. A day on which nothing was counted is a seat that lay idle. */
export function isActiveDay(numbers: DayNumbers): boolean {
  return signsOfUse.some((name) => (numbers[name] ?? 0) > 0);
}

/** The repository of a row, in the tables that declare which column names it. */
const repositories = Object.values<Table>(factTables).flatMap((table): RowDerivation[] => {
  const { repository } = table;
  if (!repository) return [];
  const hasName = 'repository_name' in table.columns;
  return [
    {
      kind: 'row',
      table,
      reads: repository,
      writes: hasName ? ['repository_name', 'repository_key'] : ['repository_key'],
      derive: (row) => {
        const name = repository.map((column) => row[column]).find((value) => value != null);
        const repository_key = typeof name === 'string' ? keyOf(name) : null;
        return hasName ? { repository_name: repositoryName(textOf(name)), repository_key } : { repository_key };
      },
    },
  ];
});

const textOf = (value: Value | undefined): string | null => (typeof value === 'string' ? value : null);
const textsOf = (json: string | null): string[] => (json === null ? [] : (JSON.parse(json) as string[]));

/** The derivations from a single row. */
export const rowDerivations: readonly RowDerivation[] = [
  ...repositories,
  ofRow(pullRequests, {
    reads: ['given_pr_category', 'labels', 'pr_title', 'head_branch'],
    writes: ['pr_category', 'is_hotfix'],
    derive: ({ given_pr_category, labels: list, pr_title: title, head_branch: headBranch }) => {
      const named = { labels: textsOf(list), title, headBranch };
      return { pr_category: given_pr_category ?? categoryOf(named), is_hotfix: isHotfix(named) };
    },
  }),
  ofRow(pullRequests, {
    reads: ['head_branch', 'pr_body', 'pr_title', 'repository'],
    writes: ['revert_marks'],
    derive: ({ head_branch: headBranch, pr_body: body, pr_title: title, repository }) => ({
      revert_marks: revertMarks({ headBranch, body, title, repository }),
    }),
  }),
  ofRow(pullRequests, {
    reads: namingColumnsOfPullRequest,
    writes: ['named_issues'],
    derive: (row) => {
      const named = namedIssues(row);
      return { named_issues: named.length === 0 ? null : JSON.stringify(named) };
    },
  }),
  ofRow(pullRequests, {
    reads: ['pr_merged_at', 'files', 'additions', 'deletions', 'changed_files'],
    writes: ['merged_quarter', 'raw_complexity'],
    derive: ({ pr_merged_at, files, additions, deletions, changed_files: changedFiles }, { zone }) =>
      pr_merged_at === null
        ? { merged_quarter: null, raw_complexity: null }
        : {
            merged_quarter: zone.quarterAt(pr_merged_at),
            raw_complexity: rawComplexity({ files: filesOf(files), additions, deletions, changedFiles }),
          },
  }),
  ofRow(issues, {
    reads: ['issue_id', 'issue_key', 'source'],
    writes: ['link_key'],
    derive: (row) => ({ link_key: keyOfIssue(row) }),
  }),
  ofRow(issues, {
    reads: ['created_at', 'completed_at'],
    writes: ['issue_cycle_time'],
    derive: (row) => ({ issue_cycle_time: issueCycleTime(row) }),
  }),
  ofRow(workflowRuns, {
    reads: ['run_started_at', 'run_updated_at', 'run_conclusion', 'billable_ms'],
    settings: { runnerPrices: 'billable_ms' },
    writes: ['run_duration', 'estimated_cost'],
    derive: (row, { runnerPrices }) => ({
      run_duration: runDuration(row),
      estimated_cost: runCost(row.billable_ms, runnerPrices),
    }),
  }),
  ofRow(aiCopilot, {
    reads: ['given_is_active', ...signsOfUse],
    writes: ['is_active'],
    derive: (row) => ({ is_active: row.given_is_active ?? isActiveDay(row) }),
  }),
  ofRow(surveyResponses, {
    reads: ['survey_response_id'],
    writes: ['answer_id'],
    derive: ({ survey_response_id: id }, { surveyKey }) => ({
      answer_id: id === null ? null : answerId(surveyKey, id),
    }),
  }),
  ofRow(surveyResponses, {
    reads: [
      'survey_id',
      'survey_template_question_id',
      'response_type',
      'answer_value',
      'answer_comment',
      'answer_other_text',
    ],
    writes: ['answer_digest'],
    derive: (row, { surveyKey }) => ({
      answer_digest: answerDigest(surveyKey, [
        row.survey_id,
        row.survey_template_question_id,
        row.response_type,
        row.answer_value,
        row.answer_comment,
        row.answer_other_text,
      ]),
    }),
  }),
  ofRow(deployments, {
    reads: ['origin', 'given_deployment_source', 'deployment_source'],
    writes: ['origin', 'deployment_source'],
    derive: ({ origin, given_deployment_source, deployment_source }) => {
      const isReported = (origin ?? reportedOrigin) === reportedOrigin;
      return isReported
        ? { origin: reportedOrigin, deployment_source: given_deployment_source ?? 'workflow_run' }
        : { origin, deployment_source };
    },
  }),
];

/** Creation to completion. An issue that was closed without being completed has none. */
export function issueCycleTime(issue: Pick<IssueRow, 'created_at' | 'completed_at'>): number | null {
  return closedSpan(issue.created_at, issue.completed_at);
}
