import { groupColumnsOf } from '../../../src/catalogue/group-columns.ts';
import type { Table } from '../../../src/catalogue/table.ts';
import { deployments } from '../../../src/catalogue/tables/deployments.ts';
import { issues } from '../../../src/catalogue/tables/issues.ts';
import { pullRequests } from '../../../src/catalogue/tables/pull-requests.ts';
import { surveyResponses } from '../../../src/catalogue/tables/survey-responses.ts';
import { userMetrics } from '../../../src/catalogue/tables/user-metrics.ts';

/** A request that is wrong, and the exact words it is refused with. */
export interface WrongRequest {
  readonly path: string;
  /** Sent as it is when it is a text, and as JSON otherwise. */
  readonly body: unknown;
  readonly status: number;
  readonly detail: string;
}

const wrong = (path: string, body: unknown, detail: string, status = 400): WrongRequest => ({
  path,
  body,
  status,
  detail,
});

const start = { start_date: '2024-03-01' };
const month = { filters: start };
const count = 'pull-requests-count';
const many = 'get-multiple-metrics';

const single = (more: object, detail: string, metric = count) => wrong(metric, { ...month, ...more }, detail);
const filtered = (filters: object, detail: string, metric = count) =>
  wrong(metric, { filters: { ...start, ...filters } }, detail);
const multiple = (more: object, detail: string, status = 400) => wrong(many, { ...month, ...more }, detail, status);
const compared = (more: object, detail: string, status = 400) =>
  wrong('benchmark', { ...month, benchmark_metric: 'cycle-time', date_field: 'merged_at', ...more }, detail, status);

const singleFields =
  'Known fields: filters, group_by, date_level, time_series_data, include_previous_period, aggregation, metric_min_value, date_field, order_by, order_direction, limit.';
const multipleFields =
  'Known fields: metrics, filters, group_by, date_level, time_series_data, include_previous_period, metric_min_values, date_fields, aggregations, order_by, order_direction, limit.';
const notAnObject = 'The body must be a JSON object such as {"filters": {"start_date": "2024-01-01"}}.';
const people =
  'member, team, squad_ids, squad_levels, manager_ids, manager_email, departments, locations, levels, source_types';
const ofPullRequests = `start_date, end_date, ${people}, repositories, sources, pr_states, pr_categories, pr_ids, pull_requests_search_term, review_hour_of_day, review_rounds_bucket.`;
const columnsOf = (table: Table) => `Valid columns: ${[...groupColumnsOf(table).keys()].join(', ')}.`;
const folds = 'SUM, AVG, MIN or MAX; also MEDIAN, P75, P90, P95.';
const foldNames = 'sum, avg, min, max, median, p75, p90, p95';
const levels = 'day, week, month, quarter, year';
const hours = 'The filter review_hour_of_day takes hours from 0 to 23, not';
const repositories = 'The filter repositories takes objects such as {"repository_name": "owner/name"}, or plain names.';
const notADate = (field: string, text: string) =>
  `${field} must be a date such as 2024-01-31, or a timestamp, not '${text}'.`;

