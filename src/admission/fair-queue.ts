import type { Refusal } from '../refusal.ts';
import type { Caller, Ticket } from './ticket.ts';

export interface QueueEntry {
  readonly ticket: Ticket;
  /** Goes before everything else that waits under the same key: it has begun already, or others depend on it. */
  readonly isFirst?: boolean | undefined;
}

/** An entry whose turn has come. */
interface Called<E extends QueueEntry, Granted> {
  readonly entry: E;
  readonly grant: (granted: Granted) => void;
}

interface WaitingEntry<E extends QueueEntry, Granted> extends Called<E, Granted> {
  readonly refuse: (reason: unknown) => void;
}

/**
 * A queue in which organisations take turns, and within an organisation its keys: a key with a thousand waiting does
 * not keep another key from the next turn.
 */
export class FairQueue<E extends QueueEntry, Granted> {
  /** Organisations, and within each its keys, in the order of their turns: after its turn, one goes to the end. */
  readonly #organisations = new Map<string, Map<string, WaitingEntry<E, Granted>[]>>();
  readonly #late: () => Refusal;
  #size = 0;

  /** `late` makes the refusal for those who waited for as long as they may. */
  constructor(late: () => Refusal) {
    this.#late = late;
  }

  get size(): number {
    return this.#size;
  }

  sizeOfKey({ organisationId, keyId }: Caller): number {
    return this.#organisations.get(organisationId)?.get(keyId)?.length ?? 0;
  }

  sizeOf(organisationId: string): number {
    let size = 0;
    for (const waiting of this.#organisations.get(organisationId)?.values() ?? []) size += waiting.length;
    return size;
  }

  /** The organisations that have a waiting request. */
  get organisations(): Iterable<string> {
    return this.#organisations.keys();
  }

  /** Waits until it is called, the caller gives up, or the waiting time is used up. */
  wait(entry: E): Promise<Granted> {
    const { ticket, isFirst = false } = entry;
    const { signal } = ticket;
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const leave = () => {
        end?.();
        signal?.removeEventListener('abort', aborted);
      };
      const waiting: WaitingEntry<E, Granted> = {
        entry,
        grant: (granted) => {
          leave();
          resolve(granted);
        },
        refuse: (reason) => {
          this.#remove(waiting);
          leave();
          reject(reason);
        },
      };
      const aborted = () => waiting.refuse(signal?.reason);
      const end = ticket.waiting?.begin(() => waiting.refuse(this.#late()), isFirst);
      signal?.addEventListener('abort', aborted);
      this.#add(waiting);
    });
  }

  /** Calls the next one of those who are free to go. Those who are not keep their turn. */
  next(isFree: (entry: E) => boolean = () => true): Called<E, Granted> | undefined {
    for (const [organisationId, keys] of this.#organisations) {
      for (const [keyId, waiting] of keys) {
        const [next] = waiting;
        if (!next || !isFree(next.entry)) continue;
        waiting.shift();
        this.#size -= 1;
        keys.delete(keyId);
        if (waiting.length > 0) keys.set(keyId, waiting);
        this.#organisations.delete(organisationId);
        if (keys.size > 0) this.#organisations.set(organisationId, keys);
        return next;
      }
    }
    return undefined;
  }

  /** The first few of every key, in the order of turns. */
  *foremost(ofEachKey: number): Generator<E> {
    for (const keys of this.#organisations.values()) {
      for (const waiting of keys.values()) for (const { entry } of waiting.slice(0, ofEachKey)) yield entry;
    }
  }

  /** Refuses the last of whichever key of an organisation has the most waiting. Whether there was one that may be. */
  refuseLast(organisationId: string, reason: Refusal): boolean {
    const keys = [...(this.#organisations.get(organisationId)?.values() ?? [])];
    const longest = keys.toSorted((a, b) => b.length - a.length)[0];
    const last = longest?.findLast(({ entry }) => entry.ticket.waiting && !entry.isFirst);
    last?.refuse(reason);
    return last !== undefined;
  }

  #add(waiting: WaitingEntry<E, Granted>): void {
    const { organisationId, keyId } = waiting.entry.ticket;
    const keys = this.#organisations.get(organisationId) ?? new Map<string, WaitingEntry<E, Granted>[]>();
    this.#organisations.set(organisationId, keys);
    const queue = keys.get(keyId) ?? [];
    keys.set(keyId, queue);
    if (waiting.entry.isFirst) queue.unshift(waiting);
    else queue.push(waiting);
    this.#size += 1;
  }

  #remove(waiting: WaitingEntry<E, Granted>): void {
    const { organisationId, keyId } = waiting.entry.ticket;
    const keys = this.#organisations.get(organisationId);
    const queue = keys?.get(keyId);
    const at = queue?.indexOf(waiting) ?? -1;
    if (!keys || !queue || at === -1) return;
    queue.splice(at, 1);
    this.#size -= 1;
    if (queue.length === 0) keys.delete(keyId);
    if (keys.size === 0) this.#organisations.delete(organisationId);
  }
}
