import { counted, grouped } from '../../view/format.ts';

export const flowWords = {
  addedUp: 'Added up',
  per: (level: string) => `Per ${level}`,
  startedAndCompletedPer: (level: string) => `Started and completed per ${level}`,
  startedAndCompletedCumulative: 'Started and completed, cumulative',
  started: 'Started',
  completed: 'Completed',
  byDayEach: 'By the day each was started and completed',
  fromStartRangeAdded: (level: string) => `From the start of the range, added up by ${level}`,
  startedOrCompletedIssues: 'started or completed issues',
} as const;

export const openWorkWords = {
  ageOpenWork: 'Age of open work',
  nowWhateverRange: 'Now, whatever the range',
  nowWhateverRangeHalf: (total: number, value: string) =>
    `Now, whatever the range: ${counted(total, 'issue', 'issues')}, half of them older than ${value}`,
  nothingOpen: (ofWhom: string) => `Nothing${ofWhom} is open`,
  noIssueCreatedWithin: (ofWhom: string, openStates: string) =>
    `No issue${ofWhom} created within ten years is in ${openStates}.`,
} as const;

export const issuesWords = {
  completedIssues: 'completed issues',
  startedIssues: 'started issues',
  timeFromCreation: 'the time from creation to completion',
  completedStoryPoints: 'completed story points',
  issues: 'Issues',
  issuesWhat: 'issues',
  per: (label: string, level: string) => `${label} per ${level}`,
  issuesWithoutEstimateCount: 'Issues without an estimate count as 0',
  medianByDayCompletion: 'Median, by the day of completion',
} as const;

export const projectsWords = {
  byProject: 'By project',
  completedInThisRange: 'Completed in this range, most first',
  completedIssues: 'completed issues',
  completedIssuesByProject: 'Completed issues by project',
  project: 'Project',
  completed: 'Completed',
  creationToCompletion: 'Creation to completion',
  median: 'Median',
  n: (n: number) => `n ${grouped(n)}`,
  storyPoints: 'Story points',
} as const;

export const issuesFigureWords = {
  completed: 'Completed',
  creationToCompletionMedian: 'Creation to completion, median',
  started: 'Started',
  storyPointsCompleted: 'Story points completed',
  noProject: '(no project)',
} as const;
