import type { Clock } from './clock.ts';

/** REST and GraphQL have limits of their own. */
export const interfaces = ['rest', 'graphql'] as const;
export type Interface = (typeof interfaces)[number];

/** Requests that go well before one more is sent at a time again. */
const recoversAfter = 20;
const atOnceUsual = 4;

/** How many requests are under way at a time, and when the next may begin. */
export class RequestPace {
  readonly #clock: Clock;
  readonly #most: number;
  readonly #heldUntil: Record<Interface, number> = { rest: 0, graphql: 0 };
  readonly #waiting = new Set<() => void>();
  #places: number;
  #taken = 0;
  #wentWell = 0;

  constructor(clock: Clock, most: number = atOnceUsual) {
    this.#clock = clock;
    this.#most = most;
    this.#places = most;
  }

  /** How many may be under way now. */
  get atOnce(): number {
    return this.#places;
  }

  /** Waits for a place and for the end of a hold. A caller that gets a place must leave it. */
  async enter(to: Interface, signal: AbortSignal): Promise<() => void> {
    for (;;) {
      signal.throwIfAborted();
      const waitMs = this.#heldUntil[to] - this.#clock.now();
      if (waitMs > 0) await this.#clock.sleep(waitMs, signal);
      else if (this.#taken >= this.#places) await this.#somebodyLeaves(signal);
      else return this.#take();
    }
  }

  /** Nothing is sent before this moment (milliseconds since 1970, our clock). */
  holdUntil(to: Interface, moment: number): void {
    this.#heldUntil[to] = Math.max(this.#heldUntil[to], moment);
  }

  /** The provider finds that these are too many at a time. */
  slowDown(): void {
    this.#places = Math.max(1, Math.floor(this.#places / 2));
    this.#wentWell = 0;
  }

  noteSuccess(): void {
    this.#wentWell += 1;
    if (this.#wentWell < recoversAfter || this.#places >= this.#most) return;
    this.#places += 1;
    this.#wentWell = 0;
  }

  #take(): () => void {
    this.#taken += 1;
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      this.#taken -= 1;
      for (const goOn of this.#waiting) goOn();
      this.#waiting.clear();
    };
  }

  #somebodyLeaves(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const goOn = () => {
        signal.removeEventListener('abort', stop);
        resolve();
      };
      const stop = () => {
        this.#waiting.delete(goOn);
        reject(signal.reason);
      };
      signal.addEventListener('abort', stop, { once: true });
      this.#waiting.add(goOn);
    });
  }
}
