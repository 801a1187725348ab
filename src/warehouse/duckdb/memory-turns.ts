import { endsWithin } from '../../admission/ticket.ts';
import { isOutOfMemory } from './engine-failures.ts';

/** Another answer may have a slow reader. */
const maxWaitMs = 30_000;

/**
 * Further tries for what did not fit into the engine's memory beside everything else: such work is then done one after
 * another, each time that something else has ended. Measured with 1 GB: six answers of 240 MB at once did not fit, and
 * each of them did by itself.
 */
export class MemoryTurns {
  /** Work that does not wait for its turn: it is done at once, and may fit. */
  readonly #firstTries = new Set<Promise<unknown>>();
  #last: Promise<unknown> = Promise.resolve();

  /** For work that can be done again from its beginning, unless it is said that it cannot any more. */
  async attempt<T>(work: () => Promise<T>, isRepeatable = () => true): Promise<T> {
    const first = work();
    const ended = first.catch(() => {});
    this.#firstTries.add(ended);
    try {
      return await first;
    } catch (error) {
      if (!isOutOfMemory(error) || !isRepeatable()) throw error;
    } finally {
      this.#firstTries.delete(ended);
    }
    const turn = this.#last.then(() => this.#repeat(work, isRepeatable));
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #repeat<T>(work: () => Promise<T>, isRepeatable: () => boolean): Promise<T> {
    for (;;) {
      const others = [...this.#firstTries];
      try {
        return await work();
      } catch (error) {
        if (others.length === 0 || !isOutOfMemory(error) || !isRepeatable()) throw error;
        if (!(await endsWithin(maxWaitMs, Promise.race(others)))) throw error;
      }
    }
  }
}
