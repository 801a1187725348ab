import { counted, grouped } from './format.ts';

export const panelWords = {
  recordsBehindThisNumber: 'Records behind this number',
  answersToSurveys: 'Answers to surveys',
  close: 'Close',
  hiddenToProtectAnonymity: 'Hidden to protect anonymity',
  surveyAnswersAndRecipients: 'Survey answers and recipients are never listed one by one.',
  periodBefore: 'Period before',
  periodAfter: 'Period after',
  by: (meant: number, one: string, many: string, uncapitalised: string) =>
    `${counted(meant, one, many)} by ${uncapitalised}`,
  howItsCalculated: 'How it’s calculated',
  rows: (label: string) => `${label} rows`,
  listRows: 'The list of rows',
  counted: (label: string) => `Counted for the ${label}: `,
  apiRequest: 'API request for these rows',
  moreArentCounted: (without: number) => `${grouped(without)} more aren’t counted.`,
  openInExplore: 'Open in Explore',
  n: (n: number) => `n ${grouped(n)}`,
  apiRequestForThisNumber: 'API request for this number',
  records: 'Records',
} as const;

export const panelRowsWords = {
  firstRecords: (rows: number, total: number) =>
    `The first ${grouped(rows)} of ${grouped(total)} records in this range. Shorten the range to see them all.`,
  behindThisNumber: (many: string) => `${many} behind this number`,
  noName: '(no name)',
} as const;

export const panelDistributionWords = {
  orMore: ' or more',
} as const;
