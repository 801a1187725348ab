export const tileWords = {
  youDontHaveAccess: 'You don’t have access to this.',
  tryAgain: 'Try again',
  showRows: (label: string) => `, ${label}: show the rows`,
  nothingInThisWindow: 'nothing in this window',
  noDataAfter: (day: string) => `no data after ${day}`,
  to: (day: string) => `to ${day}`,
} as const;

export const computedTileWords = {
  youDontHaveAccess: 'You don’t have access to this.',
  tryAgain: 'Try again',
  request: (requestId: string) => `Request ${requestId}`,
  showWhatBehind: (label: string) => `, ${label}: show what is behind it`,
  apiRequest: 'API request',
} as const;

export const figureTabsWords = {
  mainChart: 'Main chart',
} as const;

export const changeSentenceWords = {
  theseFiguresNot: 'These figures are not for your role.',
  thereNo: (what: string, ofWhom: string) => `There are no ${what}${ofWhom} in this window.`,
  pickComparisonToSee: 'Pick a comparison to see what changed.',
} as const;
