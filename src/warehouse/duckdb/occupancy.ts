import { Door } from './door.ts';

/**
 * Who is at work in the file of an organisation: any number of readers, writers one after another, or somebody who
 * needs it alone for a moment.
 */
export class Occupancy {
  /** Whole transactions pass here. */
  readonly #door = new Door();
  /** Single statements of readers pass here. */
  readonly statements = new Door();
  #lastWrite: Promise<unknown> = Promise.resolve();

  /** Waits only while somebody has the file alone. Whoever enters must leave. */
  enter(): Promise<() => void> {
    return this.#door.enter();
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

  /** After the writers before it, and once all readers have left; newcomers wait meanwhile. */
  alone<T>(patienceMs: number, work: () => Promise<T>): Promise<T | 'occupied'> {
    return this.#inTurn(() => this.#door.alone({ politeMs: 0, patienceMs }, work));
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
}
