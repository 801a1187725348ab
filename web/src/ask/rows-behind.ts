import { metrics, tables } from './catalogue.ts';
import { aboutMetric, type MetricName, valueColumn } from './metric.ts';
import { isPicked, type PickedBy } from './picked-rows.ts';
import type { Question, RequestFilters } from './question.ts';
import type { Row } from './send.ts';
import type { View } from './view.ts';
import type { PanelState } from './view-state.ts';

/** How the records of a table are listed: the column that names one, where it leads, and what else is shown. */
export interface RecordList {
  readonly one: string;
  readonly many: string;
  readonly name: string;
  /** The page of one record, by the column with its id. */
  readonly page?: { readonly path: string; readonly id: string };
  /** The column with the address of the record where it comes from. */
  readonly url?: string;
  readonly columns: readonly string[];
}

const inPullRequest = { page: { path: '/pull-requests', id: 'pr_id' }, url: 'pr_url' };
const ofSession = { page: { path: '/ai-sessions', id: 'session_id' } };

export const recordLists: Readonly<Record<keyof typeof tables, RecordList>> = {
  pull_requests: {
    one: 'pull request',
    many: 'pull requests',
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
  ai_copilot: { one: 'day of use', many: 'days of use', name: 'name', columns: ['source', 'date', 'is_active'] },
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

/** The column of a record that a metric is computed from, where there is one. */
const valueColumns: Readonly<Partial<Record<MetricName, string>>> = {
  'coding-time': 'coding_time',
  'commit-to-open': 'coding_time',
  'pickup-time': 'pickup_time',
  'open-to-review': 'pickup_time',
  'review-time': 'review_time',
  'review-to-merge': 'review_time',
  'rework-time': 'rework_time',
  'cycle-time': 'cycle_time',
  'time-to-first-comment': 'time_to_first_comment',
  'queue-time': 'queue_time',
  'lead-time-for-changes': 'lead_time',
  'lead-time-for-changes-p50': 'lead_time',
  'merge-to-deploy': 'merge_to_deploy',
  'merge-to-deploy-p50': 'merge_to_deploy',
  'open-to-deploy': 'open_to_deploy',
  'time-to-restore': 'time_to_restore',
  'time-to-restore-p50': 'time_to_restore',
  'prs-per-deployment': 'prs_included',
  'pull-requests-size': 'additions',
  'complexity-score': 'complexity_score',
  'review-rounds': 'review_rounds',
  'issue-cycle-time': 'issue_cycle_time',
  'story-points': 'story_points',
  'completed-story-points': 'story_points',
  'workflow-run-duration': 'run_duration',
  'workflow-run-duration-p95': 'run_duration',
  'estimated-workflow-run-cost': 'estimated_cost',
  'artifact-sizes': 'artifact_bytes',
};

/** The filter that finds the rows with a value of a column. */
const filterOfColumn: Readonly<Record<string, keyof RequestFilters>> = {
  repository: 'repositories',
  repository_name: 'repositories',
  team_id: 'team',
  team_name: 'team',
  merged_user_id: 'member',
  name: 'member',
  department: 'departments',
  pr_id: 'pr_ids',
  pr_state: 'pr_states',
  pr_category: 'pr_categories',
  ticket_status: 'ticket_status',
  project_id: 'project_ids',
  workflow_name: 'workflow_names',
  run_conclusion: 'run_conclusions',
  branch: 'branches',
  review_rounds_bucket: 'review_rounds_bucket',
  session_id: 'session_id',
  survey_id: 'survey_ids',
  survey_template_question_id: 'survey_template_question_ids',
};

/** The records behind a number: the request that lists them, and which of its rows are meant. */
export interface RowsBehind {
  readonly question: Question;
  readonly list: RecordList;
  readonly key: readonly string[];
  readonly value: string | undefined;
  /** Columns that no filter can choose by: the rows of the answer that have these values are meant. */
  readonly picked: readonly (readonly [string, string | null])[];
  /** By what the rows that are meant are told from others of the answer. */
  readonly conditions: readonly PickedBy[];
  readonly isMeant: (row: Row) => boolean;
}

export const rowsMost = 200;

/**
 * The metric itself, grouped by the key of its table: a record that has no part in the number has no value there, so that
 * the list is as long as n says.
 */
export function rowsBehind(view: View, panel: PanelState): RowsBehind {
  const { window = view.window, where = {} } = panel;
  const metric = listedBy(panel.metric);
  const about = aboutMetric(metric);
  const aggregation = about.needsAggregation ? (panel.aggregation ?? 'AVG') : undefined;
  const table = about.table as keyof typeof tables;
  const list = recordLists[table];
  const key: readonly string[] = tables[table].key;
  const value = valueColumns[metric];
  const filters: Record<string, unknown> = { ...view.filtersFor(metric, window) };
  const picked: [string, string | null][] = [];
  for (const [column, wanted] of Object.entries(where)) {
    const filter = filterOfColumn[column];
    if (wanted !== null && filter && about.filters.includes(filter)) {
      filters[filter] = filter === 'session_id' ? wanted : [wanted];
    } else picked.push([column, wanted]);
  }
  const shown = [list.name, ...(list.page ? [list.page.id] : []), ...(list.url ? [list.url] : []), ...list.columns];
  const columns = [...key, ...shown, ...(value ? [value] : []), ...picked.map(([column]) => column)];
  const group_by = [...new Set(columns)];
  const isCount = about.kind === 'count';
  const measured = valueColumn(metric, aggregation);
  // What filters cannot choose has to be looked for in all rows, and only this path gives more than 200.
  const question: Question =
    picked.length > 0
      ? {
          path: '/metrics/get-multiple-metrics',
          body: {
            metrics: [metric],
            filters,
            group_by,
            ...(aggregation ? { aggregations: { [metric]: aggregation } } : {}),
            ...(about.dateField ? { date_fields: { [metric]: about.dateField } } : {}),
            ...(isCount ? { metric_min_values: { [metric]: 1 } } : {}),
          },
        }
      : {
          path: `/metrics/${metric}`,
          body: {
            filters,
            group_by,
            ...(aggregation ? { aggregation } : {}),
            ...(about.dateField ? { date_field: about.dateField } : {}),
            // Records that a count leaves out, such as a deployment elsewhere than to production, count 0.
            ...(isCount ? { metric_min_value: 1 } : { order_by: measured, order_direction: 'DESC' }),
            limit: rowsMost,
          },
        };
  const conditions: PickedBy[] = [
    ...(isCount ? [] : [{ column: measured, is: 'present' } as const]),
    ...picked.map(([column, wanted]) =>
      wanted === null ? ({ column, is: 'empty' } as const) : ({ column, is: 'equal', to: wanted } as const),
    ),
  ];
  const isMeant = (row: Row): boolean => conditions.every((one) => isPicked(row, one));
  return { question, list, key, value, picked, conditions, isMeant };
}

/** Shares of people and texts have no value of one record: the records are those that are counted. */
function listedBy(metric: MetricName): MetricName {
  const about = aboutMetric(metric);
  if (about.kind !== 'share' && about.kind !== 'text') return metric;
  const names = Object.keys(metrics) as MetricName[];
  const fits = (name: MetricName): boolean => {
    const other = aboutMetric(name);
    return other.kind === 'count' && other.table === about.table && String(other.filters) === String(about.filters);
  };
  return names.find(fits) ?? metric;
}
