export const tileWords = {
  youDontHaveAccess: 'You don’t have access to this.',
  tryAgain: 'Try again',
  showRows: (label: string) => `, ${label}: show the rows`,
  nothingInThisWindow: 'nothing in this window',
  noDataAfter: (day: string) => `no data after ${day}`,
  to: (day: string) => `to ${day}`,
} as const;
