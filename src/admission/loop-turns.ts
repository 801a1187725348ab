import type { Refusal } from '../refusal.ts';
import { FairQueue, type QueueEntry } from './fair-queue.ts';
import type { Caller } from './ticket.ts';

/** A request takes about half a millisecond until it waits for something, so that a turn stays at two. */
const maxBegun = 4;

/**
 * How many requests begin in one turn of the event loop. A caller with hundreds of connections that asks again as
 * soon as something is answered would make each turn as long as all of those answers take, and everybody else waits several
 * turns for one answer. So a few begin in a turn, of each organisation and key in turn, and the others in those that follow.
 */
export class LoopTurns {
  readonly #queue = new FairQueue<QueueEntry, void>(neverLate);
  #begun = 0;
  #isCounting = false;

  /** Begins at once where this turn has room. Nobody goes before another request of the same key. */
  begin(caller: Caller, begin: () => void): void {
    if (this.#begun >= maxBegun || this.#queue.size > 0) {
      void this.#queue.wait({ ticket: caller }).then(begin);
      return;
    }
    this.#count();
    begin();
  }

  #count(): void {
    this.#begun += 1;
    if (this.#isCounting) return;
    this.#isCounting = true;
    setImmediate(this.#nextTurn);
  }

  readonly #nextTurn = (): void => {
    this.#begun = 0;
    this.#isCounting = false;
    while (this.#begun < maxBegun) {
      const next = this.#queue.next();
      if (!next) return;
      this.#count();
      next.grant();
    }
  };
}

/** Nothing waits here for longer than the requests before it take to begin. */
const neverLate = (): Refusal => {
  throw new Error('a request has no limit to how long it may wait for its turn of the event loop');
};
