/** What one key, or one organisation, may have under way: as much as was lately answered in time. */
export class Allowance {
  /** Fewer than this are always let in. */
  readonly #least: number;
  readonly #worthMs: number;
  #limit = Number.POSITIVE_INFINITY;
  #answered = 0;
  #late = 0;
  underWay = 0;
  /** What was begun since the last sample; a large body counts for more than one request. */
  begun = 0;

  /** `worthMs` is about how long requests then take, when everything that is let in is answered. */
  constructor(least: number, worthMs: number) {
    this.#least = least;
    this.#worthMs = worthMs;
  }

  get isFull(): boolean {
    return this.underWay > this.#limit;
  }

  get isIdle(): boolean {
    return this.underWay === 0 && this.#limit === Number.POSITIVE_INFINITY;
  }

  ended(isLate: boolean): void {
    if (isLate) this.#late += 1;
    else this.#answered += 1;
  }

  /**
   * Once requests were refused because they waited for too long, no more are let in than are answered in such a time: the
   * others would cost as much to read as those that are answered, and be refused in the end. Without such refusals the
   * limit rises again.
   */
  sample(elapsedMs: number): void {
    if (this.#late > 0) this.#limit = Math.max(this.#least, (this.#answered / elapsedMs) * this.#worthMs);
    else this.#limit = this.#limit * 1.05 + 1;
    // Nobody has anything under way: whatever made them late is over.
    if (this.#limit > 1_000 || (this.underWay === 0 && this.begun === 0)) this.#limit = Number.POSITIVE_INFINITY;
    this.#answered = 0;
    this.#late = 0;
    this.begun = 0;
  }
}
