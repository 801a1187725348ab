/** What stands around every page: its foot, and what is said where a page or the session has ended. */
export const shellWords = {
  thePage: 'The page',
  somethingWrong: 'Something went wrong',
  stopped: (why: string) => `This page stopped working: ${why}`,
  withoutFile:
    'Its files couldn’t be loaded: the server can’t be reached, or was updated since you opened this window.',
  noSuchPage: 'No such page',
  nothingHere: 'There’s nothing at this address.',
  renamed: 'It may have been renamed, or the link is cut short.',
  goToOverview: 'Go to Overview',
  search: 'Search',
  sessionEnded: 'Your session has ended.',
  signInToReturn:
    'Sign in again to come back to this page. To keep what you’ve entered and not saved, sign in in another window.',
  signInAgain: 'Sign in again',
  signInElsewhere: 'Sign in in another window',
  weeksIn: (zone: string) => `${zone} · weeks start on Monday`,
  syncingNow: 'syncing now',
  copyLink: 'Copy link',
  howCalculated: 'How these numbers are calculated',
  you: (name: string) => `You: ${name}`,
} as const;
