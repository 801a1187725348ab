/** How long after it was answered news of a change can still be on its way. */
const newsLate = 5_000;
let underway = 0;
let answeredAt = Number.NEGATIVE_INFINITY;

/** What figures depend on and readers change here: people and their groups, the organisation, connections. */
const changing = /^\/(app\/(people|groups|organisation|sources)|users)(\/|$)/;
/** What only looks, or gives somebody a way in. */
const notChanging = /\/(preview|check|sign-in-link)$/;
export const changesFigures = (path: string): boolean => changing.test(path) && !notChanging.test(path);

/** Sends something that may change data, so that the news of it are known as the reader's own. */
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

/** Whether news that come now may be of what the reader has just done here. */
export const mayBeOwnChange = (): boolean => underway > 0 || Date.now() - answeredAt < newsLate;
