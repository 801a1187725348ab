export const copyWords = {
  selectTextAndCopy: 'Select the text and copy it',
} as const;

export const actionWords = {
  signInInAnother: 'Sign in in another window',
  andTryAgainWhat: 'and try again: what you entered here stays.',
  request: (requestId: string) => `Request ${requestId}.`,
} as const;
