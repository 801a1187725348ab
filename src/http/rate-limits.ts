import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { Refusal } from '../refusal.ts';
import { clientOf } from './client-address.ts';
import type { Figures } from './figures.ts';

const windowMs = 60_000;
const badKeysMost = 30;
const countedMost = 20_000;

interface Window {
  count: number;
  endsAt: number;
}

/**
 * Counts in fixed windows of a minute. @fastify/rate-limit counts the same way, but by a clock of its own, behind a chain
 * of promises, and before it is known whether a key is one.
 */
class Counter {
  readonly #windows = new LRUCache<string, Window>({ max: countedMost });

  count(who: string, at: number): Window {
    const known = this.#windows.get(who);
    // A window that ends further away than it is long was begun before the clock was set back.
    if (known && at < known.endsAt && known.endsAt - at <= windowMs) {
      known.count += 1;
      return known;
    }
    const begun = { count: 1, endsAt: at + windowMs };
    this.#windows.set(who, begun);
    return begun;
  }
}

/**
 * How much one key may ask, and how often one address may be wrong about keys. A key is counted once it is known to be
 * one: whoever makes keys up cannot push a real one's count out of memory, nor use a real one's count up.
 */
export class RateLimits {
  readonly #limit: number;
  readonly #figures: Figures | undefined;
  readonly #tooManyByKey: string;
  readonly #tooManyKeyless: string;
  readonly #keys = new Counter();
  readonly #keyless = new Counter();
  readonly #wrong = new Counter();

  /** `limit` requests a minute; 0 means no limit of any kind. */
  constructor(limit: number, figures: Figures | undefined) {
    this.#limit = limit;
    this.#figures = figures;
    this.#tooManyByKey = `This key may send ${limit} requests a minute.`;
    this.#tooManyKeyless = `Requests without a key are limited to ${limit} a minute.`;
  }

  countRequest(keyId: string, reply: FastifyReply, at: Date): Refusal | undefined {
    if (this.#limit === 0) return undefined;
    const window = this.#keys.count(keyId, at.getTime());
    return this.#tell(reply, window, this.#limit, at, this.#tooManyByKey);
  }

  /** A request without any key. That is no guess at one, so it may happen as often as a request with a key. */
  countKeyless(request: FastifyRequest, reply: FastifyReply, at: Date): Refusal | undefined {
    if (this.#limit === 0) return undefined;
    const window = this.#keyless.count(clientOf(request.ip), at.getTime());
    return this.#tell(reply, window, this.#limit, at, this.#tooManyKeyless);
  }

  /** A wrong key, or a sign-in link that does not work. */
  countWrong(request: FastifyRequest, reply: FastifyReply, at: Date): Refusal | undefined {
    if (this.#limit === 0) return undefined;
    const window = this.#wrong.count(clientOf(request.ip), at.getTime());
    return this.#tell(reply, window, badKeysMost, at, 'Too many wrong keys came from this address.');
  }

  #tell(reply: FastifyReply, { count, endsAt }: Window, limit: number, at: Date, problem: string): Refusal | undefined {
    const seconds = Math.max(1, Math.ceil((endsAt - at.getTime()) / 1_000));
    reply.header('x-ratelimit-limit', limit);
    reply.header('x-ratelimit-remaining', Math.max(0, limit - count));
    reply.header('x-ratelimit-reset', seconds);
    if (count <= limit) return undefined;
    this.#figures?.countRateLimited();
    return new Refusal(
      'too-many-requests',
      `${problem} Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
      {
        retryAfterSeconds: seconds,
      },
    );
  }
}
