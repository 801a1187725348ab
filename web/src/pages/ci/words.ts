import { counted, grouped } from '../../view/format.ts';

export const flakyWords = {
  flakyFailedThenPassed: 'Flaky: failed, then passed on the same commit',
  failuresFirst: 'Most failures first',
  noneInThisWindow: 'None in this window',
  noWorkflowRanTwice:
    'No workflow ran twice on one commit. Sources that keep only a run’s last attempt are under “Passed later” above.',
  workflowRanMore: (repeated: number) =>
    `A workflow ran more than once on ${grouped(repeated)} commits, with the same result each time.`,
  flakyCommitsFailedThen: 'Flaky commits: failed, then passed',
  commit: 'Commit',
  workflow: 'Workflow',
  repository: 'Repository',
  failed: 'Failed',
  runs: 'Runs',
} as const;

export const ciWords = {
  shareRunsThatSucceed: 'the share of runs that succeed',
  n95thPercentileDuration: 'the 95th percentile of duration',
  cost: 'the cost',
  timeCancelledRuns: 'time of cancelled runs',
  ci: 'CI',
  runs: 'runs',
  runsPerByConclusion: (level: string) => `Runs per ${level}, by conclusion`,
  runsStillUnderWay: 'Runs still under way have none',
  per: (label: string, level: string) => `${label} per ${level}`,
  flakyCommits: 'Flaky commits',
  commits: 'Commits on which a workflow failed once and passed once, with no change in between.',
  noWorkflowRanTwice: (ofWhom: string) => `no workflow${ofWhom} ran twice on one commit`,
  withSeveralRunsWorkflow: (repeated: number) =>
    `of ${counted(repeated, 'commit', 'commits')} with several runs of a workflow`,
} as const;

export const ciFigureWords = {
  none: '(none)',
  succeeded: 'Succeeded',
  durationMedian: 'Duration, median',
  duration95thPercentile: 'Duration, 95th percentile',
  estimatedCost: 'Estimated cost',
  timeCancelledRuns: 'Time of cancelled runs',
} as const;

export const workflowsWords = {
  workflows: 'Workflows',
  runsFirst: (level: string) => `Most runs first · the line is the median duration per ${level}`,
  medianDurationPer: (level: string) => `Median duration per ${level}`,
  runs: 'runs',
  workflow: 'Workflow',
  runsName: 'Runs',
  succeeded: 'Succeeded',
  slowRuns: 'Slow runs',
  n95thPercentileDuration: '95th percentile of duration: one run in twenty takes longer.',
  duration: 'Duration',
  median: 'Median',
  trend: 'Trend',
  cost: 'Cost',
  cancelled: 'Cancelled',
  timeThatCancelledRuns: 'Time that cancelled runs took',
  flaky: 'Flaky',
  failedThenPassed: 'Failed, then passed on the same commit',
  passedLater: 'Passed later',
  runsThatPassed: 'Runs that passed at a second or later attempt',
  show: (workflows: number) => `Show all ${workflows}`,
  n: (n: number) => `n ${grouped(n)}`,
  from: (value: string, value2: string) => `from ${value} to ${value2}`,
} as const;
