import { setTimeout as pause } from 'node:timers/promises';

/** How a statement is watched that may take minutes. */
export interface WatchTerms {
  /** How often the server is asked whether the statement still runs. */
  readonly everyMs: number;
  /** How long that answer is waited for. */
  readonly answerMs: number;
}

/** A server that went silent is noticed in half a minute: before those give up who wait for the turn of its writer. */
export const defaultWatch: WatchTerms = { everyMs: 10_000, answerMs: 5_000 };

/** A statement may end just before the server is asked, and its answer is then still on its way. */
const maxMisses = 2;

/**
 * Asks again and again whether a statement still runs, until it is over. It may take as long as it needs while the server
 * says so. Calls `lost` where the server says nothing any more, or does not know the statement.
 */
export async function watchStatement(
  isRunning: (signal: AbortSignal) => Promise<boolean>,
  { everyMs, answerMs }: WatchTerms,
  over: AbortSignal,
  lost: () => void,
): Promise<void> {
  for (let misses = 0; misses < maxMisses; ) {
    await pause(everyMs, undefined, { signal: over, ref: false }).catch(() => {});
    if (over.aborted) return;
    const isThere = await isRunning(AbortSignal.timeout(answerMs));
    if (over.aborted) return;
    misses = isThere ? 0 : misses + 1;
  }
  lost();
}
