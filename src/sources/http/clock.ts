import { setTimeout as timeout } from 'node:timers/promises';

/** Time as requests and syncs see it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Rejects with the signal's reason where it ends the wait. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** The longest wait that a timer can have. */
const maxSleepMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    try {
      await timeout(Math.min(ms, maxSleepMs), undefined, { signal });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  },
};
