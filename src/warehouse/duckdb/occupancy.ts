import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Who is at work in the file of an organisation: any number of readers, writers one after another, or somebody who
 * needs it alone for a moment.
 */
export class Occupancy {
  #inside = 0;
  #lastWrite: Promise<unknown> = Promise.resolve();
  #door: Promise<void> | undefined;
  #onEmpty: (() => void) | undefined;

  /** Waits only while somebody has the file alone. Whoever enters must leave. */
  async enter(): Promise<() => void> {
    while (this.#door) await this.#door;
    this.#inside += 1;
    return () => {
      this.#inside -= 1;
      if (this.#inside === 0) this.#onEmpty?.();
    };
  }

  async visit<T>(work: () => Promise<T>): Promise<T> {
    const leave = await this.enter();
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** One after another: DuckDB would refuse the second of two that touch the same row. */
  write<T>(work: () => Promise<T>): Promise<T> {
    return this.#inTurn(() => this.visit(work));
  }

  /**
   * After the writers before it, and once all readers have left; newcomers wait meanwhile. Gives up, without having done
   * anything, when readers stay for longer than it is willing to wait.
   */
  alone<T>(patienceMs: number, work: () => Promise<T>): Promise<T | 'occupied'> {
    return this.#inTurn(async () => {
      let open = () => {};
      this.#door = new Promise((resolve) => {
        open = resolve;
      });
      try {
        return (await this.#isEmptyWithin(patienceMs)) ? await work() : 'occupied';
      } finally {
        this.#door = undefined;
        this.#onEmpty = undefined;
        open();
      }
    });
  }

  /** Resolves when every writer that is here now is done. */
  async written(): Promise<void> {
    await this.#lastWrite;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#lastWrite.then(work);
    this.#lastWrite = turn.catch(() => {});
    return turn;
  }

  async #isEmptyWithin(patienceMs: number): Promise<boolean> {
    if (this.#inside === 0) return true;
    const empty = new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
    const patience = new AbortController();
    const late = sleep(patienceMs, undefined, { signal: patience.signal }).catch(() => {});
    await Promise.race([empty, late]);
    patience.abort();
    return this.#inside === 0;
  }
}
