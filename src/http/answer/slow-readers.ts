import type { ServerResponse } from 'node:http';

export interface ReadingPace {
  /** A client that takes less of a long answer than this is cut off. */
  readonly bytesPerSecond: number;
  /** Over how long this is measured. */
  readonly windowMs: number;
}

const defaultPace: ReadingPace = { bytesPerSecond: 32 * 1_024, windowMs: 15_000 };
const looksInWindow = 15;

/** A reader that an answer waits for. */
interface Watched {
  readonly response: ServerResponse;
  readonly end: () => void;
  /** Since when it has been waited for, and what the reader had taken by then. */
  since: number;
  taken: number;
}

/**
 * Ends answers whose readers take too little of them: a long answer holds memory, files and a state of the tables until
 * it is read. Only the time counts in which the answer waits for its reader, not the time in which it is made.
 */
export class SlowReaders {
  readonly #pace: ReadingPace;
  readonly #watched = new Set<Watched>();
  #timer: NodeJS.Timeout | undefined;

  constructor(pace: Partial<ReadingPace> = {}) {
    this.#pace = { ...defaultPace, ...pace };
  }

  /** Watches an answer until it is over. */
  watch(response: ServerResponse, end: () => void): void {
    if (response.destroyed) return;
    const watched: Watched = { response, end, since: performance.now(), taken: takenOf(response) };
    this.#watched.add(watched);
    this.#timer ??= setInterval(() => this.#look(), this.#pace.windowMs / looksInWindow).unref();
    response.once('close', () => this.#forget(watched));
  }

  #look(): void {
    const now = performance.now();
    const { bytesPerSecond, windowMs } = this.#pace;
    for (const watched of this.#watched) {
      const taken = takenOf(watched.response);
      const waitedMs = now - watched.since;
      const isWaitedFor = watched.response.writableLength > 0;
      if (isWaitedFor && waitedMs < windowMs) continue;
      if (isWaitedFor && taken - watched.taken < (bytesPerSecond * waitedMs) / 1_000) {
        this.#forget(watched);
        watched.end();
      }
      watched.since = now;
      watched.taken = taken;
    }
  }

  #forget(watched: Watched): void {
    this.#watched.delete(watched);
    if (this.#watched.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** What the system has taken of everything that was written to the connection. */
const takenOf = ({ socket }: ServerResponse): number => (socket ? socket.bytesWritten - socket.writableLength : 0);