export const unknownMetrics: readonly WrongRequest[] = [
  wrong('cycle-tme', month, "Metric 'cycle-tme' does not exist. Did you mean 'cycle-time'?", 404),
  wrong('Cycle-Time', month, "Metric 'Cycle-Time' does not exist. Did you mean 'cycle-time'?", 404),
  wrong('cycle_time', month, "Metric 'cycle_time' does not exist. Did you mean 'cycle-time'?", 404),
  wrong('nothing-like-it', month, "Metric 'nothing-like-it' does not exist.", 404),
  wrong('date-detail', month, "Metric 'date-detail' does not exist. Did you mean 'date-details'?", 404),
  wrong('__proto__', month, "Metric '__proto__' does not exist.", 404),
  wrong('constructor', month, "Metric 'constructor' does not exist.", 404),
  wrong('toString', month, "Metric 'toString' does not exist.", 404),
  wrong('a%2Fb', month, "Metric 'a/b' does not exist.", 404),
  wrong('%00', month, "Metric '\u0000' does not exist.", 404),
  wrong('incidents', month, "Metric 'incidents' does not exist.", 404),
  wrong('pr_count', month, "Metric 'pr_count' does not exist.", 404),
  wrong("x'--", month, "Metric 'x'--' does not exist.", 404),
  wrong('cycle-time%20', month, "Metric 'cycle-time ' does not exist. Did you mean 'cycle-time'?", 404),
  wrong('x'.repeat(300), month, `Metric '${'x'.repeat(60)}…' does not exist.`, 404),
  wrong('cycle-tme/explain', month, "Metric 'cycle-tme' does not exist. Did you mean 'cycle-time'?", 404),
  wrong(`${many}/explain`, month, `Metric '${many}' does not exist.`, 404),
  wrong('benchmark/explain', month, "Metric 'benchmark' does not exist.", 404),
  multiple({ metrics: ['cycle-tme'] }, "Metric 'cycle-tme' does not exist. Did you mean 'cycle-time'?", 404),
  multiple({ metrics: [count, 'x'] }, "Metric 'x' does not exist.", 404),
  multiple({ metrics: ['salary', 'x'] }, "Metric 'x' does not exist.", 404),
  multiple({ metrics: ['x', 5] }, "Metric 'x' does not exist.", 404),
  multiple({ metrics: ['x'], filters: 1, nonsense: true }, "Metric 'x' does not exist.", 404),
  multiple({ metrics: [''] }, "Metric '' does not exist.", 404),
  compared({ benchmark_metric: 'cycle-tim' }, "Metric 'cycle-tim' does not exist. Did you mean 'cycle-time'?", 404),
  compared({ benchmark_metric: 'x', filters: 1 }, "Metric 'x' does not exist.", 404),
];

export const unreadable: readonly WrongRequest[] = [
  wrong(count, '', 'The body is empty: it must be a JSON object.'),
  wrong(count, '[]', notAnObject),
  wrong(count, 'null', notAnObject),
  wrong(count, '5', notAnObject),
  wrong(count, '"x"', notAnObject),
  wrong(count, 'true', notAnObject),
  wrong(many, '[]', notAnObject),
  wrong(many, 'null', notAnObject),
  wrong('benchmark', '[]', notAnObject),
  wrong('benchmark', '7', notAnObject),
  wrong('date-details', '[]', notAnObject),
  wrong('cycle-time/explain', '[]', notAnObject),
];

const fields: readonly WrongRequest[] = [
  wrong(count, {}, 'filters is missing: an object such as {"start_date": "2024-01-01"}.'),
  wrong(count, { filters: null }, 'filters is missing: an object such as {"start_date": "2024-01-01"}.'),
  wrong(count, { filters: [] }, 'filters must be an object, not a list.'),
  wrong(count, { filters: 'all' }, "filters must be an object, not 'all'."),
  wrong(count, { filters: 5 }, 'filters must be an object, not 5.'),
  single({ groupby: [] }, `Unknown field 'groupby' in the body. Did you mean 'group_by'? ${singleFields}`),
  single({ Group_By: [] }, `Unknown field 'Group_By' in the body. Did you mean 'group_by'? ${singleFields}`),
  single({ start_date: '2024-01-01' }, `Unknown field 'start_date' in the body. ${singleFields}`),
  single({ offset: 200 }, `Unknown field 'offset' in the body. ${singleFields}`),
  single({ metrics: [count] }, `Unknown field 'metrics' in the body. ${singleFields}`),
  single({ aggregations: {} }, `Unknown field 'aggregations' in the body. Did you mean 'aggregation'? ${singleFields}`),
  single({ date_fields: {} }, `Unknown field 'date_fields' in the body. Did you mean 'date_field'? ${singleFields}`),
  single({ '': 1 }, `Unknown field '' in the body. ${singleFields}`),
  wrong(
    count,
    '{"filters":{"start_date":"2024-03-01"},"__proto__":1}',
    `Unknown field '__proto__' in the body. ${singleFields}`,
  ),
  single({ ['y'.repeat(90)]: 1 }, `Unknown field '${'y'.repeat(60)}…' in the body. ${singleFields}`),
  single({ group_by: 'name' }, "group_by must be a list of texts, not 'name'."),
  single({ group_by: { name: 1 } }, 'group_by must be a list of texts, not an object.'),
  single({ group_by: [5] }, 'Each item of group_by must be a text, not 5.'),
  single({ group_by: [null] }, 'Each item of group_by must be a text, not null.'),
  single({ group_by: [['name']] }, 'Each item of group_by must be a text, not a list.'),
  single({ group_by: true }, 'group_by must be a list of texts, not true.'),
  single({ time_series_data: 'true' }, "time_series_data must be true or false, not 'true'."),
  single({ time_series_data: 1 }, 'time_series_data must be true or false, not 1.'),
  single({ include_previous_period: 'yes' }, "include_previous_period must be true or false, not 'yes'."),
  single({ include_previous_period: [] }, 'include_previous_period must be true or false, not a list.'),
  single({ metric_min_value: '1' }, "metric_min_value must be a number, not '1'."),
  single({ metric_min_value: true }, 'metric_min_value must be a number, not true.'),
  single({ metric_min_value: {} }, 'metric_min_value must be a number, not an object.'),
];

