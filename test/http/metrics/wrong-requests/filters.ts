import { filtered, hours, ofPullRequests, people, repositories, type WrongRequest } from './wrong-request.ts';

export const filters: readonly WrongRequest[] = [
  filtered({ nonsense: ['x'] }, `There is no filter 'nonsense'. Filters of pull-requests-count: ${ofPullRequests}`),
  filtered(
    { group_by: ['team_name'] },
    'group_by is no filter. It goes beside filters: {"group_by": …, "filters": {"start_date": "2024-01-01"}}.',
  ),
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
  filtered({ sources: ['jira'] }, "The filter sources takes github, gitlab, bitbucket, azure-devops, not 'jira'."),
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
