export const sendWords = {
  serverNotReached: 'The server can’t be reached. Check that it’s running, then try again.',
  serverAnsweredWithStatus: (status: number) => `The server answered with status ${status}.`,
} as const;