const dates: readonly WrongRequest[] = [
  wrong(count, { filters: {} }, 'filters.start_date is missing: the first day, such as 2024-01-31.'),
  wrong(count, { filters: { start_date: null } }, 'filters.start_date is missing: the first day, such as 2024-01-31.'),
  wrong(
    count,
    { filters: { end_date: '2024-01-01' } },
    'filters.start_date is missing: the first day, such as 2024-01-31.',
  ),
  filtered({ start_date: 20240101 }, 'start_date must be a text, not 20240101.'),
  filtered({ start_date: ['2024-01-01'] }, 'start_date must be a text, not a list.'),
  filtered({ start_date: '' }, notADate('start_date', '')),
  filtered({ start_date: 'yesterday' }, notADate('start_date', 'yesterday')),
  filtered({ start_date: '01/31/2024' }, notADate('start_date', '01/31/2024')),
  filtered({ start_date: '2024-02-30' }, notADate('start_date', '2024-02-30')),
  filtered({ start_date: '2024-13-01' }, notADate('start_date', '2024-13-01')),
  filtered({ start_date: '2024-1-1' }, notADate('start_date', '2024-1-1')),
  filtered({ start_date: '0000-00-00' }, notADate('start_date', '0000-00-00')),
  filtered({ start_date: '2024-01-01T25:00:00Z' }, notADate('start_date', '2024-01-01T25:00:00Z')),
  filtered({ start_date: '2024-01-01T10:61:00Z' }, notADate('start_date', '2024-01-01T10:61:00Z')),
  filtered({ start_date: '2024-01-01; DROP TABLE x' }, notADate('start_date', '2024-01-01; DROP TABLE x')),
  filtered({ end_date: 'tomorrow' }, notADate('end_date', 'tomorrow')),
  filtered({ end_date: '2023-02-29' }, notADate('end_date', '2023-02-29')),
  filtered({ end_date: 5 }, 'end_date must be a text, not 5.'),
  filtered({ end_date: '2024-02-29' }, 'end_date must not be before start_date (2024-03-01).'),
  filtered(
    { start_date: '2030-01-01' },
    'end_date must not be before start_date (2030-01-01), which is today (2024-04-10) when it is left out.',
  ),
  filtered(
    { start_date: '2024-03-01T12:00:00Z', end_date: '2024-03-01T11:00:00Z' },
    'end_date must not be before start_date (2024-03-01T12:00:00Z).',
  ),
  filtered(
    { start_date: '2010-01-01', end_date: '2024-01-01' },
    'A window may span 10 years at most. Move start_date and end_date closer together.',
  ),
  filtered({ start_date: '0001-01-01' }, notADate('start_date', '0001-01-01')),
  single({ date_level: 'hour' }, `date_level must be one of ${levels}, not 'hour'.`),
  single({ date_level: 'months' }, `date_level must be one of ${levels}, not 'months'. Did you mean 'month'?`),
  single({ date_level: '' }, `date_level must be one of ${levels}, not ''.`),
  single({ date_level: 5 }, 'date_level must be a text, not 5.'),
  single({ date_level: ['day'] }, 'date_level must be a text, not a list.'),
  single(
    { date_field: 'updated_at' },
    "'updated_at' is not a date field of pull-requests-count. Valid date fields: pr_created_at, created_at, pr_merged_at, merged_at, pr_closed_at, closed_at, first_review_at.",
  ),
  single({ date_field: 7 }, 'date_field must be a text, not 7.'),
  single(
    { date_field: '__proto__' },
    "'__proto__' is not a date field of pull-requests-count. Valid date fields: pr_created_at, created_at, pr_merged_at, merged_at, pr_closed_at, closed_at, first_review_at.",
  ),
  single(
    { date_field: 'created_at' },
    "'created_at' is not a date field of deployment-frequency. Valid date fields: deployed_at.",
    'deployment-frequency',
  ),
  single(
    { date_field: 'closed_at', aggregation: 'avg' },
    "'closed_at' is not a date field of lead-time-for-changes. Valid date fields: pr_merged_at, merged_at, pr_created_at, created_at.",
    'lead-time-for-changes',
  ),
  single(
    { date_field: 'created_at' },
    "'created_at' is not a date field of adopted-users. Valid date fields: date.",
    'adopted-users',
  ),
];

