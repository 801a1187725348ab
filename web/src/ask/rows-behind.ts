import { metrics, tables } from './catalogue.ts';
import { aboutMetric, type MetricName, valueColumn } from './metric.ts';
import type { Question, RequestFilters } from './question.ts';
import { hasRowPicks, isPicked, type RowPicks } from './row-picks.ts';
import type { Row } from './send.ts';
import { valueColumns } from './value-columns.ts';
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
  /** Whether the answer also holds rows that are not meant although they have a value. */
  readonly isPart: boolean;
  readonly isMeant: (row: Row) => boolean;
}

export const rowsMost = 200;

/** As `/explain` does: the count metric of the same table and filters, grouped by the key of the table. */
export function rowsBehind(view: View, panel: PanelState): RowsBehind {
  const { metric, window = view.window, where = {} } = panel;
  const about = aboutMetric(metric);
  const table = about.table as keyof typeof tables;
  const list = recordLists[table];
  const key: readonly string[] = tables[table].key;
  const counting = countMetricOf(metric);
  const value = valueColumns[metric];
  const filters: Record<string, unknown> = { ...view.filtersFor(metric, window) };
  const { date_field, weekday, value_from, value_until, ...columnsWanted } = where;
  const picks: RowPicks = { weekday, value_from, value_until };
  const date = date_field ?? about.dateField;
  const picked: [string, string | null][] = [];
  for (const [column, wanted] of Object.entries(columnsWanted)) {
    const asked = filterAsked(column, wanted);
    if (asked) {
      if (about.filters.includes(asked[0])) filters[asked[0]] = asked[1];
      continue;
    }
    const filter = filterOfColumn[column];
    if (wanted !== null && filter && about.filters.includes(filter)) {
      filters[filter] = filter === 'session_id' ? wanted : [wanted];
    } else picked.push([column, wanted]);
  }
  const shown = [list.name, ...(list.page ? [list.page.id] : []), ...(list.url ? [list.url] : []), ...list.columns];
  const columns = [
    ...key,
    ...shown,
    ...(value ? [value] : []),
    ...picked.map(([column]) => column),
    ...(weekday && date ? [date] : []),
  ];
  const body = {
    filters,
    group_by: [...new Set(columns)],
    ...(date ? { date_field: date } : {}),
  };
  const isPart = picked.length > 0 || hasRowPicks(picks);
  // What filters cannot choose has to be looked for in all rows, and only this path gives more than 200.
  const question: Question = isPart
    ? {
        path: '/metrics/get-multiple-metrics',
        body: {
          metrics: [counting],
          filters,
          group_by: body.group_by,
          ...(date ? { date_fields: { [counting]: date } } : {}),
        },
      }
    : {
        path: `/metrics/${counting}`,
        body: {
          ...body,
          ...(metric === counting ? { metric_min_value: 1 } : {}),
          ...(value ? { order_by: value, order_direction: 'DESC' } : {}),
          limit: rowsMost,
        },
      };
  const counted = valueColumn(counting);
  const isMeant = (row: Row): boolean =>
    picked.every(([column, wanted]) => (wanted === null ? row[column] == null : String(row[column]) === wanted)) &&
    (value === undefined || row[value] != null) &&
    // A record that a count leaves out, such as a deployment elsewhere than to production, is there with 0.
    (metric !== counting || row[counted] !== 0) &&
    isPicked(row, picks, { value, date, zone: view.zone });
  return { question, list, key, value, picked, isPart, isMeant };
}

/** A filter with all its values, where a column with one value does not say it: `filter_branches` → `["main","next"]`. */
export const filterInWhere = (filter: string, values: readonly string[]): Readonly<Record<string, string>> => ({
  [`filter_${filter}`]: JSON.stringify(values),
});

function filterAsked(column: string, wanted: string | null): readonly [string, readonly unknown[]] | undefined {
  if (!column.startsWith('filter_') || wanted === null) return undefined;
  try {
    const values: unknown = JSON.parse(wanted);
    return Array.isArray(values) ? [column.slice('filter_'.length), values] : undefined;
  } catch {
    return undefined;
  }
}

function countMetricOf(metric: MetricName): MetricName {
  const about = aboutMetric(metric);
  if (about.kind === 'count') return metric;
  const names = Object.keys(metrics) as MetricName[];
  const fits = (name: MetricName): boolean => {
    const other = aboutMetric(name);
    return other.kind === 'count' && other.table === about.table && String(other.filters) === String(about.filters);
  };
  return names.find(fits) ?? metric;
}
