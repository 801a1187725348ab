import { counted } from '../../view/format.ts';

export const clockTableWords = {
  howTheseTimes: 'How these times were measured',
  botsStartAndEnd: (rounds: number | null) =>
    `Bots don’t count · ${rounds === 1 ? '1 review round' : `${rounds ?? 0} review rounds`}: reviews answered by new commits or by the merge`,
  clock: 'Clock',
  from: 'From',
  to: 'To',
  value: 'Value',
} as const;

export const deploymentCardWords = {
  noDeploymentDataYet: 'No deployment data yet',
  deploymentSource: (name: string) => `Deployment source: ${name}`,
  itsPromotionPullRequests: 'It’s a promotion. The pull requests in it have their own lead times.',
  youDontHaveAccess: 'You don’t have access to the deployment.',
  itContains: (carried: number) => `It contains ${counted(carried, 'pull request', 'pull requests')}. `,
  noFailureKnown: (count: string) => `${count}No failure is known.`,
  countsAsFailure: (count: string, meaning: string) => `${count}It counts as a change failure: ${meaning}`,
  notRestored: 'It is not restored yet.',
  restored: (time: string) => `Restored ${time}.`,
  restoredAfter: (time: string, duration: string) => `Restored ${time}, after ${duration}.`,
  deployment: 'Deployment',
} as const;

export const eventTableWords = {
  everyEvent: 'Every event',
  oldestFirst: (all: number) => `${counted(all, 'event', 'events')}, oldest first`,
  requestsBehindTheseEvents: 'The requests behind these events',
  when: 'When',
  what: 'What',
  who: 'Who',
} as const;

export const eventsWords = {
  firstCommit: 'first commit',
  openedAsDraft: 'opened as draft',
  firstReview: 'first review',
  commit: (sha: string) => `commit ${sha}`,
  reviewChangesRequested: 'review: changes requested',
  review: (state: string) => `review: ${state}`,
  labelRemoved: 'label removed',
  enteredMergeQueue: 'entered the merge queue',
  of: (reviewer: string) => ` of ${reviewer}`,
} as const;

export const factsWords = {
  additionsDeletionsInFile: (count: string, count2: string, files: number | null) =>
    `+${count} −${count2}${files === null ? '' : ` in ${counted(files, 'file', 'files')}`}`,
  reviewsByOthers: 'Reviews by others',
  state: 'State',
  author: 'Author',
  into: 'Into',
  kind: 'Kind',
  size: 'Size',
  commits: 'Commits',
  comments: 'Comments',
} as const;

export const pullRequestWords = {
  pullRequest: 'Pull request',
  pullRequestWhat: 'The pull request',
  noSuchPullRequest: 'No such pull request',
  noneLastTenYears: 'None of the last ten years has the id',
  orItBelongs: ', or it belongs to someone whose work you can’t see.',
  yourOwnMedian: 'your own median in its repository',
  medianItsRepository: 'the median of its repository',
  medianWhatYouCan: 'the median of what you can see of its repository',
  pullRequestNumbered: (number: string) => `Pull request ${number}`,
  openIn: (source: string) => `Open in ${source}`,
  itsSource: 'its source',
  change: 'The change',
} as const;

export const timelineCardWords = {
  timeline: 'Timeline',
  someEvents: 'Some of the events',
  timelinePullRequest: 'Timeline of the pull request',
  requestBehindTheseTimes: 'The request behind these times',
  everyEventShown: 'every event is shown',
  notShownInFull: (left: number, left2: string) =>
    `${counted(left, 'kind of event is', 'kinds of events are')} not shown in full, for people who aren’t in metrics or whose work you can’t see: ${left2}`,
} as const;
