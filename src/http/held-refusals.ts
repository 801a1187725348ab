const tickMs = 50;
/** How long refusals are held: 1.2 to 1.9 seconds, since nobody is to wait for more than two. */
const ticks = { least: 24, most: 38 };

/**
 * Refusals that are sent later. A client that asks again as soon as it is refused would keep the process busy with
 * refusals alone. They are sent at different times, or hundreds of connections would all ask again at the same moment;
 * and one timer counts for all of them, since a timer for each costs as much as the refusal itself.
 */
export class HeldRefusals {
  /** What is due at each of the next ticks, by the remainder of its number. */
  readonly #due: (() => void)[][] = Array.from({ length: ticks.most + 1 }, () => []);
  /** The number of the last tick whose refusals were sent. */
  #sent = 0;
  #held = 0;
  #timer: NodeJS.Timeout | undefined;

  add(answer: () => void): void {
    if (this.#held === 0) this.#sent = tickNow();
    const after = ticks.least + Math.floor(Math.random() * (ticks.most - ticks.least + 1));
    this.#due[(this.#sent + after) % this.#due.length]?.push(answer);
    this.#held += 1;
    this.#timer ??= setInterval(() => this.#send(), tickMs).unref();
  }

  /** By the clock: under load a timer is late each time, and nobody is to wait for all of that together. */
  #send(): void {
    for (const now = tickNow(); this.#sent < now && this.#held > 0; ) {
      this.#sent += 1;
      const due = this.#due[this.#sent % this.#due.length]?.splice(0) ?? [];
      this.#held -= due.length;
      for (const answer of due) answer();
    }
    if (this.#held === 0) this.#stop();
  }

  /** Answers the requests that still wait. */
  close(): void {
    this.#stop();
    for (const due of this.#due) for (const answer of due.splice(0)) answer();
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

const tickNow = (): number => Math.floor(performance.now() / tickMs);
