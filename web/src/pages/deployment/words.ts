import { counted } from '../../view/format.ts';

export const carriedWords = {
  changesInThisDeployment: 'Changes in this deployment',
  noKnownPullRequests: 'No known pull requests',
  failedRunRollbackFirst:
    'A failed run, a rollback, a repository’s first known deployment and one whose changes were already live contain none. Pull requests of people you can’t see aren’t counted.',
  youCanSee: (carried: number, ids: number, maxAsked: number) =>
    `${counted(carried, 'pull request', 'pull requests')} you can see${ids > maxAsked ? `, times of the first ${maxAsked}` : ''}`,
  pullRequest: 'Pull request',
  author: 'Author',
  size: 'Size',
  mergeToProduction: 'Merge to production',
  leadTime: 'Lead time',
} as const;

export const courseWords = {
  failureSeen: 'failure seen',
  fixMerged: 'fix merged',
  runFailed: 'run failed',
  timeToRestore: 'time to restore',
  incidentOpenedProductionWell: 'incident opened → production well again',
  failedRunOrBad: 'failed run, or bad change live → next good deployment',
  badChangeLive: 'bad change live → its fix live',
} as const;

export const factsWords = {
  deploymentSource: 'Deployment source',
  deployed: 'Deployed by',
  onlyFixesEarlier: 'Only fixes an earlier one',
  yesSoItIsnt: 'Yes, so it isn’t counted in the failure rate',
  repository: 'Repository',
  result: 'Result',
  environment: 'Environment',
  production: 'Production',
  yes: 'Yes',
  no: 'No',
  workflow: 'Workflow',
  version: 'Version',
  commit: 'Commit',
  started: 'Started',
  deployedAt: 'Deployed',
} as const;

export const deploymentWords = {
  deployment: 'Deployment',
  deploymentWhat: 'The deployment',
  noSuchDeployment: 'No such deployment',
  noneLastTenYears: 'None of the last ten years has the id',
  orItCarriedNothing: ', or you don’t have access to it.',
  openRun: 'Open the run',
  timeline: 'Timeline',
  timelineDeployment: 'Timeline of the deployment',
  requestBehindThisPage: 'The request behind this page',
} as const;

export const whyFailedWords = {
  whetherItFailed: 'Whether it failed',
  runSucceededAndNo: 'The run succeeded, and no incident, revert, hotfix or rollback is known.',
  runEnded: (textOf: string | null) => `The run ended with: ${textOf ?? 'nothing known'}.`,
  whyItFailed: 'Why it failed',
  fixMerged: 'Fix merged',
  notYet: 'not yet',
  timeToRestore: 'Time to restore',
  reason: 'Reason',
  seen: 'Seen',
  restored: 'Restored',
  measured: 'Measured',
} as const;