const aggregations: readonly WrongRequest[] = [
  single({}, `cycle-time needs an aggregation: ${folds}`, 'cycle-time'),
  single({ aggregation: null }, `cycle-time needs an aggregation: ${folds}`, 'cycle-time'),
  single({}, `pull-requests-size needs an aggregation: ${folds}`, 'pull-requests-size'),
  single({}, `story-points needs an aggregation: ${folds}`, 'story-points'),
  single({}, `suggested-lines needs an aggregation: ${folds}`, 'suggested-lines'),
  single({ aggregation: 'mean' }, `aggregation must be one of ${foldNames}, not 'mean'.`, 'cycle-time'),
  single({ aggregation: 'count' }, `aggregation must be one of ${foldNames}, not 'count'.`, 'cycle-time'),
  single(
    { aggregation: 'p99' },
    `aggregation must be one of ${foldNames}, not 'p99'. Did you mean 'p90' or 'p95'?`,
    'cycle-time',
  ),
  single({ aggregation: '' }, `aggregation must be one of ${foldNames}, not ''.`, 'cycle-time'),
  single({ aggregation: 1 }, 'aggregation must be a text, not 1.', 'cycle-time'),
  single({ aggregation: ['avg'] }, 'aggregation must be a text, not a list.', 'cycle-time'),
];

const groups: readonly WrongRequest[] = [
  single({ group_by: ['nonsense'] }, `'nonsense' is not a column of pull_requests. ${columnsOf(pullRequests)}`),
  single(
    { group_by: ['pr_titel'] },
    `'pr_titel' is not a column of pull_requests. Did you mean 'pr_title'? ${columnsOf(pullRequests)}`,
  ),
  single({ group_by: ['name', 'salary'] }, `'salary' is not a column of pull_requests. ${columnsOf(pullRequests)}`),
  single({ group_by: ['actor'] }, `'actor' is not a column of pull_requests. ${columnsOf(pullRequests)}`),
  single(
    { group_by: ['repository_key'] },
    `'repository_key' is not a column of pull_requests. Did you mean 'repository' or 'repository_name'? ${columnsOf(pullRequests)}`,
  ),
  single(
    { group_by: ['given_pr_category'] },
    `'given_pr_category' is not a column of pull_requests. ${columnsOf(pullRequests)}`,
  ),
  single(
    { group_by: ['1; DROP TABLE people'] },
    `'1; DROP TABLE people' is not a column of pull_requests. ${columnsOf(pullRequests)}`,
  ),
  single({ group_by: [''] }, `'' is not a column of pull_requests. ${columnsOf(pullRequests)}`),
  single({ group_by: ['*'] }, `'*' is not a column of pull_requests. ${columnsOf(pullRequests)}`),
  single({ group_by: ['__proto__'] }, `'__proto__' is not a column of pull_requests. ${columnsOf(pullRequests)}`),
  single({ group_by: ['pr_count'] }, `'pr_count' is not a column of pull_requests. ${columnsOf(pullRequests)}`),
  single({ group_by: ['pr_title'] }, `'pr_title' is not a column of issues. ${columnsOf(issues)}`, 'issues-count'),
  single(
    { group_by: ['is_rollback'] },
    `'is_rollback' is not a column of deployments. ${columnsOf(deployments)}`,
    'deployment-frequency',
  ),
  wrong(
    'users-count',
    { filters: {}, group_by: ['salary'] },
    `'salary' is not a column of user_metrics. ${columnsOf(userMetrics)}`,
  ),
  single(
    { group_by: ['merged_user_id'] },
    `'merged_user_id' is not a column of survey_responses. ${columnsOf(surveyResponses)}`,
    'survey-responses-count',
  ),
  single(
    { group_by: ['name'] },
    `'name' is not a column of survey_responses. ${columnsOf(surveyResponses)}`,
    'survey-responses-count',
  ),
  single(
    { group_by: ['survey_recipient_id'] },
    `'survey_recipient_id' is not a column of survey_responses. ${columnsOf(surveyResponses)}`,
    'survey-responses-count',
  ),
];

