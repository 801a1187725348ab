import { LRUCache } from 'lru-cache';
import { Refusal } from '../refusal.ts';
import type { Turn } from '../turns/turn.ts';
import type { Served } from './answer.ts';

/** What is kept: the answer, when it was given, and of which state of the data. */
interface Kept<A> {
  readonly answer: A;
  readonly at: number;
  readonly version: string;
}

/** A question that is being answered for everyone who asks it meanwhile. */
interface Flight<A> {
  /** The key in whose name it waits for its turns. */
  readonly keyId: string | undefined;
  readonly answer: Promise<A>;
  readonly controller: AbortController;
  waiting: number;
}

export interface Question<A> {
  /** Who asks and what: two questions with one key have one answer. */
  readonly key: string;
  /** The state of the data that an answer is about. An answer about another one is not given. */
  readonly version: () => string;
  readonly find: (signal: AbortSignal) => Promise<A>;
  /** Asked of every answer once it is found, and taken for granted where it is not said. */
  readonly isWorthKeeping?: (answer: A) => boolean;
  /** How much memory it takes, about. */
  readonly bytes: (answer: A) => number;
  readonly signal?: AbortSignal | undefined;
  /** In whose name the question is asked. */
  readonly turn?: Turn | undefined;
}

const keptMs = 5 * 60_000;
const bytesUsual = 64 * 1_024 ** 2;
/** A single answer that is larger would push out too many others. */
const shareOfOne = 1 / 16;

/**
 * Keeps answers for five minutes, or until the data changes. Whoever asks what is being answered already waits for that
 * answer; it is given up only when nobody waits for it any more.
 */
export class AnswerCache<A extends object> {
  readonly #now: () => number;
  readonly #kept: LRUCache<string, Kept<A>>;
  readonly #flights = new Map<string, Flight<A>>();

  constructor(now: () => number, bytesMost: number = bytesUsual) {
    this.#now = now;
    this.#kept = new LRUCache({ maxSize: bytesMost, maxEntrySize: Math.floor(bytesMost * shareOfOne) });
  }

  async serve(question: Question<A>): Promise<Served<A>> {
    const version = question.version();
    const kept = this.#kept.get(question.key);
    if (kept && kept.version === version && this.#now() - kept.at < keptMs) {
      return { answer: kept.answer, isKept: true, ageSeconds: Math.floor((this.#now() - kept.at) / 1_000) };
    }
    return { answer: await this.#join(question, version), isKept: false, ageSeconds: 0 };
  }

  /**
   * Whoever waits for an answer that another key asked for is not refused with that key: the other one may have too many
   * questions waiting. The question is then asked once more, in the caller's own name and waiting time.
   */
  async #join(question: Question<A>, version: string): Promise<A> {
    const { turn } = question;
    const key = `${version}\n${question.key}`;
    const keyId = this.#flights.get(key)?.keyId;
    if (!this.#flights.has(key) || keyId === turn?.keyId) return this.#fly(key, question, version);
    const waited = turn?.waiting.begin(() => {});
    try {
      return await this.#fly(key, question, version);
    } catch (error) {
      if (!(error instanceof Refusal) || error.reason !== 'unavailable') throw error;
    } finally {
      waited?.();
    }
    return this.#fly(`${key}\n${turn?.keyId}`, question, version);
  }

  async #fly(key: string, question: Question<A>, version: string): Promise<A> {
    const { signal } = question;
    signal?.throwIfAborted();
    const flight = this.#flights.get(key) ?? this.#start(key, question, version);
    flight.waiting += 1;
    let stopWaiting = () => {};
    const gaveUp = new Promise<never>((_, reject) => {
      const giveUp = () => reject(signal?.reason);
      signal?.addEventListener('abort', giveUp);
      stopWaiting = () => signal?.removeEventListener('abort', giveUp);
    });
    try {
      return await Promise.race([flight.answer, gaveUp]);
    } finally {
      stopWaiting();
      flight.waiting -= 1;
      if (flight.waiting === 0) this.#giveUp(key, flight);
    }
  }

  #start(key: string, question: Question<A>, version: string): Flight<A> {
    const controller = new AbortController();
    const answer = question
      .find(controller.signal)
      .then((found) => {
        // An answer that came while the data changed is good for those who asked before, and for nobody else.
        if (question.version() === version && question.isWorthKeeping?.(found) !== false) {
          const size = Math.max(1, question.bytes(found) + question.key.length);
          this.#kept.set(question.key, { answer: found, at: this.#now(), version }, { size });
        }
        return found;
      })
      .finally(() => this.#land(key, flight));
    // Those who wait are told; when nobody does, nobody needs to be.
    answer.catch(() => {});
    const flight: Flight<A> = { keyId: question.turn?.keyId, answer, controller, waiting: 0 };
    this.#flights.set(key, flight);
    return flight;
  }

  /** Whoever asks the same from now on must not wait for what is being stopped. */
  #giveUp(key: string, flight: Flight<A>): void {
    this.#land(key, flight);
    flight.controller.abort(new Error('nobody waits for the answer any more'));
  }

  #land(key: string, flight: Flight<A>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }
}
