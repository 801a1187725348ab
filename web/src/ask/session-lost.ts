/** Whether the server last refused this tab because it has no session. */
let isOut = false;
const listeners = new Set<() => void>();

/** Every answer tells: after 401 the session has ended, after an accepted request there is one again. */
export function noteSession(status: number): void {
  const wasOut = isOut;
  if (status === 401) isOut = true;
  else if (status >= 200 && status < 300) isOut = false;
  if (isOut === wasOut) return;
  for (const listener of listeners) listener();
}

export const isSignedOut = (): boolean => isOut;

/** Calls back whenever that changes, until the caller stops it. */
export const onSignedOut = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
