/**
 * Whether answers to surveys are anonymous, and the key that the identifiers of answers are made with: without it nobody
 * can tell them from those of recipients.
 */
export const surveyPrivacy: readonly string[] = [
  'ALTER TABLE organisations ADD COLUMN survey_privacy text COLLATE "C"',
  'ALTER TABLE organisations ADD COLUMN survey_key text COLLATE "C"',
  'UPDATE organisations SET survey_key = md5(random()::text || random()::text || id)',
];