const filters: readonly WrongRequest[] = [
  filtered({ nonsense: ['x'] }, `There is no filter 'nonsense'. Filters of pull-requests-count: ${ofPullRequests}`),
  filtered(
    { members: ['x'] },
    `There is no filter 'members'. Did you mean 'member'? Filters of pull-requests-count: ${ofPullRequests}`,
  ),
  filtered(
    { Repositories: ['x'] },
    `There is no filter 'Repositories'. Did you mean 'repositories'? Filters of pull-requests-count: ${ofPullRequests}`,
  ),
  filtered({ nonsense: null }, `There is no filter 'nonsense'. Filters of pull-requests-count: ${ofPullRequests}`),
  filtered(
    { ticket_status: ['started'] },
    `pull-requests-count cannot be filtered by 'ticket_status'. Filters of pull-requests-count: ${ofPullRequests}`,
  ),
  filtered(
    { survey_ids: [] },
    `pull-requests-count cannot be filtered by 'survey_ids'. Filters of pull-requests-count: ${ofPullRequests}`,
  ),
  filtered(
    { ai_copilot_sources: ['cursor'] },
    `pull-requests-count cannot be filtered by 'ai_copilot_sources'. Filters of pull-requests-count: ${ofPullRequests}`,
  ),
  filtered(
    { branches: ['main'] },
    `deployment-frequency cannot be filtered by 'branches'. Filters of deployment-frequency: start_date, end_date, ${people}, repositories.`,
    'deployment-frequency',
  ),
  filtered(
    { repositories: ['x'] },
    `adopted-users cannot be filtered by 'repositories'. Filters of adopted-users: start_date, end_date, ${people}, ai_copilot_sources.`,
    'adopted-users',
  ),
  filtered(
    { pr_states: ['open'] },
    `ai-pr-count cannot be filtered by 'pr_states'. Filters of ai-pr-count: start_date, end_date, ${people}, repositories, ai_copilot_sources.`,
    'ai-pr-count',
  ),
  filtered(
    { member: ['x'] },
    `survey-responses-count cannot be filtered by 'member'. Filters of survey-responses-count: start_date, end_date, ${people.replace('member, ', '')}, survey_ids, survey_template_question_ids, survey_response_types.`,
    'survey-responses-count',
  ),
  filtered(
    { sources: ['github'] },
    `users-count cannot be filtered by 'sources'. Filters of users-count: start_date, end_date, ${people}.`,
    'users-count',
  ),
  filtered(
    { start: '2024-01-01' },
    "date-details cannot be filtered by 'start'. Filters of date-details: start_date, end_date.",
    'date-details',
  ),
  filtered({ pr_states: ['draft'] }, "The filter pr_states takes open, closed, merged, not 'draft'."),
  filtered(
    { pr_states: ['Merged'] },
    "The filter pr_states takes open, closed, merged, not 'Merged'. Did you mean 'merged'?",
  ),
  filtered(
    { pr_states: 'clsed' },
    "The filter pr_states takes open, closed, merged, not 'clsed'. Did you mean 'closed'?",
  ),
  filtered({ pr_states: [1] }, 'The filter pr_states takes texts, not 1.'),
  filtered({ pr_states: {} }, 'The filter pr_states takes texts, not an object.'),
  filtered({ sources: ['jira'] }, "The filter sources takes github, gitlab, bitbucket, not 'jira'."),
  filtered(
    { run_conclusions: ['neutral'] },
    "The filter run_conclusions takes success, failure, cancelled, skipped, timed_out, not 'neutral'.",
    'workflow-runs-count',
  ),
  filtered(
    { review_rounds_bucket: ['4'] },
    "The filter review_rounds_bucket takes 0, 1, 2, 3+, not '4'. Did you mean '0' or '1' or '2'?",
  ),
  filtered({ review_rounds_bucket: [3] }, 'The filter review_rounds_bucket takes texts, not 3.'),
  filtered({ review_hour_of_day: [24] }, `${hours} 24.`),
  filtered({ review_hour_of_day: -1 }, `${hours} -1.`),
  filtered({ review_hour_of_day: ['9'] }, "The filter review_hour_of_day takes whole numbers, not '9'."),
  filtered({ review_hour_of_day: [9.5] }, 'The filter review_hour_of_day takes whole numbers, not 9.5.'),
  filtered({ squad_levels: ['1'] }, "The filter squad_levels takes whole numbers, not '1'."),
  filtered({ squad_levels: [1e300] }, 'The filter squad_levels takes whole numbers, not 1e+300.'),
  filtered({ repositories: [{ name: 'web' }] }, repositories),
  filtered({ repositories: [{ repository_name: 5 }] }, repositories),
  filtered({ repositories: [{ repository_name: 'web', owner: 'acme' }] }, repositories),
  filtered({ repositories: [['web']] }, repositories),
  filtered({ repositories: [null] }, repositories),
  filtered({ member: [5] }, 'The filter member takes texts, not 5.'),
  filtered({ member: [null] }, 'The filter member takes texts, not null.'),
  filtered({ team: [{ id: 1 }] }, 'The filter team takes texts, not an object.'),
  filtered({ team_ids: [7] }, 'The filter team_ids takes texts, not 7.'),
  filtered({ pull_requests_search_term: ['door'] }, 'The filter pull_requests_search_term must be a text, not a list.'),
  filtered({ pull_requests_search_term: 5 }, 'The filter pull_requests_search_term must be a text, not 5.'),
  filtered({ session_id: ['s'] }, 'The filter session_id must be a text, not a list.', 'posthook-sessions-count'),
  filtered({ departments: true }, 'The filter departments takes texts, not true.'),
];

