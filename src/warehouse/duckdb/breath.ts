import { setImmediate } from 'node:timers/promises';

/** How long anything may keep the event loop to itself. */
const longestMs = 10;

/** Lets others have the event loop now and then, while much is written or read in one go. */
export class Breath {
  #since = performance.now();

  async take(): Promise<void> {
    if (performance.now() - this.#since < longestMs) return;
    await setImmediate();
    this.#since = performance.now();
  }
}
