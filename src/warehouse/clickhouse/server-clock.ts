/** How long the difference between two clocks is believed. */
const believedMs = 60_000;

/**
 * The clock of ClickHouse, as far as it is known here: it is asked now and then, and reckoned in between. Nothing depends on
 * the time that this machine has been set to.
 */
export class ServerClock {
  readonly #ask: () => Promise<number>;
  #known: { readonly at: number; readonly said: number } | undefined;

  /** `ask` gives what the clock says, in milliseconds. */
  constructor(ask: () => Promise<number>) {
    this.#ask = ask;
  }

  /** What it says at a moment of `performance.now()`, or a little less: by as long as its answer took. */
  async at(moment: number): Promise<number> {
    if (!this.#known || performance.now() - this.#known.at > believedMs) {
      const said = await this.#ask();
      this.#known = { said, at: performance.now() };
    }
    return this.#known.said + (moment - this.#known.at);
  }
}
