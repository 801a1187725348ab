export const recordListsWords = {
  pullRequest: 'pull request',
  pullRequests: 'pull requests',
  dayUse: 'day of use',
  daysUse: 'days of use',
  numberCountsPeople: 'The number counts people. Their days of use are listed.',
} as const;
