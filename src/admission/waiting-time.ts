/** How long one request may wait for turns. A request that waits longer is asked to come back. */
const waitingMostMs = 2_000;
/** The last quarter of the time is kept for what has begun: its work would be lost otherwise. */
const beginsWithin = 0.75;

/**
 * The time that one request may spend waiting, all its waits together: a request that needs ten statements does not wait
 * ten times as long as a request that needs one. Waits at the same time count once.
 */
export class WaitingTime {
  readonly #now: () => number;
  #mostMs: number;
  #eachMs = Number.POSITIVE_INFINITY;
  #spentMs = 0;
  #waits = 0;
  #since = 0;

  constructor(mostMs: number = waitingMostMs, now: () => number = () => performance.now()) {
    this.#mostMs = mostMs;
    this.#now = now;
  }

  /** Time spent in waits that are over. */
  get spentMs(): number {
    return this.#spentMs;
  }

  get leftMs(): number {
    const current = this.#waits > 0 ? this.#now() - this.#since : 0;
    return Math.max(0, Math.min(this.#mostMs - this.#spentMs - current, this.#eachMs));
  }

  /** Begins a wait. `late` is called when the time is used up before the wait has ended. */
  begin(late: () => void, hasBegun = true): () => void {
    if (this.#waits === 0) this.#since = this.#now();
    this.#waits += 1;
    const keptMs = hasBegun || !Number.isFinite(this.#mostMs) ? 0 : this.#mostMs * (1 - beginsWithin);
    const leftMs = Math.max(0, this.leftMs - keptMs);
    const timer = Number.isFinite(leftMs) ? setTimeout(late, leftMs) : undefined;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      this.#waits -= 1;
      if (this.#waits === 0) this.#spentMs += this.#now() - this.#since;
    };
  }

  /**
   * For an answer whose first part was sent: it cannot be refused any more, only broken off. From now on each wait has
   * a limit of its own.
   */
  lift(eachMs: number): void {
    this.#mostMs = Number.POSITIVE_INFINITY;
    this.#eachMs = eachMs;
  }
}
