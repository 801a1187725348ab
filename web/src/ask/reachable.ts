/** Whether the last request got no answer at all. */
let isLost = false;
const listeners = new Set<() => void>();

/** Every request tells: one without an answer, that the server cannot be reached; any answer, that it can. */
export function noteReached(isReached: boolean): void {
  if (isLost === !isReached) return;
  isLost = !isReached;
  for (const listener of listeners) listener();
}

export const isUnreachable = (): boolean => isLost;

/** Calls back whenever that changes, until the caller stops it. */
export const onReachable = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
