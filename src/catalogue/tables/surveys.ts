import { boolean, integer, longText, text, textList, timestamp } from '../record.ts';
import { derived, hidden, inherited, table, whenRead } from '../table.ts';
import { personColumns, personNaming } from './person-columns.ts';

const surveyStatuses = ['draft', 'active', 'closed'] as const;
const recipientTypes = ['user', 'external'] as const;

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

const responseTypes = ['rating', 'single_choice', 'multi_choice', 'text', 'yes_no'] as const;

export const surveyResponses = table({
  name: 'survey_responses',
  one: 'an answer to a survey',
  meaning: 'Answers to survey questions. Whose they are is never shown.',
  key: ['survey_response_id'],
  parent: { table: 'survey_recipients', key: ['survey_recipient_id'] },
  anonymous: {
    listedBy: ['survey_id', 'survey_template_question_id', 'answer_value'],
    survey: 'survey_id',
    recipient: 'survey_recipient_id',
    answeredAt: ['final_response_submitted_at', 'response_updated_at', 'response_created_at'],
    leftOut: ['sent_at'],
  },
  dates: {
    final_response_submitted_at: 'final_response_submitted_at',
    response_created_at: 'response_created_at',
    response_updated_at: 'response_updated_at',
    sent_at: 'sent_at',
  },
  shownAs: { survey_response_id: 'answer_id' },
  columns: {
    survey_response_id: text(
      'Identifier of the answer. Shown as another one, which tells nothing of the recipient or the order of answers. Null where the survey is anonymous.',
    ),
    answer_id: hidden(derived(text('Identifier that is shown.'))),
    answer_digest: hidden(derived(text('What was answered, in a few letters: another one where it has changed.'))),
    survey_recipient_id: hidden(text('Recipient who gave it.')),
    merged_user_id: hidden(inherited(text('Person of the recipient, for people filters only.'))),
    is_bot: hidden(inherited(boolean('Whether the recipient is a bot.'))),
    actor: hidden(inherited(text('The recipient’s person or unknown account.'))),
    survey_id: text('Survey.'),
    survey_name: text('Name of the survey.'),
    survey_status: text('State of the survey.', surveyStatuses),
    section_id: text('Section of the survey.'),
    section_title: text('Title of the section.'),
    survey_template_question_id: text('Question.'),
    question_order: integer('Place of the question.'),
    question_text: longText('The question.'),
    response_type: text('Kind of answer.', responseTypes),
    answer_value: longText('The answer.'),
    answer_comment: longText('Comment on the answer.'),
    answer_other_text: longText('Text given for “other”.'),
    recipient_type: text(
      'Whether the recipient uses the service or was invited from outside. Null where the survey is anonymous.',
      recipientTypes,
    ),
    final_response_submitted_at: timestamp('When the final answers were submitted.'),
    response_created_at: timestamp('When the answer was first given.'),
    response_updated_at: timestamp('When the answer was last changed.'),
    sent_at: timestamp('When the survey was sent.'),
    team_names: whenRead(
      textList(
        'Teams of the person who answered. Where the survey is anonymous, those of the reporting group if it reports by team, else null.',
      ),
    ),
  },
});
