/** How long after it was answered news of a change can still be on its way. */
const newsLate = 5_000;
let underway = 0;
let answeredAt = Number.NEGATIVE_INFINITY;

/** Does something that changes data, so that the news of it are known as the reader's own. */
export async function asOwnChange<T>(change: () => Promise<T>): Promise<T> {
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
