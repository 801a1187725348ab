const firstPauseMs = 1_000;
const pauseMostMs = 60_000;

/** How often one request is tried. */
export const triesMost = 6;

const budgetUsual = 10;
/** What a request that went well gives back: a long read may meet more failures than a short one. */
const earnedByOne = 0.1;

/** Retries that a stream may use. A provider that is down is not asked ten times as often as one that is well. */
export class RetryBudget {
  readonly #most: number;
  #left: number;

  constructor(most: number = budgetUsual) {
    this.#most = most;
    this.#left = most;
  }

  /** Whether one more retry is allowed. */
  take(): boolean {
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }

  earn(): void {
    this.#left = Math.min(this.#most, this.#left + earnedByOne);
  }
}

/** A random part of a pause that doubles with each try, so that those who failed together do not come back together. */
export const pauseMs = (tries: number, random: () => number): number =>
  Math.min(pauseMostMs, firstPauseMs * 2 ** (tries - 1)) * (0.5 + random() / 2);
