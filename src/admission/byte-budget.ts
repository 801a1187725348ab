import { Refusal } from '../refusal.ts';

interface BudgetSettings {
  readonly bytes: number;
  /** The part of the bytes, between 0 and 1, that one owner can hold at a time. */
  readonly share: number;
  /** What is used up, for the message to a caller who waited and got nothing. */
  readonly busy: string;
  /** How long a request waits for others to give bytes back. */
  readonly waitMs?: number;
}

/** Bytes that a holder has taken. They have to be released, whatever happens. */
export interface Reservation {
  readonly bytes: number;
  /** Takes more, and waits for it as long as the budget lets anybody wait. */
  grow(bytes: number, signal?: AbortSignal): Promise<void>;
  /** Takes more if it is free at once. */
  tryGrow(bytes: number): boolean;
  /** Gives back all but this many bytes. */
  shrinkTo(bytes: number): void;
  release(): void;
}

interface WaitingTaker {
  readonly owner: string;
  readonly bytes: number;
  readonly go: () => void;
}

const waitMsUsual = 2_000;

/**
 * A number of bytes of memory or disk that everyone shares. No owner holds more than a share of it, so that one owner
 * cannot use it up; of those who wait, the owner that holds least comes first.
 */
export class ByteBudget {
  readonly bytes: number;
  /** What one owner can hold. */
  readonly shareBytes: number;
  readonly #settings: BudgetSettings;
  readonly #held = new Map<string, number>();
  #waiting: WaitingTaker[] = [];
  #used = 0;

  constructor(settings: BudgetSettings) {
    this.bytes = settings.bytes;
    this.shareBytes = Math.floor(settings.bytes * settings.share);
    this.#settings = settings;
  }

  get used(): number {
    return this.#used;
  }

  heldBy(owner: string): number {
    return this.#held.get(owner) ?? 0;
  }

  /** Takes bytes, or is refused as unavailable after a while. More than a share is never given. */
  async reserve(owner: string, bytes: number, signal?: AbortSignal): Promise<Reservation> {
    await this.#take(owner, bytes, signal);
    let held = bytes;
    const giveBack = (amount: number) => {
      held -= amount;
      this.#add(owner, -amount);
      this.#admit();
    };
    return {
      get bytes() {
        return held;
      },
      grow: async (more, stop) => {
        await this.#take(owner, more, stop);
        held += more;
      },
      tryGrow: (more) => {
        if (!this.#fits(owner, more)) return false;
        this.#add(owner, more);
        held += more;
        return true;
      },
      shrinkTo: (kept) => {
        if (kept < held) giveBack(held - kept);
      },
      release: () => {
        if (held > 0) giveBack(held);
      },
    };
  }

  #take(owner: string, bytes: number, signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#fits(owner, bytes)) {
      this.#add(owner, bytes);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', aborted);
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
      };
      const aborted = () => {
        leave();
        reject(signal?.reason);
      };
      const { waitMs = waitMsUsual, busy } = this.#settings;
      const timer = setTimeout(() => {
        leave();
        reject(new Refusal('unavailable', busy, { retryAfterSeconds: 2 }));
      }, waitMs);
      const waiting: WaitingTaker = {
        owner,
        bytes,
        go: () => {
          leave();
          resolve();
        },
      };
      signal?.addEventListener('abort', aborted);
      this.#waiting.push(waiting);
    });
  }

  #fits(owner: string, bytes: number): boolean {
    return this.#used + bytes <= this.bytes && this.heldBy(owner) + bytes <= this.shareBytes;
  }

  #add(owner: string, bytes: number): void {
    this.#used += bytes;
    const held = this.heldBy(owner) + bytes;
    if (held > 0) this.#held.set(owner, held);
    else this.#held.delete(owner);
  }

  #admit(): void {
    for (;;) {
      const next = this.#waiting
        .toSorted((a, b) => this.heldBy(a.owner) - this.heldBy(b.owner))
        .find(({ owner, bytes }) => this.#fits(owner, bytes));
      if (!next) return;
      this.#add(next.owner, next.bytes);
      next.go();
    }
  }
}
