export const computedTileWords = {
  youDontHaveAccess: 'You don’t have access to this.',
  tryAgain: 'Try again',
  request: (requestId: string) => `Request ${requestId}`,
  showWhatBehind: (label: string) => `, ${label}: show what is behind it`,
  apiRequest: 'API request',
} as const;
