import { Refusal } from '../refusal.ts';

/** No process writes to the store, nor to the tables that belong to it, until this is released. */
export interface WriteHold {
  /** Refused where the hold was lost, so that another process may have written meanwhile. */
  confirm(): Promise<void>;
  release(): Promise<void>;
}

export const onHold = (): Refusal =>
  new Refusal('unavailable', 'All data is being moved to another place, so that nothing is written here. Ask later.', {
    retryAfterSeconds: 30,
  });

export const holdLost = (cause: unknown): Refusal =>
  new Refusal('unavailable', 'The connection that kept others from writing was lost. Run this again.', { cause });

/** What keeps the writers of one process out. */
export class WriteGate {
  readonly #inside = new Set<Promise<unknown>>();
  #isHeld = false;

  enter<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isHeld) return Promise.reject(onHold());
    const writing = work();
    this.#inside.add(writing);
    const leave = () => void this.#inside.delete(writing);
    writing.then(leave, leave);
    return writing;
  }

  /** Lets no writer in any more, and waits for those inside. */
  async hold(): Promise<WriteHold> {
    if (this.#isHeld) throw onHold();
    this.#isHeld = true;
    await Promise.allSettled(this.#inside);
    return {
      confirm: async () => {},
      release: async () => {
        this.#isHeld = false;
      },
    };
  }
}
