import type { Refusal } from '../refusal.ts';
import { FairQueue, type QueueEntry } from './fair-queue.ts';
import type { Caller } from './ticket.ts';

interface PlaceLimits {
  /** How many may be at work at once: in all, of one organisation, and of one key. */
  readonly places: Shares;
  /** How many may wait. Work of the service itself, which has no waiting time, is not counted. */
  readonly waiting: Omit<Shares, 'all'>;
  /** What is said to those who find too many waiting, or have waited for too long. */
  readonly crowded: () => Refusal;
}

export interface Shares {
  readonly all: number;
  readonly organisation: number;
  readonly key: number;
}

/** Leaves the place to the next one. */
export type Leave = () => void;

/** A few places that organisations, and the keys of an organisation, take in turns. */
export class FairPlaces {
  readonly #limits: PlaceLimits;
  readonly #queue: FairQueue<QueueEntry, Leave>;
  readonly #atWork = new Set<Caller>();

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
    this.#queue = new FairQueue(limits.crowded);
  }

  get waiting(): number {
    return this.#queue.size;
  }

  /** Waits for a place. The caller must leave the place afterwards. */
  enter(entry: QueueEntry): Promise<Leave> {
    const { ticket } = entry;
    if (ticket.signal?.aborted) return Promise.reject(ticket.signal.reason);
    if (this.#isFree(ticket) && this.#queue.sizeOfKey(ticket) === 0) return Promise.resolve(this.#begin(ticket));
    if (ticket.waiting && !this.#mayWait(ticket)) return Promise.reject(this.#limits.crowded());
    return this.#queue.wait(entry);
  }

  async take<T>(entry: QueueEntry, work: () => Promise<T>): Promise<T> {
    const leave = await this.enter(entry);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  #begin(caller: Caller): Leave {
    // An object of its own: one caller may be at work several times.
    const atWork: Caller = { organisationId: caller.organisationId, keyId: caller.keyId };
    this.#atWork.add(atWork);
    return () => {
      if (this.#atWork.delete(atWork)) this.#call();
    };
  }

  #call(): void {
    for (;;) {
      const next = this.#queue.next((caller) => this.#isFree(caller));
      if (!next) return;
      next.grant(this.#begin(next.entry.ticket));
    }
  }

  #isFree({ organisationId, keyId }: Caller): boolean {
    const { all, organisation, key } = this.#limits.places;
    if (this.#atWork.size >= all) return false;
    let [ofOrganisation, ofKey] = [0, 0];
    for (const other of this.#atWork) {
      if (other.organisationId !== organisationId) continue;
      ofOrganisation += 1;
      if (other.keyId === keyId) ofKey += 1;
    }
    // What the service does by itself has no key, or not even an organisation, and no share of those.
    return (organisationId === '' || ofOrganisation < organisation) && (keyId === '' || ofKey < key);
  }

  #mayWait(caller: Caller): boolean {
    const { organisation, key } = this.#limits.waiting;
    return this.#queue.sizeOfKey(caller) < key && this.#queue.sizeOf(caller.organisationId) < organisation;
  }
}
