import { deployments } from '../../../../src/catalogue/tables/deployments.ts';
import { issues } from '../../../../src/catalogue/tables/issues.ts';
import { pullRequests } from '../../../../src/catalogue/tables/pull-requests.ts';
import { surveyResponses } from '../../../../src/catalogue/tables/surveys.ts';
import { userMetrics } from '../../../../src/catalogue/tables/user-metrics.ts';
import {
  columnsOf,
  count,
  filtered,
  foldNames,
  folds,
  levels,
  notADate,
  single,
  type WrongRequest,
  wrong,
} from './wrong-request.ts';

export const dates: readonly WrongRequest[] = [
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
    "'updated_at' is not a date field of pull-requests-count. Did you mean 'created_at'? Valid date fields: pr_created_at, created_at, pr_merged_at, merged_at, pr_closed_at, closed_at, first_review_at.",
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

export const aggregations: readonly WrongRequest[] = [
  single({}, `cycle-time needs an aggregation: ${folds}`, 'cycle-time'),
  single({ aggregation: null }, `cycle-time needs an aggregation: ${folds}`, 'cycle-time'),
  single({}, `pull-requests-size needs an aggregation: ${folds}`, 'pull-requests-size'),
  single({}, `story-points needs an aggregation: ${folds}`, 'story-points'),
  single({}, `suggested-lines needs an aggregation: ${folds}`, 'suggested-lines'),
  single(
    { aggregation: 'mean' },
    `aggregation must be one of ${foldNames}, not 'mean'. Did you mean 'avg'?`,
    'cycle-time',
  ),
  single({ aggregation: 'count' }, `aggregation must be one of ${foldNames}, not 'count'.`, 'cycle-time'),
  single(
    { aggregation: 'p99' },
    `aggregation must be one of ${foldNames}, not 'p99'. Did you mean 'p95'?`,
    'cycle-time',
  ),
  single({ aggregation: '' }, `aggregation must be one of ${foldNames}, not ''.`, 'cycle-time'),
  single({ aggregation: 1 }, 'aggregation must be a text, not 1.', 'cycle-time'),
  single({ aggregation: ['avg'] }, 'aggregation must be a text, not a list.', 'cycle-time'),
];

export const groups: readonly WrongRequest[] = [
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
