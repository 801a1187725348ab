import { counted, grouped } from './format.ts';

export const phaseChartWords = {
  hours: (round: number, pullRequests: number, until: string) =>
    `${grouped(round)} hours of ${counted(pullRequests, 'pull request', 'pull requests')} ${until === 'merge' ? 'merged' : 'that reached production'}`,
  shareAllHours: (level: string) => `Share of all hours, by ${level} of merge`,
  shareByMergeTakes: (covered: string, level: string, name: string | undefined, value: string) =>
    `Share of ${covered}, by ${level} of merge · ${name} takes most: ${value}`,
  mergedPullRequests: 'merged pull requests',
} as const;

export const phasesWords = {
  coding: 'Coding',
  waitingForReview: 'Waiting for review',
  inReview: 'In review',
  openWithoutReview: 'Open without review',
  mergeToProduction: 'Merge to production',
} as const;
