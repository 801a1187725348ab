interface Waiting<T, R> {
  readonly item: T;
  readonly done: (result: R) => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Writes one group after another: whatever comes while one is being written is written together in the next. A write
 * costs more than what is added to it.
 */
export class GroupedWrites<T, R> {
  /** One result for each item, in the same order. */
  readonly #write: (together: readonly T[]) => Promise<readonly R[]>;
  #waiting: Waiting<T, R>[] = [];
  #isWriting = false;

  constructor(write: (together: readonly T[]) => Promise<readonly R[]>) {
    this.#write = write;
  }

  /** Resolves once it is written. A group that fails has failed for all that are in it. */
  add(item: T): Promise<R> {
    return new Promise((done, failed) => {
      this.#waiting.push({ item, done, failed });
      if (!this.#isWriting) void this.#writeAll();
    });
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      try {
        const results = await this.#write(group.map(({ item }) => item));
        for (const [i, { done }] of group.entries()) done(results[i] as R);
      } catch (error) {
        for (const { failed } of group) failed(error);
      }
    }
    this.#isWriting = false;
  }
}
