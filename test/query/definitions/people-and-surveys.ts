import { type Definitions, people, teams } from './definition.ts';

export const peopleDefinitions: Definitions = {
  about: 'people',
  filters: {},
  // Something has to have happened for anything to be kept.
  records: { people, teams, issues: [{ issue_id: 'i1', source: 'jira' }] },
  cases: [
    { metric: 'users-count', because: 'Ada, Bo, Dee and the Owner', rows: [{ number_of_users: 4 }] },
    {
      metric: 'users-count',
      because: 'one row for each team of a person',
      body: { group_by: ['team_name'] },
      rows: [
        { team_name: 'Payments', number_of_users: 2 },
        { team_name: 'Platform', number_of_users: 1 },
        { team_name: null, number_of_users: 2 },
      ],
    },
    {
      metric: 'users-count',
      because: 'the same person has several teams in one row',
      body: { group_by: ['name', 'team_names', 'departments', 'manager_name'], filters: { team: ['t-pay'] } },
      rows: [
        { name: 'Ada', team_names: ['Payments'], departments: ['Product'], manager_name: null, number_of_users: 1 },
        {
          name: 'Bo',
          team_names: ['Payments', 'Platform'],
          departments: ['Product'],
          manager_name: 'Ada',
          number_of_users: 1,
        },
      ],
    },
    { metric: 'salary', because: '(100 + 50) / 2', body: { aggregation: 'AVG' }, rows: [{ avg_salary: 75 }] },
  ],
};

const recipient = (id: string, more: object) => ({
  survey_recipient_id: id,
  survey_id: 'y1',
  recipient_type: 'user',
  created_at: '2024-05-02T00:00:00Z',
  ...more,
});
const response = (id: string, recipientId: string) => ({
  survey_response_id: id,
  survey_id: 'y1',
  survey_recipient_id: recipientId,
  final_response_submitted_at: '2024-05-03T00:00:00Z',
});

export const surveyDefinitions: Definitions = {
  about: 'surveys',
  filters: { start_date: '2024-05-01', end_date: '2024-05-31' },
  records: {
    people,
    teams,
    survey_recipients: [
      recipient('z1', { person_email: 'ada@example.org', final_response_submitted_at: '2024-05-03T00:00:00Z' }),
      recipient('z2', { person_email: 'bo@example.org' }),
      recipient('z3', { recipient_type: 'external', final_response_submitted_at: '2024-05-03T00:00:00Z' }),
      recipient('z4', { person_email: 'cy@example.org', final_response_submitted_at: '2024-05-03T00:00:00Z' }),
    ],
    survey_responses: [response('a1', 'z1'), response('a2', 'z1'), response('a3', 'z3'), response('a4', 'z4')],
  },
  cases: [
    { metric: 'survey-recipients-count', because: 'all but Cy', rows: [{ survey_recipients_count: 3 }] },
    {
      metric: 'survey-completed-recipients-count',
      because: 'Ada and the one from outside',
      rows: [{ survey_completed_recipients_count: 2 }],
    },
    { metric: 'survey-responses-count', because: 'a1, a2, a3', rows: [{ survey_responses_count: 3 }] },
    {
      metric: 'survey-respondents-count',
      because: 'Ada and the one from outside',
      rows: [{ survey_respondents_count: 2 }],
    },
    {
      metric: 'survey-responses-count',
      because: 'only the teams of whoever answered are shown',
      body: { group_by: ['team_names'] },
      rows: [
        { team_names: ['Payments'], survey_responses_count: 2 },
        { team_names: null, survey_responses_count: 1 },
      ],
    },
  ],
};
