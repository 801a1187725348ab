import { hidden } from '../column.ts';
import { text, timestamp } from '../record.ts';
import { table } from '../table.ts';
import { personColumns, personNaming } from './person-columns.ts';

export const surveyStatuses = ['draft', 'active', 'closed'] as const;
export const recipientTypes = ['user', 'external'] as const;

export const surveyRecipients = table({
  name: 'survey_recipients',
  one: 'a recipient of a survey',
  meaning: 'Who was asked in a survey, and whether they answered.',
  key: ['survey_recipient_id'],
  person: 'recipient',
  naming: personNaming,
  daysWhereAnonymous: {
    survey: 'survey_id',
    times: ['created_at', 'sent_at', 'survey_email_sent_at', 'final_response_submitted_at'],
  },
  dates: {
    created_at: 'created_at',
    sent_at: 'sent_at',
    survey_email_sent_at: 'survey_email_sent_at',
    final_response_submitted_at: 'final_response_submitted_at',
  },
  columns: {
    survey_recipient_id: text('Identifier of the recipient in this survey.'),
    survey_id: text('Survey.'),
    survey_name: text('Name of the survey.'),
    survey_status: text('State of the survey.', surveyStatuses),
    recipient_type: text('Whether the recipient uses the service or was invited from outside.', recipientTypes),
    source: hidden(text('Where the login of the recipient is valid, when a login is given.')),
    ...personColumns,
    created_at: timestamp('When the recipient was added.'),
    sent_at: timestamp('When the survey was sent.'),
    survey_email_sent_at: timestamp('When the email was sent.'),
    final_response_submitted_at: timestamp('When the recipient submitted the final answers.'),
  },
});