const orders: readonly WrongRequest[] = [
  single({ order_by: 'name' }, "'name' is not a column of this answer. It can be ordered by: pr_count."),
  single(
    { order_by: 'pr_cont', group_by: ['name'] },
    "'pr_cont' is not a column of this answer. Did you mean 'pr_count'? It can be ordered by: name, pr_count.",
  ),
  single(
    { order_by: 'week_date', date_level: 'month' },
    "'week_date' is not a column of this answer. It can be ordered by: month_date, pr_count.",
  ),
  single({ order_by: 'value' }, "'value' is not a column of this answer. It can be ordered by: pr_count."),
  single(
    { order_by: 'cycle_time', aggregation: 'avg' },
    "'cycle_time' is not a column of this answer. It can be ordered by: avg_cycle_time.",
    'cycle-time',
  ),
  single(
    { order_by: 'x', include_previous_period: true },
    "'x' is not a column of this answer. It can be ordered by: pr_count, value, previous_value, change_percentage.",
  ),
  single({ order_by: 1 }, 'order_by must be a text, not 1.'),
  single({ order_by: ['pr_count'] }, 'order_by must be a text, not a list.'),
  single({ order_direction: 'up' }, "order_direction must be one of asc, desc, not 'up'."),
  single({ order_direction: 'descending' }, "order_direction must be one of asc, desc, not 'descending'."),
  single({ order_direction: true }, 'order_direction must be a text, not true.'),
  single({ limit: 0 }, 'limit must be a whole number from 1 to 200, not 0.'),
  single({ limit: 201 }, 'limit must be a whole number from 1 to 200, not 201.'),
  single({ limit: -5 }, 'limit must be a whole number from 1 to 200, not -5.'),
  single({ limit: 1.5 }, 'limit must be a whole number from 1 to 200, not 1.5.'),
  single({ limit: '10' }, "limit must be a whole number from 1 to 200, not '10'."),
  single({ limit: [10] }, 'limit must be a whole number from 1 to 200, not a list.'),
  single({ limit: 1e308 }, 'limit must be a whole number from 1 to 200, not 1e+308.'),
];

