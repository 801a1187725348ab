import { coalesce, countDistinct, isPresent, count as rowCount } from '../../expression/expression.ts';
import { count, metricsOf } from '../metric.ts';
import { surveyRecipients, surveyResponses } from '../tables/surveys.ts';

export const surveyMetrics = [
  ...metricsOf(surveyRecipients, { gate: 'survey' }, (recipient) => ({
    'survey-recipients-count': count(rowCount(), { meaning: 'Recipients of surveys.' }),
    'survey-completed-recipients-count': count(rowCount(isPresent(recipient.final_response_submitted_at)), {
      meaning: 'Recipients who submitted their final answers.',
      better: 'higher',
    }),
  })),
  ...metricsOf(surveyResponses, { gate: 'survey' }, (response) => ({
    'survey-responses-count': count(rowCount(), { meaning: 'Answers to questions.' }),
    // Somebody who was invited twice from outside is known by nothing but the invitation.
    'survey-respondents-count': count(countDistinct(coalesce(response.actor, response.survey_recipient_id)), {
      meaning: 'Distinct people who answered, those invited from outside included.',
    }),
  })),
];
