import { isOutOfMemory } from './engine-failures.ts';

/**
 * A second try for what did not fit into the engine's memory beside everything else: such work is then done one after
 * another. Measured with 1 GB: six answers of 240 MB at once did not fit, and each of them did by itself.
 */
export class MemoryTurns {
  #last: Promise<unknown> = Promise.resolve();

  /** For work that can be done again from its beginning, unless it is said that it cannot any more. */
  async attempt<T>(work: () => Promise<T>, isRepeatable = () => true): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isOutOfMemory(error) || !isRepeatable()) throw error;
    }
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => {});
    return turn;
  }
}
