export const copyWords = {
  selectTextAndCopy: 'Select the text and copy it',
  copied: 'Copied',
} as const;

export const actionWords = {
  signInInAnother: 'Sign in in another window',
  andTryAgainWhat: 'and try again. What you entered here stays.',
  request: (requestId: string) => `Request ${requestId}.`,
} as const;

export const confirmWords = {
  cancel: 'Cancel',
} as const;

export const toastWords = {
  undo: 'Undo',
  close: 'Close',
} as const;
