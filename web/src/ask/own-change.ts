/** For this long after a change was answered, the event of it can still be on its way. */
const newsLate = 5_000;
let underway = 0;
let answeredAt = Number.NEGATIVE_INFINITY;

/**
 * Figures depend on these, and readers change them on pages: people and their groups, the organisation, connections.
 */
const changing = /^\/(app\/(people|groups|organisation|sources|imports)|users)(\/|$)/;
/** Requests that change no figure: they only read, or give somebody a way to sign in. */
const notChanging = /\/(preview|check|sign-in-link)$/;
export const changesFigures = (path: string): boolean => changing.test(path) && !notChanging.test(path);

/** Sends a request that may change data, so that the event of the change is known to be the reader's own. */
export async function asOwnChange<T>(path: string, change: () => Promise<T>): Promise<T> {
  if (!changesFigures(path)) return change();
  underway += 1;
  try {
    return await change();
  } finally {
    underway -= 1;
    answeredAt = Date.now();
  }
}

/** Whether an event that arrives now may be about a change that the reader has just made here. */
export const mayBeOwnChange = (): boolean => underway > 0 || Date.now() - answeredAt < newsLate;
