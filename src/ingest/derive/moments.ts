/** When something happened, by the rows that say so. */
export class Moments {
  rows = 0;
  /** Rows of the kind that is looked for, such as reviews by somebody else. */
  counting = 0;
  #first: number | null = null;
  #last: number | null = null;

  add(counts: boolean, at: number | null): void {
    this.rows += 1;
    if (!counts) return;
    this.counting += 1;
    if (at === null) return;
    if (this.#first === null || at < this.#first) this.#first = at;
    if (this.#last === null || at > this.#last) this.#last = at;
  }

  /**
   * Rows beat what the record gives, also when they say that it never happened: the only reviews are the author's own,
   * so there was no first review, whatever the record says. The record is believed where there are no rows, and where
   * those that count have no time.
   */
  firstOr(given: number | null): number | null {
    return this.#areNone ? null : (this.#first ?? given);
  }

  lastOr(given: number | null): number | null {
    return this.#areNone ? null : (this.#last ?? given);
  }

  get #areNone(): boolean {
    return this.rows > 0 && this.counting === 0;
  }
}
