import type { Refusal } from '../refusal.ts';

/** The caller in whose name something waits: a key of an organisation. Work of the service itself has no key. */
export interface Caller {
  readonly organisationId: string;
  readonly keyId: string;
}

const strangers = 'strangers';

/** A caller whose organisation is not known. All of them share one part of everything, and take turns by address. */
export const stranger = (address: string): Caller => ({ organisationId: strangers, keyId: address });
export const isStranger = ({ organisationId }: Caller): boolean => organisationId === strangers;

/**
 * The ticket of work that may have to wait, in several places one after another: in whose name it waits, for how long
 * in all, and whether anybody still wants its result.
 */
export interface Ticket extends Caller {
  /** Work of the service itself has none: it waits for as long as it takes. */
  readonly waiting?: WaitingTime | undefined;
  /** Ends the waiting, and what is running. */
  readonly signal?: AbortSignal | undefined;
}

/** The ticket of a request, which has a limit to its waiting. */
export interface RequestTicket extends Ticket {
  readonly waiting: WaitingTime;
}

export const ticketOf = ({ organisationId, keyId }: Caller, maxMs?: number, signal?: AbortSignal): RequestTicket => ({
  organisationId,
  keyId,
  waiting: new WaitingTime(maxMs),
  signal,
});

/** A ticket for what is no wait of a request as a whole, such as that for memory: each wait has this limit by itself. */
export function ticketForEachWait({ organisationId, keyId, signal }: Ticket, eachMs: number): RequestTicket {
  const waiting = new WaitingTime(Number.POSITIVE_INFINITY);
  waiting.lift(eachMs);
  return { organisationId, keyId, signal, waiting };
}

/** The ticket of work that the service does by itself, for one organisation or for none. */
export const serviceTicket = (organisationId = '', signal?: AbortSignal): Ticket => ({
  organisationId,
  keyId: '',
  signal,
});

/**
 * A copy of a ticket for work that goes on without the caller, because others wait for it too or half of it would be
 * lost.
 */
export const withoutSignal = (ticket: Ticket): Ticket => ({ ...ticket, signal: undefined });

/** How long one request may wait for turns. A request that waits longer is asked to come back. */
const defaultMs = 2_000;
/** The last quarter of the time is kept for what has begun: its work would be lost otherwise. */
const beginsWithin = 0.75;
/** The longest time that a timer can wait. */
const maxTimerMs = 2 ** 31 - 1;

/**
 * The time that one request may spend waiting, all its waits together: a request that needs ten statements does not wait
 * ten times as long as a request that needs one. Waits at the same time count once.
 */
export class WaitingTime {
  readonly #now: () => number;
  #maxMs: number;
  #eachMs = Number.POSITIVE_INFINITY;
  #spentMs = 0;
  #waits = 0;
  #since = 0;

  constructor(maxMs: number = defaultMs, now: () => number = () => performance.now()) {
    this.#maxMs = maxMs;
    this.#now = now;
  }

  /** Time spent in waits that are over. */
  get spentMs(): number {
    return this.#spentMs;
  }

  get leftMs(): number {
    const current = this.#waits > 0 ? this.#now() - this.#since : 0;
    return Math.max(0, Math.min(this.#maxMs - this.#spentMs - current, this.#eachMs));
  }

  /** Begins a wait. `late` is called when the time is used up before the wait has ended. */
  begin(late: () => void, hasBegun = true): () => void {
    if (this.#waits === 0) this.#since = this.#now();
    this.#waits += 1;
    const keptMs = hasBegun || !Number.isFinite(this.#maxMs) ? 0 : this.#maxMs * (1 - beginsWithin);
    const leftMs = Math.max(0, this.leftMs - keptMs);
    const timer = Number.isFinite(leftMs) ? setTimeout(late, Math.min(leftMs, maxTimerMs)) : undefined;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      this.#waits -= 1;
      if (this.#waits === 0) this.#spentMs += this.#now() - this.#since;
    };
  }

  /**
   * For an answer whose first part was sent: it can only be broken off, not refused any more. From now on each wait
   * has a limit of its own.
   */
  lift(eachMs: number): void {
    this.#maxMs = Number.POSITIVE_INFINITY;
    this.#eachMs = eachMs;
  }
}

/** Whether something ends within so many milliseconds. */
export async function endsWithin(ms: number, awaited: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.min(ms, maxTimerMs));
  });
  try {
    return await Promise.race([awaited.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for something that goes on by itself, until the caller gives up or has no waiting time left. */
export function waitFor<T>(
  awaited: Promise<T>,
  { signal, waiting }: Pick<Ticket, 'signal' | 'waiting'>,
  late: () => Refusal,
): Promise<T> {
  if (!signal && !waiting) return awaited;
  return new Promise<T>((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const end = waiting?.begin(() => settle(() => reject(late())));
    const aborted = () => settle(() => reject(signal?.reason));
    const settle = (tell: () => void) => {
      end?.();
      signal?.removeEventListener('abort', aborted);
      tell();
    };
    signal?.addEventListener('abort', aborted);
    awaited.then(
      (value) => settle(() => resolve(value)),
      (error) => settle(() => reject(error)),
    );
  });
}

/** Work that several callers wait for. It is stopped when the last caller has left, not when the first has. */
export class AwaitedWork<T> {
  readonly #controller = new AbortController();
  readonly #result: Promise<T>;
  #waiting = 0;
  #isOver = false;

  constructor(work: (signal: AbortSignal) => Promise<T>) {
    this.#result = work(this.#controller.signal);
    const over = () => {
      this.#isOver = true;
    };
    // Every caller who waits gets the error; when nobody waits, nobody needs it.
    this.#result.then(over, over);
  }

  /** Whether every caller left before there was a result. A caller that comes now must start the work over. */
  get isAbandoned(): boolean {
    return this.#controller.signal.aborted;
  }

  /** The result, or the reason of the caller's own signal once the caller leaves. */
  wait(caller?: AbortSignal): Promise<T> {
    this.#waiting += 1;
    return new Promise<T>((resolve, reject) => {
      let hasLeft = false;
      const leave = (settle: () => void): void => {
        if (hasLeft) return;
        hasLeft = true;
        caller?.removeEventListener('abort', gone);
        settle();
        this.#waiting -= 1;
        if (this.#waiting === 0 && !this.#isOver)
          this.#controller.abort(new Error('no one waits for the result any more'));
      };
      const gone = (): void => leave(() => reject(caller?.reason));
      if (caller?.aborted) return gone();
      caller?.addEventListener('abort', gone);
      this.#result.then(
        (value) => leave(() => resolve(value)),
        (error: unknown) => leave(() => reject(error)),
      );
    });
  }
}
