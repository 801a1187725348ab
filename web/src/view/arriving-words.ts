import { grouped } from './format.ts';

export const arrivingWords = {
  importingHistoryAboutLeft: (value: string) => `Importing history, about ${value} left`,
  importingHistory: 'Importing history',
  showConnections: 'Show connections',
  restFollows: (alreadyHere: string) => `${alreadyHere} The rest follows on its own, newest first.`,
  nothingHasArrivedYet: 'Nothing has arrived yet.',
  pagesShowWhat: 'Pages show what has arrived.',
  soFar: (list: string, more: number) =>
    `So far: ${list}${more > 0 ? ` and ${grouped(more)} more kinds of records` : ''}.`,
} as const;

export const syncProgressNoteWords = {
  startingSoon: (name: string) => `${name}: starting soon.`,
  sRateLimitReached: (name: string, time: string) => `${name}’s rate limit is reached. Continues at ${time}.`,
  andMore: (count: number) => `and ${grouped(count)} more`,
} as const;