const shapes: readonly WrongRequest[] = [
  wrong(
    'users-count',
    { filters: {}, date_level: 'day' },
    'users-count takes no date_level: it tells how people are now, not over time.',
  ),
  wrong(
    'users-count',
    { filters: {}, time_series_data: true },
    'users-count takes no time_series_data: it tells how people are now, not over time.',
  ),
  wrong(
    'users-count',
    { filters: {}, include_previous_period: true },
    'users-count takes no include_previous_period: it tells how people are now, not over time.',
  ),
  single(
    { time_series_data: true },
    'ai-favourite-model answers with a text, which no chart can show. Leave out time_series_data.',
    'ai-favourite-model',
  ),
  single(
    { time_series_data: true },
    'most-used-programming-language answers with a text, which no chart can show. Leave out time_series_data.',
    'most-used-programming-language',
  ),
  wrong('date-details/explain', month, 'date-details is told from the calendar alone: there is nothing to explain.'),
  wrong('date-details', { filters: {} }, 'filters.start_date is missing: the first day, such as 2024-01-31.'),
  wrong('date-details', {}, 'filters must be an object such as {"start_date": "2024-01-01"}, not null.'),
  wrong('date-details', { ...month, date_level: 'hour' }, `date_level must be one of ${levels}, not 'hour'.`),
  wrong('cycle-time/explain', month, `cycle-time needs an aggregation: ${folds}`),
];

const several: readonly WrongRequest[] = [
  multiple({}, 'metrics is missing: a list of names such as ["pull-requests-count", "cycle-time"].'),
  multiple({ metrics: null }, 'metrics is missing: a list of names such as ["pull-requests-count", "cycle-time"].'),
  multiple({ metrics: [] }, 'metrics must name at least one metric.'),
  multiple({ metrics: count }, `metrics must be a list of texts, not '${count}'.`),
  multiple({ metrics: { a: 1 } }, 'metrics must be a list of texts, not an object.'),
  multiple({ metrics: [5] }, 'Each item of metrics must be a text, not 5.'),
  multiple({ metrics: [count, null] }, 'Each item of metrics must be a text, not null.'),
  multiple({ metrics: ['date-details'] }, 'date-details can only be asked alone, at /metrics/date-details.'),
  multiple(
    { metrics: [count], aggregation: 'avg' },
    `Unknown field 'aggregation' in the body. Did you mean 'aggregations'? ${multipleFields}`,
  ),
  multiple(
    { metrics: [count], date_field: 'merged_at' },
    `Unknown field 'date_field' in the body. Did you mean 'date_fields'? ${multipleFields}`,
  ),
  multiple(
    { metrics: [count], metric_min_value: 1 },
    `Unknown field 'metric_min_value' in the body. Did you mean 'metric_min_values'? ${multipleFields}`,
  ),
  multiple({ metrics: ['cycle-time'] }, `cycle-time needs an aggregation, in aggregations.cycle-time: ${folds}`),
  multiple(
    { metrics: ['cycle-time'], aggregations: { 'cycle-time': 'mode' } },
    `aggregations.cycle-time must be one of ${foldNames}, not 'mode'.`,
  ),
  multiple(
    { metrics: [count], aggregations: { 'cycle-time': 'avg' } },
    "aggregations names 'cycle-time', which is not among metrics.",
  ),
  multiple(
    { metrics: [count], aggregations: ['avg'] },
    "aggregations must be an object with a metric's name before each value, not a list.",
  ),
  multiple(
    { metrics: [count], date_fields: 'merged_at' },
    "date_fields must be an object with a metric's name before each value, not 'merged_at'.",
  ),
  multiple(
    { metrics: [count], date_fields: { 'pull-request-count': 'x' } },
    `date_fields names 'pull-request-count', which is not among metrics. Did you mean '${count}'?`,
  ),
  multiple(
    { metrics: [count], date_fields: { [count]: 'date' } },
    "'date' is not a date field of pull-requests-count. Valid date fields: pr_created_at, created_at, pr_merged_at, merged_at, pr_closed_at, closed_at, first_review_at.",
  ),
  multiple(
    { metrics: [count], metric_min_values: { [count]: '1' } },
    `metric_min_values.${count} must be a number, not '1'.`,
  ),
  multiple(
    { metrics: [count], metric_min_values: 5 },
    "metric_min_values must be an object with a metric's name before each value, not 5.",
  ),
  multiple(
    { metrics: [count, 'issues-count'], filters: { ...start, pr_states: ['open'] } },
    `issues-count cannot be filtered by 'pr_states'. Filters of issues-count: start_date, end_date, ${people}, ticket_status, issue_ids, project_ids.`,
  ),
  multiple(
    { metrics: [count, 'issues-count'], group_by: ['pr_title'] },
    `'pr_title' is not a column of issues. ${columnsOf(issues)}`,
  ),
  multiple(
    { metrics: [count, 'users-count'], date_level: 'day' },
    'users-count takes no date_level: it tells how people are now, not over time.',
  ),
  multiple(
    { metrics: [count, 'ai-favourite-model'], time_series_data: true },
    'ai-favourite-model answers with a text, which no chart can show. Leave out time_series_data.',
  ),
  multiple({ metrics: [count], filters: {} }, 'filters.start_date is missing: the first day, such as 2024-01-31.'),
  multiple({ metrics: [count], date_level: 'decade' }, `date_level must be one of ${levels}, not 'decade'.`),
  wrong(
    `${many}?limit=5`,
    { ...month, metrics: [count] },
    "This operation takes no query parameters, but 'limit' was sent.",
  ),
  wrong(`${count}?format=csv`, month, "This operation takes no query parameters, but 'format' was sent."),
  wrong('cycle-time/explain?verbose', month, "This operation takes no query parameters, but 'verbose' was sent."),
];

