import type { WaitingTime } from '../admission/ticket.ts';
import type { QuerySession } from './plan.ts';

/** The phases of a request, in the order in which they happen. */
const timingSpans = ['auth', 'plan', 'wait', 'engine', 'shape', 'send'] as const;
type TimingSpan = (typeof timingSpans)[number];

/** How the time of one request was spent. Every moment counts for one span: the one that was entered last. */
export class RequestTimings {
  readonly #now: () => number;
  readonly #spentMs = { auth: 0, plan: 0, wait: 0, engine: 0, shape: 0, send: 0 };
  #current: TimingSpan;
  #since: number;

  constructor(first: TimingSpan, now: () => number = () => performance.now()) {
    this.#now = now;
    this.#current = first;
    this.#since = now();
  }

  /** From now on, time counts for this span. */
  enter(span: TimingSpan): void {
    const now = this.#now();
    this.#spentMs[this.#current] += now - this.#since;
    this.#current = span;
    this.#since = now;
  }

  /** Time that counted for one span was spent on another. */
  move(from: TimingSpan, to: TimingSpan, ms: number): void {
    this.#spentMs[from] -= ms;
    this.#spentMs[to] += ms;
  }

  /** The value of the header `Server-Timing`, in milliseconds. */
  header(): string {
    this.enter(this.#current);
    let text = '';
    for (const span of timingSpans) {
      const ms = Math.round(Math.max(0, this.#spentMs[span]) * 100) / 100;
      text += `${text === '' ? '' : ', '}${span};dur=${ms}`;
    }
    return text;
  }
}

/** A session whose statements count as `engine`, their wait for a turn as `wait`, and what happens between as `shape`. */
export function timedSession(session: QuerySession, timings: RequestTimings, waiting: WaitingTime): QuerySession {
  let running = 0;
  let waitedBefore = 0;
  const timed = async <T>(statement: Promise<T>): Promise<T> => {
    if (running === 0) {
      timings.enter('engine');
      waitedBefore = waiting.spentMs;
    }
    running += 1;
    try {
      return await statement;
    } finally {
      running -= 1;
      if (running === 0) {
        timings.enter('shape');
        timings.move('engine', 'wait', waiting.spentMs - waitedBefore);
      }
    }
  };
  return {
    rows: (query) => timed(session.rows(query)),
    rowsWithin: (query, maxBytes) => timed(session.rowsWithin(query, maxBytes)),
    count: (query) => timed(session.count(query)),
    rowsRead: (plan) => timed(session.rowsRead(plan)),
    suppressed: (plan) => timed(session.suppressed(plan)),
    found: (lookup) => timed(session.found(lookup)),
  };
}
