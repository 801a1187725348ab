/** Whether the server refused this tab for want of a session, and has answered nothing since. */
let isOut = false;
const listeners = new Set<() => void>();

/** Every answer tells: 401 that the session has ended, one that was allowed that there is one again. */
export function noteSession(status: number): void {
  const wasOut = isOut;
  if (status === 401) isOut = true;
  else if (status >= 200 && status < 300) isOut = false;
  if (isOut === wasOut) return;
  for (const listener of listeners) listener();
}

export const isSignedOut = (): boolean => isOut;

/** Calls back whenever that changes, until it is told to stop. */
export const onSignedOut = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
