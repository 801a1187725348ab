import { grouped } from '../../view/format.ts';

export const attentionPanelWords = {
  close: 'Close',
  now: (time: string) => `Now, ${time}`,
  checkConnections: 'Check the connections',
  pullRequest: 'Pull request',
  pullRequestNumbered: (number: string) => `Pull request ${number}`,
  deployment: 'Deployment',
  open: 'Open for',
  goal: 'Goal',
  lastValue: 'Last period',
  target: 'Target',
  source: 'Source',
  nothingNewSince: 'Nothing new since',
  waiting: 'Waiting',
} as const;

export const attentionStripWords = {
  needsAttentionNow: 'Needs attention now',
  whatNeedsAttention: 'What needs attention',
  nothingNeedsAttentionNow: (hours: number) =>
    `Nothing needs attention now: no pull request has waited longer than ${hours} hours, no failure is open, and no goal is missed.`,
} as const;

export const mainChartWords = {
  per: (label: string, level: string) => `${label} per ${level}`,
} as const;

export const overviewWords = {
  overview: 'Overview',
} as const;

export const biggestChangesWords = {
  all: 'All',
  worse: 'Worse',
  biggestChanges: 'Biggest changes',
  byTeamAndRepository: (beforeInWords: string) => `By team and repository, against ${beforeInWords}`,
  thisList: 'This list',
  pickComparisonToSee: 'Pick a comparison to see what changed.',
  nothingBecameWorse: 'Nothing got worse in any team or repository.',
  onlyFirst200Groups: (cutFrom: number) => `Only the first 200 of ${grouped(cutFrom)} groups were looked at.`,
} as const;
