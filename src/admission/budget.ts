import type { Refusal } from '../refusal.ts';
import { FairQueue, type QueueEntry } from './fair-queue.ts';
import type { Caller } from './ticket.ts';

/** How much everyone together, one organisation, and one key may have at once. All of it, where nothing is said. */
export interface Shares {
  readonly all: number;
  readonly organisation?: number;
  readonly key?: number;
}

interface BudgetTerms {
  readonly shares: Shares;
  /** How many may wait. Work of the service itself, which has no waiting time, is not counted. */
  readonly waiting?: { readonly organisation: number; readonly key: number };
  /** The refusal for callers who find too many waiting, or have waited for too long. */
  readonly crowded: () => Refusal;
}

/** A share of a budget that somebody holds. The holder has to release it, whatever happens. */
export interface Hold {
  readonly amount: number;
  /** Takes more, and waits for it as long as the ticket allows. */
  grow(more: number): Promise<void>;
  /** Takes more if it is free at once. */
  tryGrow(more: number): boolean;
  /** Gives back all but this much. */
  shrinkTo(kept: number): void;
  release(): void;
}

interface AmountEntry extends QueueEntry {
  readonly amount: number;
}

/**
 * A few places, or some bytes of memory or disk, that everyone shares. No organisation and no key has more than its
 * share of them, so that none can use them up. Those who wait for some take turns.
 */
export class Budget {
  readonly #terms: BudgetTerms;
  readonly #queue: FairQueue<AmountEntry, void>;
  /** Shares are kept by organisation, and by key. */
  readonly #held = new Map<string, number>();
  #used = 0;

  constructor(terms: BudgetTerms) {
    this.#terms = terms;
    this.#queue = new FairQueue(terms.crowded);
  }

  /** The held amount. */
  get used(): number {
    return this.#used;
  }

  get waiting(): number {
    return this.#queue.size;
  }

  /** Waits for a place, and works there. */
  async take<T>(entry: QueueEntry, work: () => Promise<T>): Promise<T> {
    const place = await this.hold(entry);
    try {
      return await work();
    } finally {
      place.release();
    }
  }

  /** Waits for a place, or for so many bytes. */
  async hold(entry: QueueEntry, amount = 1): Promise<Hold> {
    const hold = this.open(entry);
    await hold.grow(amount);
    return hold;
  }

  /** Begins with nothing. */
  open({ ticket, isFirst = false }: QueueEntry): Hold {
    let held = 0;
    const shrinkTo = (kept: number): void => {
      if (kept >= held) return;
      this.#add(ticket, kept - held);
      held = kept;
      this.#call();
    };
    return {
      get amount() {
        return held;
      },
      grow: async (more) => {
        // Work that has begun goes first, since it keeps its bytes while it waits.
        await this.#enter({ ticket, amount: more, isFirst: isFirst || held > 0 });
        held += more;
      },
      tryGrow: (more) => {
        if (!this.#isFree(ticket, more)) return false;
        this.#add(ticket, more);
        held += more;
        return true;
      },
      shrinkTo,
      release: () => shrinkTo(0),
    };
  }

  #enter(entry: AmountEntry): Promise<void> {
    const { ticket, amount, isFirst } = entry;
    if (ticket.signal?.aborted) return Promise.reject(ticket.signal.reason);
    if (this.#isFree(ticket, amount) && (isFirst || this.#queue.sizeOfKey(ticket) === 0)) {
      this.#add(ticket, amount);
      return Promise.resolve();
    }
    if (ticket.waiting && !isFirst && !this.#mayWait(ticket)) return Promise.reject(this.#terms.crowded());
    return this.#queue.wait(entry);
  }

  #call(): void {
    for (;;) {
      const next = this.#queue.next(({ ticket, amount }) => this.#isFree(ticket, amount));
      if (!next) return;
      this.#add(next.entry.ticket, next.entry.amount);
      next.grant();
    }
  }

  #isFree({ organisationId, keyId }: Caller, amount: number): boolean {
    const { all, organisation = all, key = all } = this.#terms.shares;
    if (this.#used + amount > all) return false;
    // Work of the service itself has no key, or not even an organisation, and takes no share of theirs.
    if (organisationId !== '' && this.#heldBy(organisationId) + amount > organisation) return false;
    return keyId === '' || this.#heldBy(nameOf(organisationId, keyId)) + amount <= key;
  }

  #heldBy(name: string): number {
    return this.#held.get(name) ?? 0;
  }

  #add({ organisationId, keyId }: Caller, amount: number): void {
    this.#used += amount;
    for (const name of [organisationId, nameOf(organisationId, keyId)]) {
      const held = this.#heldBy(name) + amount;
      if (held === 0) this.#held.delete(name);
      else this.#held.set(name, held);
    }
  }

  #mayWait(caller: Caller): boolean {
    const { waiting } = this.#terms;
    if (!waiting) return true;
    return (
      this.#queue.sizeOfKey(caller) < waiting.key && this.#queue.sizeOf(caller.organisationId) < waiting.organisation
    );
  }
}

const nameOf = (organisationId: string, keyId: string): string => `${organisationId} ${keyId}`;

/** A request takes about half a millisecond until it waits for something, so that a turn stays at two. */
const maxBegun = 4;

/**
 * How many requests begin in one turn of the event loop. A caller with hundreds of connections that asks again as
 * soon as something is answered would make each turn as long as all of those answers take, and everybody else waits several
 * turns for one answer. So a few begin in a turn, of each organisation and key in turn, and the others in those that follow.
 */
export class LoopTurns {
  readonly #places = new Budget({ shares: { all: maxBegun }, crowded: neverCrowded });

  /** Begins at once where this turn has room. Nobody goes before another request of the same key. */
  begin(caller: Caller, begin: () => void): void {
    const place = this.#places.open({ ticket: caller });
    const entered = () => {
      setImmediate(place.release);
      begin();
    };
    if (this.#places.waiting === 0 && place.tryGrow(1)) entered();
    else void place.grow(1).then(entered);
  }
}

/** No request waits here for longer than the requests before it take to begin. */
const neverCrowded = () => {
  throw new Error('a request has no limit to how long it may wait for its turn of the event loop');
};
