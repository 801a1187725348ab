/** What the header `X-Visibility` of the last answer to a question said; undefined before the first. */
let seen: string | undefined;
const listeners = new Set<() => void>();

/** Every answer of a metric tells whose rows it is made of. */
export function noteSeenPart(visibility: string | null): void {
  if (visibility === null || visibility === seen) return;
  seen = visibility;
  for (const listener of listeners) listener();
}

export const seenPart = (): string | undefined => seen;

/** Calls back whenever that changes, until the caller stops it. */
export const onSeenPart = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
