/** How long anything may keep the event loop to itself. */
const longestMs = 5;

const waiting: (() => void)[] = [];

/**
 * One of those that wait goes on in each turn of the event loop. Were they all to go on at once, eight of them would
 * keep everybody else waiting eight times as long.
 */
function letOneGoOn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(letOneGoOn);
}

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(letOneGoOn);
  });
}

/** Lets others have the event loop now and then, while much is written or read in one go. */
export class EventLoopYield {
  #since = performance.now();

  /** Whether it is time. Loops over many small things ask this first: waiting for nothing takes longer. */
  get isDue(): boolean {
    return performance.now() - this.#since >= longestMs;
  }

  async yieldIfDue(): Promise<void> {
    if (!this.isDue) return;
    await nextTurn();
    this.#since = performance.now();
  }
}
