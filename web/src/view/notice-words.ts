export const offlineNoteWords = {
  serverCantBeReached: 'The server can’t be reached.',
  youreOffline: 'You’re offline.',
  whatsHereStaysPage: 'What’s here stays. The page continues once the connection is back.',
} as const;

export const pageNoticesWords = {
  thisSampleData: 'This is sample data.',
  dataFromBeforeStill: (day: string) => ` Data from before ${day} is still being filled in.`,
  connectYourTools: ' Connect your tools to see your own.',
} as const;

export const newDataWords = {
  showNewData: 'Show new data',
} as const;

export const unlessAllFailedWords = {
  thisPage: 'This page',
} as const;

export const freshnessWords = {
  noDataYet: 'No data yet',
  dataThrough: (time: string) => `Data through ${time}`,
} as const;
