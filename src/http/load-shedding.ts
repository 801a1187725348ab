import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

export interface LoadLimits {
  /** Each may hold a body of a mebibyte. */
  readonly inFlightMost: number;
  readonly delayMostMs: number;
}

const defaultLimits: LoadLimits = { inFlightMost: 2_000, delayMostMs: 1_000 };
const sampleEveryMs = 500;
const resolutionMs = 20;

/**
 * Whether taking one more request would only make all of them slower. Own, small, in place of @fastify/under-pressure:
 * that one knows the event loop but not how many requests are under way, and answers in a form of its own.
 */
export class Load {
  readonly #limits: LoadLimits;
  readonly #delay: IntervalHistogram;
  readonly #timer: NodeJS.Timeout;
  #isLate = false;
  #inFlight = 0;

  constructor(limits: Partial<LoadLimits> = {}) {
    this.#limits = { ...defaultLimits, ...limits };
    this.#delay = monitorEventLoopDelay({ resolution: resolutionMs });
    this.#delay.enable();
    this.#timer = setInterval(() => this.#sample(), sampleEveryMs).unref();
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get isOverloaded(): boolean {
    return this.#isLate || this.#inFlight > this.#limits.inFlightMost;
  }

  enter(): void {
    this.#inFlight += 1;
  }

  leave(): void {
    this.#inFlight -= 1;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#delay.disable();
  }

  #sample(): void {
    // The histogram measures the whole way from one tick to the next, the resolution itself included.
    const delayMs = this.#delay.mean / 1e6 - resolutionMs;
    this.#isLate = delayMs > this.#limits.delayMostMs;
    this.#delay.reset();
  }
}
