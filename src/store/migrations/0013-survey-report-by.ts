/** What the respondents of an anonymous survey are divided by, where they are shown in groups. */
export const surveyReportBy: readonly string[] = [
  'ALTER TABLE organisations ADD COLUMN survey_report_by text COLLATE "C"',
];
