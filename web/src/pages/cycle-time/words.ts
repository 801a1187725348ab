import { counted, grouped } from '../../view/format.ts';

export const courseChartWords = {
  slowestTenth: 'Slowest tenth',
  cycleTimePer: (level: string) => `Cycle time per ${level}`,
  pullRequests: 'pull requests',
  firstCommitToMerge: (level: string) => `First commit to merge, by ${level} of merge`,
  mergedPullRequests: 'merged pull requests',
  median: 'Median',
} as const;

export const cycleTimeWords = {
  firstReviewWait: 'first review wait',
  cycleTime: 'Cycle time',
  pullRequests: 'pull requests',
  per: (label: string, level: string) => `${label} per ${level}`,
  mergedPullRequests: 'merged pull requests',
  whereTimeGoes: 'Where the time goes',
  cycleTimeCalled: 'cycle time',
} as const;

export const cycleTimeFigureWords = {
  cycleTimeMedian: 'Cycle time, median',
  cycleTimeSlowestTenth: 'Cycle time, slowest tenth',
  codingMedian: 'Coding, median',
  firstReviewWaitMedian: 'First review wait, median',
  reviewTimeMedian: 'Review time, median',
  mergeToProductionMedian: 'Merge to production, median',
} as const;

export const slowestWords = {
  slowestPullRequests: 'Slowest pull requests',
  mergedInThisRange: (maxSlowest: number) =>
    `The ${maxSlowest} merged in this range that took longest. Promotions have no cycle time and aren’t among them.`,
  mergedPullRequests: 'merged pull requests',
  pullRequest: 'Pull request',
  cycleTime: 'Cycle time',
  firstReviewWait: 'First review wait',
  reviewTime: 'Review time',
  coding: 'Coding',
} as const;

export const spreadChartsWords = {
  howLongPullRequests: 'How long pull requests took',
  sizeAndCycleTime: 'Size and cycle time',
  pullRequestPullRequests: (rows: number, isCut: boolean, drawn: string, n: number | null) =>
    `${counted(rows, 'pull request', 'pull requests')}${isCut ? ` of ${drawn}, the latest of ${grouped(n ?? 0)}` : ''}`,
  mergedPullRequests: 'merged pull requests',
  medianSlowestTenth: (of: string, value: string, value2: string) =>
    `${of} · median ${value}, the slowest tenth from ${value2}`,
  oneDotEachBoth: (of: string, sized: number, rows: number, count: number) =>
    `${of} · one dot each${sized < rows ? `, ${grouped(count)} of unknown size left out` : ''} · both axes are logarithmic`,
} as const;

export const spreadWords = {
  pullRequests: 'pull requests',
  linesAddedAndDeleted: 'lines added and deleted',
  firstCommitToMerge: 'first commit to merge',
} as const;
