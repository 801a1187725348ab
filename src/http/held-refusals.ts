const tickMs = 50;
/** How long refusals are held: 1 to 1.7 seconds, since nobody is to wait for more than two. */
const ticks = { least: 20, most: 34 };

/**
 * Refusals that are sent later. A client that asks again as soon as it is refused would keep the process busy with
 * refusals alone. They are sent at different times, or hundreds of connections would all ask again at the same moment;
 * and one timer counts for all of them, since a timer for each costs as much as the refusal itself.
 */
export class HeldRefusals {
  /** What is due at each of the next ticks. */
  readonly #due: (() => void)[][] = Array.from({ length: ticks.most + 1 }, () => []);
  #now = 0;
  #held = 0;
  #timer: NodeJS.Timeout | undefined;

  add(answer: () => void): void {
    const after = ticks.least + Math.floor(Math.random() * (ticks.most - ticks.least + 1));
    this.#due[(this.#now + after) % this.#due.length]?.push(answer);
    this.#held += 1;
    this.#timer ??= setInterval(() => this.#tick(), tickMs).unref();
  }

  #tick(): void {
    this.#now = (this.#now + 1) % this.#due.length;
    const due = this.#due[this.#now] ?? [];
    this.#due[this.#now] = [];
    this.#held -= due.length;
    for (const answer of due) answer();
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
