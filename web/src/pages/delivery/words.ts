import { counted, grouped } from '../../view/format.ts';

export const attributionBarWords = {
  fromMergeToProduction: 'From merge to production',
  byDayMergeOnly: 'By day of merge. Only those in production have a lead time.',
  mergedPullRequests: 'merged pull requests',
} as const;

export const byRepositoryWords = {
  byRepository: 'By repository',
  toProductionDeploymentSource: 'To production. The deployment source decides what counts.',
  deployments: 'deployments',
  deliveryByRepository: 'Delivery by repository',
  repository: 'Repository',
  deploymentSource: 'Deployment source',
  whatCountsAsDeployment: 'What counts as a deployment in this repository.',
  noDeployments: 'No deployments',
  deploymentsName: 'Deployments',
  leadTimeMedian: 'Lead time, median',
  changeFailureRate: 'Change failure rate',
  toRestoreMedian: 'To restore, median',
  successfulRuns: 'Successful runs',
  n: (n: number) => `n ${grouped(n)}`,
  unknown: 'Unknown',
} as const;

export const failuresChartWords = {
  failuresByReason: 'Failures by reason',
  failedDeployments: 'failed deployments',
} as const;

export const failuresWords = {
  failuresByReason: 'Failures by reason',
  toProductionWithout: (changesIn: number) =>
    `Of ${counted(changesIn, 'change', 'changes')} to production, not counting fixes`,
  noDeployments: (ofWhom: string) => `No deployments${ofWhom} in this window`,
  noDeploymentFailed: (ofWhom: string) => `No deployment${ofWhom} failed`,
  soNoneCan: 'So none could have failed.',
  allWentWellNo: (changes: number) =>
    `All of ${counted(changes, 'deployment', 'deployments')} went well: no failed run, incident, revert or hotfix.`,
  failedDeployments: 'Failed deployments',
  latest: (maxFailed: number) => `The latest ${maxFailed}, and when each was restored`,
  noDeploymentFailedInThisWindow: (ofWhom: string) => `No deployment${ofWhom} failed in this window`,
  whatFailsAppearsHere: 'What fails appears here with its reason and when it was restored.',
  show: (rows: number) => `Show all ${rows}`,
  deployment: 'Deployment',
  deployed: 'Deployed',
  reason: 'Reason',
  restoredAfter: 'Restored after',
  notYet: 'not yet',
} as const;

export const deliveryWords = {
  delivery: 'Delivery',
  throughput: 'Throughput',
  instability: 'Instability',
  per: (label: string, level: string) => `${label} per ${level}`,
  leadTimeByPhase: 'Lead time by phase',
  leadTime: 'lead time',
} as const;

export const deliveryFigureWords = {
  leadTimeForChanges: 'Lead time for changes, median',
  pullRequests: 'pull requests',
  deploymentFrequency: 'Deployment frequency',
  timeToRestoreMedian: 'Time to restore, median',
  changeFailureRate: 'Change failure rate',
  deploymentReworkRate: 'Deployment rework rate',
} as const;