const benchmarks: readonly WrongRequest[] = [
  wrong('benchmark', month, 'benchmark_metric is missing: the name of a metric such as cycle-time.'),
  compared({ benchmark_metric: null }, 'benchmark_metric is missing: the name of a metric such as cycle-time.'),
  compared({ benchmark_metric: 5 }, 'benchmark_metric must be a text, not 5.'),
  compared({ benchmark_metric: ['cycle-time'] }, 'benchmark_metric must be a text, not a list.'),
  compared({ benchmark_metric: 'users-count' }, 'users-count cannot be benchmarked.'),
  compared({ benchmark_metric: 'survey-responses-count' }, 'survey-responses-count cannot be benchmarked.'),
  compared({ benchmark_metric: 'ai-favourite-model' }, 'ai-favourite-model cannot be benchmarked.'),
  compared({ benchmark_metric: 'date-details' }, 'date-details cannot be benchmarked.'),
  compared(
    { date_field: null },
    'date_field is missing: one of pr_merged_at, pr_created_at, first_review_at, pr_closed_at, created_at, merged_at, closed_at.',
  ),
  compared(
    { date_field: 'deployed_at' },
    "'deployed_at' is not a date field of cycle-time. Valid date fields: pr_merged_at, merged_at, pr_created_at, created_at, first_review_at, pr_closed_at, closed_at.",
  ),
  compared(
    { aggregation: 'avg' },
    "Unknown field 'aggregation' in the body. Known fields: filters, benchmark_metric, date_field.",
  ),
  compared(
    { group_by: ['name'] },
    "Unknown field 'group_by' in the body. Known fields: filters, benchmark_metric, date_field.",
  ),
  compared({ filters: null }, 'filters must be an object such as {"start_date": "2024-01-01"}, not null.'),
  compared({ filters: {} }, 'filters.start_date is missing: the first day, such as 2024-01-31.'),
  compared(
    { filters: { ...start, ticket_status: ['x'] } },
    `cycle-time cannot be filtered by 'ticket_status'. Filters of cycle-time: ${ofPullRequests}`,
  ),
  wrong(
    'benchmark?x=1',
    { ...month, benchmark_metric: 'cycle-time', date_field: 'merged_at' },
    "This operation takes no query parameters, but 'x' was sent.",
  ),
];

/** Everything that is wrong with what an Owner sends. */
export const wrongRequests: readonly WrongRequest[] = [
  ...unknownMetrics,
  ...unreadable,
  ...fields,
  ...dates,
  ...aggregations,
  ...groups,
  ...filters,
  ...orders,
  ...shapes,
  ...several,
  ...benchmarks,
];
