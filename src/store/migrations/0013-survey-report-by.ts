/** The field by which respondents of an anonymous survey are divided, where they are shown in groups. */
export const surveyReportBy: readonly string[] = [
  'ALTER TABLE organisations ADD COLUMN survey_report_by text COLLATE "C"',
];
